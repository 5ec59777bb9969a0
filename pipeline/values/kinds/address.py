"""Addresses: one line, the lines as printed, and the parts that can be told.

``{"formatted": ..., "lines": [...], "house_number": ..., "street": ..., "postcode": ...,
"city": ..., "region": ..., "country": ...}``, a part null where it is not told.
"""

from __future__ import annotations

from dataclasses import asdict

from pipeline.values.context import DocumentContext
from pipeline.values.normalised import Normalised, failed, string
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.absent import says_absent
from pipeline.values.texts.address_lines import (
    clean_address,
    columns_of,
    holds_nothing,
    printed_address,
)
from pipeline.values.texts.address_parts import parse_address
from pipeline.values.texts.folded import Folded, fold
from pipeline.values.texts.strings import lenient


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the address of a text."""
    if says_absent(source.text):
        return failed(source, "The text says that there is no address.")
    formatted = clean_address(source.text)
    outcome = string(printed_address(source.printed), formatted)
    if outcome.value is None:
        return outcome
    lines = _printed(source.raw.splitlines())
    lines = lines or [formatted]
    parts = parse_address(
        _printed(columns_of(source.raw)) or lines, context.country or spec.country
    )
    told = parts.street or parts.house_number or parts.postcode or parts.city or parts.region
    if not told and holds_nothing(lines):
        return failed(source, "The text holds no part of an address.")
    value = {"formatted": formatted, "lines": lines, **asdict(parts)}
    return Normalised(outcome.text, None, lenient(formatted), value, "ok")


def _printed(lines: list[str]) -> list[str]:
    return [line for raw in lines if (line := printed_address(fold(raw).text))]
