"""Names and codes of countries to ISO 3166-1 alpha-2 codes; names come from CLDR."""

from __future__ import annotations

import re
from functools import cache

from pipeline.values.texts.strings import lenient, without_accents

# The languages in which names are looked for, one after the other until one knows the name.
_LOCALES = (
    "en", "de", "fr", "es", "it", "pt", "nl", "ms", "id", "pl", "sv", "da", "nb", "fi", "cs", "hu",
    "ro", "tr", "ru", "el", "uk", "bg", "hr", "sr", "sk", "sl", "lt", "lv", "et", "is", "ca", "ga",
    "lb", "mk", "sq", "az", "ka", "hy", "kk", "zh", "zh_Hant", "ja", "ko", "ar", "fa", "he", "hi",
    "th", "vi", "sw", "af", "fil", "bn", "ky", "uz", "be",
)  # fmt: skip
_OTHER_NAMES = {
    "UK": "GB", "GREATBRITAIN": "GB", "BRITAIN": "GB", "ENGLAND": "GB", "SCOTLAND": "GB",
    "WALES": "GB", "NORTHERNIRELAND": "GB", "USA": "US", "UNITEDSTATESOFAMERICA": "US",
    "AMERICA": "US", "ETATSUNISDAMÉRIQUE": "US", "HOLLAND": "NL", "THENETHERLANDS": "NL",
    "CZECHREPUBLIC": "CZ", "ČESKÁREPUBLIKA": "CZ", "TSCHECHISCHEREPUBLIK": "CZ", "KOREA": "KR",
    "REPUBLICOFKOREA": "KR", "SOUTHKOREA": "KR", "RUSSIANFEDERATION": "RU", "VIETNAM": "VN",
    "TURKEY": "TR", "TURKIYE": "TR", "IVORYCOAST": "CI", "UAE": "AE", "HONGKONG": "HK",
    "HONGKONGSAR": "HK", "MACAU": "MO", "TAIWANROC": "TW", "PRC": "CN", "PRCHINA": "CN",
    "PEOPLESREPUBLICOFCHINA": "CN", "SUISSE": "CH", "SVIZZERA": "CH", "SWISS": "CH",
    "BRDEUTSCHLAND": "DE", "FEDERALREPUBLICOFGERMANY": "DE", "BUNDESREPUBLIKDEUTSCHLAND": "DE",
    "KINGDOMOFSAUDIARABIA": "SA", "KSA": "SA", "BURMA": "MM", "SLOVAKREPUBLIC": "SK",
    "臺灣": "TW", "台湾": "TW", "香港": "HK", "澳門": "MO", "澳门": "MO", "SKOREA": "KR",
    "REPUBLICOFIRELAND": "IE", "EIRE": "IE",
    "ELFENBEINKÜSTE": "CI", "日本国": "JP", "RÉPUBLIQUEFRANÇAISE": "FR", "SWAZILAND": "SZ",
    "РОССИЙСКАЯФЕДЕРАЦИЯ": "RU", "MACEDONIA": "MK", "EL": "GR", "HELLENICREPUBLIC": "GR",
    "ESTADOSUNIDOSMEXICANOS": "MX", "STATEOFISRAEL": "IL", "STATEOFQATAR": "QA",
    "STATEOFKUWAIT": "KW", "STATEOFPALESTINE": "PS", "PALESTINESTATEOF": "PS",
    "KOREAREPUBLICOF": "KR", "DEMOCRATICPEOPLESREPUBLICOFKOREA": "KP", "DPRK": "KP",
    "KOREADEMOCRATICPEOPLESREPUBLICOF": "KP", "REPUBLICOFTHECONGO": "CG", "REPUBLICOFCONGO": "CG",
    "DEMOCRATICREPUBLICOFTHECONGO": "CD", "DEMOCRATICREPUBLICOFCONGO": "CD", "DRC": "CD",
    "CONGODEMOCRATICREPUBLICOFTHE": "CD", "CONGOTHEDEMOCRATICREPUBLICOFTHE": "CD",
    "CZECHREP": "CZ", "ČR": "CZ", "ΕΛΛΆΣ": "GR", "ΕΛΛΑΣ": "GR", "HELLAS": "GR", "США": "US",
    "ΗΠΑ": "US", "EEUU": "US", "REPUBLICOFCHINA": "TW", "TAIWANPROVINCEOFCHINA": "TW",
    "GROSSBRITANNIEN": "GB", "GRANDEBRETAGNE": "GB", "GRANBRETAÑA": "GB", "GRANBRETAGNA": "GB",
    "GROOTBRITTANNIË": "GB", "VELKÁBRITÁNIE": "GB", "ROC": "TW",
    "CYMRU": "GB", "SLOVENSKÁREPUBLIKA": "SK", "RZECZPOSPOLITAPOLSKA": "PL",
    "REPUBBLICAITALIANA": "IT", "REINODEESPAÑA": "ES", "REPUBLIKÖSTERREICH": "AT",
    "LATVIJASREPUBLIKA": "LV", "LIETUVOSRESPUBLIKA": "LT", "KONGERIGETDANMARK": "DK",
    "KONUNGARIKETSVERIGE": "SE", "CONFÉDÉRATIONSUISSE": "CH", "REPÚBLICAPORTUGUESA": "PT",
    "KYRGYZREPUBLIC": "KG", "КЫРГЫЗСКАЯРЕСПУБЛИКА": "KG", "SWISSCONFEDERATION": "CH",
    "STATIUNITIDAMERICA": "US", "BOSNIA": "BA",
    "KONINKRIJKDERNEDERLANDEN": "NL", "TÜRKIYECUMHURIYETI": "TR",
}  # fmt: skip
# What countries call themselves, so that no other language need be loaded for an address's end.
_OWN_NAMES = {
    "DEUTSCHLAND": "DE", "ÖSTERREICH": "AT", "SCHWEIZ": "CH", "FRANCE": "FR", "ESPAÑA": "ES",
    "ITALIA": "IT", "NEDERLAND": "NL", "BELGIË": "BE", "BELGIQUE": "BE", "BELGIEN": "BE",
    "POLSKA": "PL", "ČESKO": "CZ", "SLOVENSKO": "SK", "MAGYARORSZÁG": "HU", "ROMÂNIA": "RO",
    "HRVATSKA": "HR", "SLOVENIJA": "SI", "SVERIGE": "SE", "NORGE": "NO", "DANMARK": "DK",
    "SUOMI": "FI", "ÍSLAND": "IS", "EESTI": "EE", "LATVIJA": "LV", "LIETUVA": "LT", "BRASIL": "BR",
    "MÉXICO": "MX", "PERÚ": "PE", "TÜRKIYE": "TR", "ΕΛΛΆΔΑ": "GR", "ΕΛΛΑΔΑ": "GR", "РОССИЯ": "RU",
    "УКРАЇНА": "UA", "БЪЛГАРИЯ": "BG", "日本": "JP", "中国": "CN", "대한민국": "KR",
    "LUXEMBOURG": "LU", "LUXEMBURG": "LU", "LËTZEBUERG": "LU", "ÉIRE": "IE", "NOREG": "NO",
    "SRBIJA": "RS", "СРБИЈА": "RS", "СРБИЯ": "RS", "CRNAGORA": "ME", "BOSNAIHERCEGOVINA": "BA",
    "СЕВЕРНАМАКЕДОНИЈА": "MK", "SHQIPËRI": "AL", "SHQIPËRIA": "AL", "KOSOVË": "XK", "KOSOVA": "XK",
    "REPUBLICAMOLDOVA": "MD", "БЕЛАРУСЬ": "BY", "КАЗАХСТАН": "KZ", "ҚАЗАҚСТАН": "KZ",
    "КЫРГЫЗСТАН": "KG", "OʻZBEKISTON": "UZ", "O'ZBEKISTON": "UZ", "AZƏRBAYCAN": "AZ",
    "ՀԱՅԱՍՏԱՆ": "AM", "ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ": "GE", "ΚΎΠΡΟΣ": "CY", "ΚΥΠΡΟΣ": "CY", "KIBRIS": "CY",
    "FØROYAR": "FO", "KALAALLITNUNAAT": "GL", "МОНГОЛ": "MN",
    "MAROC": "MA", "المغرب": "MA", "ALGÉRIE": "DZ", "الجزائر": "DZ", "TUNISIE": "TN", "تونس": "TN",
    "مصر": "EG", "ישראל": "IL", "الأردن": "JO", "لبنان": "LB", "العراق": "IQ", "ایران": "IR",
    "الكويت": "KW", "قطر": "QA", "البحرين": "BH", "المملكةالعربيةالسعودية": "SA",
    "السعودية": "SA", "الإماراتالعربيةالمتحدة": "AE", "الإمارات": "AE", "پاکستان": "PK",
    "SÉNÉGAL": "SN", "CÔTEDIVOIRE": "CI", "CAMEROUN": "CM", "BÉNIN": "BJ", "GUINÉE": "GN",
    "MAURICE": "MU", "MADAGASIKARA": "MG", "TCHAD": "TD", "MOÇAMBIQUE": "MZ", "CABOVERDE": "CV",
    "HAÏTI": "HT", "PANAMÁ": "PA", "REPÚBLICADOMINICANA": "DO", "PILIPINAS": "PH", "ไทย": "TH",
    "ประเทศไทย": "TH", "VIỆTNAM": "VN", "កម្ពុជា": "KH", "ລາວ": "LA", "भारत": "IN", "新加坡": "SG",
}  # fmt: skip
_KNOWN = {lenient(name): code for name, code in (_OTHER_NAMES | _OWN_NAMES).items()}
_KNOWN_BARE = {without_accents(name): code for name, code in _KNOWN.items()}  # as often printed
_SHORT, _SHORT_ENGLISH = re.compile(r"^\s*Rep\."), re.compile(r"(?<=\S\s)Rep\.|Rep\.(?=\sof\s)")
_ARTICLE = re.compile(r"^\s*the\s+(?=\S)", re.IGNORECASE)
# "Republic of South Africa", "Moldova, Republic of": what a country calls itself, less its name.
_ADJECTIVES = (
    r"(?:(?:arab|federal|federative|islamic|socialist|bolivarian|united|hashemite|democratic"
    r"|co-?operative|people'?s|independent|the)\s){0,3}"
)
_STATES = r"(?:republic|kingdom|sultanate|principality|commonwealth|grand\sduchy)"
_STATE_BEFORE = re.compile(
    rf"^\s*(?:{_ADJECTIVES}{_STATES}\sof\s(?:the\s)?"
    r"|(?:r[eé]p[uú]bli(?:que|ca)|repubblica|royaume|reino|regno|grand-duché)"
    r"\s(?:du\s|de\sla\s|del?\s|di\s|do\s|da\s|d['’])?"
    r"|(?:bundes)?republik\s|republika\s|republiek\s|ประเทศ)(?=\S)",
    re.IGNORECASE,
)
_STATE_BEHIND = re.compile(
    rf"^\s*(?P<name>[^,]{{3,40}})(?:,\s(?:the\s)?{_ADJECTIVES}"
    rf"(?:{_STATES}|plurinational\sstate|federated\sstates)\sof(?:\sthe)?|\svabariik)\s*$",
    re.IGNORECASE,
)
# Told apart by what they call themselves alone; the table has those names in full.
_TWINS = frozenset({"KR", "KP", "CG", "CD", "CN", "TW"})
_AMBIGUOUS = {"CONGO": ("CG", "CD"), "GUINEA": ("GN", "GW", "GQ"), "SAMOA": ("WS", "AS")}


