"""Lengths of time in running text: "three (3) years", "18 months", "a period of one year"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from pipeline.values.amounts import amount_key
from pipeline.values.date_words import DAY_WORDS
from pipeline.values.numbers import read_number

_UNITS = {
    "day": "day", "days": "day",
    "week": "week", "weeks": "week", "wk": "week", "wks": "week",
    "month": "month", "months": "month", "mo": "month", "mos": "month", "mth": "month",
    "mths": "month",
    "year": "year", "years": "year", "yr": "year", "yrs": "year",
}  # fmt: skip
_ISO_LETTERS = {"day": "D", "week": "W", "month": "M", "year": "Y"}
# Weeks are days and years are months exactly; a month is no fixed number of days.
_KEY_UNITS = {"day": (1, "D"), "week": (7, "D"), "month": (1, "M"), "year": (12, "M")}

_ONES = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = (
    {"a": 1, "an": 1}
    | {word: number for number, word in enumerate(_ONES, 1)}
    | {word: 10 * number for number, word in enumerate(_TENS, 2)}
)
_NAMED = "|".join(sorted((*_ONES, "a", "an"), key=len, reverse=True))
_DURATION = re.compile(
    # "twenty-four (24) months": the words, the digits in brackets, or one of them
    rf"(?<![^\W_])(?:(?P<words>(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES[:9])}))?|{_NAMED})"
    r"(?:\s{0,2}[(\[]\s?(?P<bracket>\d{1,4}(?:[.,]\d{1,2})?)\s?[)\]])?"
    r"|(?<![.,\d])(?P<digits>\d{1,5}(?:[.,]\d{1,2})?)(?:\s{0,2}[(\[][^()\[\]]{1,40}[)\]])?)"
    r"(?:[-\s]{0,2}(?:calendar|business|full|consecutive))?[-\s]{0,2}"
    rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})(?![^\W_])",
    re.IGNORECASE,
)


# "until the second (2nd) anniversary of the date": a contract's way to say two years
_ANNIVERSARY = re.compile(
    rf"(?<![^\W_])(?:(?P<word>{'|'.join(word for word in DAY_WORDS if ' ' not in word)})"
    r"(?:\s{0,2}[(\[]\s?\d{1,2}\s?(?:st|nd|rd|th)\s?[)\]])?"
    r"|(?P<digits>\d{1,2})\s?(?:st|nd|rd|th))\s{1,2}anniversary(?![^\W_])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DurationReading:
    """One length of time found in a text.

    Attributes:
        start, end: half-open range of characters.
        value: how many units, more than zero.
        unit: ``day``, ``week``, ``month`` or ``year``.
    """

    start: int
    end: int
    value: Decimal
    unit: str

    @property
    def iso(self) -> str:
        """The ISO 8601 form, such as ``P3Y``."""
        return f"P{amount_key(self.value)}{_ISO_LETTERS[self.unit]}"

    @property
    def key(self) -> str:
        """The ISO form in days or months, equal for equal lengths (2 years and 24 months)."""
        factor, letter = _KEY_UNITS[self.unit]
        return f"P{amount_key(self.value * factor)}{letter}"


def find_durations(text: str) -> list[DurationReading]:
    """Return the durations of `text`, left to right, none overlapping.

    Where words and digits stand together, as in "three (3) years", the digits count. An
    anniversary is that many years.
    """
    found = []
    for match in _DURATION.finditer(text):
        digits = match["bracket"] or match["digits"]
        if digits is not None:
            values = read_number(digits, decimal=".")
        else:
            parts = re.split(r"[-\s]", match["words"].lower())
            values = (Decimal(sum(_WORDS[part] for part in parts)),)
        if values and values[0] > 0:
            unit = _UNITS[match["unit"].lower()]
            found.append(DurationReading(match.start(), match.end(), values[0], unit))
    for match in _ANNIVERSARY.finditer(text):
        years = int(match["digits"]) if match["digits"] else DAY_WORDS[match["word"].lower()]
        if years > 0:
            found.append(DurationReading(*match.span(), Decimal(years), "year"))
    return sorted(found, key=lambda reading: reading.start)
