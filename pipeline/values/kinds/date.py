"""Dates: ``"2018-12-25"``, of a month ``"2018-12"``, of a quarter ``"2018-Q4"``, ``"2018"``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from pipeline.values.context import DocumentContext
from pipeline.values.figures.misread import BESIDE, as_letters, readings_of, with_digits
from pipeline.values.normalised import ASSUMED, Normalised, failed, first_of
from pipeline.values.patterns import lazy_pattern
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded
from pipeline.values.times.calendars import (
    IRANIAN_NOTE,
    REFERENCE_YEAR,
    DateReading,
    full_year,
    iranian,
    is_date,
    iso_of,
    western,
)
from pipeline.values.times.dates import ERAS, find_dates, infer_day_first, precision_of
from pipeline.values.times.words import RANGE_WORDS, all_months, weekdays
from pipeline.values.times.written import find_written
from pipeline.values.wordlists import either

_TIME_AFTER_YEAR = lazy_pattern(r"(?<=[/.-]\d{4})(?=\d{1,2}:\d{2})")  # "03/02/201815:28"
_TO_WORDS = either(RANGE_WORDS)
_RANGE_BEFORE = lazy_pattern(
    r"(?<![\d/.,:])(?P<day>\d{1,2})(?:\.|st|nd|rd|th|er|[º°])?\s?"
    rf"(?:[-–—/&]|and|und|et|y|e|{_TO_WORDS})\s?$",
    re.IGNORECASE,
)
_NO_YEAR = lazy_pattern(r"(?<![\d./-])(?P<first>\d{1,2})(?P<mark>[./])(?P<second>\d{1,2})\.?$")
_TO = lazy_pattern(
    rf"\s?(?:[-–—/]|(?<![^\W_])(?:{_TO_WORDS}))\s?"
    r"(?:the\s|zum\s|il\s|el\s|den\s)?$",
    re.IGNORECASE,
)
# March 12-15, 2024
_DAYS_OF_MONTH = lazy_pattern(
    r"(?P<month>[^\W\d_]{3,12})\.?\s(?P<first>\d{1,2})\s?(?:-|–|—|to|&|and)\s?(?P<last>\d{1,2}),?\s"
    r"(?P<year>(?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
# A letter that may be a misread digit of the date beside it: "2O24-03-12" holds no 24-03-12.
_DIGIT_BEFORE = lazy_pattern(r"(?<![^\W\d_])[OoIl|]$")
_DIGIT_AFTER = lazy_pattern(r"[OoIl|](?![^\W\d_])")
_LETTERS_AND_DIGITS = lazy_pattern(
    r"(?<![^\W_])(?=[^\W_]*\d)(?=\d*[^\W\d_]{2})[^\W_]{3,12}(?![^\W_])"
)
# Eight digits with a mark or a space somewhere, or three pairs.
_MARKS_MISSING = lazy_pattern(
    r"\W*(?P<date>(?=(?:\D?\d){8}\W*$)\d{1,4}(?:[\s.,/-]\d{1,6}){1,2}|\d\d[\s./-]\d\d[\s./-]\d\d)\W*"
)
# Marks that say what one stroke says: 14 | 09 | 2022 in boxes, 7/6-23 in the North
_OTHER_MARKS = (
    (lazy_pattern(r"(?<!\S)(\d{1,2} )[|]( \d{1,2} )[|]( \d{4})(?!\S)"), r"\1/\2/\3"),
    (lazy_pattern(r"(?<![\w./-])(\d{1,2}/\d{1,2})-(\d\d|20\d\d)(?![\w./-])"), r"\1/\2"),
)
_YEAR_PARTED = lazy_pattern(r"(?<=\d[./-])(19|20) (\d\d)$")
# dd/mm/yyyy, and in German, French, Italian, Spanish ...: TT.MM.JJJJ, jj/mm/aaaa, gg/mm/aaaa
_FORM = lazy_pattern(
    r"(?<![^\W_])(?:(?P<day>dd|tt|jj|gg|дд|ηη|pp)(?P<mark>[./-])(?:mm|мм|kk)"
    r"|mm(?P<mark2>[./-])(?:dd|tt|jj|gg))(?(day)(?P=mark)|(?P=mark2))(?:yy|jj|aa|rr|гг|εε|vv)",
    re.IGNORECASE,
)
# Words of captions whose languages write the day first, and letters of such
_DAY_FIRST = lazy_pattern(
    r"[\u0370-\u07ff\u0900-\u0fff\u1ea0-\u1ef9ğşąęłńśźżěřůșțßøåæðþõāēīūčšžćđ]|date\sd[e'’]|(?<![^\W_])(?:[^\W\d_]{0,20}(?:datum|dato|datums|dátum|tarihi)|fecha|data(?!\s(?:as|for|from|through|to|until)(?![^\W_]))"
    r"|tarih|tarikh|tanggal|tgl|ngày|kuupäev|[^\W\d_]{0,12}päivä(?:ys)?|[^\W\d_]{0,12}dag(?:ur|s)|scadent|datë|vom|bis|uhr|fällig|zahlbar|du|le|[àa]\spayer"
    r"|[ée]ch[ée]ance|fait|livraison|vencimiento|vencimento|vencto|venc|emisi[óo]n|emiss[ãa]o|scadenza"
    r"|emess[ao]|del|termin|wystawienia|płatności|splatnost[ií]?|vystaven[íoé]|scaden[țt][ăa]|emiterii"
    r"|rechnung|facture|factura|fattura|fatura|factuur|faktura)(?![^\W_])",
    re.IGNORECASE,
)
_YEAR_LAST = lazy_pattern(
    r"(?<!\d)\d{1,2}(?:\s?([./-])\s?\d{1,2}\s?\1\s?\d{4}|([./])\d{1,2}\2\d\d)(?!\d)"
)
_ERA = lazy_pattern(
    r"(?:[^\WA-Za-z\d_]|\W)*(?P<era>[RHS令平昭])\s?(?P<year>\d{1,2})[./-](?P<month>\d{1,2})[./-](?P<day>\d{1,2})\W*"
)
# Written in Persian: a bare 1397/12/14 may be anything
_IRANIAN = lazy_pattern(r"(?<!\d)(1[34]\d\d)\s?([/.-])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d)")
_PERSIAN = lazy_pattern(r"[۰-۹پچژگکی]")
_SHORT_YEAR = lazy_pattern(r"(?<=\d[./-])(\d\d)(?!\d)$")
_ERA_OF = {
    short: ERAS[era]
    for era, letter in (("令和", "R"), ("平成", "H"), ("昭和", "S"))
    for short in (letter, era[0])
}
_YEAR_FIRST = frozenset({"JP", "CN", "KR", "TW", "HU", "SE", "LT"})
_MONTH_YEAR = lazy_pattern(
    r"(?P<month>[^\W\d_]{3,12})\.?(?P<mark>[-/\s]?['’]|[-/]|\s)(?P<year>\d{2})"
)
_YEAR_MONTH = lazy_pattern(
    r"(?P<y1>(?:19|20)\d{2})\s?[/.]\s?(?P<m1>0?[1-9]|1[0-2])|(?P<m2>0?[1-9]|1[0-2])\s?[.-]\s?(?P<y2>(?:19|20)\d{2})"
)
# "4. 3. 18" is a list on a page.
_SPACED_POINTS = lazy_pattern(
    r"\W*(?P<date>(?P<first>\d{1,2})\. (?P<month>\d{1,2})\. (?P<last>\d{1,2}))\W*"
)
# What stands before a month that is all else of a text: "Billing period:", "VALID THRU"
_CAPTION = lazy_pattern(r"(?:[^\W\d_]{1,20}[\s.:'’-]{1,3}){1,4}(?<=[\s:])(?=\S{4,10}$)")
_EXPIRES = lazy_pattern(
    r"(?:valid|exp|expiry|expires|expiration|thru|until|bis|gültig|use by|best before|bb|mhd)"
    r"[^\W_]{0,6}\W{0,3}(?:end|date)?\W{0,3}(?P<month>0[1-9]|1[0-2])/(?P<year>\d\d)\W*$",
    re.IGNORECASE,
)
_ISO_WEEK = lazy_pattern(
    r"(?<![\w-])(?P<year>(?:19|20)\d\d)-?W(?P<week>\d\d)-?(?P<day>[1-7])(?![\w-])"
)
# "Tax year: 2023", "Baujahr 2019"; a year that no word calls one may be any number.
_YEAR = lazy_pattern(
    r"[^\d]{0,40}(?<![^\W\d_])(?:year|(?:[^\W\d_]{1,16})?jahr|[^\W\d_]{0,12}jaar|exercice|année|anno"
    r"(?:\sd['’]imposta)?|año|ejercicio|ano|exercício|rok|roku|år|vuosi)\W{1,3}(?P<year>(?:19|20)\d\d)",
    re.IGNORECASE,
)
# Nepal's years are 57 ahead
_OF_NEPAL = lazy_pattern(
    r"(?<![^\W_])(?:b\.?\s?s\.?|(?:bikram|vikram)\ssam[vb]at)(?![^\W_])|वि\.\s?सं|[०-९]",
    re.IGNORECASE,
)
# Written as a date, and none: 31.11.2026
_NO_DAY = lazy_pattern(
    r"(?<![\d./-])(?:\d{1,2}(?P<a>[./-])\d{1,2}(?P=a)(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?P<b>[./-])\d{1,2}(?P=b)\d{1,2})(?![\d/-])"
)
_LIKELY_YEARS = 24  # from now
_LETTERS = lazy_pattern(r"[^\W\d_]{2,}")
_BY_WEEKDAY = "Day and month can be swapped; the weekday told the order."
_NO_ORDER = "Day and month can be swapped, and nothing told the order."
_HINTED = f"{ASSUMED}: day and month can be swapped; the order given as usual was taken."
_FOLLOWING = (
    f"{ASSUMED}: day and month can be swapped; otherwise a date is before one that it follows."
)
_DIGIT_BESIDE = "A letter in it was read as a digit."
_LETTER_IN_MONTH = "A digit in the name of the month was read as a letter."
_MARKS = "A mark between day, month and year was not read."
_PARTS = {
    "month": "The day is not written.",
    "quarter": "Only the quarter is written.",
    "year": "Only the year is written.",
}


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the date of a text; ambiguous where day and month can be swapped or there are more.

    The document's evidence decides on the order of day and month. The order of its dates among
    themselves, else the hint of the field, only says which reading comes first: the date stays
    ambiguous.
    """
    text = source.numeric
    for marks, strokes in _OTHER_MARKS:
        text = marks.sub(strokes, text)
    if (form := _FORM.search(text)) is not None:  # "Date (mm/dd/yyyy): 03/04/2024"
        context = replace(context, day_first=form["day"] is not None)
    elif context.day_first is None:
        # 10/01/18 - 10/14/18; "Rechnung vom 3.4.2024"
        several = len(_YEAR_LAST.findall(text)) > 1
        told = infer_day_first([text]) if several else None
        digits = readings_of(text)[0][0]
        if told is None and (date := _YEAR_LAST.search(digits)) is not None:
            # A short year is told by the word beside it alone: "Casa del Sol 03/04/24"
            where = text if date[1] else _word_before(text[: date.start()])
            told = _DAY_FIRST.search(where) is not None or None
        context = replace(context, day_first=told)
    found, note = _find(text, spec, context)
    if not found and _PERSIAN.search(source.raw) and (day := _IRANIAN.search(text)) is not None:
        iso = iranian(int(day[1]), int(day[3]), int(day[4]))
        found = [] if iso is None else [DateReading(*day.span(), iso, note=IRANIAN_NOTE)]
    if (misread := _misread(text, found, spec, context)) is not None:
        found, note = [misread], None
    if not found:
        no_day = _NO_DAY.search(text) is not None
        return failed(
            source, "There is no such day." if no_day else "No date was found in the text."
        )
    far = all(int(reading.iso[:4]) > REFERENCE_YEAR + _LIKELY_YEARS for reading in found)
    if far and _OF_NEPAL.search(source.text) is not None:
        return failed(source, "The year is of Nepal's calendar.")
    # A whole date says more than a month and year, and eight digits alone may number a document.
    best = max(
        found,
        key=lambda r: (len(r.iso), not text[r.start : r.end].isdecimal(), -r.start),
    )
    others = dict.fromkeys(
        r.iso for r in found if r.iso != best.iso and len(r.iso) == len(best.iso)
    )
    others |= dict.fromkeys(_beginning_of_range(text, best))
    if (joined := _YEAR_PARTED.sub(r"\1\2", text)) != text:
        others |= dict.fromkeys(r.iso for r in _find(joined, spec, context)[0])
    reason = note or best.note or _PARTS.get(precision_of(best.iso))
    if context.country == "TH" and (thai := _of_thailand(best, text)) is not None:
        best = thai
    if best.ambiguous and (settled := _on_the_weekday(best, text)) is not None:
        best, reason = settled, _BY_WEEKDAY
    isos = [best.iso, *dict.fromkeys((*best.alternatives, *others))]
    doubt = (best.note or _why(spec, context)) if best.ambiguous else None
    more = "The text holds more than one date."
    outcome = first_of(source.cut(best.start, best.end), isos, more, note=reason, doubt=doubt)
    return replace(outcome, precision=precision_of(best.iso))


