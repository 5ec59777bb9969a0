"""What OCR makes of digits: letters read for them, and marks read for the decimal point."""

from __future__ import annotations

import re
from itertools import product

# Letters that OCR reads for digits; one for one, so places in the text stay.
_AS_DIGITS = str.maketrans("OoIl|", "00111")
_MISREAD = re.compile(r"[OoIl|.,/-]{0,12}\d[\dOoIl|.,/-]{0,24}(?![^\W_])")
# At the edges of a number these can be rules of a table or units of litres.
_EDGES = re.compile(r"^[Il|]+(?=\d)|(?<=[\d.,Oo])[Il|]+$")
FIRST = re.compile(r"(?<![^\W_])[Il](?=\d)")
"""An I or l right before a number."""
# Others that look like digits stand for themselves as often: within a number, which would end too
# soon, they are digits in doubt, and in front of one they may be.
_ALIKE = _AS_DIGITS | str.maketrans("SBZGbTAqgQDi!|", "58266749900111")
WITHIN = re.compile(
    r"(?<=\d)[SBZGbTAqgQDi!|](?=[.,]?\d)|(?<=\d[.,])[SBZGbTAqgQDi!|](?=\d)"
    r"|(?<=\d[.,])[SBZGbgq](?=[OoIl](?![^\W_]))|(?<=\d[.,][SBZGbgq])[OoIl](?![^\W_])"
    r"|(?<![^\W_])[SBZGbTAqgQDi!|](?=[.,]\d{2})|(?<=\d[.,]\d)[IlSBZGbqgi!|](?![^\W_])"
    r"|(?<=\d)[SBZGbTAqgQDi](?=\s\d{3}(?!\d))"
)
"""Letters within numbers."""
IN_FRONT = re.compile(r"(?<![^\W_])[SBZGbqgi](?=\d)")
"""Letters before numbers."""
BESIDE = re.compile(r"(?<![^\W\d_])(?:(?<=\d)[SBZGbTAqgQDi!|]|[SBZGbTAqgQDi!|](?=\d))(?![^\W\d_])")
"""Letters beside digits."""
# A letter at the end of a number that is no money may be grams or tons, unless a unit follows.
IN_NUMBER = re.compile(
    r"(?<![^\W\d_])(?:[SBZGbTAqgQDi!|](?=[.,]?\d)|(?<=\d)[SBZbqQi!|]|(?<=\d[.,])[IlSBZGbTAqgQDi!|]"
    r"|[IlSBZGbqgi](?=\s\d{3}(?!\d))|(?<=\d)[IlGTAgD](?=\s[^\W\d_]))(?![^\W\d_])"
)
"""Letters in numbers, units left alone."""
# Digits in a word, and an l or I that is of the wrong case there: 0sterreich, GEORGlA, lndia
_NO_LETTER = re.compile(r"[015|]|(?<=[A-Z])l|(?<![^\W_])l(?=[^\W_])|l(?=[A-Z])|(?<=[a-z])I")
_LETTERS_OF = {"0": "o", "5": "s"}  # the others look like an l or an i
_MOST_LETTERS = 4
MISREAD = "A letter beside the digits can be a digit that was misread."
_TIME = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d")
# A point that was read as another mark, in a text that is nothing but one amount: "28-90".
_MISREAD_POINT = re.compile(
    r"(?P<whole>[^\W\d]{0,3}\$?\s?\d{1,5})[-–:;~*](?P<cents>\d\d)(?P<behind>(?<=[:;~]..)\s?[$£€])?"
)


def readings_of(text: str) -> list[tuple[str, str | None]]:
    """Return the text, and where it differs the text with letters among digits read as digits.

    That comes first where a letter stands between digits or is an O: "1,O00" is no 1 and no 00.
    """
    digits = _MISREAD.sub(lambda match: match.group().translate(_AS_DIGITS), text)
    if digits == text:
        return [(text, None)]
    both = [(text, None), (digits, "Letters O, I and l were read as digits.")]
    runs = (_EDGES.sub("", match.group()) for match in _MISREAD.finditer(text))
    return both[::-1] if any(any(map(str.isalpha, run)) for run in runs) else both


def as_digits(text: str) -> str:
    """Return the text with every letter that looks like a digit as that digit; for check digits."""
    return text.translate(_ALIKE)


def as_letters(text: str) -> list[str]:
    """Return what a word can be where digits in it, or an l or I of the wrong case, are letters."""
    found = list(_NO_LETTER.finditer(text))
    if not 1 <= len(found) <= _MOST_LETTERS:
        return []
    choices = product(*(_LETTERS_OF.get(match.group(), "li") for match in found))
    return ["".join(map(str.__add__, _NO_LETTER.split(text), (*one, ""))) for one in choices]


def with_digits(letters: re.Pattern[str], text: str) -> str | None:
    """Return the text with some letters as the digits that they look like; None where none are.

    Args:
        letters: which: FIRST, WITHIN, IN_FRONT, BESIDE or IN_NUMBER.
        text: one value.
    """
    found = letters.sub(lambda match: match.group().translate(_ALIKE), text)
    return None if found == text else found


def with_any_digits(text: str) -> list[str]:
    """Return other texts that this one may be, where letters beside its digits are digits."""
    others = [other for other, _ in readings_of(text)]
    ways = FIRST, IN_NUMBER, BESIDE
    others += [other for way in ways if (other := with_digits(way, text)) is not None]
    return [other for other in dict.fromkeys(others) if other != text]


def is_time(text: str) -> bool:
    """Return whether a text is a time of day, or an amount with its point misread: 12:50."""
    return _TIME.fullmatch(text) is not None


def with_point(text: str, decimal: str | None) -> list[tuple[str, str | None]]:
    """Return the text with its decimal mark put right, where another was read in its place."""
    match = _MISREAD_POINT.fullmatch(text)
    if match is None:
        return []
    pointed = f"{match['whole']}{decimal or '.'}{match['cents']}{match['behind'] or ''}"
    return [(pointed, "The mark before the last two digits was read as a decimal point.")]
