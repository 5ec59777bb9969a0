"""Which documents are known already, told by marks that say nothing else about them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from training.data.dataset import Row


def document_mark(path: Path) -> str:
    """Return the first 12 hexadecimal digits of a document's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]


def rows_mark(parts: Iterable[Iterable[Row]]) -> str:
    """Return 12 hexadecimal digits of documents and their labels, in the parts of a split."""
    known = [
        [(row.id, document_mark(row.document), row.fields, row.groups) for row in part]
        for part in parts
    ]
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:12]


def twins(rows: Iterable[Row]) -> list[list[str]]:
    """Return the ids of rows whose documents are the same file byte for byte, two or more each."""
    of_size: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row.document.is_file():
            of_size[row.document.stat().st_size].append(row)
    marked: defaultdict[str, list[str]] = defaultdict(list)
    for alike in of_size.values():
        for row in alike if len(alike) > 1 else ():
            marked[document_mark(row.document)].append(row.id)
    return [ids for ids in marked.values() if len(ids) > 1]


def marks_of(training: Mapping[str, Any]) -> set[str]:
    """Return the marks of all documents that a package says its weights have learnt from."""
    return set(training.get("trained_on", ()))


def seen_before(training: Mapping[str, Any], rows: Iterable[Row]) -> list[str]:
    """Return the ids of the documents that a package, or one it descends from, was trained on.

    Args:
        training: what a package says of its training.
        rows: documents with their labels.
    """
    marks = marks_of(training)
    return [row.id for row in rows if marks and document_mark(row.document) in marks]
