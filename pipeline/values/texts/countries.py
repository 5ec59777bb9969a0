"""Names and codes of countries to ISO 3166-1 alpha-2 codes; names come from CLDR."""

from __future__ import annotations

import re
from functools import cache

from pipeline.values.patterns import lazy_pattern
from pipeline.values.texts.strings import lenient, without_accents

# The languages in which names are looked for, one after the other until one knows the name.
_LOCALES_TEXT = """
    en de fr es it pt nl ms id pl sv da nb fi cs hu ro tr ru el uk bg hr sr sk sl lt lv et is ca ga
    lb mk sq az ka hy kk zh zh_Hant ja ko ar fa he hi th vi sw af fil bn ky uz be
"""
_LOCALES = tuple(_LOCALES_TEXT.split())
_OTHER_NAMES = {
    "GB": "UK GREATBRITAIN BRITAIN ENGLAND SCOTLAND WALES NORTHERNIRELAND GROSSBRITANNIEN "
    "INGLATERRA ANGLETERRE INGHILTERRA ENGELAND "
    "GRANDEBRETAGNE GRANBRETAÑA GRANBRETAGNA GROOTBRITTANNIË VELKÁBRITÁNIE CYMRU "
    "UNITEDKINGDOMOFGREATBRITAINANDNORTHERNIRELAND",
    "CD": "DEMOCRATICREPUBLICOFTHECONGO DEMOCRATICREPUBLICOFCONGO DRC "
    "CONGODEMOCRATICREPUBLICOFTHE CONGOTHEDEMOCRATICREPUBLICOFTHE",
    "US": "UNITEDSTATESOFAMERICA AMERICA ETATSUNISDAMÉRIQUE США ΗΠΑ EEUU STATIUNITIDAMERICA",
    "NL": "HOLLAND NEDERLANDEN",
    "CZ": "CZECHREPUBLIC ČESKÁREPUBLIKA TSCHECHISCHEREPUBLIK CZECHREP ČR",
    "KR": "KOREA REPUBLICOFKOREA SKOREA KOREAREPUBLICOF",
    "RU": "RUSSIANFEDERATION РОССИЙСКАЯФЕДЕРАЦИЯ", "TR": "TURKEY TÜRKIYECUMHURIYETI",
    "CI": "IVORYCOAST ELFENBEINKÜSTE", "AE": "UAE", "HK": "HONGKONG HONGKONGSAR 香港",
    "MO": "MACAU 澳門 澳门",
    "TW": "TAIWANROC 臺灣 台湾 REPUBLICOFCHINA TAIWANPROVINCEOFCHINA ROC",
    "CN": "PRC PRCHINA PEOPLESREPUBLICOFCHINA",
    "CH": "SUISSE SVIZZERA SWISS CONFÉDÉRATIONSUISSE SWISSCONFEDERATION", "DE": "BRDEUTSCHLAND",
    "SA": "KSA", "MM": "BURMA", "SK": "SLOVAKREPUBLIC SLOVENSKÁREPUBLIKA", "JP": "日本国",
    "FR": "RÉPUBLIQUEFRANÇAISE", "SZ": "SWAZILAND", "MK": "MACEDONIA",
    "GR": "EL HELLENICREPUBLIC ΕΛΛΑΣ HELLAS", "MX": "ESTADOSUNIDOSMEXICANOS",
    "KP": "DEMOCRATICPEOPLESREPUBLICOFKOREA DPRK KOREADEMOCRATICPEOPLESREPUBLICOF",
    "CG": "REPUBLICOFTHECONGO REPUBLICOFCONGO", "IT": "REPUBBLICAITALIANA",
    "LV": "LATVIJASREPUBLIKA", "LT": "LIETUVOSRESPUBLIKA", "PT": "REPÚBLICAPORTUGUESA",
    "KG": "KYRGYZREPUBLIC КЫРГЫЗСКАЯРЕСПУБЛИКА", "BA": "BOSNIA", "VN": "VIETNAM",
    "PS": "PALESTINE",
}  # fmt: skip
# What countries call themselves, so that no other language need be loaded for an address's end.
_OWN_NAMES = {
    "DE": "DEUTSCHLAND", "AT": "ÖSTERREICH", "CH": "SCHWEIZ", "ES": "ESPAÑA", "IT": "ITALIA",
    "NL": "NEDERLAND", "BE": "BELGIË BELGIQUE BELGIEN", "PL": "POLSKA", "CZ": "ČESKO",
    "SK": "SLOVENSKO", "HU": "MAGYARORSZÁG", "RO": "ROMÂNIA", "HR": "HRVATSKA", "SI": "SLOVENIJA",
    "SE": "SVERIGE", "NO": "NORGE NOREG", "DK": "DANMARK", "FI": "SUOMI", "IS": "ÍSLAND",
    "EE": "EESTI", "LV": "LATVIJA", "LT": "LIETUVA", "BR": "BRASIL", "MX": "MÉXICO", "PE": "PERÚ",
    "TR": "TÜRKIYE", "GR": "ΕΛΛΑΔΑ", "RU": "РОССИЯ", "UA": "УКРАЇНА", "BG": "БЪЛГАРИЯ",
    "JP": "日本", "CN": "中国", "KR": "대한민국", "LU": "LUXEMBURG LËTZEBUERG", "IE": "ÉIRE",
    "RS": "SRBIJA СРБИЈА СРБИЯ", "ME": "CRNAGORA", "BA": "BOSNAIHERCEGOVINA",
    "MK": "СЕВЕРНАМАКЕДОНИЈА", "AL": "SHQIPËRI SHQIPËRIA", "XK": "KOSOVË KOSOVA",
    "BY": "БЕЛАРУСЬ", "KZ": "КАЗАХСТАН ҚАЗАҚСТАН", "KG": "КЫРГЫЗСТАН",
    "UZ": "OʻZBEKISTON O'ZBEKISTON", "AZ": "AZƏRBAYCAN", "AM": "ՀԱՅԱՍՏԱՆ", "GE": "ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ",
    "CY": "ΚΥΠΡΟΣ KIBRIS", "FO": "FØROYAR", "GL": "KALAALLITNUNAAT", "MN": "МОНГОЛ",
    "MA": "MAROC المغرب", "DZ": "ALGÉRIE الجزائر", "TN": "TUNISIE تونس", "EG": "مصر",
    "IL": "ישראל", "JO": "الأردن", "LB": "لبنان", "IQ": "العراق", "IR": "ایران", "KW": "الكويت",
    "QA": "قطر", "BH": "البحرين", "SA": "المملكةالعربيةالسعودية السعودية",
    "AE": "الإماراتالعربيةالمتحدة الإمارات", "PK": "پاکستان", "SN": "SÉNÉGAL", "CM": "CAMEROUN",
    "BJ": "BÉNIN", "GN": "GUINÉE", "MU": "MAURICE", "MG": "MADAGASIKARA", "TD": "TCHAD",
    "MZ": "MOÇAMBIQUE", "CV": "CABOVERDE", "HT": "HAÏTI", "PA": "PANAMÁ",
    "DO": "REPÚBLICADOMINICANA", "PH": "PILIPINAS", "TH": "ไทย", "KH": "កម្ពុជា", "LA": "ລາວ",
    "IN": "भारत", "SG": "新加坡",
}  # fmt: skip


