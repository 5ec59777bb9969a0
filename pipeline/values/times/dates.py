"""Dates in running text: every written form to ISO 8601, the day-month order always explicit.

Numeric dates are read here; the names of months come from dateparser's language tables (its own
parser is not asked: it tells neither the order that it used nor whether another was possible).
No clock is read: two-digit years are placed by a reference year that the caller may pass.
Every pattern is bounded and starts at a digit or a letter run, so time grows with the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from pipeline.values.figures.words import cjk_number
from pipeline.values.times.words import DAY_WORDS, all_months, month_numbers

Precision = Literal["day", "month", "quarter", "year"]

REFERENCE_YEAR = 2026
"""Two-digit years lie from 79 years before this year to 20 years after it."""


# Beside a date: no further group in the same separator (that is a phone or serial number), and
# after a two-digit year no colon (that is a time: "MAR 24 18:09") and no whole year.
_YEAR = r"(?:(?P<y4>\d{4})(?!\d)|['’]?(?P<y2>\d{2})(?![\d]|:\d|,?\s?(?:19|20)\d\d(?!\d)))"
_NUMERIC = re.compile(
    # 2018-03-22, 2018/2/5, 2018.02.05
    r"(?<!\d)(?P<ymd>(?P<ymd_y>\d{4})(?P<s1>\s?[-/.]\s?)(?P<ymd_m>\d{1,2})(?P=s1)(?P<ymd_d>\d{1,2}))"
    r"(?!\d)"
    # 25/12/2018, 25-12-18, 12.01.2018, 25 / 12 / 2018
    r"|(?<!\d)(?P<abc>(?P<a>\d{1,2})\s?(?P<s2>[-/.])\s?(?P<b>\d{1,2})\s?(?P=s2)\s?"
    r"(?:(?P<c4>\d{4})|['’]?(?P<c2>\d{2}))(?!\d))"
    # 25 12 2018: the separators lost in reading; only with every group whole
    r"|(?<!\d)(?<!\d )(?P<gap>(?P<gap_a>\d{2}) (?P<gap_b>\d{2}) (?P<gap_c>(?:19|20)\d{2}))"
    r"(?!\d| ?\d{1,6}(?![\d:]))"
    # 20180304, 04032018
    r"|(?<![\w.,#/\\-])(?P<compact>\d{8})(?!(?!T\d{4})[\w\\-]|[.,]\d)"
    # 2024-08, 08/2024: the day is not written
    r"|(?<![\w/.-])(?P<ym>(?P<ym_y>(?:19|20)\d{2})-(?P<ym_m>\d{2}))(?![\w/-]|\.\d)"
    r"|(?<![\w/.-])(?P<my>(?P<my_m>\d{1,2})/(?P<my_y>(?:19|20)\d{2}))(?![\w/-]|\.\d)"
)
_WORD = re.compile(r"[^\W\d_]{3,12}")
_ORDINAL = r"(?:\.?\s?(?:st|nd|rd|th|er|º|ª|°)|-(?:го|е|ге)|:[ae])?"
_DAY_BEFORE = re.compile(
    r"(?<![\d.,/:])(?P<day>\d{1,2})" + _ORDINAL + r"(?:[\s\-/.,]{1,3}|\s?de\s|\s{1,2}of\s{1,2})?"
    r"(?:day\s{1,2}of\s{1,2})?$",
    re.IGNORECASE,
)
_DAY_WORD_BEFORE = re.compile(
    r"(?<![^\W\d_])(?P<word>(?:twenty[-\s]|thirty[-\s])?[a-z]{5,11})(?:\s{1,2}\(\d{1,2}"
    + _ORDINAL
    + r"\))?(?:\s{1,2}day)?\s{1,2}of\s{1,2}$",
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(r"(?<![\d.,/:])(?P<year>\d{4})[\s\-/.,]{1,2}$")
_YEAR_AFTER = re.compile(r"\.?(?:[\s\-/.,]{0,3}|\s?del?\s|\s{1,2}of\s{1,2})" + _YEAR)
_DAY_YEAR_AFTER = re.compile(
    r"\.?[\s\-/.]{0,2}(?P<day>\d{1,2})" + _ORDINAL + r"(?P<gap>[\s\-/.,]{1,3})" + _YEAR,
    re.IGNORECASE,
)
_DAY_AFTER = re.compile(r"\.?[\s\-/.]{1,2}(?P<day>\d{1,2})(?![\d:])")
_BLANK_YEAR_AFTER = re.compile(r"\.?[\s,]{0,2}_{1,20}[\s,]{0,3}(?P<y4>\d{4})(?!\d)")

# 平成30年3月5日, 民國107年3月5日, and 2018年3月 without a day
ERAS = {
    "明治": 1867,
    "大正": 1911,
    "昭和": 1925,
    "平成": 1988,
    "令和": 2018,
    "民國": 1911,
    "民国": 1911,
}
"""The year before the first one of each era."""
_NUMERAL, _DIGIT = "[一二三四五六七八九十]", "[〇零一二三四五六七八九]"
_CJK = re.compile(
    rf"(?:(?P<era>{'|'.join(ERAS)})\s?(?P<of>元|\d{{1,3}}|[〇零一二三四五六七八九十百]{{1,5}})"
    rf"|(?<![\d〇零一二三四五六七八九])(?:(?P<y4>\d{{4}}|{_DIGIT}{{4}})|(?P<roc>1[0-4]\d)))\s?(?:[年년]|(?(era)[./-]|(?!)))\s?"
    rf"(?P<month>\d{{1,2}}|{_NUMERAL}{{1,2}})\s?(?:[月월]|(?(era)[./-](?=\s?\d)|(?!)))"
    rf"(?:\s?(?P<day>\d{{1,2}}|{_NUMERAL}{{1,3}})\s?(?:[日号일]|(?(era)(?!\d)|(?!))))?"
)
_YEAR_MARKED = re.compile(r"\W?['’‘]\d[^'’‘]*")
_NEARER = 5  # years
_FARVARDIN = date(1996, 3, 20).toordinal()  # the first day of 1375
_IRAN = range(1375, 1415)
_IRAN_LEAP = frozenset({1, 5, 9, 13, 17, 22, 26, 30})  # of 33 years
_BUDDHIST = 543  # years that Thailand is ahead
_BUDDHIST_YEARS = range(1900 + _BUDDHIST, 2100 + _BUDDHIST)
BUDDHIST_NOTE = "The year is Buddhist."
IRANIAN_NOTE = "The date is of Iran's calendar."
# "H30.3.5" is a year of Heisei to Japan, and no day to anybody
_ERA_LETTER = re.compile(r"(?<![^\W_])[MTSHR]$")
_QUARTER_WORDS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    "primer": 1, "segundo": 2, "tercer": 3, "cuarto": 4, "premier": 1, "deuxième": 2,
    "troisième": 3, "quatrième": 4, "primo": 1, "secondo": 2, "terzo": 3, "quarto": 4,
    "primeiro": 1, "terceiro": 3, "erstes": 1, "zweites": 2, "drittes": 3, "viertes": 4,
    "i": 1, "ii": 2, "iii": 3, "iv": 4, "一": 1, "二": 2, "三": 3, "四": 4,
}  # fmt: skip
_QUARTER_NAMES = (
    "(?:quarter|quartal|trimestre|kwartaal|kwartał|kvartal|kvartál|čtvrtletí|štvrťrok|квартал)"
)
_QUARTER = re.compile(
    r"(?<![^\W_])(?:"
    r"(?:[Qq]|(?-i:T|КВ\.?\s?))\s?(?P<q1>[1-4])(?:[\s/,.-]{1,2}(?:of\s)?|['’]|\s['’])(?P<y1>\d{4}|\d{2})"
    r"|(?P<q2>[1-4])(?:[Qq]|(?-i:T))[\s/'’-]{0,2}(?P<y2>\d{4}|\d{2})"
    r"|(?P<y3>\d{4})[\s/-]{0,2}[Qq](?P<q3>[1-4])"
    rf"|(?P<q4>[1-4]|{'|'.join(_QUARTER_WORDS)})"
    r"(?:\.|\s?er|\s?e|\s?º|\s?°|-й)?[\s-]{1,2}"
    rf"{_QUARTER_NAMES}"
    r"(?:\s(?:of|de|del|du))?,?\s(?P<y4>\d{4})"
    r"|(?P<y5>\d{4})\s?(?:年|년)\s?第?(?P<q5>[1-4一二三四])(?:季度|四半期|분기)"
    r"|(?P<y7>\d{4})\.?\s(?P<q7>[1-4]|I{1,3}|IV)\.?\s(?:negyedév|ketvirtis)"
    rf"|{_QUARTER_NAMES}\s(?P<q8>[1-4]|I{{1,3}}|IV)(?:,?\s(?:of|de|del|du)?\s?|\s?/\s?)(?P<y8>\d{{4}})"
    r"|quý\s(?P<q6>[1-4]|I{1,3}|IV)(?:\snăm\s|[\s/-])(?P<y6>\d{4})"
    r")(?![^\W_])",
    re.IGNORECASE,
)
_WEEK_BEFORE = re.compile(
    r"(?<![^\W_])(?:weeks?|wk|cw|kw|kalenderwoche|woche|semaine|sem|semana|settimana|uke|uge|vecka"
    r"|viikko|vko|tydzień|týden|неделя|w|v)[\s.:#]{0,3}(?:no\.?\s?)?$",
    re.IGNORECASE,
)


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
    alternatives: tuple[str, ...]
    ambiguous: bool
    note: str | None = None


def find_dates(
    text: str,
    *,
    day_first: bool | None,
    reference_year: int = REFERENCE_YEAR,
    year_first: bool | None = False,
) -> list[DateReading]:
    """Return the dates of `text`, left to right, none overlapping.

    Args:
        text: any text, such as a line of a document.
        day_first: how a numeric date is read when both orders give a date: True for 31/12, False
            for 12/31. None reads the day first, as most of the world writes, and marks the date
            ambiguous with the other reading as its alternative. A date that only one order
            allows (12/28/2017) is read that way whatever this says.
        reference_year: the year around which two-digit years are placed.
        year_first: True: 24/03/12 can begin with the year, as the page is from where that is usual;
            the other reading is kept as the alternative. None: nothing tells any order, so that
            24-11-05, the order of ISO 8601, keeps the reading that begins with the year as one.
    """
    found = list(_numeric(text, day_first, reference_year, year_first))
    found += _named(text, reference_year)
    found += _quarters(text, reference_year)
    found += _east_asian(text)
    # Whole dates before partial ones, longer ones first: "18 April, 2001" before "April, 2001".
    found.sort(key=lambda reading: (-len(reading.iso), reading.start - reading.end, reading.start))
    taken: list[DateReading] = []
    covered = bytearray(len(text))
    for reading in found:
        if not any(covered[reading.start : reading.end]):
            covered[reading.start : reading.end] = b"\1" * (reading.end - reading.start)
            taken.append(reading)
    return sorted(taken, key=lambda reading: reading.start)


def infer_day_first(texts: Iterable[str]) -> bool | None:
    """Return the order of day and month that the dates of one document show.

    Only dates that a single order allows count (25/12/2018, 12/28/2017), and of those with a short
    year none that spaces run through: "07. 24.40" may be a rate and an amount. None where there
    are none, or where they contradict each other.
    """
    orders = {
        is_date(year, b, a)
        for text in texts
        for year, a, b in _two_way_dates(text)
        if is_date(year, b, a) != is_date(year, a, b)
    }
    return orders.pop() if len(orders) == 1 else None


def full_year(two_digits: int, reference_year: int = REFERENCE_YEAR) -> int:
    """Return the year that a two-digit year means: at most 20 years after `reference_year`."""
    latest = reference_year + 20
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


def _two_way_dates(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield year, first group and second group of each date in two numeric groups and a year."""
    for match in _NUMERIC.finditer(text):
        spaced = match["c2"] and " " in (match["abc"] or "")
        if match["abc"] and not spaced and not _runs_on(text, match):
            yield _abc_year(match, REFERENCE_YEAR), int(match["a"]), int(match["b"])


