"""Currencies: what is printed for them, how many decimals they have, which mark parts those.

Signs and names are a table of our own: CLDR gives one sign a locale, where pages print many. Codes
are those of ISO 4217 in use.
"""

from __future__ import annotations

from babel.core import get_global

from pipeline.values.wordlists import either, words_of

_DOLLARS = (
    "USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "UYU", "DOP",
    "BND", "FJD", "JMD", "TTD", "BBD", "BSD", "BZD", "BMD", "GYD", "KYD", "LRD", "NAD", "SRD",
    "XCD", "SBD", "CUP",
)  # fmt: skip
_CROWNS = ("SEK", "NOK", "DKK", "ISK")
_RUPEES = ("INR", "PKR", "LKR", "NPR", "MUR", "SCR")
_FRANCS = ("CHF", "XOF", "XAF", "XPF", "BIF", "CDF", "DJF", "GNF", "KMF", "RWF")
_PESOS = ("MXN", "PHP", "ARS", "CLP", "COP", "UYU", "DOP", "CUP")
_POUNDS = ("GBP", "EGP", "LBP", "SYP", "SDG", "FKP", "GIP", "SHP")
_YEN = ("JPY", "CNY")

# Money that has gone lately, or that no country pays in, is printed all the same.
CODES = frozenset({"ANG", "BGN", "CLF", "HRK"}).union(
    code
    for spans in get_global("territory_currencies").values()
    for code, _, end, tender in spans
    if tender and end is None
)
"""ISO 4217 codes that are read."""

# Codes that are words or names on business documents ("SDN BHD", "RON 95" is petrol): they count
# where a text is nothing but the code and a number.
_WORDS = words_of("""
    ALL AMD AOA BAM BHD BIF BOB COP CUP DOP ERN GEL GIP LAK MAD MDL MOP MUR NAD PAB PEN RON
    SLE SOS SSP STN TOP TRY
""")


