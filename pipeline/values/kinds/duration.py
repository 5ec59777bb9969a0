"""Durations: ``{"value": "3", "unit": "year", "iso": "P3Y"}``."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pipeline.values.context import DocumentContext
from pipeline.values.figures.amounts import amount_key
from pipeline.values.figures.misread import MISREAD, with_any_digits
from pipeline.values.figures.numbers import read_number
from pipeline.values.figures.words import cjk_number
from pipeline.values.normalised import Normalised, failed
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded
from pipeline.values.times.durations import DurationReading, find_durations

_ISO = re.compile(
    "P(?=.)"
    + "".join(
        rf"(?:(?P<{unit}s>\d{{1,5}}(?:\.\d{{1,4}})?){letter})?"
        for unit, letter in (("year", "Y"), ("month", "M"), ("week", "W"), ("day", "D"))
    )
    + "(?:T(?=.)"
    + "".join(
        rf"(?:(?P<{unit}s>\d{{1,5}}(?:\.\d{{1,4}})?){letter})?"
        for unit, letter in (("hour", "H"), ("minute", "M"), ("second", "S"))
    )
    + ")?"
)
_YEARS_AND_MONTHS = re.compile(
    r"(\d{1,3})\s?[yY],?\s?(\d{1,2})\s?[mM]"
    r"|(\d{1,3})\s?年間?\s?(\d{1,2})\s?(?:[ヶか箇カ]月|个月|個月)間?|(\d{1,3})년\s?(\d{1,2})개월"
)
# One and two of a unit, which Arabic and Hebrew say in the unit's own form
_IN_ONE_WORD = {
    "שנתיים": "2 years", "חודשיים": "2 months", "שבועיים": "2 weeks", "יומיים": "2 days",
    "שעתיים": "2 hours",
    "سنة واحدة": "1 year", "عام واحد": "1 year", "سنتان": "2 years", "سنتين": "2 years",
    "عامان": "2 years", "عامين": "2 years", "شهر واحد": "1 month", "شهران": "2 months",
    "شهرين": "2 months", "أسبوع واحد": "1 week", "أسبوعان": "2 weeks", "أسبوعين": "2 weeks",
    "يوم واحد": "1 day", "يومان": "2 days", "يومين": "2 days",
}  # fmt: skip
_CJK = re.compile(
    r"(?:[^\d:：]{1,20}(?:[:：]\s?|(?<!第)\s|(?<!午)[後后]))?(?P<number>\d{1,4}|[一二两三四五六七八九十일이삼사오육칠팔구십]{1,3}|半)\s?(?:(?P<year>年間?|년)|(?P<month>个月|個月|[ヶか箇カ]月|개월)"
    r"|(?P<week>週間?|周|주)|(?P<day>天|日間?|일)|(?P<hour>時間|小时|小時|시간)|(?P<minute>分[钟鐘間]?|분)|(?P<second>秒[钟鐘間]?|초))(?:以[内內]|이내)?"
)


# Ways to say a duration that are all of a text, or end it, and the same in plain words
_SAID = (
    # as in trade: 2/10 net 30
    (
        re.compile(r"^(?:\d{1,2}%?/\d{1,2},?\s)?(?:net|netto|n/?)\s?(\d{1,3})$", re.IGNORECASE),
        r"\1 days",
    ),
    (
        re.compile(r"^(\d{1,3})\s?(?:h|hrs?|std)\.?\s?([0-5]?\d)(?:\s?m(?:ins?)?\.?)?$", re.I),
        r"\1 hours \2 minutes",
    ),
    (
        re.compile(r"^(\d{1,3})\s?(?:時間|小时|小時|시간)\s?([0-5]?\d)\s?(?:分[钟鐘]?|분)$"),
        r"\1 hours \2 minutes",
    ),
    # the length of a spot
    (
        re.compile(
            r"^:(\d\d)(?:\s?s(?:ecs?|econds)?\.?)?(?:\s(?:spot|ad|commercial))?$", re.IGNORECASE
        ),
        r"\1 seconds",
    ),
    (
        re.compile(r"^(\d{1,4})\s?(?:s|secs?|second|sek|seg)\.?$", re.IGNORECASE),
        r"\1 seconds",
    ),
    (
        re.compile(
            r"^(\d{1,3}):([0-5]\d)\s?(?:h|hrs?|hours|std\.?|stunden|heures|godz\.?)$", re.IGNORECASE
        ),
        r"\1 hours \2 minutes",
    ),
    (re.compile(r"^(\d{1,4})\s?d\.?$", re.IGNORECASE), r"\1 days"),
    # "per la durata di anni 4 (quattro)"; Swahili's numbers are behind too
    (
        re.compile(
            r"(?<![^\W_])(anni|mesi|settimane|giorni|gg|ore|siku|wiki|mwezi|miezi|mwaka|miaka|saa|dakika)\.?\s(\d{1,4})(?:\s?\([^()]{2,30}\))?[.,;]?$",
            re.IGNORECASE,
        ),
        r"\2 \1",
    ),
    (re.compile(r"(?<![^\W_])(?:полгода|півроку)(?![^\W_])", re.IGNORECASE), "6 months"),
    *(
        (re.compile(rf"(?<![^\W_]){words}(?![^\W_])"), plain)
        for words, plain in _IN_ONE_WORD.items()
    ),
)


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the duration that a text names; ambiguous where it names several."""
    found, alone = find_durations(source.numeric), _alone(source.numeric)
    if alone and (not found or len(source.numeric) == alone[-1].end - alone[0].start):
        found = alone  # "1 Std. 30" is more than an hour
    reason = "The text holds more than one duration."
    keys = {reading.key for reading in found}
    misread = [one for text in with_any_digits(source.numeric) for one in find_durations(text)]
    if any(reading.key not in keys for reading in misread):
        found, reason = [*found, *misread], MISREAD
    if not found:
        return failed(source, "No duration was found in the text.")
    best = found[0]
    doubtful = reason is MISREAD or len(keys) > 1
    others = {reading.key: _value(reading) for reading in found if reading.key != best.key}
    return Normalised(
        text=source.cut(best.start, best.end),
        number=None,
        key=best.key,
        value=_value(best),
        status="ambiguous" if doubtful else "ok",
        reason=reason if doubtful else None,
        alternatives=tuple(others.values()),
    )


