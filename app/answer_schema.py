"""JSON Schema of a model's answers: the public contract with the model's own fields filled in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipeline.result import Extraction
from pipeline.values.schema import FieldSpec, Kind

_TEXT = {"type": ["string", "null"]}
_VALUES: dict[Kind, dict[str, Any]] = {
    Kind.DATE: {
        **_TEXT,
        "description": "ISO 8601 date; shorter where the day or month is not written",
        "examples": ["2018-12-25", "2024-08"],
    },
    Kind.AMOUNT: {
        "type": ["object", "null"],
        "properties": {
            "amount": {"type": "string", "description": "Exact decimal", "examples": ["9.00"]},
            "currency": {**_TEXT, "description": "ISO 4217 code, null where none is known"},
        },
    },
    Kind.DURATION: {
        "type": ["object", "null"],
        "properties": {
            "value": {"type": "string"},
            "unit": {"type": "string"},
            "iso": {"type": "string", "examples": ["P3Y"]},
        },
    },
}


def answer_schema(model: str, specs: Iterable[FieldSpec]) -> dict[str, Any]:
    """Return the JSON Schema of the answers of `model`, which has the fields `specs`."""
    schema = Extraction.model_json_schema()
    definitions = schema["$defs"]
    fields = {}
    for spec in specs:
        name = f"{spec.kind.value.capitalize()}Value"
        if name not in definitions:
            plain = definitions["FieldValue"]
            properties = {
                **plain["properties"],
                "kind": {"const": spec.kind.value},
                "value": _VALUES.get(spec.kind, _TEXT),
            }
            definitions[name] = {**plain, "title": name, "properties": properties}
        reference = {"$ref": f"#/$defs/{name}"}
        fields[spec.name] = (
            {"type": "array", "items": reference}
            if spec.many
            else {"anyOf": [reference, {"type": "null"}]}
        )
    schema["properties"]["fields"] = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": f"Answer of the model {model}",
    }