def _by_sign(printed: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the codes that each sign stands for, of the signs that codes are printed as."""
    return {
        sign: tuple(codes.split()) for codes, signs in printed.items() for sign in signs.split("|")
    }


_LETTERS = _by_sign({
    "ZAR": "R", "EGP": "L.E|LE", "LBP": "L.L", "OMR": "RO|R.O", "BTN": "NU", "RUB": "Р",
    "GTQ": "Q", "BOB VES": "BS", "BHD": "BD", "KWD": "KD", "JOD": "JD", "TND": "DT", "BRL": "CR$",
    "PYG": "GS", "ETB BYN": "BR", "PAB": "B/", "BAM": "KM", "AOA": "KZ", "QAR": "QR", "CLF": "UF",
    "DZD": "DA", "RSD": "DIN", "ALL": "LEK", "SAR": "SR", "BIF": "FBU", "RWF": "FRW",
})  # fmt: skip
_SIGNS = _by_sign({
    " ".join(_DOLLARS): "$", "USD": "US$|USD$|U$S|U$D|US $|$US|$ US|U.S. $|U.S.$|美元|美金|"
    "米ドル|미국 달러",
    "CAD": "C$|CA$|CAD$|CDN$|CDN|$CAN|$ CAN|CAN$|CA $|$CA|$ CA", "AUD": "A$|AU$|AUD$|AU $|$ AU",
    "NZD": "NZ$", "SGD": "S$|SG$", "HKD": "HK$|港幣|港币|港元", "TWD": "NT$|新臺幣|新台幣|NTD",
    "BRL": "R$", "MXN": "MX$|MEX$", "ARS": "AR$", "COP": "COL$", "CLP": "CLP$", "UYU": "$U|$ U",
    "DOP": "RD$", "JMD": "J$", "TTD": "TT$", "XCD": "EC$", "BBD": "BDS$|BDS $", "BZD": "BZ$",
    "FJD": "FJ$", "NAD": "N$", "PEN": "S/", "EUR": "€|€URO|欧元|歐元|ユーロ|유로", "GBP": "£",
    "EGP": "E£|ج.م|جنيه مصري",
    " ".join(_YEN): "¥", "CNY": "CN¥|圆|RMB|元整|人民币|人民幣", "JPY": "JP¥|円|円也",
    "INR": "₹|ரூ", " ".join(_RUPEES): "₨|RS", "KRW": "₩|원정|원", "RUB": "₽|РУБ", "TRY": "₺|TL",
    "VND": "₫|VNĐ|Đ", "THB": "฿|บาท|บาทถ้วน", "PHP": "₱", "ILS": '₪|NIS|ש"ח|ש״ח|שקל|שקלים|שח',
    "NGN": "₦", "UAH": "₴|ГРН", "KZT": "₸|ТГ|ТЕНГЕ", "AZN": "₼", "GEL": "₾|ЛАРИ|ᲚᲐᲠᲘ",
    "GHS": "₵|GH₵|GH¢", "BDT": "৳|TK|টাকা", "LAK": "₭", "MNT": "₮|ТӨГ", "CRC": "₡", "PYG": "₲",
    "KHR": "៛", "CNY TWD HKD": "元", "TWD HKD": "圓", "MYR": "RM", "IDR": "RP",
    " ".join(_CROWNS): "KR", "SEK": "SKR", "DKK": "DKR", "NOK": "NKR", "PLN": "ZŁ|ZL",
    "CZK": "KČ|KC", "HUF": "FT", "RON": "LEI", " ".join(_FRANCS): "FR", "CHF": "SFR",
    "XOF XAF": "FCFA|CFA|F CFA",
    "KES": "KSH|KSHS", "TZS": "TSH|TSHS", "UGX": "USH|USHS", "BGN": "ЛВ", "RSD": "ДИН|РСД",
    "MKD": "ДЕН", "BYN": "БЕЛ. РУБ|БЕЛ.РУБ", "AED": "DHS|د.إ", "AED MAD": "DH|درهم",
    "SAR": "ر.س|ريال سعودي", "KWD": "د.ك|دينار كويتي", "INR NPR": "रु|रुपये",
    "AMD": "֏|ДРАМ|ԴՐԱՄ", "UZS": "СУМ|СЎМ|SOʻM|SO'M", "QAR": "ريال قطري|ر.ق",
    "OMR": "ريال عماني|ر.ع", "SAR QAR OMR YER": "ريال", "EGP SDG": "جنيه", "DZD": "د.ج",
    "TND": "د.ت", "MAD": "د.م", "BHD": "د.ب|دينار بحريني", "IQD": "د.ع", "JOD": "د.أ|دينار أردني",
    "LBP": "ل.ل", "SYP": "ل.س", "KGS": "СОМ", "TJS": "СОМОНИ", "NPR": "NPRS|NRS", "DJF": "FDJ",
    "AZN TMT": "МАНАТ", "LKR": "රු", "GYD": "G$", "AWG": "AFL", "BSD BND": "B$", "MOP": "MOP$",
    "KES TZS UGX": "SHS", "XPF": "CFPF|F CFP|FCFP", "IRR": "ریال ایران|ریال",
})  # fmt: skip
_NAMES = _by_sign({
    "USD": "US DOLLAR|US DOLLARS|U.S. DOLLARS|UNITED STATES DOLLARS|DÓLARES ESTADOUNIDENSES|"
    "DÓLARES AMERICANOS|DOLLARS AMÉRICAINS|US-DOLLAR|ДОЛЛАРОВ США",
    "CHF": "FRANKEN|SWISS FRANCS|FRANCS SUISSES|SCHWEIZER FRANKEN|ШВЕЙЦАРСКИХ ФРАНКОВ|"
    "FRANCHI SVIZZERI",
    "CAD": "CANADIAN DOLLARS|DOLLARS CANADIENS", "AUD": "AUSTRALIAN DOLLARS",
    "SGD": "SINGAPORE DOLLARS", "HKD": "HONG KONG DOLLARS", "NZD": "NEW ZEALAND DOLLARS",
    " ".join(_DOLLARS): "DOLLAR|DOLLARS|DÓLARES|DOLARES|DOLLARI|DOLARI|DOLARÓW|"
    "DOLLÁR|ДОЛЛАР|ДОЛЛАРА|ДОЛЛАРОВ|ドル|달러",
    "EUR": "EURO|EUROS|ЕВРО|EUROA|ΕΥΡΩ|ΕΥΡΏ|EURÓ|EURAI|EURŲ|EIRO|EVRA|EVROV",
    " ".join(_POUNDS): "POUND|POUNDS", "GBP": "POUNDS STERLING", "JPY": "YEN", "CNY": "YUAN",
    "MYR": "RINGGIT|RINGGIT MALAYSIA", " ".join(_RUPEES): "RUPEE|RUPEES", "IDR": "RUPIAH",
    "THB": "BAHT", "KRW": "WON", "ZAR": "RAND", "BRL": "REAIS", " ".join(_PESOS): "PESO|PESOS",
    " ".join(_FRANCS): "FRANC|FRANCS", "PLN": "ZŁOTYCH|ZŁOTE|ZŁOTY|ZLOTYCH|ZLOTY",
    "HUF": "FORINT", "AED MAD": "DIRHAM|DIRHAMS", "SAR QAR": "RIYALS", "NGN": "NAIRA",
    "ILS": "SHEKELS", "SEK": "KRONOR|SVENSKA KRONOR", "DKK NOK": "KRONER",
    "CZK": "KORUN|KORUNA|KORUNY", "RUB": "РУБЛЕЙ|РУБЛЯ|RUSSIAN RUBLES|РУБЛЬ", "BDT": "TAKA",
    "KES TZS UGX": "SHILLINGS", "VND": "ĐỒNG", "UAH": "ГРИВЕНЬ|ГРИВНІ", "INR": "INDIAN RUPEES",
    "MXN": "PESOS MEXICANOS", "COP": "PESOS COLOMBIANOS", "CLP": "PESOS CHILENOS",
    "ARS": "PESOS ARGENTINOS", "PHP": "PHILIPPINE PESOS", "NOK": "NORSKE KRONER",
    "DKK": "DANSKE KRONER", "TRY": "TÜRK LIRASI|TÜRK LİRASI|LIRA|LİRA", "BGN": "ЛЕВ|ЛЕВА|LEVA",
    "RSD": "ДИНАРА|DINARA", "MKD": "ДЕНАРИ|DENARI", "ISK": "KRÓNUR", "PEN": "SOLES",
    "BOB": "BOLIVIANOS", "CRC": "COLONES", "GTQ": "QUETZALES", "ETB": "BIRR", "GHS": "CEDIS",
    "AOA": "KWANZAS", "MZN": "METICAIS", "ZMW MWK": "KWACHA", "ALL": "LEKË", "HNL": "LEMPIRAS",
    "NIO": "CÓRDOBAS", "PYG": "GUARANÍES", "PAB": "BALBOAS",
})  # fmt: skip
_THOUSANDS = {
    f"{letter}{sign}": _SIGNS.get(sign, (sign,))
    for letter in "TK"
    for sign in ("€", "EUR", "CHF", "USD", "GBP")
}
# "6 FT" is a length, and LEI a number of companies
_IN_THIS_CASE = {"FT": ("Ft",), "LEI": ("lei", "Lei"), "KM": ("KM",), "LE": ("LE",),
                 "DA": ("DA",), "DIN": ("din", "Din"), "ZL": ("zl",), "KC": ("Kc",),
                 "SR": ("SR",)}  # fmt: skip

_OF = {**_SIGNS, **_THOUSANDS, **{code: (code,) for code in CODES - _WORDS}}
SYMBOLS = "$€£¥₹₨₩₽₺₫฿₱₪₦₴₸₼₾₵৳₭₮₡₲៛֏円元원"
"""Signs that may follow a letter."""


# For text in upper case.
SIGN = f"(?:{either(_OF)})"
"""A regular expression of the signs and codes."""
NAME = f"(?:{either(_NAMES)})"
"""A regular expression of names such as DOLLARS."""
SIGN_OR_NAME = f"(?:{either({**_OF, **_NAMES})})"
"""A regular expression of both."""
WORD_CODE = f"(?:{either((*_WORDS, *_LETTERS))})"
"""A regular expression of the codes and letters that are other words as well."""

_THREE_DECIMALS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
_NO_DECIMALS = words_of("""
    BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF IDR COP
""")
# Whose pages part decimals with a comma; the euro's do either way.
_WITH_COMMA = words_of("""
    ALL AOA ARS AZN BAM BGN BRL BYN CLF CLP COP CRC CZK DKK GEL HRK HUF IDR ISK KZT MDL MKD NOK PLN
    PYG RON RSD RUB SEK TRY UAH UYU VES VND XAF XOF
""")
_WITH_EITHER = frozenset({"EUR", "TND", "LYD"})


def currencies_of(sign: str) -> tuple[str, ...]:
    """Return the currencies that a printed sign, code or name can stand for, the usual first."""
    name = " ".join(sign.upper().split())
    if sign not in _IN_THIS_CASE.get(name, (sign,)):
        return ()
    known = _OF.get(name) or _NAMES.get(name) or _LETTERS.get(name)
    return known if known is not None else (name,) if name in _WORDS else ()


def is_in_thousands(sign: str) -> bool:
    """Return whether amounts with a printed sign are in thousands: TEUR 250."""
    return sign.upper() in _THOUSANDS


def decimals_of(currencies: tuple[str, ...]) -> int | None:
    """Return how many decimals amounts in one of these currencies are written with, None: varies.

    Zero where none is written in practice, as of rupiah and Colombian pesos.
    """
    counts = {0 if c in _NO_DECIMALS else 3 if c in _THREE_DECIMALS else 2 for c in currencies}
    if currencies[:2] == _YEN:
        return 0
    return counts.pop() if len(counts) == 1 else None


def usual_mark(currencies: tuple[str, ...]) -> str | None:
    """Return the decimal mark that pages in the first of these currencies use; None: either."""
    if not currencies or currencies[0] in _WITH_EITHER:
        return None
    return "," if currencies[0] in _WITH_COMMA else "."