def _compared(name: str) -> str:
    """Return the form in which a name is looked up: short ones keep accents, CAD is no Čad."""
    bare = without_accents(name)
    return bare if len(bare) > 3 else lenient(name)


_KNOWN = {
    _compared(name): code
    for table in (_OTHER_NAMES, _OWN_NAMES)
    for code, names in table.items()
    for name in names.split()
}
_SHORT, _SHORT_ENGLISH = lazy_pattern(r"^\s*Rep\."), lazy_pattern(r"(?<=\S\s)Rep\.|Rep\.(?=\sof\s)")
_ARTICLE = lazy_pattern(r"^\s*the\s+(?=\S)|,\s+the\s*$", re.IGNORECASE)
# "Republic of South Africa", "Moldova, Republic of": what a country calls itself, less its name.
_ADJECTIVES = (
    r"(?:(?:arab|federal|federative|islamic|socialist|bolivarian|united|hashemite|democratic"
    r"|co-?operative|people'?s|independent|the)\s){0,3}"
)
_STATES = (  # two states of other countries are called as countries are
    r"(?:republic|kingdom|state(?!\sof\s(?:georgia|m[eé]xico))|sultanate|principality"
    r"|commonwealth|grand\sduchy)"
)
_STATE_BEFORE = lazy_pattern(
    rf"^\s*(?:{_ADJECTIVES}{_STATES}\sof\s(?:the\s)?"
    r"|(?:r[eé]p[uú]bli(?:que|ca)|repubblica|royaume|reino|regno|grand-duché)"
    r"\s(?:du\s|de\sla\s|del?\s|di\s|do\s|da\s|d['’])?"
    r"|(?:(?:bundes)?republik|republika|republiek|rzeczpospolita|kongeri[gk]et|konungariket)\s"
    r"|koninkrijk\s(?:der\s)?|ประเทศ)(?=\S)",
    re.IGNORECASE,
)
_STATE_BEHIND = lazy_pattern(
    rf"^\s*(?P<name>[^,]{{3,40}})(?:,\s(?:the\s)?{_ADJECTIVES}"
    rf"(?:{_STATES}|plurinational\sstate|federated\sstates)\sof(?:\sthe)?|\svabariik)\s*$",
    re.IGNORECASE,
)
# Told apart by what they call themselves alone; the table has those names in full.
_TWINS = frozenset({"KR", "KP", "CG", "CD", "CN", "TW"})
_AMBIGUOUS = {"CONGO": ("CG", "CD"), "GUINEA": ("GN", "GW", "GQ"), "SAMOA": ("WS", "AS")}


