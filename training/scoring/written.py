"""Values that are answered, as labels write them, and what the labels beside them mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from pipeline.result import FieldValue
from pipeline.values.context import DocumentContext
from pipeline.values.figures.amounts import amount_key
from pipeline.values.normalise import Normalised, key_of, normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import lenient
from pipeline.values.texts.surface import Style, as_labelled

NOTHING = DocumentContext()
_TEXTS = (Kind.NAME, Kind.TEXT, Kind.ADDRESS, Kind.IDENTIFIER)  # their value is a text to compare


class Written(str):
    """A value that is answered, as labels write it: a text that knows what it was read as.

    The text alone does not say it: 03/04/2020 and 1.313 mean what their document makes of them.

    Attributes:
        key: of the value, see `Normalised`; None where its text is all that can be compared.
        printed: the text that was read.
    """

    __slots__ = ("key", "printed")

    key: str | None
    printed: str

    def __new__(cls, text: str, value: Any, printed: str, spec: FieldSpec) -> Written:
        """Return a value; `value` is as of `FieldValue`."""
        made = super().__new__(cls, text)
        made.key, made.printed = _key(value, spec), printed
        return made


def _key(value: Any, spec: FieldSpec) -> str | None:
    """Return the canonical form of a value that was read: its own, whatever its text would say."""
    if value is None or spec.kind in _TEXTS:
        return None
    match spec.kind:
        case Kind.AMOUNT:
            return amount_key(Decimal(value["amount"]))
        case Kind.NUMBER | Kind.PERCENT:
            return amount_key(Decimal(value))
        case Kind.DURATION:
            return key_of(value["iso"], spec)
        case Kind.BOOLEAN:
            return str(value).upper()
        case Kind.TAX_ID:
            return lenient(value)
        case Kind.EMAIL:
            return str(value).lower()
    return str(value)


def written(value: FieldValue, style: Style) -> Written:
    """Return a value of a field as labels of the field's style write it."""
    spec = FieldSpec("value", Kind(value.kind))
    return Written(
        as_labelled(value.text, value.value, spec.kind, style), value.value, value.text, spec
    )


def value_text(value: FieldValue) -> Written:
    """Return a value as labels of rows write it: amounts as decimals, dates as ISO 8601."""
    text = value.text if value.value is None else str(value.value)
    if isinstance(value.value, Mapping):
        text = str(value.value.get("amount") or value.value.get("formatted") or value.text)
    return Written(text, value.value, value.text, FieldSpec("value", Kind(value.kind)))


@lru_cache(maxsize=20_000)  # rows of tables are compared all with all
def _read_alone(text: str, spec: FieldSpec) -> Normalised:
    return normalise(text, spec, NOTHING)


def key_as_given(text: str, spec: FieldSpec) -> str:
    """Return the key of an answer: of the value that was read, else of its text."""
    known = text.key if isinstance(text, Written) else None
    return _read_alone(text, spec).key if known is None else known


def key_of_label(
    label: str, spec: FieldSpec, given: Iterable[str], context: DocumentContext = NOTHING
) -> str:
    """Return the key of a label, beside the answers that it is compared with.

    A label that can be read in more ways than one may be written as its document prints it: it
    means what it would mean there, or what was made of the same text, if that was given.

    Args:
        label: as typed.
        spec: its field.
        given: the answers.
        context: what the document shows, if it was read.
    """
    alone = _read_alone(label, spec)
    if alone.status == "ok":
        return alone.key
    keys = {key_as_given(text, spec): text for text in given}
    if (there := key_of(label, spec, context)) in keys:
        return there
    for key, text in keys.items():
        if isinstance(text, Written) and _read_alone(text.printed, spec).key == alone.key:
            return key
    return alone.key