def _alone(text: str) -> list[DurationReading]:
    """Return the duration that is all of a text, such as P3Y or 3年: no part of a page says it."""
    start = len(text) - len(text.lstrip())
    if (both := _YEARS_AND_MONTHS.fullmatch(text.strip())) is not None:
        years, months = (number for number in both.groups() if number)
        found = find_durations(f"{years} years {months} months")
        return [replace(one, start=start, end=start + both.end()) for one in found]
    for pattern, plain in _SAID:
        if (said := pattern.search(text.strip())) is not None:
            first, last = start + said.start(), start + said.end()
            found = find_durations(said.expand(plain))
            return [replace(one, start=first, end=last) for one in found]
    if (iso := _ISO.fullmatch(text.strip())) is not None:
        parts = (f"{number} {units}" for units, number in iso.groupdict().items() if number)
        found = find_durations(" ".join(parts))
        return [replace(one, start=start, end=start + iso.end()) for one in found]
    if (cjk := _CJK.fullmatch(text.strip())) is not None:
        match, unit = cjk, str(cjk.lastgroup)
    else:
        return []
    number = match["number"]
    values = (Decimal("0.5"),) if number == "半" else read_number(str(cjk_number(number) or number))
    return [
        DurationReading(start, start + match.end(), value, unit) for value in values if value > 0
    ]


def _value(reading: DurationReading) -> dict[str, Any]:
    return {"value": amount_key(reading.value), "unit": reading.unit, "iso": reading.iso}
