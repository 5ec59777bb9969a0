"""A document of a dataset with everything that is known of it, as the API shows it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app.teaching.schemas import DocumentFull, LabelView, NumberedWord, PageSize, shown
from app.words import DocumentWords
from pipeline.values.schema import FieldSpec, specs_of
from store.datasets import Dataset, Example


def full_view(
    example: Example, dataset: Dataset, words: DocumentWords, answer: str | None
) -> DocumentFull:
    """Return the view of a document.

    Args:
        example: the document.
        dataset: that it is of.
        words: of the document.
        answer: of its job as JSON text, which knows the sizes of its pages.
    """
    reader = _Reader(dataset, words)
    suggested = example.suggestions or {"fields": {}, "groups": {}}
    pages = json.loads(answer)["document"]["pages"] if answer else []
    return DocumentFull(
        **shown(example, dataset),
        pages_of=[PageSize.model_validate(page) for page in pages],
        words=[NumberedWord.showing(word, number=n) for n, word in enumerate(words.all)],
        labels={key: reader.values(key, values) for key, values in example.labels.items()},
        rows={group: reader.rows(group, rows) for group, rows in example.rows.items()},
        suggestions={
            key: reader.values(key, values) for key, values in suggested["fields"].items()
        },
        suggested_rows={
            group: reader.rows(group, rows) for group, rows in suggested["groups"].items()
        },
        suggested_by=suggested.get("model"),
        doubts=example.doubts,
    )


class _Reader:
    """Reads labels as values of their fields."""

    def __init__(self, dataset: Dataset, words: DocumentWords) -> None:
        self._specs = {spec.name: spec for spec in specs_of(dataset.fields)}
        self._words = words
        self._context: Any = None

    def values(self, key: str, values: list[dict[str, Any]]) -> list[LabelView]:
        """Return the views of a field's values."""
        return [self._view(key, value) for value in values]

    def rows(self, group: str, rows: list[dict[str, Any]]) -> list[dict[str, LabelView]]:
        """Return the views of a group's rows."""
        return [
            {name: self._view(f"{group}.{name}", value) for name, value in row.items()}
            for row in rows
        ]

    def _view(self, key: str, value: Mapping[str, Any]) -> LabelView:
        from pipeline.values.normalise import infer_context, normalise  # takes a moment to load

        if self._context is None:
            self._context = infer_context(self._words.lines())
        read = normalise(value["text"], self._specs.get(key) or FieldSpec(key), self._context)
        return LabelView(
            text=value["text"],
            value=read.value,
            status=read.status,
            page=value["page"],
            box=value["box"],
            words=value["words"],
            confidence=value.get("confidence"),
        )
