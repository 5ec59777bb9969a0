"""Identifiers (invoice, contract, account numbers): without caption, without stray spaces."""

from __future__ import annotations

import re
import unicodedata

from pipeline.values.figures.currencies import NAME, SIGN
from pipeline.values.patterns import lazy_pattern
from pipeline.values.texts.absent import says_absent
from pipeline.values.texts.strings import clean, within_pair

# What `re` takes for no letter: vowel signs from India to Laos
_SIGNS = "".join(c for c in map(chr, range(0x900, 0xF00)) if unicodedata.category(c)[0] == "M")
_LETTER = rf"(?:[^\W\d_]|[{_SIGNS}])"
# One to five caption words, the last of them a word for "number", or a "#" or ":".
_CAPTION = lazy_pattern(
    r"(?:n[°º]\s?)?(?:[\u3040-\u9fff]{1,12}(?=no[.:\s]))?"
    rf"(?:(?:[dl]['’])?{_LETTER}{{1,20}}(?:-[^\W\d_]{{1,12}})?[.\s/]{{1,3}}){{0,4}}?"
    r"(?:(?:no|n0|nono|nos|nr|nro|νο|num|number|numer|numero|número|numéro|r[eé]f|reference|id|code|iban|bic|swift"
    r"|[^\W\d_]{0,20}nummer|[^\W\d_]{2,20}nr)(?![^\W_])\s?[.:#-]{0,3}"
    r"|(?:[^\W\d_]{1,20}\.?-){1,2}(?:nr|no|nummer|id|code)(?![^\W_-])(?:\s?\.?(?::|(?=\s))|\.(?=\S*\d))"
    r"|[^\W\d_]{2,20}(?:numero|number)(?![^\W_])\s?[.:#]{0,2}"
    r"|מס['׳]\s?:?|[^\W\d_]{0,12}(?:番号|เลขที่[\u0e00-\u0e4f]{0,20}|編號|编号|號碼|号码|번호)\s?:?"
    r"|(?:isbn|issn|ean|gtin|imei|vin|pod|pdr|cups|prm|mpan|mprn|siret|uuid|guid|pnr|mrn|awb|aid|sku|[spm]/n)(?=\s|:)\s?:?"
    r"|(?:n\.?[°º]|№)\.?\s?:?(?:\s?d[aeio]l?\s[^\W\d_]{3,20}(?=\s))?|(?:n|č|sz|br|αρ)\.\s?:?"
    r"|#|(?<=[°º])\s?:?"
    rf"|(?:{_LETTER}{{2,20}}\.?|[^\W\d_]\.)\s?[:#]{{1,2}})"
    r"\s{0,3}",
    re.IGNORECASE,
)
# What documents are called: before a number their name needs no word for "number".
DOCUMENT_NAME = (
    r"(?:(?:tax|sales|purchase|credit|delivery|customer|your|our|pro-?forma)\s)?"
    r"(?:invoice|inv\.|nfs?-e|ct-e|order|bill|receipt|quote|quotation|contract|agreement|policy|ticket|booking"
    r"|reservation|note|claim|rechnung|auftrag|bestellung|angebot|vertrag|lieferschein|gutschrift"
    r"|beleg|quittung|kunde|vertragskonto|kundenkonto|facture|commande|devis|contrat|avoir|factura|pedido|presupuesto"
    r"|contrato|albarán|fattura|ordine|preventivo|contratto|bolla|factuur|bestelling|offerte"
    r"|fatura|encomenda|faktura|zamówienie|umowa|objednávka|smlouva|zmluva|számla|beställning"
    r"|ordre|lasku|tilaus|invois|pesanan)"
)
"""A regular expression of the names of documents."""
_DOCUMENT = lazy_pattern(
    rf"{DOCUMENT_NAME}\s(?=(?:[^\W\d_]{{1,2}}\s)?[^\W_]{{0,12}}[^\w\s]{{0,2}}[^\W_]{{0,12}}\d)|(?:flight|flug)\s(?=[A-Z\d]{{2}}\s?\d)",
    re.IGNORECASE,
)
_DOCUMENT_ALONE = lazy_pattern(DOCUMENT_NAME, re.IGNORECASE)
# Words in small letters, and long ones, are of no number: "Номер на фактура 10045".
_WORDS = lazy_pattern(
    rf"(?:(?:[^\W\d_](?:[^\W\d_A-ZА-ЯΑ-Ω]|[{_SIGNS}]){{1,24}}|[^\W\d_]{{6,24}})\.?(?:\s/)?\s){{1,4}}"
    r"(?=(?:[A-Z]{2,4}\s)?\S*\d)"
)
_CODE = lazy_pattern(r"[A-Z]{1,12}(?:[/-][A-Z]{1,12}){0,3}")  # in place of a number: JD/MK
_INNER_SPACE = lazy_pattern(r"(?<=[\d/.-]) (?=[\d/.-])")
_AROUND_MARK = lazy_pattern(r"(?<=\d) ?([/.-]) ?(?=\d)")
_BESIDE_LETTER = lazy_pattern(r"[^\W\d_] [\d/.-]|[\d/.-] [^\W\d_]")