def _word_before(text: str) -> str:
    """Return the last word of what stands in front of a date."""
    return text.rstrip(" .:,;(").rpartition(" ")[2]


def _of_thailand(reading: DateReading, text: str) -> DateReading | None:
    """Return a date with a short year as Thais mean it: 12/03/67 is of 2567, which is 2024."""
    short = _SHORT_YEAR.search(text, reading.start, reading.end)
    if short is None or precision_of(reading.iso) != "day" or reading.note is not None:
        return None
    year = western(2500 + int(short[1]))[0]
    if not REFERENCE_YEAR - 30 < year <= REFERENCE_YEAR + 5:
        return None
    isos = (reading.iso, *reading.alternatives)
    meant = [f"{year}{iso[4:]}" for iso in isos if is_date(year, int(iso[5:7]), int(iso[8:]))]
    if not meant:
        return None
    note = "The year can be Buddhist."
    return replace(
        reading, iso=meant[0], alternatives=(*meant[1:], *isos), ambiguous=True, note=note
    )


def _on_the_weekday(reading: DateReading, text: str) -> DateReading | None:
    """Return the one of a date's readings that is on the weekday which a text names, else None."""
    isos = (reading.iso, *reading.alternatives)
    if any(precision_of(iso) != "day" for iso in isos):
        return None
    words = (word.group().lower() for word in _LETTERS.finditer(text))
    meant = (weekdays().get(word, frozenset()) for word in words)
    # "so" is Sunday in German and Saturday in Slovak, and tells nothing.
    named = frozenset().union(*(days for days in meant if len(days) == 1))
    right = [iso for iso in isos if date.fromisoformat(iso).weekday() in named]
    if len(right) != 1:
        return None
    return replace(reading, iso=right[0], alternatives=(), ambiguous=False)


