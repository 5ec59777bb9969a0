"""Days of the common calendar and of others, and what a reader of dates says of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

REFERENCE_YEAR = 2026
"""Two-digit years lie from 79 years before this year to 20 years after it."""

_FARVARDIN = date(1996, 3, 20).toordinal()  # the first day of 1375
_IRAN = range(1375, 1415)
_IRAN_LEAP = frozenset({1, 5, 9, 13, 17, 22, 26, 30})  # of 33 years
_BUDDHIST = 543  # years that Thailand is ahead
_BUDDHIST_YEARS = range(1900 + _BUDDHIST, 2100 + _BUDDHIST)
BUDDHIST_NOTE = "The year is Buddhist."
IRANIAN_NOTE = "The date is of Iran's calendar."


@dataclass(frozen=True, slots=True)
class DateReading:
    """One date found in a text.

    Attributes:
        start, end: half-open range of characters that is the date as written, without a weekday
            or a time of day.
        iso: ``2018-12-25``, or ``2018-12`` where the day is not written, ``2018-Q4`` of a quarter,
            ``2018`` of a year.
        alternatives: the other reading of an ambiguous date, in ISO form.
        ambiguous: True where day and month could be swapped and nothing told the order.
        note: one sentence on how it was read, where that needs one.
    """

    start: int
    end: int
    iso: str
    alternatives: tuple[str, ...] = ()
    ambiguous: bool = False
    note: str | None = None


def full_year(two_digits: int) -> int:
    """Return the year that a two-digit year means: at most 20 years after REFERENCE_YEAR."""
    latest = REFERENCE_YEAR + 20
    return latest - (latest - two_digits) % 100


def western(year: int) -> tuple[int, str | None]:
    """Return the year of the common calendar, and a note where it was written as a Buddhist one."""
    return (year - _BUDDHIST, BUDDHIST_NOTE) if year in _BUDDHIST_YEARS else (year, None)


def iranian(year: int, month: int, day: int) -> str | None:
    """Return the ISO form of a day of Iran's calendar from 1375 to 1414; None where it is none."""
    if year not in _IRAN or not 1 <= month <= 12:
        return None
    leap = year % 33 in _IRAN_LEAP
    if not 1 <= day <= (31 if month <= 6 else 30 if month < 12 or leap else 29):
        return None
    before = range(_IRAN.start, year)
    days = 365 * len(before) + sum(one % 33 in _IRAN_LEAP for one in before)
    days += 31 * (month - 1) - max(0, month - 7) + day - 1
    return date.fromordinal(_FARVARDIN + days).isoformat()


def is_date(year: int, month: int, day: int | None) -> bool:
    """Return whether there is such a day, or month where no day is given, from 1900 to 2099."""
    if not 1900 <= year <= 2099:
        return False
    try:
        date(year, month, 1 if day is None else day)
    except ValueError:
        return False
    return True


def iso_of(year: int, month: int, day: int | None = None) -> str:
    """Return the ISO 8601 form; without a day ``2018-12``."""
    return f"{year:04d}-{month:02d}" + ("" if day is None else f"-{day:02d}")
