"""The outcome of normalising one text, and the few ways in which readers make one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.values.texts.folded import Folded
from pipeline.values.texts.strings import clean, lenient
from pipeline.values.times.dates import Precision

Status = Literal["ok", "ambiguous", "failed"]

ASSUMED = "assumed"
"""What the reason of a value begins with that rests on a hint of the model, not on the page."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """The outcome of `pipeline.values.normalise.normalise`.

    Attributes:
        text: the written form: for dates, amounts and durations exactly the part of the text that
            is the value (an amount keeps its currency as printed); for other kinds the string as
            printed, white space folded, without captions and stray ends.
        number: for amounts, the half-open range of characters in `text` that is the bare number
            with its sign; else None.
        key: the canonical form; equal keys mean equal values of one field.
        value: a JSON value, of a form that its kind has (`pipeline.values.kinds`). None where
            `status` is ``failed``.
        status: ``ambiguous`` where another value is possible, in `alternatives` where it is known.
        reason: one sentence on a status other than ``ok``, or on how a doubt was settled; begins
            with ``assumed`` where a hint of the model decided.
        alternatives: other values, of the form of `value`.
        precision: of dates, the smallest part that is written; else None.
    """

    text: str
    number: tuple[int, int] | None
    key: str
    value: Any
    status: Status
    reason: str | None = None
    alternatives: tuple[Any, ...] = ()
    precision: Precision | None = None


def first_of(
    text: str,
    values: Sequence[Any],
    several: str = "",
    *,
    note: str | None = None,
    doubt: str | None = None,
    key: str | None = None,
) -> Normalised:
    """Return the outcome of a text with at least one value, the likeliest first.

    Args:
        text: the written form.
        values: all that are possible.
        several: why it is ambiguous where there is more than one.
        note: how the only one was read, where that needs a word.
        doubt: why it is ambiguous even so; comes before the other reasons.
        key: its canonical form; None: the value is its own.
    """
    reason = doubt or (several if len(values) > 1 else note)
    status: Status = "ambiguous" if doubt or len(values) > 1 else "ok"
    first, *others = values
    return Normalised(text, None, key or str(first), first, status, reason, tuple(others))


def failed(source: Folded, reason: str) -> Normalised:
    """Return the outcome of a text that is no value of its kind."""
    cleaned = clean(source.printed)
    return Normalised(cleaned, None, lenient(cleaned), None, "failed", reason)


def string(printed: str, value: str, key: str | None = None) -> Normalised:
    """Return the outcome of a text that is its own value; failed without a letter or digit."""
    key = lenient(value) if key is None else key
    if not key:
        reason = "The text holds no letter or digit."
        return Normalised(printed, None, key, None, "failed", reason)
    return Normalised(printed, None, key, value, "ok")
