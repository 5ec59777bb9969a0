"""What a model's fields are: their names, kinds and locale hints, kept in `fields.toml`."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from pipeline.errors import InvalidOption
from pipeline.values.figures.currencies import CODES


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


LONG = (Kind.NAME, Kind.ADDRESS, Kind.TEXT)  # texts of words, which may go on in the line below
# told by what stands before or above them
CAPTIONED = (Kind.IDENTIFIER, Kind.TAX_ID, Kind.DATE, Kind.AMOUNT, Kind.NAME, Kind.DURATION)


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a model, or one column of a repeated group of fields.

    Attributes:
        name: the business key, such as ``total``; of a column, that of its group, a point, and its
            own: ``items.amount``.
        kind: how its text becomes a value.
        many: True where a document may hold several values.
        day_first: dates with numeric day and month: True for 31/12, False for 12/31, None unknown.
        currency: ISO 4217 code to assume where the document shows none.
        country: ISO 3166 code of the country whose phone and tax numbers, and addresses, to assume
            where the document shows none.
        range_start: the field, declared above, with the date that begins the range which this one
            ends; None where it ends none.
        unsigned: of an amount, whether it is how much, whichever sign is printed: -5.00 off is a
            discount of 5.00.
        company: of a name, whether it is a company's, which has a legal form: a brand, or a name
            without the form, is none where the document says it in full.
        captions: of a number, a date, an amount, a name or a duration of the document, what stands
            before or above it, see `pipeline.answers.missed`; any case, marks left out. Of a
            column, what stands above it, which begins no number.
        other_captions: of a number or date, what stands in the document before or above other ones.
        at_least: of a field with many values, how many every document has; 0 where that is open.
    """

    name: str
    kind: Kind = Kind.TEXT
    many: bool = False
    day_first: bool | None = None
    currency: str | None = None
    range_start: str | None = None
    country: str | None = None
    captions: tuple[str, ...] = ()
    other_captions: tuple[str, ...] = ()
    unsigned: bool = False
    company: bool = False
    at_least: int = 0

    @property
    def group(self) -> str:
        """The group that it is a column of; empty for a field of the document."""
        return self.name.rpartition(".")[0]

    @property
    def column(self) -> str:
        """Its name within its group."""
        return self.name.rpartition(".")[2]


def column_key(group: str, column: str) -> str:
    """Return the name of a group's column among all fields."""
    return f"{group}.{column}"


_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


def is_field_name(name: str) -> bool:
    """Return whether a field may have this name: lower-case letters, digits and underscores."""
    return _NAME.fullmatch(name) is not None


