"""Dates written with the name of a month, in any language.

Of a line of a page only what stands right beside the name is a day or a year, with few words
between. A text that is one value was labelled as a date, so that one name of a month, one day and
one year are enough, in any order, with nothing between them but the small words of dates ("den 3.
Mai 2018", "2018 m. kovo 5 d.").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import regex

from pipeline.values.figures.words import LANGUAGES, number_of
from pipeline.values.times.calendars import (
    IRANIAN_NOTE,
    DateReading,
    full_year,
    iranian,
    is_date,
    iso_of,
    western,
)
from pipeline.values.times.words import (
    DAY_WORDS,
    FILLERS,
    all_months,
    inflected_month,
    month_numbers,
    weekdays,
)

# Languages write months with vowel signs, which `re` parts from their letters.
_TOKEN = regex.compile(
    r"(?P<number>\d{1,9})|(?P<word>[\p{L}\p{M}]{1,24}(?:\.[\p{L}\p{M}]{1,6}){0,3})|(?P<mark>\S)"
)
_TIME = regex.compile(
    r"\d{1,2}[:h.]\d{2}(?::\d{2})?(?:\s?[AaPp][Mm]\b)?(?:\s(?:UTC|GMT|[BCEMPWIJ][DES]?T|CEST))?"
    r"(?=\s|$)|T\d{2}:.{0,20}$"
)
# In the Levant four months have two words.
_TWO_WORDS = {
    "تشرين الأول": "أكتوبر", "تشرين الثاني": "نوفمبر", "كانون الأول": "ديسمبر",
    "كانون الثاني": "يناير",
}  # fmt: skip
_IRANIAN_MONTHS = (
    "فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد", "شهریور",
    "مهر", "آبان", "آذر", "دی", "بهمن", "اسفند",
)  # fmt: skip
_IRANIAN = regex.compile(
    rf"(?<!\d)(?P<day>\d{{1,2}})\s(?P<month>{'|'.join(_IRANIAN_MONTHS)})"
    r"(?:\sماه)?\s(?:سال\s)?(?P<year>1[34]\d\d)(?!\d)"
)
_WORDS = regex.compile(r"\p{L}+(?:-\p{L}+)?")
_CENTURIES = {"nineteen": 1900, "twenty": 2000}
_MOST_OF_A_NUMBER = 7  # words
_MOST_WEEKDAYS = 5  # of one name in a month
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_TIMES = regex.compile(r"\d[xX]\d")  # M8X40 is a bolt
_MONTH_WORDS = frozenset({"tháng", "thg", "thang", "th"})  # Vietnamese counts its months
_MOST_TOKENS = 40
_MINUTES = regex.compile(r":\d")
_YEAR_BEHIND = regex.compile(r",?\s?(?:19|20)\d\d(?!\d)")
_TENS = regex.compile(r"(?<![^\W\d_])(?P<tens>twenty|thirty)[-\s]{1,2}$", regex.IGNORECASE)
_LETTERS = regex.compile(r"[^\W\d_]{3,}")
# What may stand between the name of a month and its day or year on a line
_BETWEEN = frozenset({*".,-/'’º°ª_", "st", "nd", "rd", "th", "er", "de", "del", "of", "day", "го"})
_THAI = regex.compile(r"\p{Thai}")


@dataclass(frozen=True, slots=True)
class _Number:
    value: int
    digits: int
    start: int
    end: int
    apostrophe: bool


def find_written(text: str) -> DateReading | None:
    """Return the date that a text spells with the name of a month, or None.

    Args:
        text: one value, digits as 0 to 9.
    """
    if (day := _IRANIAN.search(text)) is not None:
        month = _IRANIAN_MONTHS.index(day["month"]) + 1
        iso = iranian(int(day["year"]), month, int(day["day"]))
        return None if iso is None else DateReading(day.start(), day.end(), iso, note=IRANIAN_NOTE)
    if _TIMES.search(text) is not None:
        return None
    for two, one in _TWO_WORDS.items():
        text = text.replace(two, one.ljust(len(two)))
    found = _find(text)
    if found is not None and len(found.iso) == len("2018-12-25"):
        return found
    return _find(_with_digits(text)) or found


def named_dates(text: str) -> Iterator[DateReading]:
    """Yield the dates of a line with the name of a month: 5 MAR 2018, 18th day of April, 2001.

    Names of other languages than the commonest are believed only between a day and a whole year.
    """
    months, more = month_numbers(), all_months()
    if not any(word.group().lower() in more for word in _LETTERS.finditer(text)):
        return
    tokens = list(_TOKEN.finditer(_without_times(text)))
    for at, token in enumerate(tokens):
        name = (token["word"] or "").lower()
        if name not in more:
            continue
        before = _number_beside(text, tokens, at, -1)
        after = _number_beside(text, tokens, at, 1)
        later = after and _number_beside(text, tokens, after[0], 1)
        day, year, next_one = (one[1] if one else None for one in (before, after, later))
        around = [(day, year), (year, next_one)] if name in months else [(day, year)]
        if day is not None and day.digits == 4:  # 2023 - January 31, 2023
            around.reverse()
        if name in months and (day is None or day.digits == 4):
            around.append((year, year))
        for first, last in around:
            if first is None or last is None or (name not in months and last.digits != 4):
                continue
            if first is year and last is next_one and first.digits == 4:
                continue  # June 2018 22
            between = text[max(first.end, token.end()) : last.start]
            if last.digits == 2 and (
                first is last
                or _YEAR_BEHIND.match(text, last.end)  # March 12-15, 2024
                or any(map(str.isdecimal, between))  # Mar 5 10:30 24 guests
            ):
                continue
            numbers = [first] if first is last else [first, last]
            month = (token.start(), token.end(), more[name])
            found = _put_together(month, numbers, [], text)
            if found is not None:
                yield found
                break


def _number_beside(
    text: str, tokens: Sequence[regex.Match[str]], at: int, step: int
) -> tuple[int, _Number] | None:
    """Return the nearest number before or behind a word of a line, and which token it is."""
    for index in range(at + step, at + 6 * step, step):
        if not 0 <= index < len(tokens):
            return None
        token = tokens[index]
        word = token.group().lower()
        if token["number"]:
            last = text[max(0, token.start() - 1) : token.start()]
            goes_on = last.isdecimal() or text[token.end() : token.end() + 1].isdecimal()
            is_time = len(word) < 4 and _MINUTES.match(text, token.end()) is not None
            is_other = len(word) == 3 or len(word) > 4 or goes_on or is_time
            parted = last == "/" and text[: token.start() - 1][-1:].isalpha()  # 30 June/1 July
            if is_other or (step < 0 and last in tuple(".,/:") and not parted):
                return None
            apostrophe = last in ("'", "’")
            return index, _Number(int(word), len(word), token.start(), token.end(), apostrophe)
        if step < 0 and word in DAY_WORDS:
            tens = _TENS.search(text, 0, token.start())
            start = token.start() if tens is None else tens.start()
            day = DAY_WORDS.get(f"{tens['tens'].lower()} {word}") if tens else DAY_WORDS[word]
            return None if day is None else (index, _Number(day, 2, start, token.end(), False))
        if word not in _BETWEEN:
            return None
    return None


def is_written_date(text: str) -> bool:
    """Return whether a text is a date with the name of a month, and nothing else."""
    found = find_written(text) if any(map(str.isdecimal, text)) else None
    return found is not None and text[found.start : found.end] == text


def _with_digits(text: str) -> str:
    """Return a text with the days and years that are spelt out in digits, each in its place."""
    words = list(_WORDS.finditer(text))
    if len(words) > _MOST_TOKENS:
        return text
    for language in LANGUAGES:
        at = 0
        while at < len(words):
            start = words[at].start()
            for last in reversed(words[at : at + _MOST_OF_A_NUMBER]):
                spelt = text[start : last.end()]
                # "sept" is seven in French, and a month's short name
                is_number = len(spelt) > len("una") and _month_of(spelt) is None
                number = number_of(spelt, language) if is_number else None
                number = number or DAY_WORDS.get(spelt.lower().replace("-", " "))
                number = number or _year_in_pairs(spelt)
                if number is not None and (1 <= number <= 31 or 1900 <= number <= 2099):
                    text = text[:start] + str(number).ljust(len(spelt)) + text[last.end() :]
                    at = words.index(last)
                    break
            at += 1
    return text


def _year_in_pairs(spelt: str) -> int | None:
    """Return the year of "nineteen ninety-nine" or "twenty twenty-four"."""
    century, _, rest = spelt.lower().partition(" ")
    years = number_of(rest, "en") if century in _CENTURIES else None
    return None if years is None or not 10 <= years <= 99 else _CENTURIES[century] + years


def _without_times(text: str) -> str:
    """Return a text with blanks in place of times of day."""
    blanked: str = _TIME.sub(lambda match: " " * len(match.group()), text)
    return blanked


def _find(text: str) -> DateReading | None:
    tokens = list(_TOKEN.finditer(_without_times(text)))
    if len(tokens) > _MOST_TOKENS:
        return None
    months: list[tuple[int, int, tuple[int, ...]]] = []  # start, end, what it can be
    numbers: list[_Number] = []
    others: list[tuple[int, str]] = []
    skip = -1
    for index, token in enumerate(tokens):
        word = token.group().lower().strip(".")
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if index == skip:
            continue
        if token["number"] and following is not None and following["mark"] == "%":
            others.append((token.start(), "%"))  # "30% MAR 18" says no day
        elif token["number"]:
            before = text[token.start() - 1 : token.start()] in ("'", "’")
            numbers.append(_Number(int(word), len(word), token.start(), token.end(), before))
        elif word in _MONTH_WORDS and following is not None and following["number"]:
            months.append((token.start(), following.end(), (int(following["number"]),)))
            skip = index + 1
        elif token["word"] and (number := _month_of(token.group())) is not None:
            months.append((*token.span(), number))
        elif word in DAY_WORDS:
            numbers.append(_Number(DAY_WORDS[word], 2, token.start(), token.end(), False))
        elif token["word"]:
            others.append((token.start(), word))
    if len(months) != 1:
        return None
    return _put_together(months[0], numbers, others, text)


def _month_of(word: str) -> tuple[int, ...] | None:
    table = all_months()
    lower = word.lower().strip(".")
    if lower in FILLERS:
        return None
    for form in (lower, lower.replace(".", ""), lower.rpartition(".")[2], lower.removeprefix("ב")):
        if form in table:
            return table[form]
    if word in _ROMAN:
        return (_ROMAN.index(word) + 1,)
    return None if lower in weekdays() else inflected_month(lower)


def _put_together(
    month: tuple[int, int, tuple[int, ...]],
    numbers: list[_Number],
    others: list[tuple[int, str]],
    text: str,
) -> DateReading | None:
    start, end, meant = month
    years = [n for n in numbers if n.digits == 4]
    days = [n for n in numbers if n.digits <= 2 and not n.apostrophe]
    if not years:  # the one behind the month, or behind the day that follows it
        short = [n for n in numbers if n.digits == 2 and n.start >= end]
        if len(numbers) == 2 and short and short[-1] is numbers[-1]:
            years, days = [short[-1]], [numbers[0]]
    if len(years) != 1 or len(days) > 1 or len(numbers) != len(years) + len(days):
        return None
    parts = [(start, end), *((n.start, n.end) for n in (*years, *days))]
    first, last = min(part[0] for part in parts), max(part[1] for part in parts)
    inside = [word for at, word in others if first < at < last]
    if any(word not in FILLERS and word not in weekdays() for word in inside):
        return None
    if years[0].digits == 4:
        year, note = western(years[0].value)
    else:
        year, note = full_year(years[0].value), None
    thai = western(2500 + years[0].value)[0] if years[0].digits == 2 and _THAI.search(text) else 0
    day = days[0].value if days else None
    isos = [
        iso_of(year, number, _counted(day, inside, year, number))
        for number in meant
        if 1 <= number <= 12 and is_date(year, number, _counted(day, inside, year, number))
    ]
    if not isos or (day is None and years[0].digits == 2):
        return None
    if thai and day is not None and thai <= full_year(thai % 100):
        # Thais shorten the Buddhist year, and hardly ever the other.
        isos = [iso_of(thai, number, day) for number in meant if is_date(thai, number, day)] + isos
        note = "The year can be Buddhist."
    elif len(isos) > 1:
        note = "The name of the month means two months in different languages."
    return DateReading(first, last, isos[0], tuple(isos[1:]), len(isos) > 1, note)


def _counted(day: int | None, words: Sequence[str], year: int, month: int) -> int | None:
    """Return the day of a month, which a number can count weekdays to: 2nd Tuesday of May 2024.

    Args:
        day: the number.
        words: what stands between it, the month and the year.
        year: of the day.
        month: of the day.
    """
    named = [
        weekdays().get(word, frozenset())
        for word, following in pairwise(words)
        if following in FILLERS and word not in FILLERS  # "st" is a Wednesday in Czech
    ]
    meant = frozenset[int]().union(*named)
    if day is None or day > _MOST_WEEKDAYS or len(meant) != 1 or not is_date(year, month, day):
        return day
    if date(year, month, day).weekday() in meant:
        return day
    first = 1 + (min(meant) - date(year, month, 1).weekday()) % 7
    return first + 7 * (day - 1)
