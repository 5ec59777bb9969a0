"""Which fields of other models say what the fields of a dataset say."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pipeline.result import listed
from pipeline.values.texts.strings import lenient
from store.datasets import Dataset, Example, keys_of

_LEAST_DOCUMENTS = 5  # labelled ones, before fields of other names are compared
_LEAST_SAME = 3  # documents in which the values have to be the same
_SHARE = 0.6  # of those in which the field has a value


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


def _texts(given: Any) -> set[str]:
    return {form for value in listed(given) if value and (form := lenient(value["text"]))}
