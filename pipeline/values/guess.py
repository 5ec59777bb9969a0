"""Guesses the kind of a field from values that it has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pipeline.values.figures.amounts import AmountReading, find_amounts
from pipeline.values.schema import Kind
from pipeline.values.texts.address_parts import parse_address
from pipeline.values.times.calendars import DateReading
from pipeline.values.times.dates import find_dates
from pipeline.values.times.durations import find_durations

_MOST = 0.8  # share of a field's values that must be of a kind
_SOME = 0.2  # share of a field's numbers that must have decimals: a code has none
_WRITTEN_AMOUNT = re.compile(r"\d[.,]\d{2}(?!\d)")
_NUMBER = re.compile(
    r"-?(?P<whole>\d{1,9}|\d{1,3}(?:[.,' ]\d{3})+)(?P<decimals>[.,]\d{1,4})?(?: [a-z]{2,3})?"
)
_CODE = re.compile(r"(?=\S*\d)[A-Za-z0-9#./_-]+")
_PART = r"(?:[A-Z]{0,4}\d[A-Z0-9]*|[A-Z]{1,4})"  # of a plate or a policy's number: no word
_CODES = _CODE, re.compile(rf"(?=.*\d)(?=.*[A-Z]){_PART}(?:[ ./-]{_PART})*")


def guess_kind(values: Sequence[str], *, is_column: bool = False) -> Kind:
    """Return the kind that most of a field's values look like; TEXT where there are none.

    Args:
        values: as typed.
        is_column: of a group: figures in columns are counts; elsewhere whole numbers, and those of
            one length, name something.
    """
    if not values:
        return Kind.TEXT

    def most(hits: int) -> bool:
        return hits >= _MOST * len(values)

    if most(sum(_is_all(find_dates(value, day_first=None), value) for value in values)):
        return Kind.DATE
    amounts = sum(
        bool(_WRITTEN_AMOUNT.search(value)) and _is_all(find_amounts(value, decimal=None), value)
        for value in values
    )
    if most(amounts):
        return Kind.AMOUNT
    if most(sum(bool(find_durations(value)) for value in values)):
        return Kind.DURATION
    numbers = [found for value in values if (found := _NUMBER.fullmatch(value))]
    # One "some" among counts is an odd cell; one "A-13" among item numbers is a code.
    are_counts = is_column and not any(
        _CODE.fullmatch(value) for value in values if not _NUMBER.fullmatch(value)
    )
    if most(len(numbers)) and (are_counts or _are_measured(numbers)):
        return Kind.NUMBER
    if most(sum(any(code.fullmatch(value) for code in _CODES) for value in values)):
        return Kind.IDENTIFIER
    if most(sum(map(_is_address, values))):
        return Kind.ADDRESS
    if most(sum(bool(re.search(r"[^\W\d_]", value)) for value in values)):
        return Kind.NAME
    return Kind.TEXT


def _are_measured(numbers: Sequence[re.Match[str]]) -> bool:
    """Return whether numbers are weights or rates, not codes: of any length, some with decimals."""
    lengths = Counter(len(number["whole"]) for number in numbers)
    padded = sum(re.match(r"0\d", number["whole"]) is not None for number in numbers)
    # Three digits behind a mark may be thousands.
    decimals = sum(len(number["decimals"] or "") not in (0, 4) for number in numbers)
    return (
        not padded
        and decimals >= _SOME * len(numbers)
        and max(lengths.values()) < _MOST * len(numbers)
    )


def _is_address(value: str) -> bool:
    """Return whether a value has a figure and a comma, or a street with a postcode and a city."""
    if re.search(r"\d", value) and re.search(r"(?<!\d),|,(?!\d)", value):  # not of a number
        return True
    parts = parse_address([value])
    return bool(parts.postcode and parts.city and (parts.street or parts.house_number))


def _is_all(found: Sequence[AmountReading | DateReading], value: str) -> bool:
    """Return whether one reading covers the value but for white space at its ends."""
    return len(found) == 1 and not (value[: found[0].start] + value[found[0].end :]).strip()