def parse_fields(text: str, *, source: str = "fields.toml") -> tuple[FieldSpec, ...]:
    """Return the fields that a `fields.toml` declares in its order, and then its groups' columns.

    Raises:
        InvalidOption: not TOML, no fields, or a name, kind or key that is not known.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidOption(
            f"{source} is not valid TOML: {error}.", advice="Correct the place it names."
        ) from error
    except RecursionError as error:
        raise InvalidOption(
            f"{source} nests its values too deep.", advice="Write it as the documentation shows."
        ) from error
    if unknown := data.keys() - {"fields", "group", "check", "titles"}:
        raise InvalidOption(
            f"{source} has the unknown part {min(unknown)!r}.",
            advice="It may hold tables [fields.NAME], [[group]], [[check]] and [titles].",
        )
    tables = data.get("fields", {})
    columns = _columns(data.get("group", []), source)
    if not isinstance(tables, dict) or not (tables or columns):
        raise InvalidOption(
            f"{source} declares no fields.",
            advice='Add a table such as [fields.total] kind = "amount".',
        )
    specs = tuple(_spec(name, table, source) for name, table in tables.items())
    for index, spec in enumerate(specs):
        _check_range(spec, specs[:index], source)
        if spec.captions and spec.kind not in CAPTIONED:
            raise InvalidOption(
                f"{source}: [fields.{spec.name}] has captions and the kind {spec.kind}.",
                advice=f"Captions name values of the kinds {', '.join(CAPTIONED)}, and columns of "
                "a [[group]]: remove them, or change the kind.",
            )
    return specs + columns


def _columns(groups: Any, source: str) -> tuple[FieldSpec, ...]:
    """Return the columns of all groups; each may have a value in every row."""
    found: list[FieldSpec] = []
    for table in groups if isinstance(groups, list) else [groups]:
        name = table.get("name") if isinstance(table, dict) else None
        fields = table.get("fields") if isinstance(table, dict) else None
        usable = (
            isinstance(name, str) and is_field_name(name) and table.keys() == {"name", "fields"}
        )
        if not usable or not isinstance(fields, dict) or not fields:
            raise InvalidOption(
                f"{source} has a group that is not usable: {table!r}.",
                advice='Write [[group]] name = "items" and a table such as [group.fields.amount] '
                'kind = "amount" for each of its columns.',
            )
        if any(spec.group == name for spec in found):
            raise InvalidOption(
                f"{source} has the group {name!r} twice.", advice="Give each group its own name."
            )
        for column, settings in fields.items():
            spec = _spec(column, settings, source)
            if spec.range_start or "many" in settings:
                raise InvalidOption(
                    f"{source}: [group.fields.{column}] has many or range_start.",
                    advice="A column has one value in each row; leave them out.",
                )
            found.append(replace(spec, name=column_key(str(name), column), many=True))
    return tuple(found)


def _is_country(code: str) -> bool:
    from babel import Locale

    return re.fullmatch("[A-Z]{2}", code) is not None and code in Locale("en").territories


_CODES: tuple[tuple[str, Callable[[str], object], str], ...] = (
    ("currency", CODES.__contains__, "an ISO 4217 code in capitals, such as EUR"),
    ("country", _is_country, "an ISO 3166 code in capitals, such as DE"),
)
_HINTED: dict[str, tuple[Kind, ...]] = {
    "day_first": (Kind.DATE,),
    "currency": (Kind.AMOUNT,),
    "country": (Kind.PHONE, Kind.TAX_ID, Kind.ADDRESS),
    "unsigned": (Kind.AMOUNT,),
    "company": (Kind.NAME,),
    "other_captions": (Kind.IDENTIFIER, Kind.TAX_ID, Kind.DATE),
}
"""Kinds whose values a setting is about; beside another kind it would be a mistake unseen."""
_SWITCHES = ("unsigned", "company")  # off by default, so that off says nothing


def _spec(name: str, table: Any, source: str) -> FieldSpec:
    if not is_field_name(name):
        raise InvalidOption(
            f"{source}: field name {name!r} is not usable.",
            advice="Use lower-case letters, digits and underscores, starting with a letter.",
        )
    types = {
        "kind": str, "many": bool, "day_first": bool, "currency": str, "range_start": str,
        "country": str, "captions": list, "unsigned": bool, "company": bool,
        "at_least": int, "other_captions": list,
    }  # fmt: skip
    for key, value in table.items() if isinstance(table, dict) else [("", table)]:
        texts = value if isinstance(value, list) else []
        if key not in types or not isinstance(value, types[key]) or not _are_texts(texts):
            raise InvalidOption(
                f"{source}: [fields.{name}] has {key} = {value!r}.",
                advice="Allowed are kind (text), many (true or false), day_first (true or "
                "false), currency and country (codes), range_start (the name of a field), "
                "captions and other_captions (lists of texts), unsigned (true or false, of an "
                "amount), company (true or false, of a name) and at_least (a number, with many = "
                "true).",
            )
    try:
        kind = Kind(table.get("kind", "text"))
    except ValueError as error:
        raise InvalidOption(
            f"{source}: [fields.{name}] has the unknown kind {table['kind']!r}.",
            advice=f"Choose one of {', '.join(Kind)}.",
        ) from error
    if (least := table.get("at_least")) is not None and (
        least is True or least < 1 or not table.get("many")
    ):
        raise InvalidOption(
            f"{source}: [fields.{name}] has at_least = {least!r}.",
            advice="Give a whole number from 1 on, beside many = true, or leave it out.",
        )
    for hint, kinds in _HINTED.items():
        stated = table.get(hint) if hint in _SWITCHES else hint in table
        if stated and kind not in kinds:
            raise InvalidOption(
                f"{source}: [fields.{name}] has {hint} = {table[hint]!r} and the kind {kind}.",
                advice=f"{hint} is for the kind {' or '.join(kinds)}: remove it, or change that.",
            )
    for hint, known, advice in _CODES:
        if (code := table.get(hint)) is not None and not known(code):
            raise InvalidOption(
                f"{source}: [fields.{name}] has {hint} = {code!r}.", advice=f"Give {advice}."
            )
    captions = {key: tuple(table.get(key, ())) for key in ("captions", "other_captions")}
    return FieldSpec(name, **{**table, "kind": kind, **captions})


def _are_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _check_range(spec: FieldSpec, above: Iterable[FieldSpec], source: str) -> None:
    if spec.range_start is None:
        return
    dates = {other.name for other in above if other.kind is Kind.DATE and not other.many}
    if spec.kind is not Kind.DATE or spec.many or spec.range_start not in dates:
        raise InvalidOption(
            f"{source}: [fields.{spec.name}] has range_start = {spec.range_start!r}.",
            advice="A date that ends a range names the single date above it that begins the range.",
        )


def specs_of(fields: Iterable[Mapping[str, Any]]) -> tuple[FieldSpec, ...]:
    """Return the fields of a dataset as it keeps them, in an order that `fields.toml` allows.

    Args:
        fields: each with ``name``, ``kind``, ``many``, ``group`` and ``range_start``. A range that
            is none, because one of its ends is no single date, is left out.
    """
    found: list[FieldSpec] = []
    for field in fields:
        group, name, kind = field.get("group"), str(field["name"]), Kind(field["kind"])
        if group:
            found.append(FieldSpec(column_key(group, name), kind, many=True))
        else:
            start = field.get("range_start")
            found.append(FieldSpec(name, kind, bool(field["many"]), range_start=start))
    dates = {spec.name for spec in found if spec.kind is Kind.DATE and not spec.many}
    starts = dates - {spec.name for spec in found if spec.range_start}
    for place, spec in enumerate(found):
        if spec.range_start and (spec.name not in dates or spec.range_start not in starts):
            found[place] = replace(spec, range_start=None)
    return tuple(sorted(found, key=lambda spec: (bool(spec.group), spec.range_start is not None)))


def in_toml(value: str | bool | int | Sequence[str]) -> str:
    """Return a value as TOML writes it, for which JSON will do."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def load_fields(path: Path) -> tuple[FieldSpec, ...]:
    """Return the fields of a `fields.toml` on disk; errors as `parse_fields`, or if unreadable."""
    return parse_fields(fields_text(path), source=str(path))


