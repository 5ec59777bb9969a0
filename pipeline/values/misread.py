"""What OCR makes of digits: letters read for them, and marks read for the decimal point."""

from __future__ import annotations

import re

# Letters that OCR reads for digits; one for one, so places in the text stay.
_AS_DIGITS = str.maketrans("OoIl|", "00111")
_MISREAD = re.compile(r"[OoIl|.,/-]{0,12}\d[\dOoIl|.,/-]{0,24}(?![^\W_])")
_TIME = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d")
# A point that was read as another mark, in a text that is nothing but one amount: "28-90".
_MISREAD_POINT = re.compile(r"(?P<whole>[^\W\d]{0,3}\$?\s?\d{1,5})[-–:;~*](?P<cents>\d\d)")


def readings_of(text: str) -> list[tuple[str, str | None]]:
    """Return the text, and where it differs the text with letters among digits read as digits."""
    as_digits = _MISREAD.sub(lambda match: match.group().translate(_AS_DIGITS), text)
    if as_digits == text:
        return [(text, None)]
    return [(text, None), (as_digits, "Letters O, I and l were read as digits.")]


def is_time(text: str) -> bool:
    """Return whether a text is a time of day, or an amount with its point misread: 12:50."""
    return _TIME.fullmatch(text) is not None


def with_point(text: str, decimal: str | None) -> list[tuple[str, str | None]]:
    """Return the text with its decimal mark put right, where another was read in its place."""
    match = _MISREAD_POINT.fullmatch(text)
    if match is None:
        return []
    pointed = f"{match['whole']}{decimal or '.'}{match['cents']}"
    return [(pointed, "The mark before the last two digits was read as a decimal point.")]
