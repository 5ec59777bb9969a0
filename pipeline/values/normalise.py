"""One text and its field to one typed value: the single door to dates, amounts and the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.values.addresses import clean_address, printed_address
from pipeline.values.amounts import (
    AmountReading,
    amount_key,
    find_amounts,
    infer_currency,
    infer_decimal,
    plain,
)
from pipeline.values.dates import REFERENCE_YEAR, find_dates, infer_day_first
from pipeline.values.durations import find_durations
from pipeline.values.identifiers import clean_identifier, printed_identifier
from pipeline.values.names import clean_name, name_key
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.strings import clean, fold_space, lenient

MAX_CHARACTERS = 2000
"""Longer texts are no value of a field, and fail at once."""

# Letters that OCR reads for digits; one for one, so places in the text stay.
_AS_DIGITS = str.maketrans("OoIl|", "00111")
_MISREAD = re.compile(r"[OoIl|.,/-]{0,12}\d[\dOoIl|.,/-]{0,24}(?![^\W_])")

_TIME_AFTER_YEAR = re.compile(r"(?<=[/.-]\d{4})(?=\d{1,2}:\d{2})")  # "03/02/201815:28"
# A point that was read as another mark, in a text that is nothing but one amount: "28-90".
_MISREAD_POINT = re.compile(r"(?P<whole>[^\W\d]{0,3}\$?\s?\d{1,5})[-–:;~*](?P<cents>\d\d)")

Status = Literal["ok", "ambiguous", "failed"]


@dataclass(frozen=True, slots=True)
class DocumentContext:
    """What one document as a whole tells about its values.

    Attributes:
        day_first: the order of its numeric dates; None where it does not show.
        decimal: its decimal separator, ``"."`` or ``","``; None where it does not show.
        currency: the ISO 4217 code of the one currency it names, or None.
        reference_year: the year around which two-digit years are placed.
    """

    day_first: bool | None = None
    decimal: str | None = None
    currency: str | None = None
    reference_year: int = REFERENCE_YEAR


@dataclass(frozen=True, slots=True)
class Normalised:
    """The outcome of `normalise`.

    Attributes:
        text: the written form: for dates, amounts and durations exactly the part of the text that
            is the value (an amount keeps its currency as printed); for other kinds the string as
            printed, white space folded, without captions and stray ends.
        number: for amounts, the half-open range of characters in `text` that is the bare number
            with its sign; else None.
        key: the canonical form; equal keys mean equal values of one field.
        value: a JSON value: date ``"2018-12-25"`` (``"2018-12"`` where no day is written); amount
            ``{"amount": "9.00", "currency": "MYR" or None}``; duration ``{"value": "3", "unit":
            "year", "iso": "P3Y"}``; else the clean string. None where `status` is ``failed``.
        status: ``ambiguous`` where another value is possible, then in `alternatives`.
        reason: one sentence on a status other than ``ok``, or on how a doubt was settled.
        alternatives: other values, of the form of `value`.
    """

    text: str
    number: tuple[int, int] | None
    key: str
    value: Any
    status: Status
    reason: str | None = None
    alternatives: tuple[Any, ...] = ()


def infer_context(lines: Sequence[str]) -> DocumentContext:
    """Return what the lines of one document tell about its dates and amounts."""
    return DocumentContext(infer_day_first(lines), infer_decimal(lines), infer_currency(lines))


def normalise(text: str, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the value that `text` is for the field `spec`, in a document with `context`.

    What stands with the value decides first (a date that one order allows, a currency code), then
    the evidence of the whole document, then the hint of the field: a form from abroad is rarer
    than a hint that was set for other documents. Never raises, whatever the text.
    """
    folded = fold_space(text)
    if len(folded) > MAX_CHARACTERS:
        shown = folded[:MAX_CHARACTERS]
        reason = f"The text is longer than {MAX_CHARACTERS} characters."
        return Normalised(shown, None, lenient(shown), None, "failed", reason)
    if spec.kind is Kind.DATE:
        return _date(folded, spec, context)
    if spec.kind is Kind.AMOUNT:
        return _amount(folded, spec, context)
    if spec.kind is Kind.DURATION:
        return _duration(folded)
    if spec.kind is Kind.ADDRESS:
        return _string(printed_address(folded), clean_address(folded))
    if spec.kind is Kind.IDENTIFIER:
        return _string(printed_identifier(folded), clean_identifier(folded))
    if spec.kind is Kind.NAME:
        return _string(clean_name(folded), clean_name(folded), name_key(folded))
    return _string(clean(folded), clean(folded))


def key_of(text: str, spec: FieldSpec, context: DocumentContext = DocumentContext()) -> str:
    """Return the canonical form of `text` for a field: equal keys mean equal values."""
    return normalise(text, spec, context).key


