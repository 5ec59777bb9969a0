"""What a model's answer suggests for the fields of a dataset, which may have other names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from pipeline.result import listed
from store.datasets.fields import keys_of
from store.datasets.records import Dataset

Suggested: TypeAlias = tuple[dict[str, Any], float | None]
"""Suggestions for a document, and the lowest of their confidences; None where there are none."""


def suggestions_of(dataset: Dataset, body: str) -> Suggested:
    """Return what an answer suggests.

    Args:
        dataset: whose fields are meant.
        body: the answer as JSON text, of its own model or another.
    """
    answer = json.loads(body)
    plain, groups = keys_of(dataset.fields)
    found: dict[str, Any] = {}
    for key in plain:
        # Its own model knows the names that it has; others may have been renamed.
        name = key if key in answer["fields"] else dataset.renames.get(key, key)
        values = listed(answer["fields"].get(name))
        if kept := [_suggestion(value) for value in values if value]:
            found[key] = kept
    rows: dict[str, Any] = {}
    for group in groups:
        columns = [field["name"] for field in dataset.fields if field.get("group") == group]
        given = [
            {name: _suggestion(row[name]) for name in columns if row.get(name)}
            for row in answer.get("groups", {}).get(group, [])
        ]
        if kept_rows := [row for row in given if row]:
            rows[group] = kept_rows
    sure = [value["confidence"] for values in found.values() for value in values]
    sure += [
        value["confidence"] for given in rows.values() for row in given for value in row.values()
    ]
    model = f"{answer['model']['name']}@{answer['model']['version']}"
    return {"fields": found, "groups": rows, "model": model}, min(sure, default=None)


def _suggestion(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value of an answer as a label that nobody has confirmed."""
    names = ("text", "page", "box", "words", "confidence")
    return {name: value[name] for name in names}
