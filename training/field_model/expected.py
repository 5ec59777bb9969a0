"""The fields that hardly any answer to documents of a model's kind is without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.document import Document
from pipeline.extract import Extractor
from pipeline.profile import expected_fields


def found_in_all(package: Path, documents: Sequence[Document]) -> tuple[str, ...]:
    """Return the fields that a model finds in all but one in a hundred documents of its kind.

    Args:
        package: folder of the model, which has not seen the documents.
        documents: as read.
    """
    if not documents:
        return ()
    extractor = Extractor(package)
    answers = [extractor.answer(document, 0.0).fields for document in documents]
    return expected_fields([{name for name, value in one.items() if value} for one in answers])