def _string(printed: str, value: str, key: str | None = None) -> Normalised:
    key = lenient(value) if key is None else key
    if not key:
        return _failed(printed, "The text holds no letter or digit.")
    return Normalised(printed, None, key, value, "ok")


def _failed(folded: str, reason: str) -> Normalised:
    cleaned = clean(folded)
    return Normalised(cleaned, None, lenient(cleaned), None, "failed", reason)


def _date(folded: str, spec: FieldSpec, context: DocumentContext) -> Normalised:
    day_first = context.day_first if context.day_first is not None else spec.day_first
    found, reason = [], None
    readings = _readings_of(folded)
    # Spaces are put in behind a date, so that its own place in the text stays.
    if (apart := _TIME_AFTER_YEAR.sub(" ", folded)) != folded:
        readings.append((apart, None))
    for reading_of, note in readings:
        found = find_dates(reading_of, day_first=day_first, reference_year=context.reference_year)
        if found:
            reason = note
            break
    if not found:
        return _failed(folded, "No date was found in the text.")
    # A whole date says more than a month and year, wherever it stands.
    best = max(found, key=lambda reading: (len(reading.iso), -reading.start))
    others = dict.fromkeys(
        r.iso for r in found if r.iso != best.iso and len(r.iso) == len(best.iso)
    )
    status: Status = "ok"
    if best.ambiguous:
        status, reason = "ambiguous", "Day and month can be swapped, and nothing told the order."
    elif others:
        status, reason = "ambiguous", "The text holds more than one date."
    elif len(best.iso) == 7:
        reason = "The day is not written."
    alternatives = tuple(dict.fromkeys((*best.alternatives, *others)))
    written = folded[best.start : best.end]
    return Normalised(written, None, best.iso, best.iso, status, reason, alternatives)


def _amount(folded: str, spec: FieldSpec, context: DocumentContext) -> Normalised:
    found: list[AmountReading] = []
    reason: str | None = None
    for reading_of, note in (*_readings_of(folded), *_with_point(folded, context)):
        read = find_amounts(reading_of, decimal=context.decimal)
        # "RM9.OO" is also a bare 9: the reading that is more surely money counts.
        if max(map(_rank, read), default=-1) > max(map(_rank, found), default=-1):
            found, reason = read, note
    if not found:
        return _failed(folded, "No amount was found in the text.")
    best = max(found, key=lambda reading: (_rank(reading), -reading.start))
    rivals = [r for r in found if _rank(r) == _rank(best) and r.amount != best.amount]
    hint = context.currency or spec.currency

    def value_of(amount: str, reading: AmountReading) -> dict[str, str | None]:
        return {"amount": amount, "currency": reading.currency or hint}

    alternatives = [value_of(plain(amount), best) for amount in best.alternatives]
    alternatives += [value_of(plain(reading.amount), reading) for reading in rivals]
    status: Status = "ambiguous" if alternatives else "ok"
    if best.alternatives:
        reason = "The separator can mark thousands or decimals, and nothing told which."
    elif rivals:
        reason = "The text holds more than one amount."
    return Normalised(
        text=folded[best.start : best.end],
        number=(best.number_start - best.start, best.number_end - best.start),
        key=amount_key(best.amount),
        value=value_of(plain(best.amount), best),
        status=status,
        reason=reason,
        alternatives=tuple(alternatives),
    )


def _rank(reading: AmountReading) -> int:
    """How sure a number is to be money: 2 with decimals and a currency, 1 with either, else 0."""
    return (reading.amount.as_tuple().exponent != 0) + reading.signed


def _duration(folded: str) -> Normalised:
    found = find_durations(folded)
    if not found:
        return _failed(folded, "No duration was found in the text.")
    values = {
        reading.key: {"value": amount_key(reading.value), "unit": reading.unit, "iso": reading.iso}
        for reading in reversed(found)
    }
    best = found[0]
    alternatives = tuple(values[r.key] for r in found if r.key != best.key)
    return Normalised(
        text=folded[best.start : best.end],
        number=None,
        key=best.key,
        value=values[best.key],
        status="ambiguous" if alternatives else "ok",
        reason="The text holds more than one duration." if alternatives else None,
        alternatives=alternatives,
    )


def _with_point(folded: str, context: DocumentContext) -> list[tuple[str, str | None]]:
    """Return the text with its decimal mark put right, where another was read in its place."""
    match = _MISREAD_POINT.fullmatch(folded)
    if match is None:
        return []
    pointed = f"{match['whole']}{context.decimal or '.'}{match['cents']}"
    return [(pointed, "The mark before the last two digits was read as a decimal point.")]


def _readings_of(folded: str) -> list[tuple[str, str | None]]:
    """Return the text, and where it differs the text with letters among digits read as digits."""
    as_digits = _MISREAD.sub(lambda match: match.group().translate(_AS_DIGITS), folded)
    if as_digits == folded:
        return [(folded, None)]
    return [(folded, None), (as_digits, "Letters O, I and l were read as digits.")]
