"""What a model's fields are: their names, kinds and locale hints, kept in `fields.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pipeline.errors import InvalidOption


class Kind(StrEnum):
    """How a field's text becomes a value."""

    DATE = "date"
    AMOUNT = "amount"
    ADDRESS = "address"
    IDENTIFIER = "identifier"
    DURATION = "duration"
    NAME = "name"
    TEXT = "text"
    PHONE = "phone"
    EMAIL = "email"
    NUMBER = "number"
    PERCENT = "percent"
    BOOLEAN = "boolean"
    COUNTRY = "country"
    IBAN = "iban"
    TAX_ID = "tax_id"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a model.

    Attributes:
        name: the business key, such as ``total``.
        kind: how its text becomes a value.
        many: True where a document may hold several values.
        day_first: dates with numeric day and month: True for 31/12, False for 12/31, None unknown.
        currency: ISO 4217 code to assume where the document shows none.
        country: ISO 3166 code of the country whose phone and tax numbers, and addresses, to assume
            where the document shows none.
        range_start: the field, declared above, with the date that begins the range which this one
            ends; None where it ends none.
    """

    name: str
    kind: Kind = Kind.TEXT
    many: bool = False
    day_first: bool | None = None
    currency: str | None = None
    range_start: str | None = None
    country: str | None = None


_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


def is_field_name(name: str) -> bool:
    """Return whether a field may have this name: lower-case letters, digits and underscores."""
    return _NAME.fullmatch(name) is not None


def parse_fields(text: str, *, source: str = "fields.toml") -> tuple[FieldSpec, ...]:
    """Return the fields that a `fields.toml` declares, in its order.

    Raises:
        InvalidOption: not TOML, no fields, or a name, kind or key that is not known.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidOption(
            f"{source} is not valid TOML: {error}.", advice="Correct the place it names."
        ) from error
    tables = data.get("fields")
    if not isinstance(tables, dict) or not tables:
        raise InvalidOption(
            f"{source} declares no fields.",
            advice='Add a table such as [fields.total] kind = "amount".',
        )
    specs = tuple(_spec(name, table, source) for name, table in tables.items())
    for index, spec in enumerate(specs):
        _check_range(spec, specs[:index], source)
    return specs


def _spec(name: str, table: Any, source: str) -> FieldSpec:
    if not is_field_name(name):
        raise InvalidOption(
            f"{source}: field name {name!r} is not usable.",
            advice="Use lower-case letters, digits and underscores, starting with a letter.",
        )
    types = {
        "kind": str, "many": bool, "day_first": bool, "currency": str, "range_start": str,
        "country": str,
    }  # fmt: skip
    for key, value in table.items() if isinstance(table, dict) else [("", table)]:
        if key not in types or not isinstance(value, types[key]):
            raise InvalidOption(
                f"{source}: [fields.{name}] has {key} = {value!r}.",
                advice="Allowed are kind (text), many (true or false), day_first (true or "
                "false), currency and country (codes) and range_start (the name of a field).",
            )
    try:
        kind = Kind(table.get("kind", "text"))
    except ValueError as error:
        raise InvalidOption(
            f"{source}: [fields.{name}] has the unknown kind {table['kind']!r}.",
            advice=f"Choose one of {', '.join(Kind)}.",
        ) from error
    return FieldSpec(
        name,
        kind,
        table.get("many", False),
        table.get("day_first"),
        table.get("currency"),
        table.get("range_start"),
        table.get("country"),
    )


def _check_range(spec: FieldSpec, above: Iterable[FieldSpec], source: str) -> None:
    if spec.range_start is None:
        return
    dates = {other.name for other in above if other.kind is Kind.DATE and not other.many}
    if spec.kind is not Kind.DATE or spec.many or spec.range_start not in dates:
        raise InvalidOption(
            f"{source}: [fields.{spec.name}] has range_start = {spec.range_start!r}.",
            advice="A date that ends a range names the single date above it that begins the range.",
        )


def load_fields(path: Path) -> tuple[FieldSpec, ...]:
    """Return the fields of a `fields.toml` on disk; errors as `parse_fields`, or if unreadable."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidOption(
            f"{path} cannot be read: {error}.", advice="Give the path of a fields.toml file."
        ) from error
    return parse_fields(text, source=str(path))


def dump_fields(fields: Iterable[FieldSpec]) -> str:
    """Return the TOML text that `parse_fields` turns back into equal fields."""
    lines = []
    for spec in fields:
        lines += [f"[fields.{spec.name}]", f'kind = "{spec.kind}"']
        if spec.many:
            lines.append("many = true")
        if spec.day_first is not None:
            lines.append(f"day_first = {str(spec.day_first).lower()}")
        if spec.currency is not None:
            lines.append(f'currency = "{spec.currency}"')
        if spec.country is not None:
            lines.append(f'country = "{spec.country}"')
        if spec.range_start is not None:
            lines.append(f'range_start = "{spec.range_start}"')
        lines.append("")
    return "\n".join(lines)
