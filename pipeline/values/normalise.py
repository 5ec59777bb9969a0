"""One text and its field to one typed value: the single door to dates, amounts and the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module

from pipeline.values.context import DocumentContext, infer_context
from pipeline.values.normalised import Normalised, Status
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.folded import Folded, fold
from pipeline.values.texts.strings import fold_space, lenient

__all__ = [
    "MAX_CHARACTERS",
    "DocumentContext",
    "Normalised",
    "Status",
    "infer_context",
    "key_of",
    "normalise",
]

MAX_CHARACTERS = 2000
"""Longer texts are no value of a field, and fail at once."""

_NOTHING = DocumentContext()

Reader = Callable[[Folded, FieldSpec, DocumentContext], Normalised]


@cache
def _reader(kind: Kind) -> Reader:
    """Return what reads a kind: `read` of the module of `pipeline.values.kinds` with its name.

    Loaded when first asked for, as its patterns take a moment to compile.
    """
    reader: Reader = import_module(f"pipeline.values.kinds.{kind.value}").read
    return reader


def normalise(text: str, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the value that `text` is for the field `spec`, in a document with `context`.

    What stands with the value decides first (a date that one order allows, a currency code), then
    the evidence of the whole document. A hint of the field alone never makes a value sure: it says
    which of several comes first, and the reason says so. Never raises, whatever the text.
    """
    if len(text) > MAX_CHARACTERS and len(folded := fold_space(text)) > MAX_CHARACTERS:
        shown = folded[:MAX_CHARACTERS]
        reason = f"The text is longer than {MAX_CHARACTERS} characters."
        return Normalised(shown, None, lenient(shown), None, "failed", reason)
    source = fold(text)
    outcome = _reader(spec.kind)(source, spec, context)
    # What is sure needs no other values beside it, whatever a reader says.
    return outcome if outcome.status == "ambiguous" else replace(outcome, alternatives=())


def key_of(text: str, spec: FieldSpec, context: DocumentContext = _NOTHING) -> str:
    """Return the canonical form of `text` for a field: equal keys mean equal values."""
    return normalise(text, spec, context).key
