"""Currencies: what is printed for them, how many decimals they have, which mark parts those.

Signs and names are a table of our own: CLDR gives one sign a locale, where pages print many. Codes
are those of ISO 4217 in use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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

_CODES_TEXT = """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP
    BYN BZD CAD CDF CHF CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP
    GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR
    KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK
    MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR
    SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH
    UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW
"""
CODES = frozenset(_CODES_TEXT.split())
"""ISO 4217 codes in use."""

# Codes that are words or names on business documents ("SDN BHD", "RON 95" is petrol): they count
# where a text is nothing but the code and a number.
_WORDS_TEXT = """
    ALL AMD AOA BAM BHD BIF BOB COP CUP DOP ERN GEL GIP LAK LEK MAD MDL MOP MUR NAD PAB PEN RON
    SLE SOS SSP STN TOP TRY
"""
_WORDS = frozenset(_WORDS_TEXT.split())
_LETTERS: dict[str, tuple[str, ...]] = {
    "R": ("ZAR",), "L.E": ("EGP",), "L.L": ("LBP",), "RO": ("OMR",),
    "R.O": ("OMR",), "NU": ("BTN",), "Р": ("RUB",),
    "Q": ("GTQ",), "BS": ("BOB", "VES"), "BD": ("BHD",),
    "KD": ("KWD",), "JD": ("JOD",), "DT": ("TND",), "CR$": ("BRL",), "GS": ("PYG",),
    "BR": ("ETB", "BYN"), "B/": ("PAB",), "KM": ("BAM",), "LE": ("EGP",),
    "KZ": ("AOA",), "QR": ("QAR",), "UF": ("CLF",), "DA": ("DZD",),
    "DIN": ("RSD",), "FBU": ("BIF",), "FRW": ("RWF",),
}  # fmt: skip
_SIGNS: dict[str, tuple[str, ...]] = {
    "$": _DOLLARS, "US$": ("USD",), "USD$": ("USD",), "U$S": ("USD",), "U$D": ("USD",),
    "C$": ("CAD",), "CA$": ("CAD",), "CAD$": ("CAD",), "CDN$": ("CAD",), "CDN": ("CAD",),
    "$CAN": ("CAD",), "$ CAN": ("CAD",), "CAN$": ("CAD",),
    "A$": ("AUD",), "AU$": ("AUD",), "AUD$": ("AUD",), "NZ$": ("NZD",), "S$": ("SGD",),
    "SG$": ("SGD",), "HK$": ("HKD",), "NT$": ("TWD",), "R$": ("BRL",), "MX$": ("MXN",),
    "MEX$": ("MXN",), "AR$": ("ARS",), "COL$": ("COP",), "CLP$": ("CLP",), "$U": ("UYU",),
    "RD$": ("DOP",), "J$": ("JMD",), "TT$": ("TTD",), "EC$": ("XCD",),
    "BDS$": ("BBD",), "BZ$": ("BZD",), "FJ$": ("FJD",), "N$": ("NAD",),
    "S/": ("PEN",),
    "€": ("EUR",), "£": ("GBP",), "E£": ("EGP",), "¥": _YEN, "CN¥": ("CNY",), "JP¥": ("JPY",),
    "₹": ("INR",), "₨": _RUPEES, "₩": ("KRW",), "원정": ("KRW",),
    "₽": ("RUB",), "₺": ("TRY",), "₫": ("VND",),
    "฿": ("THB",), "₱": ("PHP",), "₪": ("ILS",), "₦": ("NGN",), "₴": ("UAH",), "₸": ("KZT",),
    "₼": ("AZN",), "₾": ("GEL",), "₵": ("GHS",), "GH₵": ("GHS",), "GH¢": ("GHS",),
    "৳": ("BDT",), "₭": ("LAK",),
    "₮": ("MNT",), "₡": ("CRC",), "₲": ("PYG",), "៛": ("KHR",), "円": ("JPY",),
    "元": ("CNY", "TWD", "HKD"), "圆": ("CNY",), "圓": ("TWD", "HKD"), "원": ("KRW",),
    "บาท": ("THB",), "RMB": ("CNY",), "RM": ("MYR",),
    "RP": ("IDR",), "RS": _RUPEES, "KR": _CROWNS, "SKR": ("SEK",), "DKR": ("DKK",),
    "NKR": ("NOK",), "ZŁ": ("PLN",), "KČ": ("CZK",), "FT": ("HUF",), "LEI": ("RON",),
    "FR": _FRANCS, "SFR": ("CHF",), "FCFA": ("XOF", "XAF"), "CFA": ("XOF", "XAF"),
    "VNĐ": ("VND",), "Đ": ("VND",), "KSH": ("KES",), "KSHS": ("KES",), "TSH": ("TZS",),
    "USH": ("UGX",), "TL": ("TRY",), "ЛВ": ("BGN",), "РУБ": ("RUB",), "ГРН": ("UAH",),
    "ДИН": ("RSD",), "РСД": ("RSD",), "ДЕН": ("MKD",),
    "БЕЛ. РУБ": ("BYN",), "БЕЛ.РУБ": ("BYN",), "円也": ("JPY",), "元整": ("CNY",),
    "DHS": ("AED",), "DH": ("AED", "MAD"), "ر.س": ("SAR",), "د.إ": ("AED",),
    "ج.م": ("EGP",), "د.ك": ("KWD",), "US $": ("USD",), "$US": ("USD",), "$ US": ("USD",),
    "U.S. $": ("USD",), "U.S.$": ("USD",),
    "CA $": ("CAD",), "$CA": ("CAD",), "$ CA": ("CAD",), "AU $": ("AUD",), "$ AU": ("AUD",),
    "F CFA": ("XOF", "XAF"), "NIS": ("ILS",), "ש\"ח": ("ILS",), "ש״ח": ("ILS",), "TK": ("BDT",),
    "रु": ("INR", "NPR"), "֏": ("AMD",), "СУМ": ("UZS",), "ТГ": ("KZT",),
    "ТЕНГЕ": ("KZT",), "人民币": ("CNY",), "人民幣": ("CNY",), "新臺幣": ("TWD",),
    "新台幣": ("TWD",), "港幣": ("HKD",), "港币": ("HKD",), "บาทถ้วน": ("THB",),
    "ريال سعودي": ("SAR",), "ريال قطري": ("QAR",), "ريال عماني": ("OMR",), "درهم": ("AED", "MAD"),
    "ريال": ("SAR", "QAR", "OMR", "YER"), "جنيه": ("EGP", "SDG"), "د.ج": ("DZD",), "د.ت": ("TND",),
    "د.م": ("MAD",), "د.ب": ("BHD",), "د.ع": ("IQD",), "د.أ": ("JOD",), "ر.ق": ("QAR",),
    "ر.ع": ("OMR",), "ل.ل": ("LBP",), "ل.س": ("SYP",), "שקל": ("ILS",), "שקלים": ("ILS",),
    "СОМ": ("KGS",), "СЎМ": ("UZS",), "SOʻM": ("UZS",), "SO'M": ("UZS",), "ЛАРИ": ("GEL",),
    "ᲚᲐᲠᲘ": ("GEL",), "ДРАМ": ("AMD",), "СОМОНИ": ("TJS",), "ТӨГ": ("MNT",), "שח": ("ILS",),
    "NPRS": ("NPR",), "NRS": ("NPR",), "TSHS": ("TZS",), "USHS": ("UGX",),
    "FDJ": ("DJF",), "NTD": ("TWD",), "BDS $": ("BBD",),
    "$ U": ("UYU",),
    "ԴՐԱՄ": ("AMD",), "МАНАТ": ("AZN", "TMT"), "රු": ("LKR",), "ரூ": ("INR",), "টাকা": ("BDT",),
    "रुपये": ("INR", "NPR"), "G$": ("GYD",), "AFL": ("AWG",), "B$": ("BSD", "BND"), "MOP$": ("MOP",),
    "SHS": ("KES", "TZS", "UGX"), "CFPF": ("XPF",), "F CFP": ("XPF",), "FCFP": ("XPF",),
    "دينار كويتي": ("KWD",), "دينار بحريني": ("BHD",), "دينار أردني": ("JOD",),
    "جنيه مصري": ("EGP",), "ریال ایران": ("IRR",), "ریال": ("IRR",),
}  # fmt: skip
_NAMES: dict[str, tuple[str, ...]] = {
    "US DOLLAR": ("USD",), "US DOLLARS": ("USD",), "U.S. DOLLARS": ("USD",),
    "CANADIAN DOLLARS": ("CAD",), "AUSTRALIAN DOLLARS": ("AUD",), "SINGAPORE DOLLARS": ("SGD",),
    "HONG KONG DOLLARS": ("HKD",), "NEW ZEALAND DOLLARS": ("NZD",), "DOLLAR": _DOLLARS,
    "DOLLARS": _DOLLARS, "DÓLARES": _DOLLARS, "DOLARES": _DOLLARS, "EURO": ("EUR",),
    "EUROS": ("EUR",), "POUND": _POUNDS, "POUNDS": _POUNDS, "POUNDS STERLING": ("GBP",),
    "YEN": ("JPY",), "YUAN": ("CNY",), "RINGGIT": ("MYR",), "RUPEE": _RUPEES,
    "RUPEES": _RUPEES, "RUPIAH": ("IDR",), "BAHT": ("THB",), "WON": ("KRW",), "RAND": ("ZAR",),
    "REAIS": ("BRL",), "PESO": _PESOS, "PESOS": _PESOS, "FRANC": _FRANCS, "FRANCS": _FRANCS,
    "FRANKEN": ("CHF",), "SWISS FRANCS": ("CHF",), "ZŁOTYCH": ("PLN",), "ZŁOTE": ("PLN",),
    "FORINT": ("HUF",), "DIRHAM": ("AED", "MAD"), "DIRHAMS": ("AED", "MAD"),
    "RIYALS": ("SAR", "QAR"), "NAIRA": ("NGN",), "SHEKELS": ("ILS",), "KRONOR": ("SEK",),
    "KRONER": ("DKK", "NOK"), "KORUN": ("CZK",), "РУБЛЕЙ": ("RUB",), "РУБЛЯ": ("RUB",),
    "TAKA": ("BDT",), "SHILLINGS": ("KES", "TZS", "UGX"), "ĐỒNG": ("VND",),
    "UNITED STATES DOLLARS": ("USD",), "DÓLARES ESTADOUNIDENSES": ("USD",),
    "DÓLARES AMERICANOS": ("USD",), "DOLLARS AMÉRICAINS": ("USD",), "US-DOLLAR": ("USD",),
    "DOLLARS CANADIENS": ("CAD",), "FRANCS SUISSES": ("CHF",), "SCHWEIZER FRANKEN": ("CHF",),
    "ШВЕЙЦАРСКИХ ФРАНКОВ": ("CHF",), "ДОЛЛАРОВ США": ("USD",), "ЕВРО": ("EUR",),
    "EUROA": ("EUR",), "ГРИВЕНЬ": ("UAH",), "ГРИВНІ": ("UAH",),
    "FRANCHI SVIZZERI": ("CHF",), "INDIAN RUPEES": ("INR",), "PESOS MEXICANOS": ("MXN",),
    "PESOS COLOMBIANOS": ("COP",), "PESOS CHILENOS": ("CLP",), "PESOS ARGENTINOS": ("ARS",),
    "PHILIPPINE PESOS": ("PHP",), "SVENSKA KRONOR": ("SEK",), "NORSKE KRONER": ("NOK",),
    "DANSKE KRONER": ("DKK",), "TÜRK LIRASI": ("TRY",), "TÜRK LİRASI": ("TRY",),
    "RUSSIAN RUBLES": ("RUB",), "ZŁOTY": ("PLN",), "ZLOTYCH": ("PLN",), "ZLOTY": ("PLN",),
    "RINGGIT MALAYSIA": ("MYR",), "ЛЕВ": ("BGN",), "ЛЕВА": ("BGN",), "ДИНАРА": ("RSD",),
    "ДЕНАРИ": ("MKD",), "РУБЛЬ": ("RUB",), "ΕΥΡΩ": ("EUR",), "ΕΥΡΏ": ("EUR",),
    "EURÓ": ("EUR",), "EURAI": ("EUR",),
    "EURŲ": ("EUR",), "EIRO": ("EUR",), "EVRA": ("EUR",), "EVROV": ("EUR",), "LIRA": ("TRY",),
    "LİRA": ("TRY",), "KORUNA": ("CZK",), "KORUNY": ("CZK",), "KRÓNUR": ("ISK",),
    "SOLES": ("PEN",), "BOLIVIANOS": ("BOB",), "COLONES": ("CRC",), "QUETZALES": ("GTQ",),
    "BIRR": ("ETB",), "CEDIS": ("GHS",), "KWANZAS": ("AOA",), "METICAIS": ("MZN",),
    "KWACHA": ("ZMW", "MWK"),
    "LEKË": ("ALL",), "DINARA": ("RSD",), "DENARI": ("MKD",), "LEVA": ("BGN",),
    "LEMPIRAS": ("HNL",), "CÓRDOBAS": ("NIO",), "GUARANÍES": ("PYG",), "BALBOAS": ("PAB",),
}  # fmt: skip
_THOUSANDS = {
    f"{letter}{sign}": _SIGNS.get(sign, (sign,))
    for letter in "TK"
    for sign in ("€", "EUR", "CHF", "USD", "GBP")
}
# "6 FT" is a length, and LEI a number of companies
_IN_THIS_CASE = {"FT": ("Ft",), "LEI": ("lei", "Lei"), "KM": ("KM",), "LE": ("LE",),
                 "DA": ("DA",), "DIN": ("din", "Din")}  # fmt: skip

_OF = {**_SIGNS, **_THOUSANDS, **{code: (code,) for code in CODES - _WORDS}}
SYMBOLS = "$€£¥₹₨₩₽₺₫฿₱₪₦₴₸₼₾₵৳₭₮₡₲៛֏円元원"
"""Signs that may follow a letter."""


def _either(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


# For text in upper case.
SIGN = f"(?:{_either(_OF)})"
"""A regular expression of the signs and codes."""
NAME = f"(?:{_either(_NAMES)})"
"""A regular expression of names such as DOLLARS."""
SIGN_OR_NAME = f"(?:{_either({**_OF, **_NAMES})})"
"""A regular expression of both."""
WORD_CODE = f"(?:{_either((*_WORDS, *_LETTERS))})"
"""A regular expression of the codes and letters that are other words as well."""

_THREE_DECIMALS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
_NO_DECIMALS_TEXT = """
    BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF IDR COP
"""
_NO_DECIMALS = frozenset(_NO_DECIMALS_TEXT.split())
# Whose pages part decimals with a comma; the euro's do either way.
_WITH_COMMA_TEXT = """
    ALL AOA ARS AZN BAM BGN BRL BYN CLF CLP COP CRC CZK DKK GEL HUF IDR ISK KZT MDL MKD NOK PLN PYG
    RON RSD RUB SEK TRY UAH UYU VES VND XAF XOF
"""
_WITH_COMMA = frozenset(_WITH_COMMA_TEXT.split())
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