_MONTH = r"\d{1,2}(?:\.|st|nd|rd|th)?\s(?:de\s)?[^\W\d_]{3,12}\.?,?\s(?:de\s)?\d{4}"
_DATE_BEHIND = lazy_pattern(
    rf"\s?[,;(]?\s(?:vom|v\.|dated|(?:(?:{DOCUMENT_NAME}|due|issue)\s)?date|[^\W\d_]{{0,16}}datum|fecha|dtd?\.?|of|from|on|du|en\sdate\sdu|del|de|de\sfecha|van|d\.?d\.?|do|da"
    r"|z\sdnia|z|ze\sdne|zo\sdňa|din|av|af|fra|från|от|від|tarihli|tanggal)\.?\s?"
    rf"(?:\d{{1,4}}[./-]\s?\d{{1,2}}[./-]\s?\d{{2,4}}|{_MONTH}|[^\W\d_]{{3,12}}\s\d{{1,2}},?\s\d{{4}})"
    r"(?:\s?(?:г|r|р|года?|року)\.?)?\)?$"
    r"|(?:,\s?|\s/\s|\s?/\s?(?=\d\d?\.))\d{1,2}(?P<mark>[./])\d{1,2}(?P=mark)\d{4}$",
    re.IGNORECASE,
)
# 4471 Term: 02; 118 Customer No 445; 118 Total 45.00
_NEXT_CAPTION = lazy_pattern(
    r"[,;]?\s(?:[^\W\d_]{2,20}\s)?[^\W\d_]{2,20}\.?\s?:\s?\S.*$|\s[^\W\d_]{2,20}\s(?:no|nr|num(?:ber|mer)|n[°º]|#)\.?\s?\S*\d\S*$"
    rf"|\s[^\W\d_]{{3,20}}\s(?:{SIGN}\s?)?\d[\d.,]*[.,]\d\d$",
    re.IGNORECASE,
)
_SURELY_A_NUMBER = 3  # digits
_MONEY = lazy_pattern(
    r"(?:total|amount|sum|summe|betrag|montant|import[eo]|suma)\W{0,3}\d[\d.,' ]{0,16}[.,]\d\d|"
    rf"(?:{SIGN}|{NAME})\s?\d[\d.,' ]{{0,16}}[.,]\d\d|[$€£¥₹]\s?\d[\d.,' ]{{0,16}}"
    rf"|\d[\d.,' ]{{0,16}}(?:[.,]\d\d\s?(?:{SIGN}|{NAME})|[€£¥₹])",
    re.IGNORECASE,
)
_NOTES = (
    r"(?:(?:certified|true|customer'?s?|office|file)\s)?(?:copy|original|duplicate|reprint|draft"
    r"|cancell?ed|void|paid|kopie|zweitschrift|duplikat|entwurf|storniert|bezahlt|copie|duplicata"
    r"|revised|amended|corrected|final|korrigiert|berichtigt|page\s\d{1,3}(?:\sof\s|\s?/\s?)\d{1,3}"
    r"|brouillon|copia|duplicado|originale|duplicato|kopia|oryginał|cópia|via)"
)
_NOTE_BEHIND = lazy_pattern(
    rf"\s?[(\[]\s?{_NOTES}\s?[)\]]$|\s[-–/|]\s{_NOTES}$"
    r"|\s\((?=(?-i:[^()]{0,20}[a-zà-ÿ]{3}))[^\d()]{3,40}(?<!\W[A-Z])\)$"
    r"|\s(?:page|seite|página|pagina|sida|side|strona)"
    r"(?:\s\d{1,3}\s?(?:of|/|von|de|di|z)\s?\d{1,3}|\s?:\s?\d{1,3})$"
    r"|\s?[/|–-]\s(?:page|seite)\s\d{1,3}$|\sexp\.?\s\d\d/\d{2,4}$"
    r"|,\sas\s(?:amended|supplemented)$|\s?\(the\s[\"“][^()]{2,30}\)$|\sS[ée]rie\s\d{1,3}$"
    r"|\s(?:table|till|reg|kasse|tisch|caisse|cassa|caja|mesa)\s?#?\d{1,3}$"
    r"|(?:\s?[/,|-])?\s(?:Rev|Revision)\.?\s\w{1,2}$",
    re.IGNORECASE,
)