def _likely_order(spec: FieldSpec, context: DocumentContext) -> bool | None:
    return spec.day_first if context.likely_day_first is None else context.likely_day_first


def _year_first(spec: FieldSpec, context: DocumentContext) -> bool | None:
    """Return whether the page is from where years come first; None where nothing tells an order."""
    if context.country in _YEAR_FIRST:
        return True
    told = (
        context.country or context.day_first is not None or _likely_order(spec, context) is not None
    )
    return False if told else None


def _why(spec: FieldSpec, context: DocumentContext) -> str:
    """Return why a date that can be read in either order is read as it is."""
    if context.likely_day_first is not None:
        return _FOLLOWING
    return _NO_ORDER if spec.day_first is None else _HINTED


def _misread(
    text: str, found: Sequence[DateReading], spec: FieldSpec, context: DocumentContext
) -> DateReading | None:
    """Return the whole date, in doubt, that a letter beside a digit is part of as a digit."""
    other = with_digits(BESIDE, text)
    if other is None:
        return None
    changed = [i for i, (one, two) in enumerate(zip(text, other, strict=True)) if one != two]
    isos = {reading.iso for reading in found}
    for reading in _find(other, spec, context)[0]:
        inside = any(reading.start <= place < reading.end for place in changed)
        if inside and len(reading.iso) == len("2018-12-25") and reading.iso not in isos:
            return replace(reading, ambiguous=True, note=_DIGIT_BESIDE)
    return None


