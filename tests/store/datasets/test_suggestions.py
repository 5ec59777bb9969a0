"""What answers suggest for the fields of a dataset."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from app.schemas.common import ANSWER
from store.datasets import Dataset, suggestions_of

FIELD: dict[str, Any] = {"kind": "text", "guessed": False, "many": False, "range_start": None}
FIELDS = [
    {**FIELD, "name": "sum", "group": None},
    {**FIELD, "name": "price", "group": "items"},
]
DATASET = Dataset("d", None, "Notes", "notes", FIELDS, None, {}, 1, 0.0)
VALUE: dict[str, Any] = {"text": "9.00", "value": "9.00", "status": "ok", "page": 1}
VALUE |= {"box": [0, 0, 1, 1], "words": [3], "confidence": 0.5}
SHOWN = {name: VALUE[name] for name in ("text", "page", "box", "words", "confidence")}


def answered(fields: dict[str, Any], groups: dict[str, Any] | None = None) -> str:
    model = {"name": "tiny", "version": "1", "sha256": ""}
    return json.dumps({**ANSWER, "model": model, "fields": fields, "groups": groups or {}})


def test_answer_without_values_is_not_unsure() -> None:
    made, sure = suggestions_of(DATASET, answered({"sum": None}, {"items": [{"price": None}]}))
    assert made == {"fields": {}, "groups": {}, "model": "tiny@1"}
    assert sure is None


def test_lowest_confidence_is_of_fields_and_rows() -> None:
    body = answered({"sum": {**VALUE, "confidence": 0.9}}, {"items": [{"price": VALUE}, {}]})
    made, sure = suggestions_of(DATASET, body)
    assert made["groups"] == {"items": [{"price": SHOWN}]}
    assert sure == 0.5


def test_names_of_other_models_give_way_to_its_own() -> None:
    dataset = replace(DATASET, renames={"sum": "total"})
    made, _ = suggestions_of(dataset, answered({"total": VALUE}))
    assert made["fields"] == {"sum": [SHOWN]}
    made, _ = suggestions_of(dataset, answered({"sum": VALUE, "total": None}))
    assert made["fields"] == {"sum": [SHOWN]}