def codes_of(name: str, *, languages: int = len(_LOCALES)) -> tuple[str, ...]:
    """Return the alpha-2 codes that a name or a code of a country can stand for; mostly one.

    Args:
        name: such as "Germany", "Deutschland", "DE", "DEU", in any case.
        languages: in how many to look, the most common first. Those behind the first, English,
            load some megabytes where the common names do not tell.
    """
    name = _SHORT.sub("República", _SHORT_ENGLISH.sub("Republic", name))
    key = lenient(_ARTICLE.sub("", name))
    bare = _compared(key)
    if "/" in name:  # "Schweiz / Suisse" is one; "n/a" is no Namibia
        parts = [codes_of(part, languages=languages) for part in name.split("/")]
        return tuple(dict.fromkeys(code for codes in parts for code in codes)) if all(parts) else ()
    if key in _AMBIGUOUS:
        return _AMBIGUOUS[key]
    if (known := _KNOWN.get(bare)) is not None:
        return (known,)
    if len(key) in (2, 3) and key.isascii() and (code := _codes().get(key)) is not None:
        return (code,)
    if len(key) < 3 and key.isascii():
        return ()
    for locale in _LOCALES[:languages]:
        if (code := _names(locale).get(bare)) is not None:
            return (code,)
    less = _STATE_BEFORE.sub("", name)
    if less == name and (behind := _STATE_BEHIND.match(name)) is not None:
        less = behind["name"]
    codes = codes_of(less, languages=languages) if less != name else ()
    return codes if _TWINS.isdisjoint(codes) else ()


@cache
def _codes() -> dict[str, str]:
    """Return the alpha-2 code of each alpha-2 and alpha-3 code."""
    from babel.core import get_global

    alpha2 = set(_names("en").values())
    aliases = get_global("territory_aliases")
    three = {
        name: codes[0] for name, codes in aliases.items() if len(name) == 3 and len(codes) == 1
    }
    return {**{code: code for code in alpha2}, **{n: c for n, c in three.items() if c in alpha2}}


@cache
def _names(locale: str) -> dict[str, str]:
    """Return the alpha-2 code of each name in a language, see `_compared`."""
    from babel import Locale

    territories = Locale.parse(locale).territories
    not_countries = {"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"}
    return {
        _compared(writing): code
        for code, name in territories.items()
        if len(code) == 2 and code.isalpha() and code not in not_countries
        for writing in (name, name.partition(" (")[0])  # Myanmar (Burma)
    }
