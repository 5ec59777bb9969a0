"""A dataset made ready: its documents as read, their auto-tags, and examples for the tagger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.example import Example
from pipeline.document import Document
from pipeline.errors import FieldwrightError
from pipeline.tagging import example_of, line_texts
from pipeline.values.normalise import DocumentContext, infer_context
from pipeline.values.schema import LONG, FieldSpec, Kind
from training.data.autotag import Tagged, Text, autotag, learn_form, learn_style
from training.data.dataset import Dataset, Row, Transcription
from training.data.reading import read_rows

_BY_VALUE = (Kind.DATE, Kind.DURATION)


@dataclass(frozen=True, slots=True)
class Corpus:
    """One transcription of a dataset, tagged.

    Attributes:
        rows: the labelled rows, those without a document among them.
        fields: the dataset's fields.
        documents: by row id, those that could be read.
        tags: by row id.
        unread: by row id, why a document could not be read.
    """

    rows: tuple[Row, ...]
    fields: tuple[FieldSpec, ...]
    documents: dict[str, Document]
    tags: dict[str, Tagged]
    unread: dict[str, FieldwrightError]

    def labels(self, ids: Iterable[str]) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the labels of some rows; unread documents stay in, and count as not found."""
        wanted = set(ids)
        return {row.id: row.fields for row in self.rows if row.id in wanted}

    def contexts(self, ids: Iterable[str]) -> dict[str, DocumentContext]:
        """Return what those of some documents that could be read show about their values."""
        return {
            name: infer_context(line_texts(self.documents[name]))
            for name in ids
            if name in self.documents
        }

    def examples(self, ids: Iterable[str]) -> list[Example]:
        """Return the tagged examples of those of the rows that could be read and have words."""
        found = [
            example_of(self.documents[name], name, self.tags[name].spans)
            for name in ids
            if name in self.documents
        ]
        return [example for example in found if example.words]

    def styles(self, ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return how the labels of some rows write their fields; fields with a style only."""
        pairs: dict[str, list[tuple[str, str]]] = {}
        for name in ids:
            if name not in self.documents:
                continue
            text = Text(self.documents[name])
            for match in self.tags[name].matches:
                printed = text.printed(match.start, match.end)
                pairs.setdefault(match.field, []).append((printed, match.value))
        styles = {
            spec.name: learn_style(pairs.get(spec.name, ()))
            if spec.kind in LONG
            else learn_form(pairs.get(spec.name, ()), spec, DocumentContext())
            for spec in self.fields
            if spec.kind in LONG + _BY_VALUE
        }
        return {name: style for name, style in styles.items() if style}


def build_corpus(
    dataset: Dataset,
    fields: Sequence[FieldSpec],
    transcription: Transcription,
    *,
    cache: Path,
    on_row: Callable[[int, int], None] | None = None,
) -> Corpus:
    """Return a dataset read and tagged; see `training.data.reading.read_rows` for the arguments."""
    results = read_rows(dataset.rows, transcription, cache=cache, on_row=on_row)
    documents = {name: item for name, item in results.items() if isinstance(item, Document)}
    unread = {name: item for name, item in results.items() if not isinstance(item, Document)}
    tags = autotag(dataset.rows, documents, fields)
    return Corpus(dataset.rows, tuple(fields), documents, tags, unread)
