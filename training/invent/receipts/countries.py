"""Countries that invented receipts come from, as tills there print money, taxes and dates."""

from __future__ import annotations

from training.invent.invoices import countries as of_invoices
from training.invent.invoices.countries import Country
from training.invent.invoices.drawing import LEGAL_FORMS as _OF_INVOICES

_ENGLISH = ("dd/MM/yyyy", "dd/MM/yy", "d/M/yyyy", "dd-MM-yyyy", "dd MMM yyyy", "yyyy-MM-dd")
_BLANKS = (" ", "\u00a0")


def _english(code: str, faker: str, currency: str, sign: str, rate: str) -> Country:
    locale = f"en_{code}"
    return Country(
        *(code, "en", locale, faker, currency, (sign, currency, ""), (rate,)),
        *("#########", _ENGLISH, (",",), ".", False),
    )


# fmt: off
_OWN = (  # where tills print otherwise than invoices do
    _english("CA", "en_CA", "CAD", "$", "13"),
    _english("NZ", "en_NZ", "NZD", "$", "15"),
    _english("IN", "en_IN", "INR", "Rs.", "5"),
    _english("ZA", "en_GB", "ZAR", "R", "15"),
    _english("SG", "en_AU", "SGD", "S$", "9"),
    Country("BR", "pt", "pt_BR", "pt_BR", "BRL", ("R$", "R$", ""), ("18",),
            "##.###.###/####-##",
            ("dd/MM/yyyy", "dd/MM/yy", "d 'de' MMMM 'de' yyyy", "yyyy-MM-dd"), (".",), ",", False),
)
_NORTHERN = (
    Country("SE", "sv", "sv_SE", "sv_SE", "SEK", ("kr", "SEK", ""), ("25", "12", "6"),
            "556###-####",
            ("yyyy-MM-dd", "yyyy-MM-dd", "yyyy-MM-dd", "yyyy/MM/dd", "dd/MM/yyyy", "dd.MM.yyyy",
             "d MMM yyyy", "d MMMM yyyy"), _BLANKS, ","),
    Country("DK", "da", "da_DK", "da_DK", "DKK", ("kr.", "kr", "DKK", ""), ("25",),
            "########",
            ("dd-MM-yyyy", "dd-MM-yyyy", "dd.MM.yyyy", "dd/MM/yyyy", "dd-MM-yy", "dd.MM.yy",
             "d/M/yyyy", "yyyy-MM-dd", "d. MMMM yyyy"), (".",), ","),
    Country("NO", "nb", "nb_NO", "no_NO", "NOK", ("kr", "NOK", ""), ("25", "15", "12"),
            "9## ### ### MVA",
            ("dd.MM.yyyy", "dd.MM.yyyy", "dd.MM.yyyy", "dd.MM.yy", "dd/MM/yyyy", "dd-MM-yyyy",
             "yyyy-MM-dd", "d. MMMM yyyy"), (*_BLANKS, "."), ","),
    Country("FI", "fi", "fi_FI", "fi_FI", "EUR", ("€", "EUR", ""), ("25.5", "14", "10"),
            "#######-#",
            ("d.M.yyyy", "d.M.yyyy", "dd.MM.yyyy", "dd.MM.yyyy", "dd.MM.yy", "d.M.yy",
             "dd-MM-yyyy", "yyyy-MM-dd", "d. MMMM yyyy"), _BLANKS, ","),
)
_EASTERN: tuple[Country, ...] = (
    Country("CZ", "cs", "cs_CZ", "cs_CZ", "CZK", ("Kč", "Kč", "CZK", ""), ("21", "12"),
            "CZ########",
            ("dd.MM.yyyy", "d.M.yyyy", "d. M. yyyy", "dd.MM.yy", "d. MMMM yyyy", "yyyy-MM-dd"),
            (" ", "\u00a0", "."), ","),
    Country("HU", "hu", "hu_HU", "hu_HU", "HUF", ("Ft", "Ft", "HUF", ""), ("27", "5", "18"),
            "########-2-##",
            ("yyyy.MM.dd.", "yyyy.MM.dd", "yyyy-MM-dd", "yyyy. MM. dd.", "yyyy/MM/dd"),
            (" ", "\u00a0", "."), ","),
    # Of Romania's tills some print a decimal comma and others a point.
    Country("RO", "ro", "ro_RO", "ro_RO", "RON", ("LEI", "lei", "RON", ""), ("21", "11"),
            "RO########",
            ("dd.MM.yyyy", "dd/MM/yyyy", "dd-MM-yyyy", "dd.MM.yy", "yyyy-MM-dd", "d MMMM yyyy"),
            (".",), ","),
    Country("RO", "ro", "ro_RO", "ro_RO", "RON", ("LEI", "Lei", "RON", ""), ("21", "11"),
            "RO########", ("dd-MM-yyyy", "dd/MM/yyyy", "dd.MM.yyyy", "dd/MM/yy"), ("",), "."),
    Country("HR", "hr", "hr_HR", "hr_HR", "EUR", ("€", "EUR", ""), ("25", "13", "5"),
            "###########",
            ("dd.MM.yyyy", "dd.MM.yyyy.", "d.M.yyyy.", "d.M.yyyy", "dd.MM.yy", "dd/MM/yyyy",
             "d. MMMM yyyy."), (".",), ","),
    Country("TR", "tr", "tr_TR", "tr_TR", "TRY", ("TL", "TL", "₺", "TRY", ""), ("20", "10", "1"),
            "##########",
            ("dd.MM.yyyy", "dd/MM/yyyy", "dd-MM-yyyy", "dd.MM.yy", "dd/MM/yy", "d MMMM yyyy"),
            (".",), ",", has_iban=False),
)
# fmt: on

