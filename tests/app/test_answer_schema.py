"""The schema of a model's answers."""

from __future__ import annotations

from app.answer_schema import answer_schema
from pipeline.values.schema import FieldSpec, Kind


def test_schema_allows_lists_only_where_there_may_be_many() -> None:
    specs = [FieldSpec("party", Kind.NAME, many=True), FieldSpec("term", Kind.DURATION)]
    fields = answer_schema("nda@1.0.0", specs)["properties"]["fields"]["properties"]
    assert fields["party"]["type"] == "array"
    assert {"type": "null"} in fields["term"]["anyOf"]


def test_schema_has_the_rows_of_groups() -> None:
    specs = [FieldSpec("total", Kind.AMOUNT), FieldSpec("items.amount", Kind.AMOUNT, many=True)]
    properties = answer_schema("invoices@1.0.0", specs)["properties"]
    assert list(properties["fields"]["properties"]) == ["total"]
    row = properties["groups"]["properties"]["items"]["items"]
    assert row["required"] == ["amount"]
    assert {"type": "null"} in row["properties"]["amount"]["anyOf"]
    assert "groups" not in answer_schema("plain@1.0.0", specs[:1])["properties"]
