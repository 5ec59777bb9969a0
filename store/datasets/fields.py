"""The fields of a dataset: their keys, and whether a document has labels for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def key_of(field: Mapping[str, Any]) -> str:
    """Return the key of a field among all: its name, of a column ``group.name``."""
    return f"{field['group']}.{field['name']}" if field.get("group") else str(field["name"])


def keys_of(fields: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """Return the keys of the plain fields, and the names of the groups."""
    plain = [str(field["name"]) for field in fields if not field.get("group")]
    groups = list(dict.fromkeys(str(field["group"]) for field in fields if field.get("group")))
    return plain, groups


def complete(
    fields: Sequence[Mapping[str, Any]], labels: Mapping[str, Any], rows: Mapping[str, Any]
) -> bool:
    """Return whether every field and group is labelled; never where there are no fields."""
    plain, groups = keys_of(fields)
    return bool(fields) and set(plain) <= set(labels) and set(groups) <= set(rows)


def carried(
    before: Sequence[Mapping[str, Any]],
    after: Sequence[Mapping[str, Any]],
    was: Mapping[str, str],
    labels: Mapping[str, Any],
    rows: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a document's labels when the fields of its dataset change.

    Args:
        before: the fields that it has.
        after: those that it is to have.
        was: of new keys the old ones, where a field was renamed.
        labels: of the document, by field.
        rows: of the document, by group.
    """
    plain, groups = keys_of(after)
    _, groups_before = keys_of(before)
    kept = {key: labels[was.get(key, key)] for key in plain if was.get(key, key) in labels}
    columns: dict[str, dict[str, str]] = {}
    for field in after:
        if field.get("group"):
            key = key_of(field)
            columns.setdefault(field["group"], {})[field["name"]] = was.get(key, key)
    kept_rows: dict[str, Any] = {}
    for group in groups:
        old = {name.partition(".")[0] for name in columns[group].values()}
        source = next((name for name in groups_before if name in old and name in rows), None)
        if source is not None:
            kept_rows[group] = [
                {
                    name: row[key.partition(".")[2]]
                    for name, key in columns[group].items()
                    if key.partition(".")[0] == source and key.partition(".")[2] in row
                }
                for row in rows[source]
            ]
    return kept, kept_rows