TILLS = (
    *(
        country
        for country in of_invoices.COUNTRIES
        if country.code not in {own.code for own in _OWN}
    ),
    *(*_OWN, *_NORTHERN, *_EASTERN),
)
"""The countries; the language of each is a key of `WORDS`."""

TAX_ADDED = ("US", "CA")
"""Where taxes are added to prices without them; elsewhere prices include them."""

ROUNDED = {
    **{"CH": "0.05", "AU": "0.05", "NZ": "0.10", "CA": "0.05", "NL": "0.05", "BE": "0.05"},
    **{"SE": "1", "NO": "1", "DK": "0.50", "FI": "0.05"},
    **{"CZ": "1", "HU": "5"},
}
"""To what sums are rounded that are paid in cash."""

SCALES = {
    **{"INR": 40, "MXN": 15, "ZAR": 12, "PLN": 4, "BRL": 5, "CLP": 950, "COP": 4300},
    **{"SEK": 10, "NOK": 10, "DKK": 8},
    **{"CZK": 25, "HUF": 380, "RON": 5, "TRY": 35},
}
"""What costs one elsewhere, by currency."""

WHOLE = ("CLP", "COP", "HUF")
"""Currencies without decimals."""

LEGAL_FORMS: dict[str, tuple[str, ...]] = {
    **_OF_INVOICES,
    "sv": ("AB", "AB", "AB", "HB", "KB", "Aktiebolag", "Ek. för."),
    "da": ("ApS", "ApS", "ApS", "A/S", "A/S", "I/S", "K/S", "IVS"),
    "nb": ("AS", "AS", "AS", "ASA", "DA", "ANS", "SA"),
    "fi": ("Oy", "Oy", "Oy", "Oy Ab", "Ky", "Ay", "Oyj", "Osk"),
    "cs": ("s.r.o.", "s.r.o.", "s. r. o.", "a.s.", "spol. s r.o.", "v.o.s.", "k.s."),
    "hu": ("Kft.", "Kft.", "Keresk. Kft.", "Vendéglátó Kft.", "Bt.", "és Társa Bt.", "Zrt."),
    "ro": ("SRL", "S.R.L.", "S.R.L.", "COM SRL", "PROD COM SRL", "IMPEX SRL", "S.A.", "SA", "PFA"),
    "hr": ("d.o.o.", "d.o.o.", "j.d.o.o.", "d.d.", "trgovina d.o.o.", "ugostiteljski obrt", "obrt"),
    "tr": ("Ltd. Şti.", "LTD. ŞTİ.", "A.Ş.", "Tic. Ltd. Şti.", "Tic. A.Ş.", "Gıda Tic. Ltd. Şti."),
}
"""Of companies, by language; ``{last}`` and ``{first}`` are names."""
