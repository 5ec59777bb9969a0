"""What a model's answer suggests for the fields of a dataset, which may have other names."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.values.texts.strings import lenient
from store.datasets import Dataset, Example, key_of, keys_of

_LEAST_DOCUMENTS = 5  # labelled ones, before fields of other names are compared
_LEAST_SAME = 3  # documents in which the values have to be the same
_SHARE = 0.6  # of those in which the field has a value

Made = tuple[dict[str, Any], float | None]


def suggestions_of(dataset: Dataset, body: str) -> Made:
    """Return what an answer suggests, and the lowest of its confidences; None where it has none.

    Args:
        dataset: whose fields are meant.
        body: the answer as JSON text.
    """
    answer = json.loads(body)
    plain, groups = keys_of(dataset.fields)
    found: dict[str, Any] = {}
    for key in plain:
        given = answer["fields"].get(dataset.renames.get(key, key))
        values = given if isinstance(given, list) else [given]
        if kept := [suggestion_of(value) for value in values if value]:
            found[key] = kept
    rows: dict[str, Any] = {}
    for group in groups:
        columns = [field["name"] for field in dataset.fields if field.get("group") == group]
        given = [
            {name: suggestion_of(row[name]) for name in columns if row.get(name)}
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


def suggestion_of(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value of an answer as a label that nobody has confirmed."""
    names = ("text", "page", "box", "words", "confidence")
    return {name: value[name] for name in names}


def renames_of(dataset: Dataset, answered: Sequence[tuple[Example, str]]) -> dict[str, str]:
    """Return which fields of other models say what the fields of a dataset say.

    Args:
        dataset: with its fields.
        answered: labelled documents, each with what a model answered.
    """
    if len(answered) < _LEAST_DOCUMENTS:
        return dict(dataset.renames)
    plain, _ = keys_of(dataset.fields)
    same: dict[str, Counter[str]] = {key: Counter() for key in plain}
    valued = Counter[str]()
    known: set[str] = set()
    for example, body in answered:
        texts = {name: _texts(given) for name, given in json.loads(body)["fields"].items()}
        known |= texts.keys()
        for key in plain:
            labels = _texts(example.labels.get(key, []))
            if labels:
                valued[key] += 1
                same[key].update(name for name, found in texts.items() if labels & found)
    found: dict[str, str] = {}
    for key in plain:
        best = same[key].most_common(1)
        if key in known or not best:
            continue
        name, number = best[0]
        if number >= max(_LEAST_SAME, _SHARE * valued[key]) and name not in plain:
            found[key] = name
    return found


def is_of(dataset: Dataset, key: str) -> bool:
    """Return whether a dataset has a field of that key."""
    return any(key_of(field) == key for field in dataset.fields)


def _texts(given: Any) -> set[str]:
    values = given if isinstance(given, list) else [given]
    return {form for value in values if value and (form := lenient(value["text"]))}
