"""The table of values: printed texts of all regions become what they mean, or no sure value."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.values.normalise import Normalised, normalise
from tests.pipeline.values.table import FAIL, Row, rows

ROWS = list(rows())
# Texts that are not read as they should be; none of them is read wrongly and sure of it.
KNOWN_MISSES: frozenset[str] = frozenset()


def shown(value: Any) -> str:
    """Return a value as the table writes it."""
    if not isinstance(value, dict):
        return str(value)
    return str(value["iso"]) if "iso" in value else f"{value['amount']} {value['currency'] or '-'}"


def read(row: Row) -> tuple[Normalised, str]:
    """Return what a row's text becomes, in full and as the table writes it."""
    found = normalise(row.text, row.spec, row.document)
    if found.status == "failed":
        return found, FAIL
    if found.status == "ok":
        return found, shown(found.value)
    return found, f"{shown(found.value)}? {'|'.join(map(shown, found.alternatives))}".strip()


def test_the_table_has_300_rows_and_at_most_one_in_a_hundred_is_missed() -> None:
    assert len(ROWS) >= 300
    assert len(KNOWN_MISSES) <= len(ROWS) / 100
    assert {row.text for row in ROWS} >= KNOWN_MISSES


def name(row: Row) -> str:
    """Return a row's kind and text: the same in every process, as sets are not."""
    return f"{row.kind.value} {row.text}"


@pytest.mark.parametrize("row", [row for row in ROWS if row.text not in KNOWN_MISSES], ids=name)
def test_a_text_becomes_what_it_means(row: Row) -> None:
    found, said = read(row)
    assert said == row.value
    assert (found.value is None) == (found.status == "failed")
    assert found.status == "ok" or found.reason


def test_what_is_missed_is_never_sure() -> None:
    for row in (row for row in ROWS if row.text in KNOWN_MISSES):
        found, said = read(row)
        assert said != row.value, f"mended: take {row.text} off the list"
        assert found.status != "ok", row
