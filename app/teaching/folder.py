"""A dataset as a folder that `fieldwright train` takes, packed as a ZIP archive."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator

from app.teaching.teaching import Teaching
from pipeline.values.schema import dump_fields, specs_of
from store.blobs import on_disk
from store.datasets import Dataset, label_line

_CHUNK = 1 << 16


def zipped(teaching: Teaching, dataset: Dataset) -> Iterator[bytes]:
    """Give the bytes of the archive; it lies on the disk of the documents meanwhile.

    It holds `labels.jsonl`, `documents/`, and `fields.toml` where there are fields. Documents that
    are not labelled in all fields are among the files, and not among the labels.

    Raises:
        JobExpired: a document's file is gone.
        StorageFull: no room for the archive.
    """
    with on_disk(), tempfile.TemporaryFile(dir=teaching.spool) as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for example in teaching.store.every(dataset.id):
                if example.state not in ("reading", "failed"):
                    archive.writestr(label_line(example)["document"], teaching.file(example))
            packed = set(archive.namelist())  # others may be added or removed meanwhile
            with archive.open("labels.jsonl", "w") as labels:  # those of all may be large
                for example in teaching.store.every(dataset.id):
                    line = label_line(example)
                    if example.complete and line["document"] in packed:
                        labels.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            if dataset.fields:
                archive.writestr("fields.toml", dump_fields(specs_of(dataset.fields)))
        file.seek(0)
        while chunk := file.read(_CHUNK):
            yield chunk
