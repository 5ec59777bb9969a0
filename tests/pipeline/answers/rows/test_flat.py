"""Charges without quantity and price that stand below a row, and are rows of their own."""

from __future__ import annotations

import time

from models.labels import Span
from pipeline.answers.rows.groups import rows_of
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

COLUMNS = {
    "d": FieldSpec("items.description", Kind.TEXT, many=True),
    "q": FieldSpec("items.quantity", Kind.NUMBER, many=True),
    "a": FieldSpec("items.amount", Kind.AMOUNT, many=True),
    "t": FieldSpec("total", Kind.AMOUNT),
}


def _rows(page: str, tags: str) -> list[dict[str, str]]:
    """Return the rows that tagged words make, a letter of `COLUMNS` a word."""
    words = list(document_of(page).words())
    letters = tags.replace(" ", "")
    assert len(letters) == len(words)
    spans = [
        Span(COLUMNS[letter].name, at, at + 1, (0.9,))
        for at, letter in enumerate(letters)
        if letter in COLUMNS
    ]
    specs = [spec for spec in COLUMNS.values() if spec.group]
    return [
        {
            name: " ".join(words[index][1].text for index in mention.words)
            for name, mention in row.items()
        }
        for row in rows_of(specs, spans, words)
    ]


def test_a_text_beside_an_untagged_amount_is_a_row() -> None:
    rows = _rows(
        "tea           2      5.00 | oil           1      3.10 | cake          1      2.20 | "
        "delivery             4.00",
        "dqa dqa dqa d-",
    )
    assert rows[2:] == [
        {"description": "cake", "quantity": "1", "amount": "2.20"},
        {"description": "delivery", "amount": "4.00"},
    ]


def test_a_text_beside_an_amount_of_another_field_is_a_row() -> None:
    rows = _rows(
        "tea           2      5.00 | oil           1      3.10 | cake          1      2.20 | "
        "delivery             4.00 | fee                  1.00",
        "dqa dqa dqa dt d-",
    )
    assert rows[3:] == [
        {"description": "delivery", "amount": "4.00"},
        {"description": "fee", "amount": "1.00"},
    ]


def test_what_most_rows_have_below_their_figures_is_part_of_them() -> None:
    rows = _rows(
        "tea           2      5.00 | with tax             5.50 | "
        "oil           1      3.10 | with tax             3.41",
        "dqa dd- dqa dd-",
    )
    assert [row["description"] for row in rows] == ["tea with tax", "oil with tax"]


def test_many_charges_below_one_row_take_time_in_proportion_to_their_number() -> None:
    rows = "tea           2      5.00 | " * 4
    charge = "fee                  4.00"

    def seconds(charges: int) -> float:
        begin = time.process_time()
        found = _rows(rows + " | ".join([charge] * charges), "dqa" * 4 + "d-" * charges)
        assert len(found) == 4 + charges
        return time.process_time() - begin

    few = min(seconds(150) for _ in range(3))
    assert min(seconds(1200) for _ in range(2)) < 16 * few
