"""Capitals between a caption and a number are of the number, unless they are of the caption."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

FIELDS = (
    FieldSpec("customer", Kind.IDENTIFIER, captions=("Kundennummer", "Debtor code")),
    FieldSpec("order", Kind.IDENTIFIER, captions=("Your order", "P.O. no")),
)


def _text(text: str, field: str, *spans: Span) -> str | None:
    found = resolve_all(document_of(text, columns=90), list(spans), FIELDS, Calibration())
    value = found.fields[field]
    return value.text if isinstance(value, FieldValue) else None


@pytest.mark.parametrize(
    ("text", "first", "expected"),
    [
        pytest.param("Kundennummer: FT 118/26 paid", 2, "FT 118/26", id="beside"),
        pytest.param("Debtor code | FS 118/26", 3, "FS 118/26", id="below"),
        pytest.param("Kunden FT 118/26", 2, "FT 118/26", id="caption_without_its_no"),
        pytest.param("KUNDENNUMMER: FT 118/26", 2, "FT 118/26", id="all_in_capitals_with_its_no"),
        pytest.param("KUNDEN NBR 118/26", 2, "118/26", id="all_in_capitals_without_its_no"),
        pytest.param("Kundennummer: PO 118/26", 2, "118/26", id="a_word_of_another_caption"),
        pytest.param("Kunden NR 118/26", 2, "118/26", id="no_is_of_the_caption"),
        pytest.param("Kundennummer: DEBTOR 118/26", 2, "118/26", id="too_long"),
        pytest.param("Kundennummer: paid 118/26", 2, "118/26", id="in_small_letters"),
        pytest.param("Kundennummer: FT            118/26", 2, "118/26", id="apart"),
        pytest.param("Delivered to FT 118/26", 3, "118/26", id="no_caption"),
    ],
)
def test_capitals_at_a_caption_are_of_the_number(text: str, first: int, expected: str) -> None:
    assert _text(text, "customer", Span("customer", first, first + 1, (0.99,))) == expected


def test_capitals_of_a_caption_are_not_of_the_number() -> None:
    assert _text("Your order PO 4711", "order", Span("order", 3, 4, (0.99,))) == "4711"


def test_capitals_of_another_field_are_not_of_the_number() -> None:
    code, number = Span("order", 1, 2, (0.99,)), Span("customer", 2, 3, (0.99,))
    assert _text("Kundennummer: B7 118/26", "customer", code, number) == "118/26"
