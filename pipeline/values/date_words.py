"""The words of dates: names of months in nine languages, English ordinals of days."""

from __future__ import annotations

from functools import cache

from dateparser.languages.loader import default_loader

_LANGUAGES = ("en", "ms", "id", "de", "fr", "es", "it", "nl", "pt")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
# Abbreviations that are common English words, and would make "out 12 2018" a day in October.
_NOT_MONTHS = frozenset({"set", "out", "ago", "ag", "gen"})

_ORDINAL_WORDS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
    "seventeenth", "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
DAY_WORDS = (
    {word: number for number, word in enumerate(_ORDINAL_WORDS, 1)}
    | {f"twenty {word}": 20 + number for number, word in enumerate(_ORDINAL_WORDS[:9], 1)}
    | {"thirtieth": 30, "thirty first": 31}
)
"""The number of each ordinal that names a day of a month, lower case, space within."""


@cache
def month_numbers() -> dict[str, int]:
    """Return the number of each month name and abbreviation, lower case, in nine languages."""
    table: dict[str, int] = {}
    for language in _LANGUAGES:
        names = default_loader.get_locale(language).info
        for number, month in enumerate(_MONTHS, 1):
            for name in names.get(month, ()):
                if name.lower() not in _NOT_MONTHS:
                    table.setdefault(name.lower(), number)
    return table
