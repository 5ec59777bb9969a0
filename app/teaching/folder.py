"""A dataset as a folder that `fieldwright train` takes, packed as a ZIP archive."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator

from app.teaching.teaching import Teaching
from pipeline.values.schema import dump_fields, specs_of
from store.datasets import Dataset, label_line

_CHUNK = 1 << 16


def zipped(teaching: Teaching, dataset: Dataset) -> Iterator[bytes]:
    """Give the bytes of the archive; it lies on the disk of the documents meanwhile.

    It holds `labels.jsonl`, `documents/`, and `fields.toml` where there are fields. Documents that
    are not labelled in all fields are among the files, and not among the labels.

    Raises:
        JobExpired: a document's file is gone.
    """
    with tempfile.TemporaryFile(dir=teaching.spool) as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            lines = []
            for example in teaching.store.every(dataset.id):
                if example.state in ("reading", "failed"):
                    continue
                line = label_line(example)
                archive.writestr(line["document"], teaching.file(example))
                if example.complete:
                    lines.append(json.dumps(line, ensure_ascii=False) + "\n")
            archive.writestr("labels.jsonl", "".join(lines))
            if dataset.fields:
                archive.writestr("fields.toml", dump_fields(specs_of(dataset.fields)))
        file.seek(0)
        while chunk := file.read(_CHUNK):
            yield chunk
