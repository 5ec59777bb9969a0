"""Amounts without a currency are in the one that stands beside the sums of a page."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

FIELDS = [FieldSpec("net", Kind.AMOUNT), FieldSpec("total", Kind.AMOUNT)]


@pytest.mark.parametrize(
    ("lines", "score", "expected"),
    [
        pytest.param("Net 100.00 | Total EUR 119.00", 0.9, "EUR", id="before_the_total"),
        pytest.param("Net 100.00 | Total 119.00 EUR", 0.9, "EUR", id="behind_it"),
        pytest.param("Net 100.00 | Total      EUR      119.00", 0.9, "EUR", id="in_a_cell"),
        pytest.param("Net 100.00 | Total 119.00", 0.9, None, id="beside_none"),
        pytest.param("Net 100.00 USD 130.00 | Total EUR 119.00", 0.9, "EUR", id="beside_another"),
        pytest.param("Net USD 100.00 | Total EUR 119.00", 0.9, None, id="beside_them_two"),
        pytest.param("Net 100.00 | Total EUR 119.00", 0.3, None, id="hardly_a_sum"),
    ],
)
def test_of_several_currencies_that_of_the_sums_counts(
    lines: str, score: float, expected: str | None
) -> None:
    document = document_of(f"{lines} | Freight USD 50.00 | Insurance USD 20.00 | EUR 3.00")
    words = [token.text for _, token in document.words()]
    spans = [
        Span(field, words.index(text), words.index(text) + 1, (sure,))
        for field, text, sure in (("net", "100.00", 0.9), ("total", "119.00", score))
    ]
    net = resolve_all(document, spans, FIELDS, Calibration()).fields["net"]
    assert isinstance(net, FieldValue)
    assert net.value == {"amount": "100.00", "currency": expected}
