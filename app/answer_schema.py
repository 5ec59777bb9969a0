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
        "description": "ISO 8601 date; shorter where the day or month is not written, or a quarter",
        "examples": ["2018-12-25", "2024-08", "2019-Q3", "2019"],
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
    Kind.ADDRESS: {
        "type": ["object", "null"],
        "description": "A part is null where it is not told",
        "properties": {
            "formatted": {"type": "string", "description": "The address in one line"},
            "lines": {"type": "array", "items": {"type": "string"}, "description": "As printed"},
            **{part: _TEXT for part in ("house_number", "street", "postcode", "city", "region")},
            "country": {**_TEXT, "description": "ISO 3166-1 alpha-2"},
        },
    },
    Kind.PHONE: {**_TEXT, "description": "E.164", "examples": ["+60321618000"]},
    Kind.NUMBER: {**_TEXT, "description": "Exact decimal", "examples": ["12.5"]},
    Kind.PERCENT: {**_TEXT, "description": "Exact decimal of percents", "examples": ["8.25"]},
    Kind.BOOLEAN: {"type": ["boolean", "null"]},
    Kind.COUNTRY: {**_TEXT, "description": "ISO 3166-1 alpha-2", "examples": ["DE"]},
    Kind.IBAN: {**_TEXT, "description": "Without spaces; its check digits are right"},
    Kind.TAX_ID: {**_TEXT, "description": "Letters and digits only", "examples": ["DE136695976"]},
}


def answer_schema(model: str, specs: Iterable[FieldSpec]) -> dict[str, Any]:
    """Return the JSON Schema of the answers of `model`, which has the fields `specs`."""
    schema = Extraction.model_json_schema()
    definitions = schema["$defs"]
    fields: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {}
    for spec in specs:
        name = f"{spec.kind.value.title().replace('_', '')}Value"
        if name not in definitions:
            plain = definitions["FieldValue"]
            properties = {
                **plain["properties"],
                "kind": {"const": spec.kind.value},
                "value": _VALUES.get(spec.kind, _TEXT),
            }
            definitions[name] = {**plain, "title": name, "properties": properties}
        reference = {"$ref": f"#/$defs/{name}"}
        optional = {"anyOf": [reference, {"type": "null"}]}
        if spec.group:
            groups.setdefault(spec.group, {})[spec.column] = optional
        else:
            fields[spec.name] = {"type": "array", "items": reference} if spec.many else optional
    schema["properties"]["fields"] = _object(fields)
    if groups:
        rows = {name: {"type": "array", "items": _object(row)} for name, row in groups.items()}
        schema["properties"]["groups"] = _object(rows)
    else:
        del schema["properties"]["groups"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": f"Answer of the model {model}",
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has these properties, all of them and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