def printed_identifier(text: str) -> str:
    """Return an identifier as printed, without its caption ("Invoice No:", "#") and stray ends.

    A caption goes only where something with a digit is left, or a code behind its colon; so do a
    date, a note and a full stop behind the identifier.
    """
    current = text
    while (bare := _without_ends(clean(current))) != current:
        current = bare
    return current


def clean_identifier(text: str) -> str:
    """Return an identifier as `printed_identifier` does, split numbers closed up.

    Spaces go where reading or print split a number ("272355 / 3", "1234 5678"), not beside
    letters ("9752880 (Rev 0)") nor between digits where others stay ("V 2023 001").
    """
    printed = printed_identifier(text)
    if _BESIDE_LETTER.search(printed):
        return _AROUND_MARK.sub(r"\1", printed)
    return _INNER_SPACE.sub("", printed)


def is_missing(text: str) -> bool:
    """Return whether a text holds no identifier: a caption alone or with "n/a", money, a blank.

    Args:
        text: as printed.
    """
    if says_absent(text):
        return True
    current = clean(text)
    if _MONEY.fullmatch(current) is not None:
        return True
    if any(map(str.isdecimal, current)):
        return False
    if _DOCUMENT_ALONE.fullmatch(current) is not None:
        return True
    captioned = text.rstrip(" _-–—.").endswith((":", "#"))
    caption = _CAPTION.match(current)
    if caption is None or caption.end() == 0:
        return captioned
    rest = clean(current[caption.end() :])
    return not rest or captioned or says_absent(rest)


def _without_ends(current: str) -> str:
    """Return an identifier without what stands before and behind it, one round."""
    for pattern in (_CAPTION, _DOCUMENT, _WORDS):
        if (caption := pattern.match(current)) is not None:
            rest = clean(current[caption.end() :])
            told = _has_digit(rest) or (":" in caption.group() and _CODE.fullmatch(rest))
            if caption.end() and told:
                return rest
    for pattern in (_DATE_BEHIND, _NOTE_BEHIND):
        found = pattern.search(current)
        if found is not None and _has_digit(current[: found.start()]):
            return current[: found.start()]
    if (caption := _NEXT_CAPTION.search(current)) is not None:
        number, rest = current[: caption.start()], caption.group()
        digits = sum(map(str.isdecimal, number))
        # "Store 12 Trans: 4471" has its number behind
        if digits >= min(_SURELY_A_NUMBER, max(1, sum(map(str.isdecimal, rest)))):
            return number
    if (inner := within_pair(current)) is not None and _has_digit(inner):
        return inner
    stopped = current.removesuffix(".")
    return stopped if _has_digit(stopped[-2:]) else current


def _has_digit(text: str) -> bool:
    return any(map(str.isdecimal, text))
