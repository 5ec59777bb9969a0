"""Units of measure and count: what stands behind a number that is no money."""

from __future__ import annotations

import re

from pipeline.values.times.durations import UNIT
from pipeline.values.wordlists import either, words_of

# Of one letter in small letters only: capitals beside a price are marks of its tax.
_MEASURES = (
    r"[glmht]|[kmc]m|[kcm]?m[²³23]|[kMGT]B"
    r"|(?i:[km]g|kgs|kgm|tonnes?|tons|lbs?|oz|mtrs?|met(?:er|re)s?|kms|yds?|sq\.?\s?(?:m|ft)|sqm|sqft"
    r"|cbm|cft|[cmh]l|lt(?:r|rs)|lit(?:er|re)s?|gal|gallons?|[kmg]?wh|[km]w|kva|ha|°[cf]|std|hrs?"
    r"|hours?|stk|stück|pcs)"
)
# Counts are whole numbers: "2.50 ea" is what each of them costs.
_COUNTED = either(
    words_of("""
    ea pce pc unit units items boxes box bags bag ctn ctns carton cartons pallet pallets plt pkg
    pkgs packs pack pkt pkts roll rolls set sets pair pairs doz dozen sheets bottles cans nights
    nächte nuits noches notti nachten nätter netter 泊 박 pax osob osoby άτομα kartónov balení
    persons pages nos paar paletten rollen personen kartons flaschen pièces pièce unités boîtes
    colis personnes uds ud unid unidades piezas pzas pza cajas personas pz pezzi colli stuks dozen
    un peças pçs cx unids szt sztuk ks kus kusů db buc bucăți kom kos st kpl adet ad шт штук бр
    τεμ τμχ buah lembar unit cái chiếc ชิ้น อัน กล่อง 個 台 本 枚 箱 冊 点 名 件 袋 个 包 瓶 只 套
    张 張 개 대 박스 매 권 명 قطعة יח' יחידות नग
""")
)
_MEASURED = re.compile(
    rf"(?:\s?[x×]\s?\d{{1,5}}(?:[.,]\d{{1,3}})?){{0,2}}\s?(?:{_MEASURES})\.?(?![^\W_])"
)
_COUNT = re.compile(rf"\s?(?:{_COUNTED})\.?(?![^\W_])", re.IGNORECASE)
_SPACE = re.compile(r"\s?")


def is_measured(text: str, end: int, decimals: int) -> bool:
    """Return whether a unit stands behind a number: 2.5 kg, 40 pcs, 800 x 600 mm, 3 nights.

    Args:
        text: that holds the number.
        end: where the number ends.
        decimals: how many it is written with; units of count and of time hardly ever have two.
    """
    if _MEASURED.match(text, end) is not None or (not decimals and _COUNT.match(text, end)):
        return True
    behind = _SPACE.match(text, end)
    return behind is not None and decimals < 2 and UNIT.match(text, behind.end()) is not None
