"""The captions of the bundled `receipts` name totals that its tagger is unsure of."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import load_fields
from tests.builders import document_of

FIELDS = load_fields(Path(__file__).parents[4] / "weights" / "receipts" / "fields.toml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Subtotal 12.90 | GRAND TOTAL: 14.05", "14.05", id="english"),
        pytest.param("Total (inclusive of GST) 23.26", "23.26", id="tax_included"),
        pytest.param("Summe EUR 23,87 | Gegeben 30,00", "EUR 23,87", id="german"),
        pytest.param("SOUS-TOTAL 10,19 | TOTAL TTC 11,65", "11,65", id="french"),
        pytest.param("TOTALE COMPLESSIVO 64,50 | di cui IVA 5,86", "64,50", id="italian"),
        pytest.param("SUMA PTU 4,00 | SUMA PLN 48,17", "48,17", id="not_the_sum_of_taxes"),
        pytest.param("ZNAPLACENO 700,00 | Celkem k úhradě 612,00", "612,00", id="czech"),
        pytest.param("ÖSSZESEN: 4380 Ft | NYUGTA 118", "4380 Ft", id="hungarian"),
        pytest.param("Att betala: 386,00 kr | moms 21,85", "386,00 kr", id="swedish"),
        pytest.param("TOPKDV *17,05 | TOPLAM *412,75", "412,75", id="turkish"),
        pytest.param("ИТОГ =1 130,00 | НДС 188,33", "1 130,00", id="russian"),
        pytest.param("ΣΥΝΟΛΟ 46,50 € | ΜΕΤΡΗΤΑ 50,00", "46,50 €", id="greek"),
        pytest.param("รวมทั้งสิ้น 185.00 | เงินสด 200.00", "185.00", id="thai"),
        pytest.param("DUE VAT INCL 214.85 | TAXABLE 117.30", "214.85", id="vat_included"),
        pytest.param("Total 28.00 | GST 1.68", None, id="perhaps_before_tax"),
        pytest.param("Net total 10.00 | VAT 2.00", None, id="net_of_tax"),
        pytest.param("Total amount 10.00 | GST 0.60", None, id="an_amount_before_tax"),
        pytest.param("Total paid 50.00 | Change 30.00", None, id="cash_handed_over"),
        pytest.param("Amount due 0.00 | Total due 0.00", None, id="nothing_is_left_to_pay"),
        pytest.param(
            "Total (inclusive of GST) 23.26 | Total rounded 23.25", None, id="captions_that_differ"
        ),
    ],
)
def test_totals(text: str, expected: str | None) -> None:
    answer = resolve_all(document_of(text, columns=90), [], FIELDS, Calibration()).fields["total"]
    assert (answer.text if isinstance(answer, FieldValue) else None) == expected
