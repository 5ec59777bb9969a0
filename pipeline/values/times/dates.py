"""Dates in running text: every written form to ISO 8601, the day-month order always explicit.

Numeric dates are read here; the names of months come from dateparser's language tables (its own
parser is not asked: it tells neither the order that it used nor whether another was possible).
No clock is read: two-digit years are placed around a fixed year.
Every pattern is bounded and starts at a digit or a letter run, so time grows with the text alone.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import Literal

import regex

from pipeline.values.figures.words import cjk_number
from pipeline.values.texts.strings import as_matched
from pipeline.values.times.calendars import (
    REFERENCE_YEAR,
    DateReading,
    full_year,
    is_date,
    iso_of,
    western,
)
from pipeline.values.times.written import named_dates

Precision = Literal["day", "month", "quarter", "year"]


_NUMERIC = re.compile(
    # 2018-03-22, 2018/2/5, 2018.02.05
    r"(?<!\d)(?P<ymd>(?P<ymd_y>\d{4})(?P<s1>\s?[-‐–—−/.]\s?)(?P<ymd_m>\d{1,2})(?P=s1)(?P<ymd_d>\d{1,2}))"
    r"(?!\d)"
    # 25/12/2018, 25-12-18, 12.01.2018, 25 / 12 / 2018
    r"|(?<!\d)(?P<abc>(?P<a>\d{1,2})\s?(?P<s2>[-‐–—−/.])\s?(?P<b>\d{1,2})\s?(?P=s2)\s?"
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

# 平成30年3月5日, 民國107年3月5日, and 2018年3月 without a day
ERAS = {
    "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911
}  # fmt: skip
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
# "H30.3.5" is a year of Heisei to Japan, and no day to anybody
_ERA_LETTER = re.compile(r"(?<![^\W_])[MTSHR令平昭]$")
_QUARTER_WORDS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    "primer": 1, "segundo": 2, "tercer": 3, "cuarto": 4, "premier": 1, "deuxième": 2,
    "troisième": 3, "quatrième": 4, "primo": 1, "secondo": 2, "terzo": 3, "quarto": 4,
    "primeiro": 1, "terceiro": 3, "erstes": 1, "zweites": 2, "drittes": 3, "viertes": 4,
    "i": 1, "ii": 2, "iii": 3, "iv": 4, "一": 1, "二": 2, "三": 3, "四": 4,
}  # fmt: skip
# Q3, T3, 3Q; third quarter, 3. Quartal, trimestre 3; a year of two digits stands behind Q3 alone
_NUMBER = rf"(?P<quarter>[1-4]|{'|'.join(_QUARTER_WORDS)})"
_NAME = (
    "(?:quarter|quartal|trimestre|kwartaal|kwartał|kvartal|kvartál|čtvrtletí|štvrťrok|квартал|quý"
    "|negyedév|ketvirtis|四半期|季度?|분기)"
)
_WORDS = rf"(?:{_NUMBER}(?:\.|\.?\s?er|\s?e|\.?\s?[º°]|-й)?[\s-]{{0,2}}{_NAME}|{_NAME}\s{_NUMBER})"
_LETTER = "(?:[Qq]|(?-i:T))"
_QUARTER = regex.compile(
    rf"(?<![^\W_])(?:{_WORDS}(?:,?\s(?:of\s|del?\s|du\s|năm\s)?|\s?[/-]\s?)(?P<year>\d{{4}})"
    rf"|(?P<year>\d{{4}})(?:\.?\s|\s?[年년]\s?第?){_WORDS}"
    rf"|(?:{_LETTER}|(?-i:КВ\.?\s?))\s?(?P<quarter>[1-4])(?:[\s/,.-]{{1,2}}(?:(?:of|de)\s)?|\s?['’])(?P<year>\d{{4}}|\d\d)"
    rf"|(?P<quarter>[1-4]){_LETTER}[\s/'’-]{{0,2}}(?P<year>\d{{4}}|\d\d)"
    rf"|(?P<year>\d{{4}})[\s/-]{{0,2}}{_LETTER}(?P<quarter>[1-4]))(?![^\W_])",
    re.IGNORECASE,
)
_WEEK_BEFORE = re.compile(
    r"(?<![^\W_])(?:weeks?|wk|cw|kw|kalenderwoche|woche|semaine|sem|semana|settimana|uke|uge|vecka"
    r"|viikko|vko|tydzień|týden|неделя|w|v)[\s.:#]{0,3}(?:no\.?\s?)?$",
    re.IGNORECASE,
)


def find_dates(
    text: str,
    *,
    day_first: bool | None,
    year_first: bool | None = False,
) -> list[DateReading]:
    """Return the dates of `text`, left to right, none overlapping.

    Args:
        text: any text, such as a line of a document.
        day_first: how a numeric date is read when both orders give a date: True for 31/12, False
            for 12/31. None reads the day first, as most of the world writes, and marks the date
            ambiguous with the other reading as its alternative. A date that only one order
            allows (12/28/2017) is read that way whatever this says.
        year_first: True: 24/03/12 can begin with the year, as the page is from where that is usual;
            the other reading is kept as the alternative. None: nothing tells any order, so that
            24-11-05, the order of ISO 8601, keeps the reading that begins with the year as one, and
            so does 24/11/05, which is otherwise long ago.
    """
    found = list(_numeric(text, day_first, year_first))
    found += named_dates(text)
    found += _quarters(text)
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


def _two_way_dates(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield year, first group and second group of each date in two numeric groups and a year."""
    for match in _NUMERIC.finditer(text):
        spaced = match["c2"] and " " in (match["abc"] or "")
        if match["abc"] and not spaced and not _runs_on(text, match):
            yield _abc_year(match), int(match["a"]), int(match["b"])


