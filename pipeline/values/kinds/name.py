"""Names of people and companies: the clean string, compared by `name_key`."""

from __future__ import annotations

from pipeline.values.context import DocumentContext
from pipeline.values.normalised import Normalised, string
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded
from pipeline.values.texts.names import clean_name, name_key


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the name without the mark of a signature and stray ends."""
    name = clean_name(source.text)
    return string(clean_name(source.printed), name, name_key(name))