def codes_of(name: str, *, every_language: bool = True) -> tuple[str, ...]:
    """Return the alpha-2 codes that a name or a code of a country can stand for; mostly one.

    Args:
        name: such as "Germany", "Deutschland", "DE", "DEU", in any case.
        every_language: look in all languages, which loads some megabytes where the common names
            do not tell.
    """
    name = _SHORT.sub("República", _SHORT_ENGLISH.sub("Republic", name))
    key = lenient(_ARTICLE.sub("", name)).replace("İ", "I")  # capitals of Türkiye
    bare = without_accents(key)
    if "/" in name:  # "Schweiz / Suisse" is one; "n/a" is no Namibia
        parts = [codes_of(part, every_language=every_language) for part in name.split("/")]
        return tuple(dict.fromkeys(code for codes in parts for code in codes)) if all(parts) else ()
    if key in _AMBIGUOUS:
        return _AMBIGUOUS[key]
    if (known := _KNOWN.get(key) or (_KNOWN_BARE.get(bare) if len(bare) > 3 else None)) is not None:
        return (known,)
    if len(key) in (2, 3) and key.isascii() and (code := _codes().get(key)) is not None:
        return (code,)
    if len(key) < 3 and key.isascii():
        return ()
    for locale in _LOCALES if every_language else _LOCALES[:1]:
        if (code := _names(locale).get(key)) is not None:
            return (code,)
    less = _STATE_BEFORE.sub("", name)
    if less == name and (behind := _STATE_BEHIND.match(name)) is not None:
        less = behind["name"]
    codes = codes_of(less, every_language=every_language) if less != name else ()
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
    from babel import Locale

    territories = Locale.parse(locale).territories
    not_countries = {"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"}
    return {
        lenient(writing): code
        for code, name in territories.items()
        if len(code) == 2 and code.isalpha() and code not in not_countries
        for writing in (name, name.partition(" (")[0])  # Myanmar (Burma)
    }