def _find(
    text: str, spec: FieldSpec, context: DocumentContext
) -> tuple[list[DateReading], str | None]:
    """Return the dates of a text, and how they were read where that needs saying."""
    if (spelt := _with_month(text)) is not None:
        return _find(spelt, spec, context)[0], _LETTER_IN_MONTH
    if context.day_first is None and (spaced := _with_short_year(text)) is not None:
        return [spaced], None
    readings = readings_of(text)
    # Spaces are put in behind a date, so that its own place in the text stays.
    if (apart := _TIME_AFTER_YEAR.sub(" ", text)) != text:
        readings.append((apart, None))
    partial: list[DateReading] = []
    for reading_of, note in readings:
        found = find_dates(
            reading_of, day_first=context.day_first, year_first=_year_first(spec, context)
        )
        if note is None:
            found = [reading for reading in found if not _is_part(reading, reading_of)]
        if context.day_first is None and _likely_order(spec, context) is False:
            found = [_month_first(reading) for reading in found]
        if any(len(reading.iso) == len("2018-12-25") for reading in found):
            return found, note
        partial = partial or found
    if days := _days_of_month(text):
        return days, None
    written = find_written(text) or _alone(text)
    if written is not None and (not partial or len(written.iso) > len(partial[0].iso)):
        return [written], None
    return partial or _with_marks(text, spec, context), None