def fields_text(path: Path) -> str:
    """Return the text of a `fields.toml` on disk.

    Raises:
        InvalidOption: it cannot be read, or is not in UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")  # as editors on Windows begin it
    except UnicodeDecodeError as error:
        raise InvalidOption(
            f"{path} cannot be read: it is not in UTF-8.", advice="Save it in UTF-8."
        ) from error
    except OSError as error:
        raise InvalidOption(
            f"{path} cannot be read: {error.strerror}.",
            advice="Give the path of a fields.toml file.",
        ) from error


def in_order_of_file(fields: Iterable[FieldSpec]) -> tuple[FieldSpec, ...]:
    """Return fields in the order that a `fields.toml` has: the columns of each group come last."""
    specs = tuple(fields)
    groups = ["", *dict.fromkeys(spec.group for spec in specs if spec.group)]
    return tuple(sorted(specs, key=lambda spec: groups.index(spec.group)))


def dump_fields(fields: Iterable[FieldSpec]) -> str:
    """Return the TOML text that `parse_fields` turns back into equal fields, columns last."""
    lines = []
    group = ""
    for spec in in_order_of_file(fields):
        if spec.group != group:
            group = spec.group
            lines += ["[[group]]", f'name = "{group}"', ""]
        table = f"group.fields.{spec.column}" if group else f"fields.{spec.name}"
        written = {
            "kind": spec.kind,
            "many": (spec.many and not group) or None,
            "day_first": spec.day_first,
            "currency": spec.currency,
            "country": spec.country,
            "range_start": spec.range_start,
            "unsigned": spec.unsigned or None,
            "company": spec.company or None,
            "at_least": spec.at_least or None,
            "captions": spec.captions or None,
            "other_captions": spec.other_captions or None,
        }
        lines.append(f"[{table}]")
        lines += [
            f"{key} = {in_toml(value)}" for key, value in written.items() if value is not None
        ]
        lines.append("")
    return "\n".join(lines)
