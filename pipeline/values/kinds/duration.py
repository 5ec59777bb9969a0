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
from pipeline.values.normalised import Normalised, failed, first_of
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded
from pipeline.values.times.durations import DurationReading, find_durations

_ISO = re.compile(
    r"P(?=.)(?P<days>(?:\d{1,5}(?:\.\d{1,4})?[YMWD])*)(?:T(?P<time>(?:\d{1,5}(?:\.\d{1,4})?[HMS])+))?"
)
_IN_DAYS = str.maketrans({"Y": " years ", "M": " months ", "W": " weeks ", "D": " days "})
_IN_TIME = str.maketrans({"H": " hours ", "M": " minutes ", "S": " seconds "})
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
    r"(?:[^\d:：]{1,20}(?:[:：]\s?|(?<!第)\s|(?<!午)[後后]))?(?P<number>\d{1,4}|[一二两三四五六七八九十일이삼사오육칠팔구십]{1,3}|半)\s?(?:(?P<year>年間?|년)|(?P<month>个月|個月|[ヶか箇カ]月間?|개월)"
    r"|(?P<week>週間?|周|주)|(?P<day>天|日間?|일)|(?P<hour>時間|小时|小時|시간)|(?P<minute>分[钟鐘間]?|분)|(?P<second>秒[钟鐘間]?|초))(?:以[内內]|이내)?"
)

_CAPTION = re.compile(r"[^\W\d_][^\d:]{0,40}:\s")
# Ways to say a duration that are all of a text, or end it, and the same in plain words
_SAID_TEXTS = (
    # as in trade: 2/10 net 30
    (r"^(?:\d{1,2}%?/\d{1,2},?\s)?(?:net|netto|n/?)\s?(\d{1,3})$", r"\1 days"),
    (
        r"^(\d{1,3})(?:\s?(?:h|hrs?|std)\.?\s?([0-5]?\d)(?:\s?(?:m(?:ins?)?\.?|')(?:\s?([0-5]?\d)(?:\"|''))?)?"
        r"|:([0-5]\d)\s?(?:h|hrs?|hours|std\.?|stunden|heures|godz\.?)"
        r"|\s?(?:時間|小时|小時|시간)\s?([0-5]?\d)\s?(?:分[钟鐘]?|분))$",
        r"\1 hours \2\4\5 minutes \3 seconds",
    ),
    (
        r"^(\d{1,3})\s?(?:y|年間?|년),?\s?(\d{1,2})\s?(?:m|[ヶか箇カ个個]月間?|개월)$",
        r"\1 years \2 months",
    ),
    # the length of a spot
    (r"^:(\d\d)(?:\s?s(?:ecs?|econds)?\.?)?(?:\s(?:spot|ad|commercial))?$", r"\1 seconds"),
    (r"^(\d{1,4})\s?(?:s|secs?|second|sek|seg)\.?$", r"\1 seconds"),
    (r"^(\d{1,4})\s?d\.?$", r"\1 days"),
    # j is a year in German and Dutch: 2 J.
    (r"^(\d{1,4})\s?[dj]\.?\s(?:net|fin\sde\smois|fdm)$|^(?-i:(\d{2,3})j)$", r"\1\2 days"),
    # "per la durata di anni 4 (quattro)"; Swahili's numbers are behind too
    (
        r"(?<![^\W_])(anni|mesi|settimane|giorni|gg|ore|siku|wiki|mwezi|miezi|mwaka|miaka|saa|dakika)"
        r"\.?\s(\d{1,4})(?:\s?\([^()]{2,30}\))?[.,;]?$",
        r"\2 \1",
    ),
    (r"(?<![^\W_])(?:полгода|півроку)(?![^\W_])", "6 months"),
    *((rf"(?<![^\W_]){words}(?![^\W_])", plain) for words, plain in _IN_ONE_WORD.items()),
)
_SAID = tuple((re.compile(text, re.IGNORECASE), plain) for text, plain in _SAID_TEXTS)


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the duration that a text names; ambiguous where it names several."""
    text = source.numeric
    caption = _CAPTION.match(text)
    start = caption.end() if caption else 0
    found, alone = find_durations(text), _alone(text, start)
    if alone and (not found or (alone[0].start, alone[-1].end) == (start, len(text))):
        found = alone  # "1 Std. 30" is more than an hour
    keys = {reading.key for reading in found}
    misread = [one for other in with_any_digits(text) for one in find_durations(other)]
    doubt = MISREAD if any(reading.key not in keys for reading in misread) else None
    if not (found := [*found, *(misread if doubt else ())]):
        return failed(source, "No duration was found in the text.")
    best, several = found[0], "The text holds more than one duration."
    others = {reading.key: _value(reading) for reading in found if reading.key != best.key}
    values = _value(best), *others.values()
    return first_of(source.cut(best.start, best.end), values, several, doubt=doubt, key=best.key)


def _alone(text: str, start: int) -> list[DurationReading]:
    """Return the duration that is all of a text, such as P3Y or 3年: no part of a page says it.

    Args:
        text: one value.
        start: where it begins, behind a caption.
    """
    for pattern, plain in _SAID:
        if (said := pattern.search(text[start:])) is not None:
            first, last = start + said.start(), start + said.end()
            found = find_durations(said.expand(plain))
            return [replace(one, start=first, end=last) for one in found]
    if (iso := _ISO.fullmatch(text, start)) is not None:
        said_so = iso["days"].translate(_IN_DAYS) + (iso["time"] or "").translate(_IN_TIME)
        found = find_durations(said_so.strip())
        return [replace(one, start=start, end=len(text)) for one in found]
    if (match := _CJK.fullmatch(text)) is None:
        return []
    number, unit = match["number"], str(match.lastgroup)
    values = (Decimal("0.5"),) if number == "半" else read_number(str(cjk_number(number) or number))
    return [DurationReading(0, len(text), value, unit) for value in values if value > 0]


def _value(reading: DurationReading) -> dict[str, Any]:
    return {"value": amount_key(reading.value), "unit": reading.unit, "iso": reading.iso}