def _with_marks(text: str, spec: FieldSpec, context: DocumentContext) -> list[DateReading]:
    """Return the date, in doubt, of a text that lacks marks between its parts: 27/03 2018."""
    match = _MARKS_MISSING.fullmatch(text)
    if match is None:
        return []
    digits = re.sub(r"\D", "", text)
    year_first = digits[:2] in ("19", "20") and len(digits) == len("20180327")
    ends = (4, 6) if year_first else (2, 4)
    shown = "/".join((digits[: ends[0]], digits[ends[0] : ends[1]], digits[ends[1] :]))
    order = context.day_first if context.day_first is not None else _likely_order(spec, context)
    found = find_dates(shown, day_first=None)
    if order is False:
        found = [_month_first(reading) for reading in found]
    start, end = match.span("date")
    return [
        replace(reading, start=start, end=end, note=_MARKS, ambiguous=True)
        for reading in found
        if reading.end - reading.start == len(shown)
    ]


def _with_month(text: str) -> str | None:
    """Return the text with the digits in a month's name read as letters: 0ct 3, 2016."""
    for word in _LETTERS_AND_DIGITS.finditer(text):
        for name in as_letters(word.group()):
            if name.lower() in all_months():
                return text[: word.start()] + name + text[word.end() :]
    return None


def _is_part(reading: DateReading, text: str) -> bool:
    """Return whether a letter beside a date may be one more digit of it."""
    before = _DIGIT_BEFORE.search(text, max(0, reading.start - 2), reading.start)
    return before is not None or _DIGIT_AFTER.match(text, reading.end) is not None


def _days_of_month(text: str) -> list[DateReading]:
    """Return both ends of "March 12-15, 2024", none where there is no such range."""
    match = _DAYS_OF_MONTH.search(text)
    months = all_months().get(match["month"].lower(), ()) if match else ()
    if match is None or len(months) != 1:
        return []
    year, days = int(match["year"]), (int(match["first"]), int(match["last"]))
    if not all(is_date(year, months[0], day) for day in days):
        return []
    return [DateReading(*match.span(), iso_of(year, months[0], day)) for day in days]


def _month_first(reading: DateReading) -> DateReading:
    """Return an ambiguous numeric date with the month first."""
    if not reading.ambiguous or reading.note is not None:
        return reading
    swapped, *others = reading.alternatives
    return replace(reading, iso=swapped, alternatives=(reading.iso, *others))


