"""A document of a dataset as a line of `labels.jsonl`, the folder that trainings take."""

from __future__ import annotations

from typing import Any

from store.datasets.records import Example

_SUFFIXES = {
    "application/pdf": ".pdf",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/tiff": ".tiff",
    "image/webp": ".webp",
    "image/heic": ".heic",
    "image/bmp": ".bmp",
    "image/gif": ".gif",
    "application/xml": ".xml",
}


def label_line(example: Example) -> dict[str, Any]:
    """Return the line of a document: values, rows, and where they are printed."""
    suffix = _SUFFIXES.get(example.job.media_type, "")
    boxes = [
        {"name": key, "value": value["text"], "places": value["places"]}
        for key, values in example.labels.items()
        for value in values
        if value["places"]
    ]
    boxes += [
        {"name": name, "group": group, "row": number}
        | {"value": value["text"], "places": value["places"]}
        for group, rows in example.rows.items()
        for number, row in enumerate(rows)
        for name, value in row.items()
        if value["places"]
    ]
    return {
        "id": example.id,
        "document": f"documents/{example.id}{suffix}",
        "fields": {
            key: [value["text"] for value in values] for key, values in example.labels.items()
        },
        "groups": {
            group: [{name: value["text"] for name, value in row.items()} for row in rows]
            for group, rows in example.rows.items()
        },
        "boxes": boxes,
    }
