"""Countries that invented documents come from: language, money, taxes, and ways of writing.

Identifiers are valid in form: numbers of tax payers are drawn until their check digits hold
(`stdnum`), and so are IBANs (Faker computes theirs).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from decimal import Decimal

import stdnum


@dataclass(frozen=True, slots=True)
class Country:
    """Where a company that writes invoices sits.

    Attributes:
        code: ISO 3166.
        language: of its documents, a key of `WORDS`.
        locale: for numbers and dates, as Babel has it.
        faker: locale of its people, companies and addresses, as Faker has it.
        currency: ISO 4217.
        signs: how the currency is printed.
        rates: of its value added or sales tax in per cent, the usual ones first.
        tax_id: form of a tax payer's number: ``#`` a digit, ``?`` a letter, the rest as it stands.
        dates: patterns of dates, as Babel has them.
        grouping: signs between thousands; an empty one where there is none.
        decimal: the decimal sign.
        has_iban: whether accounts are IBANs.
        shared: taxes that stand one beside the other on the same sum, each with its name and rate;
            several where places differ, none where there is one tax.
        is_checked: whether its numbers of tax payers have the check digits that `stdnum` knows.
    """

    code: str
    language: str
    locale: str
    faker: str
    currency: str
    signs: tuple[str, ...]
    rates: tuple[str, ...]
    tax_id: str
    dates: tuple[str, ...]
    grouping: tuple[str, ...]
    decimal: str
    has_iban: bool = True
    shared: tuple[tuple[tuple[str, str], ...], ...] = ()
    is_checked: bool = True

    @property
    def tax_rates(self) -> tuple[Decimal, ...]:
        """The rates as numbers."""
        return tuple(Decimal(rate) for rate in self.rates)


_DOTS = (
    *("dd.MM.yyyy", "d.M.yyyy", "dd.MM.yy", "d. MMMM yyyy"),
    *("yyyy-MM-dd", "dd.MM.yyyy", "d. MMM yyyy"),
)
_SLASHES = (
    *("dd/MM/yyyy", "d/M/yyyy", "dd/MM/yy", "d MMMM yyyy"),
    *("dd-MM-yyyy", "dd.MM.yyyy", "d MMM yyyy", "yyyy-MM-dd"),
)
_AMERICAN = (
    *("MM/dd/yyyy", "M/d/yyyy", "MMMM d, yyyy", "MMM d, yyyy", "yyyy-MM-dd"),
    *("MM/dd/yy", "M/d/yy", "dd MMM yyyy", "d MMM yyyy"),
)
_SPANISH = (*_SLASHES, "d 'de' MMMM 'de' yyyy")
_DUTCH = ("dd-MM-yyyy", "d-M-yyyy", "d MMMM yyyy", "dd/MM/yyyy")
_POLISH = ("dd.MM.yyyy", "yyyy-MM-dd", "dd-MM-yyyy", "d MMMM yyyy")
_EURO = ("€", "EUR", "")
_BLANKS = (" ", "\u00a0", "\u202f")

# fmt: off
COUNTRIES = (
    Country("DE", "de", "de_DE", "de_DE", "EUR", _EURO, ("19", "7"),
            "DE#########", _DOTS, (".",), ","),
    Country("AT", "de", "de_AT", "de_AT", "EUR", _EURO, ("20", "10"),
            "ATU########", _DOTS, (".", " "), ","),
    Country("CH", "de", "de_CH", "de_CH", "CHF", ("CHF", "Fr.", "SFr."), ("8.1", "2.6"),
            "CHE#########MWST", _DOTS, ("'", "’"), "."),
    Country("FR", "fr", "fr_FR", "fr_FR", "EUR", _EURO, ("20", "10", "5.5"),
            "FR###########", _SLASHES, _BLANKS, ","),
    Country("BE", "fr", "fr_BE", "nl_BE", "EUR", _EURO, ("21", "6"),
            "BE0#########", _SLASHES, (".", " "), ","),
    Country("GB", "en", "en_GB", "en_GB", "GBP", ("£", "GBP"), ("20", "5"),
            "GB#########", (*_SLASHES, "dd MMM yyyy"), (",",), "."),
    Country("IE", "en", "en_IE", "en_IE", "EUR", ("€", "EUR"), ("23", "13.5"),
            "IE#######?", _SLASHES, (",",), "."),
    Country("US", "en", "en_US", "en_US", "USD", ("$", "$", "USD", "US$"), ("8.25", "7", "6.5"),
            "##-#######", _AMERICAN, (",",), ".", has_iban=False),
    Country("AU", "en", "en_AU", "en_AU", "AUD", ("$", "AUD", "A$"), ("10",),
            "###########", _SLASHES, (",",), ".", has_iban=False),
    Country("NZ", "en", "en_NZ", "en_NZ", "NZD", ("$", "NZD", "NZ$"), ("15",),
            "#########", _SLASHES, (",",), ".", has_iban=False),
    Country("CA", "en", "en_CA", "en_CA", "CAD", ("$", "CAD", "C$"), ("13", "5"),
            "#########", (*_AMERICAN, *_SLASHES), (",",), ".", has_iban=False,
            shared=((("GST", "5"), ("PST", "7")), (("GST", "5"), ("QST", "9.975")),
                    (("GST/TPS", "5"), ("QST/TVQ", "9.975")))),
    Country("IN", "en", "en_IN", "en_IN", "INR", ("₹", "INR", "Rs."), ("18", "12", "5"),
            "##?????####?#Z#", (*_SLASHES, "dd-MMM-yyyy"), (",",), ".", has_iban=False,
            shared=((("CGST", "9"), ("SGST", "9")), (("CGST", "6"), ("SGST", "6")),
                    (("CGST", "2.5"), ("UTGST", "2.5")))),
    Country("ZA", "en", "en_ZA", "en_NG", "ZAR", ("R", "ZAR"), ("15",),
            "4#########", _SLASHES, (" ", ","), ".", has_iban=False),
    Country("SG", "en", "en_SG", "en_AU", "SGD", ("S$", "SGD", "$"), ("9", "8"),
            "20#######?", _SLASHES, (",",), ".", has_iban=False),
    Country("ES", "es", "es_ES", "es_ES", "EUR", _EURO, ("21", "10"),
            "B########", _SPANISH, (".",), ","),
    Country("MX", "es", "es_MX", "es_MX", "MXN", ("$", "MXN"), ("16",),
            "???######??#", _SLASHES, (",",), ".", has_iban=False, is_checked=False),
    Country("CL", "es", "es_CL", "es_CL", "CLP", ("$", "CLP"), ("19",),
            "########-#", _SLASHES, (".",), ",", has_iban=False),
    Country("CO", "es", "es_CO", "es_CO", "COP", ("$", "COP"), ("19", "5"),
            "9########-#", _SLASHES, (".",), ",", has_iban=False),
    Country("IT", "it", "it_IT", "it_IT", "EUR", _EURO, ("22", "10", "4"),
            "IT###########", _SLASHES, (".",), ","),
    Country("NL", "nl", "nl_NL", "nl_NL", "EUR", _EURO, ("21", "9"),
            "NL#########B##", _DUTCH, (".",), ","),
    Country("BE", "nl", "nl_BE", "nl_BE", "EUR", _EURO, ("21", "6"),
            "BE0#########", (*_DUTCH, "dd.MM.yyyy"), (".", " "), ","),
    Country("PL", "pl", "pl_PL", "pl_PL", "PLN", ("zł", "PLN", ""), ("23", "8", "5"),
            "PL##########", _POLISH, _BLANKS[:2], ","),
    Country("PT", "pt", "pt_PT", "pt_PT", "EUR", _EURO, ("23", "13", "6"),
            "PT#########", (*_SLASHES, "yyyy-MM-dd"), (".", " "), ","),
    Country("BR", "pt", "pt_BR", "pt_BR", "BRL", ("R$", "BRL"), ("18", "5", "12"),
            "##############", (*_SLASHES, "d 'de' MMMM 'de' yyyy"), (".",), ",", has_iban=False),
)
# fmt: on

_CHECKED = {"GB": "vat", "CH": "vat", "AU": "abn", "US": "ein"}
_CHOICES = {"#": "0123456789", "?": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_TRIES = 20_000  # of ten thousand draws one at least has the check digits of any of these numbers


def tax_id(country: Country, rng: random.Random) -> str:
    """Return a tax payer's number whose check digits hold, as it is stored: without blanks.

    Raises:
        RuntimeError: none was found; the form must be wrong.
    """
    module = stdnum.get_cc_module(country.code, _CHECKED.get(country.code, "vat"))
    for _ in range(_TRIES):
        drawn = "".join(rng.choice(_CHOICES.get(sign, sign)) for sign in country.tax_id)
        if module is None or not country.is_checked or module.is_valid(drawn):
            return drawn
    raise RuntimeError(f"no tax number of {country.code} was found")