def _alone(text: str) -> DateReading | None:
    """Return the date that is all of a text but for a caption, and is none in a line of a page.

    Months without a day ("Mar-18", "Valid thru 09/27"), years of eras ("R6.3.15"), days of weeks
    ("2024-W12-3").
    """
    stripped = text.strip(" .,;:()")
    start = text.find(stripped)
    found = _all_of(stripped)
    if found is None and (caption := _CAPTION.match(stripped)) is not None:
        start += caption.end()
        found = _all_of(stripped[caption.end() :])
    if found is None:
        return None
    return replace(found, start=found.start + start, end=found.end + start)


def _all_of(text: str) -> DateReading | None:
    """Return the date that a text is, without stray ends; see `_alone`."""
    span = (0, len(text))
    if (match := _ERA.fullmatch(text)) is not None:
        parts = _ERA_OF[match["era"]] + int(match["year"]), int(match["month"]), int(match["day"])
        return DateReading(*span, iso_of(*parts)) if is_date(*parts) else None
    if (match := _YEAR_MONTH.fullmatch(text)) is not None:
        year, month = match["y1"] or match["y2"], match["m1"] or match["m2"]
        return DateReading(*span, iso_of(int(year), int(month)))
    if (match := _EXPIRES.search(text)) is not None:
        year_ = full_year(int(match["year"]))
        iso = iso_of(year_, int(match["month"]))
        return DateReading(match.start("month"), match.end("year"), iso)
    if (match := _ISO_WEEK.search(text)) is not None:
        try:
            day = date.fromisocalendar(*(int(match[part]) for part in ("year", "week", "day")))
        except ValueError:
            return None
        return DateReading(*match.span(), day.isoformat())
    if (match := _YEAR.fullmatch(text)) is not None:
        return DateReading(*match.span("year"), match["year"])
    match = _MONTH_YEAR.fullmatch(text)
    months = all_months().get(match["month"].lower(), ()) if match else ()
    if match is None or len(months) != 1:
        return None
    year_ = full_year(int(match["year"]))
    # "Mar 18" can be the 18th of some March.
    doubtful = match["mark"] == " " and is_date(2000, months[0], int(match["year"]) or 99)
    note = "The number can be a day, as no whole year is written." if doubtful else None
    return DateReading(*span, iso_of(year_, months[0]), (), doubtful, note)


def _with_short_year(text: str) -> DateReading | None:
    """Return the date of "4. 3. 18", which begins with the day, or in Asia with the year."""
    match = _SPACED_POINTS.fullmatch(text)
    if match is None:
        return None
    first, month, last = match["first"], int(match["month"]), match["last"]
    isos = [
        iso_of(full_year(int(year)), month, int(day))
        for day, year in ((first, last), (last, first))
        if len(year) == 2 and is_date(full_year(int(year)), month, int(day))
    ]
    if not isos:
        return None
    note = "The year can be the first number or the last." if len(isos) > 1 else None
    return DateReading(*match.span("date"), isos[0], tuple(isos[1:]), len(isos) > 1, note)


def _with_year(text: str, year: int) -> DateReading | None:
    """Return the date that ends a text which lacks its year, such as "from 1 Jan" or "01.04."."""
    if (match := _NO_YEAR.search(text)) is None:
        return find_written(f"{text} {year}")
    mark = match["mark"]
    shown = f"{match['first']}{mark}{match['second']}{mark}{year}"
    return next(iter(find_dates(shown, day_first=None)), None)


def _beginning_of_range(text: str, end: DateReading) -> list[str]:
    """Return the day that begins a range whose end was read: the 2 of "2-5 March 2018".

    It may have a month, too: "March 28 – April 2, 2019".
    """
    if precision_of(end.iso) in ("quarter", "year"):
        return []
    if (mark := _TO.search(text, max(0, end.start - 12), end.start)) is not None:
        for year in (int(end.iso[:4]), int(end.iso[:4]) - 1):
            before = _with_year(text[: mark.start()], year)
            if before is not None and len(before.iso) == len(end.iso) and before.iso < end.iso:
                return [before.iso]
    if precision_of(end.iso) != "day" or not text[end.start : end.start + 1].isdigit():
        return []
    match = _RANGE_BEFORE.search(text, max(0, end.start - 12), end.start)
    if match is None:
        return []
    year, month, day = int(end.iso[:4]), int(end.iso[5:7]), int(match["day"])
    return [iso_of(year, month, day)] if is_date(year, month, day) else []