def _abc_year(match: re.Match[str], reference_year: int) -> int:
    return int(match["c4"]) if match["c4"] else full_year(int(match["c2"]), reference_year)


def _runs_on(text: str, match: re.Match[str]) -> bool:
    """Tell whether a numeric date is a slice of a longer chain such as 07-12-01-1999."""
    separator = match["s2"] or match["s1"].strip()
    before, after = text[max(0, match.start() - 2) : match.start()], text[match.end() :][:2]
    if match["abc"]:
        if before[-1:] == separator and before[:1].isdigit():
            return True
        # "27-03-2018-14:02" is a date and a time; after a short year the chain is a number.
        if match["c2"] and after[:1] == separator and after[1:].isdigit():
            return True
        # Gaps around the separators happen in reading, but "1. 2. 18" is a list.
        return bool(match["c2"]) and " " in match["abc"] and len(match["abc"].replace(" ", "")) != 8
    return after[:1] == separator and after[1:].isdigit()


def _numeric(
    text: str, day_first: bool | None, reference_year: int, year_first: bool | None
) -> Iterator[DateReading]:
    for match in _NUMERIC.finditer(text):
        reading = _read(text, match, day_first, reference_year)
        may_be = year_first or (year_first is None and match["s2"] == "-")
        may_be = may_be and not re.search("['’]", match.group())  # 14-03-'24
        if may_be and match["c2"] and len(match["a"]) == 2 and not _runs_on(text, match):
            year = full_year(int(match["a"]), reference_year)
            other = _whole(match.span(), year, int(match["b"]), int(match["c2"]))
            near = range(reference_year - 15, reference_year + 2)
            if other is not None and (year_first or (reading is not None and year in near)):
                reading = _with_other(reading, other, first=bool(year_first))
        if reading is not None:
            yield reading


