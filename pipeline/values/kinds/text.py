"""Texts of no other kind: the clean string."""

from __future__ import annotations

from pipeline.values.context import DocumentContext
from pipeline.values.normalised import Normalised, string
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded
from pipeline.values.texts.strings import clean


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the text without stray ends; its value has the usual form of each character."""
    return string(clean(source.printed), clean(source.text))
