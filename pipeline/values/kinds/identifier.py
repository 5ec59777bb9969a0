"""Numbers of invoices, contracts and accounts: the clean string without its caption."""

from __future__ import annotations

from pipeline.values.context import DocumentContext
from pipeline.values.normalised import Normalised, failed, string
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded
from pipeline.values.texts.identifiers import clean_identifier, is_missing, printed_identifier


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the identifier without its caption, split numbers closed up."""
    if is_missing(source.text):
        return failed(source, "The text is a caption, or says that there is no number.")
    return string(printed_identifier(source.printed), clean_identifier(source.text))
