"""The words of dates: names of months, English ordinals of days."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from pipeline.values.texts.strings import unaccented
from pipeline.values.wordlists import words_of

_LANGUAGES = ("en", "ms", "id", "de", "fr", "es", "it", "nl", "pt")
_MORE_LANGUAGES = (
    "ru", "pl", "cs", "sk", "hu", "ro", "bg", "hr", "sl", "sr", "sr-Latn", "bs", "uk", "be", "lt",
    "lv", "et", "fi", "sv", "da", "nb", "nn", "is", "tr", "az", "el", "he", "ar", "fa", "ur", "hi",
    "mr", "ta", "te", "kn", "ml", "gu", "pa", "bn", "ne", "si", "th", "vi", "fil", "sw", "af", "ca",
    "eu", "gl", "ga", "cy", "mt", "sq", "mk", "ka", "hy", "kk", "uz", "mn", "my", "km", "lo",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
# Abbreviations that are common English words, and would make "out 12 2018" a day in October.
_NOT_MONTHS = frozenset({"set", "out", "ago", "ag", "gen"})
_TABLES = "data/date_translation_data"  # of dateparser, a file a language
_ARABIC_LETTERS = str.maketrans("یک", "يك")  # which keyboards have in place of Persian ones
# Forms that the tables lack, as whole words.
_EXTRA = {
    "marca": 3, "sept": 9, "mrt": 3, "januarie": 1, "января": 1, "ottobre": 10, "gennaio": 1,
    "agustus": 8, "febr": 2, "juill": 7, "अक्टू": 10, "szept": 9, "ogos": 8, "jän": 1,
    "شباط": 2, "آذار": 3, "نيسان": 4, "أيار": 5, "حزيران": 6, "تموز": 7, "آب": 8, "أيلول": 9,
}  # fmt: skip

FILLERS = words_of("""
    of the day de del della den der dem des du le la el d di da dia día dag dne dnia az a an year
    year's ano año an rok roku r г год года р року m d gada g god godine sana en on am vom van il
    lo os as aos dias mês mes em do e er st nd rd th ta ko a
    го е ге ой ngày năm tháng thang nam ngay ve yılı év ev a.d ad yil ж жылы жылғы
    ב ה في من م عام सन् ई พ.ศ พศ ค.ศ คศ วันที่ เดือน tahun tanggal tarikh hb haribulan taon ika ng
    bulan to y mėn η
""")
"""Words that may stand between the parts of a written date."""

RANGE_WORDS = (
    "to", "thru", "through", "until", "till", "bis", "au", "à", "al", "hasta", "a", "até", "ao",
    "tot", "t/m", "do", "до", "по",
)  # fmt: skip
"""What joins the two ends of a range, lower case."""

_ORDINALS_TEXT = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
_ORDINAL_WORDS = _ORDINALS_TEXT.split()
_GERMAN_TEXT = """
    erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt
    fünfzehnt sechzehnt siebzehnt achtzehnt neunzehnt zwanzigst einundzwanzigst zweiundzwanzigst
    dreiundzwanzigst vierundzwanzigst fünfundzwanzigst sechsundzwanzigst siebenundzwanzigst
    achtundzwanzigst neunundzwanzigst dreißigst einunddreißigst
"""
_GERMAN_STEMS = _GERMAN_TEXT.split()
DAY_WORDS = (
    {word: number for number, word in enumerate(_ORDINAL_WORDS, 1)}
    | {f"twenty {word}": 20 + number for number, word in enumerate(_ORDINAL_WORDS[:9], 1)}
    | {"thirtieth": 30, "thirty first": 31}
    | {stem + end: day for day, stem in enumerate(_GERMAN_STEMS, 1) for end in ("er", "en")}
    | dict.fromkeys(("premier", "primero", "primeiro", "primo", "eerste"), 1)
)
"""The number of each ordinal that names a day of a month, lower case, space within; of other
languages than English and German the first, whose other days are cardinals."""


@cache
def month_numbers() -> dict[str, int]:
    """Return the number of each month name and abbreviation, lower case, in nine languages."""
    table: dict[str, int] = {}
    for name, number in _names(_LANGUAGES):
        if name not in _NOT_MONTHS:
            table.setdefault(name, number)
    return table


@cache
def all_months() -> dict[str, tuple[int, ...]]:
    """Return the months that each name or abbreviation means, lower case, in seventy languages.

    Two where languages differ: listopad is October to Croats and November to Poles.
    """
    table: dict[str, tuple[int, ...]] = {}
    for name, number in (*_names(_LANGUAGES + _MORE_LANGUAGES), *_EXTRA.items()):
        if number not in table.get(name, ()):
            table[name] = (*table.get(name, ()), number)
    # Accents are often lost: "decembre" is what it was with one.
    for name, numbers in list(table.items()):
        bare = unaccented(name)
        if bare.isascii() and len(bare) > 3:
            table.setdefault(bare, numbers)
    # What the nine languages say first is what it means: "mar" and "may" elsewhere are rare.
    return table | {name: (number,) for name, number in month_numbers().items()}


def inflected_month(word: str) -> tuple[int, ...] | None:
    """Return the months that a word is a form of, as "februarja" is of "februar"; None of none.

    Accents aside, it has the first five letters of their names and at most three after them more
    or less.
    """
    bare = unaccented(word)
    for name, numbers in _by_stem().get(bare[:_STEM], ()):
        if abs(len(bare) - len(name)) <= 3:
            return numbers
    return None


_STEM = 5


@cache
def _by_stem() -> dict[str, list[tuple[str, tuple[int, ...]]]]:
    table: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    for name, numbers in all_months().items():
        bare = unaccented(name)
        if len(bare) >= _STEM:
            table.setdefault(bare[:_STEM], []).append((bare, numbers))
    return table


@cache
def weekdays() -> dict[str, frozenset[int]]:
    """Return the days of the week that a name or abbreviation means, lower case; Monday is 0."""
    table: dict[str, frozenset[int]] = {}
    for language in _LANGUAGES + _MORE_LANGUAGES:
        info = _table(language)
        for number, day in enumerate(_WEEKDAYS):
            for name in info.get(day, ()):
                printed = name.lower().strip(".")
                for key in (printed, printed.translate(_ARABIC_LETTERS)):
                    table[key] = table.get(key, frozenset()) | {number}
    return table


def _names(languages: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    for language in languages:
        names = _table(language)
        for number, month in enumerate(_MONTHS, 1):
            for name in names.get(month, ()):
                printed = name.lower().strip(".॰")
                yield printed, number
                yield printed.translate(_ARABIC_LETTERS), number


@cache
def _table(language: str) -> dict[str, list[str]]:
    """Return dateparser's table of a language: the words for each month and weekday.

    Its file is loaded by itself, as the package takes longer to load than all of ours; of a release
    that keeps the tables elsewhere the package is asked.
    """
    package = find_spec("dateparser")
    folders = (package.submodule_search_locations if package else None) or ()
    table: dict[str, list[str]]
    for folder in folders:
        file = Path(folder) / _TABLES / f"{language}.py"
        module = ModuleType(language)
        with suppress(FileNotFoundError):
            SourceFileLoader(language, str(file)).exec_module(module)
            table = module.info
            return table
    from dateparser.languages.loader import default_loader

    table = default_loader.get_locale(language).info
    return table