def _with_other(reading: DateReading | None, other: DateReading, *, first: bool) -> DateReading:
    """Return a date with one more reading, which begins with the year, as the first or the last."""
    known = [] if reading is None else [reading.iso, *reading.alternatives]
    isos = tuple(dict.fromkeys([other.iso, *known] if first else [*known, other.iso]))
    swapped = not first and reading is not None and reading.ambiguous
    note = "The year can be the first number or the last."
    several = len(isos) > 1
    return replace(
        other,
        iso=isos[0],
        alternatives=isos[1:],
        ambiguous=several,
        note=note if several and not swapped else None,
    )


def _read(
    text: str, match: re.Match[str], day_first: bool | None, reference_year: int
) -> DateReading | None:
    """Return the date that one match of `_NUMERIC` is, or None where it is no date."""
    kind, span = match.lastgroup, match.span()
    if kind in ("abc", "ymd") and _runs_on(text, match):
        return None
    if kind == "ymd":
        year, month, day = (int(match[f"ymd_{part}"]) for part in "ymd")
        year, note = western(year)
        whole = _whole(span, year, month, day)
        return whole if whole is None or note is None else replace(whole, note=note)
    if _ERA_LETTER.search(text, max(0, match.start() - 2), match.start()) and kind in ("abc", "my"):
        return None
    if kind in ("ym", "my"):
        if _WEEK_BEFORE.search(text, max(0, match.start() - 20), match.start()):
            return None  # the 12th week of a year is no month
        year, month = int(match[f"{kind}_y"]), int(match[f"{kind}_m"])
        return _plain_reading(span, iso_of(year, month)) if 1 <= month <= 12 else None
    if kind == "gap":
        a, b, year = (int(match[f"gap_{part}"]) for part in "abc")
        return _either_order(span, a, b, year, day_first)
    if kind == "abc":
        a, b = int(match["a"]), int(match["b"])
        year, note = western(_abc_year(match, reference_year))
        if match["c2"] and _YEAR_MARKED.fullmatch(text[max(0, span[0] - 2) : span[1] + 1]):
            first = full_year(a, reference_year)
            # '24.04.04; in front of 31.12.24 the mark is a stray one
            if abs(first - reference_year) + _NEARER < abs(year - reference_year):
                return _whole(span, first, b, int(match["c2"]))
        # The day comes first where years are Buddhist, and where points have a gap: 9. 1. 2024
        ordinals = match["c4"] and match["abc"].count(". ") == 2 and day_first is None
        order = True if note is not None or ordinals else day_first
        found = _either_order(span, a, b, year, order)
        if found is not None and note is not None:
            return replace(found, note=note)
        if found is None and match["c2"] and a > 31:  # 98-12-31
            return _whole(span, full_year(a, reference_year), b, int(match["c2"]))
        return found
    # Eight digits are more often a serial number: only years about the reference are believed.
    digits = match["compact"]
    believed = range(reference_year - 50, reference_year + 21)
    if int(digits[:4]) in believed:
        found = _whole(span, int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        if found is not None:
            return found
    if int(digits[4:]) not in believed:
        return None
    return _either_order(span, int(digits[:2]), int(digits[2:4]), int(digits[4:]), day_first)


def _whole(span: tuple[int, int], year: int, month: int, day: int) -> DateReading | None:
    return _plain_reading(span, iso_of(year, month, day)) if is_date(year, month, day) else None


def _plain_reading(span: tuple[int, int], iso: str) -> DateReading:
    return DateReading(*span, iso, (), False)


def _either_order(
    span: tuple[int, int], a: int, b: int, year: int, day_first: bool | None
) -> DateReading | None:
    """Return the date of two groups that may be day and month, or None where neither order is."""
    readings = [
        iso_of(year, month, day)
        for month, day in ([(a, b), (b, a)] if day_first is False else [(b, a), (a, b)])
        if is_date(year, month, day)
    ]
    if not readings:
        return None
    ambiguous = day_first is None and len(set(readings)) == 2
    return DateReading(*span, readings[0], (readings[1],) if ambiguous else (), ambiguous)


def _named(text: str, reference_year: int) -> Iterator[DateReading]:
    """Yield dates with the name of a month: 5 MAR 2018, Feb 3, 2018, 18th day of April, 2001.

    Names of other languages than the commonest are believed only between a day and a whole year.
    """
    months, more = month_numbers(), all_months()
    for word in _WORD.finditer(text):
        name = word.group().lower()
        if (month := months.get(name)) is not None:
            reading = _around_month(text, word, month, reference_year)
        elif name in more:
            reading = _between_day_and_year(text, word, more[name])
        else:
            continue
        if reading is not None:
            yield reading


def _between_day_and_year(
    text: str, word: re.Match[str], months: tuple[int, ...]
) -> DateReading | None:
    before_start = max(0, word.start() - 48)
    day, day_start = _day_before(text[before_start : word.start()])
    after = _YEAR_AFTER.match(text, word.end())
    if day is None or after is None or not after["y4"]:
        return None
    year = int(after["y4"])
    isos = [iso_of(year, month, day) for month in months if is_date(year, month, day)]
    if not isos:
        return None
    note = "The name of the month means two months in different languages."
    several = len(isos) > 1
    span = (before_start + day_start, after.end())
    return DateReading(*span, isos[0], tuple(isos[1:]), several, note if several else None)


def _quarters(text: str, reference_year: int) -> Iterator[DateReading]:
    """Yield quarters of years: Q3 2019, 3Q19, third quarter of 2019, 3. Quartal 2019."""
    for match in _QUARTER.finditer(text):
        form = (match.lastgroup or "")[-1:]
        quarter, year = match[f"q{form}"].lower(), int(match[f"y{form}"])
        if year < 100:
            year = full_year(year, reference_year)
        number = _QUARTER_WORDS.get(quarter) or int(quarter)
        if is_date(year, 1, 1):
            yield _plain_reading(match.span(), f"{year:04d}-Q{number}")


def _east_asian(text: str) -> Iterator[DateReading]:
    """Yield dates in years of eras, and those without a day: 令和元年5月1日, 2018年3月."""
    for match in _CJK.finditer(text):
        if match["era"]:
            year = ERAS[match["era"]] + (1 if match["of"] == "元" else _numeral(match["of"]))
        elif match["roc"]:  # no other calendar is in years of three digits
            year = ERAS["民國"] + int(match["roc"])
        else:
            year = _numeral(match["y4"])
        month, day = _numeral(match["month"]), _numeral(match["day"]) if match["day"] else None
        if is_date(year, month, day):
            yield _plain_reading(match.span(), iso_of(year, month, day))


def _numeral(text: str) -> int:
    """Return a number in digits or in Chinese numerals; 0 where it is none."""
    return int(text) if text.isdecimal() else cjk_number(text) or 0


def days_of(iso: str) -> tuple[date, date]:
    """Return the first and the last day of a date in ISO form, of whatever precision."""
    if len(iso) == len("2018-12-25"):
        return date.fromisoformat(iso), date.fromisoformat(iso)
    year = int(iso[:4])
    if len(iso) == len("2018"):
        return date(year, 1, 1), date(year, 12, 31)
    if iso[5] == "Q":
        first = date(year, 3 * int(iso[6]) - 2, 1)
        months = 3
    else:
        first, months = date(year, int(iso[5:]), 1), 1
    after = first.month + months
    last = date(year + (after > 12), (after - 1) % 12 + 1, 1) - timedelta(days=1)
    return first, last


def precision_of(iso: str) -> Precision:
    """Return what the shortest written part of a date in ISO form is."""
    if len(iso) == len("2018"):
        return "year"
    return "day" if len(iso) == len("2018-12-25") else "quarter" if iso[5] == "Q" else "month"


def _around_month(
    text: str, word: re.Match[str], month: int, reference_year: int
) -> DateReading | None:
    before_start = max(0, word.start() - 48)
    before = text[before_start : word.start()]
    after = _YEAR_AFTER.match(text, word.end())
    day, day_start = _day_before(before)
    if day is not None and after is not None:
        span = (before_start + day_start, after.end())
        found = _whole(span, _year_of(after, reference_year), month, day)
        if found is not None:
            return found
    both = _DAY_YEAR_AFTER.match(text, word.end())
    if both is not None:
        span = (word.start(), both.end())
        found = _whole(span, _year_of(both, reference_year), month, int(both["day"]))
        if found is not None:
            return found
    leading, trailing = _YEAR_BEFORE.search(before), _DAY_AFTER.match(text, word.end())
    if leading is not None and trailing is not None:
        span = (before_start + leading.start(), trailing.end())
        found = _whole(span, int(leading["year"]), month, int(trailing["day"]))
        if found is not None:
            return found
    # An impossible day (31 FEB 2018) is no date at all; a missing one is a partial date.
    partial = _BLANK_YEAR_AFTER.match(text, word.end()) or (after if day is None else None)
    if partial is None or not partial["y4"] or not is_date(int(partial["y4"]), month, 1):
        return None
    return _plain_reading((word.start(), partial.end()), iso_of(int(partial["y4"]), month))


def _day_before(before: str) -> tuple[int | None, int]:
    """Return the day written before a month's name and where it starts, or None and 0."""
    match = _DAY_BEFORE.search(before)
    if match is not None:
        return int(match["day"]), match.start()
    match = _DAY_WORD_BEFORE.search(before)
    if match is not None:
        word = re.sub(r"[-\s]", " ", match["word"].lower())
        for candidate in (word, word.rsplit(" ", 1)[-1]):
            if candidate in DAY_WORDS:
                return DAY_WORDS[candidate], match.end("word") - len(candidate)
    return None, 0


def _year_of(match: re.Match[str], reference_year: int) -> int:
    return int(match["y4"]) if match["y4"] else full_year(int(match["y2"]), reference_year)