def _abc_year(match: re.Match[str]) -> int:
    return int(match["c4"]) if match["c4"] else full_year(int(match["c2"]))


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
        is_list = separator != "/" and len(match["abc"].replace(" ", "")) != 8
        return bool(match["c2"]) and " " in match["abc"] and is_list
    return after[:1] == separator and after[1:].isdigit()


def _numeric(text: str, day_first: bool | None, year_first: bool | None) -> Iterator[DateReading]:
    for match in _NUMERIC.finditer(text):
        reading = _read(text, match, day_first)
        may_be = year_first is not False and not re.search("['’]", match.group())  # 14-03-'24
        if may_be and match["c2"] and len(match["a"]) == 2 and not _runs_on(text, match):
            year, last = full_year(int(match["a"])), full_year(int(match["c2"]))
            other = _whole(match.span(), year, int(match["b"]), int(match["c2"]))
            near = range(REFERENCE_YEAR - 15, REFERENCE_YEAR + 2)
            # 24/03/05 can be of 2024, where 24/03/25 is of 2025
            told = year in near and (match["s2"] == "-" or last not in near)
            if other is not None and (year_first or (reading is not None and told)):
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


def _read(text: str, match: re.Match[str], day_first: bool | None) -> DateReading | None:
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
        return DateReading(*span, iso_of(year, month)) if 1 <= month <= 12 else None
    if kind == "gap":
        a, b, year = (int(match[f"gap_{part}"]) for part in "abc")
        return _either_order(span, a, b, year, day_first)
    if kind == "abc":
        a, b = int(match["a"]), int(match["b"])
        year, note = western(_abc_year(match))
        if match["c2"] and _YEAR_MARKED.fullmatch(text[max(0, span[0] - 2) : span[1] + 1]):
            first = full_year(a)
            # '24.04.04; in front of 31.12.24 the mark is a stray one
            if abs(first - REFERENCE_YEAR) + _NEARER < abs(year - REFERENCE_YEAR):
                return _whole(span, first, b, int(match["c2"]))
        # The day comes first where years are Buddhist, and where points have a gap: 9. 1. 2024
        ordinals = match["c4"] and match["abc"].count(". ") == 2 and day_first is None
        order = True if note is not None or ordinals else day_first
        found = _either_order(span, a, b, year, order)
        if found is not None and note is not None:
            return replace(found, note=note)
        if found is None and match["c2"] and a > 31:  # 98-12-31
            return _whole(span, full_year(a), b, int(match["c2"]))
        return found
    # Eight digits are more often a serial number: only years about the reference are believed.
    digits = match["compact"]
    believed = range(REFERENCE_YEAR - 50, REFERENCE_YEAR + 21)
    if int(digits[:4]) in believed:
        found = _whole(span, int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        if found is not None:
            return found
    if int(digits[4:]) not in believed:
        return None
    return _either_order(span, int(digits[:2]), int(digits[2:4]), int(digits[4:]), day_first)


def _whole(span: tuple[int, int], year: int, month: int, day: int) -> DateReading | None:
    return DateReading(*span, iso_of(year, month, day)) if is_date(year, month, day) else None


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


def _quarters(text: str) -> Iterator[DateReading]:
    """Yield quarters of years: Q3 2019, 3Q19, third quarter of 2019, 3. Quartal 2019."""
    for match in _QUARTER.finditer(text):
        quarter, year = as_matched(match["quarter"]), int(match["year"])
        if year < 100:
            year = full_year(year)
        number = _QUARTER_WORDS.get(quarter) or int(quarter)
        if is_date(year, 1, 1):
            yield DateReading(match.start(), match.end(), f"{year:04d}-Q{number}")


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
            yield DateReading(*match.span(), iso_of(year, month, day))


def _numeral(text: str) -> int:
    """Return a number in digits or in Chinese numerals; 0 where it is none."""
    return int(text) if text.isdecimal() else cjk_number(text) or 0


def days_of(iso: str) -> tuple[date, date]:
    """Return the first and the last day of a date in ISO form, of whatever precision."""
    precision, year = precision_of(iso), int(iso[:4])
    if precision == "day":
        return date.fromisoformat(iso), date.fromisoformat(iso)
    if precision == "year":
        first, last = 1, 12
    elif precision == "quarter":
        first, last = 3 * int(iso[6]) - 2, 3 * int(iso[6])
    else:
        first = last = int(iso[5:])
    return date(year, first, 1), date(year, last, monthrange(year, last)[1])


def precision_of(iso: str) -> Precision:
    """Return what the shortest written part of a date in ISO form is."""
    if len(iso) == len("2018"):
        return "year"
    return "day" if len(iso) == len("2018-12-25") else "quarter" if iso[5] == "Q" else "month"
