"""The bundled models know their own kind of document, and have the others looked at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from models.packages import BUNDLED
from pipeline.errors import NoFittingModel
from pipeline.extract import Extractor
from pipeline.profile import FITS
from pipeline.result import Extraction, FieldValue
from tests.builders import document_of, make_receipt, receipt_pdf
from training.invent.orders import Orders
from training.scoring.group_scores import value_text

_POEM = [
    "The harbour lamps went out by one and two |and nobody was there to count the boats",
    "A gull complained |the morning found its shoes |and walked along the quay in yellow coats",
    "What did you bring |said Marian to the sea |A letter for the baker and a stone",
]


@pytest.fixture(scope="module")
def receipts() -> Extractor:
    return Extractor(BUNDLED / "receipts")


def _values(answer: Extraction) -> Iterator[FieldValue]:
    for given in answer.fields.values():
        yield from given if isinstance(given, list) else [given] if given else []


def test_a_receipt_fits_and_its_plain_values_pass(receipts: Extractor) -> None:
    answer = receipts.extract(receipt_pdf(make_receipt(1)))
    assert answer.model.fit is not None
    assert answer.model.fit >= FITS
    assert not any("not like those" in warning for warning in answer.warnings)
    assert not all(value.needs_review for value in _values(answer))


def test_an_order_does_not_fit_receipts_and_every_value_is_marked(receipts: Extractor) -> None:
    answer = receipts.extract(Orders(seed=5)(2).data)
    assert answer.model.fit is not None
    assert answer.model.fit < FITS
    assert [warning for warning in answer.warnings if "not like those that receipts" in warning]
    assert list(_values(answer))
    assert all(value.needs_review for value in _values(answer))


def test_an_order_is_refused_where_no_answer_is_wanted_without_a_fit(receipts: Extractor) -> None:
    data = Orders(seed=5)(1).data
    with pytest.raises(NoFittingModel, match=r"that receipts was trained on: it fits by 0\.\d\d"):
        receipts.extract(data, refuse=True)
    assert receipts.extract(receipt_pdf(make_receipt(1)), refuse=True).fields["total"]


def test_an_order_fits_orders() -> None:
    answer = Extractor(BUNDLED / "orders").extract(Orders(seed=5)(1).data)
    assert answer.model.fit is not None
    assert answer.model.fit >= FITS


def test_an_invoice_fits_invoices_and_is_answered() -> None:
    pytest.importorskip("weasyprint", reason="Pango is not installed", exc_type=OSError)
    from training.invent.invoices import Invoices

    invented = Invoices(seed=4242, languages=("en",))(2)
    answer = Extractor(BUNDLED / "invoices").extract(invented.data)
    assert answer.model.fit is not None
    assert answer.model.fit >= FITS
    total, labelled = answer.fields["invoice_total"], invented.labels["fields"]["invoice_total"]
    assert isinstance(total, FieldValue)
    assert value_text(total) in labelled
    assert len(answer.groups["items"]) == len(invented.labels["groups"]["items"])


@pytest.mark.parametrize("name", ["receipts", "orders", "nda", "invoices"])
def test_a_poem_fits_no_model(name: str) -> None:
    model = Extractor(BUNDLED / name)
    poem = document_of(*_POEM)
    answer = model.resolve(poem, model.tag(poem), job_id="poem", timings={})
    assert answer.model.fit is not None
    assert answer.model.fit < FITS
    assert all(value.needs_review for value in _values(answer))
