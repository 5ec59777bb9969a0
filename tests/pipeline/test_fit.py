"""The bundled models know their own kind of document, and have the others looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from models.labels import Span
from models.packages import BUNDLED
from models.packages.manifest import CALIBRATION, FIELDS, load_manifest
from pipeline.answers.answerer import Answerer
from pipeline.document import Page
from pipeline.errors import NoFittingModel
from pipeline.extract import Extractor
from pipeline.profile import FITS, FITS_BY_TITLE, Profile, load_profile
from pipeline.result import Extraction, FieldValue
from tests.builders import document_of, make_receipt, receipt_pdf
from training.field_model.elsewhere import kinds_elsewhere
from training.invent.orders import Orders
from training.scoring.written import value_text

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


def _expecting(*fields: str, titles: str = "") -> Answerer:
    """Return what answers for receipts, where documents without some fields are none.

    Args:
        fields: that all documents have.
        titles: of the model's documents and of others, in TOML, in place of the package's own.
    """
    package = BUNDLED / "receipts"
    profile = load_profile(package)
    assert profile is not None
    return Answerer(
        load_manifest(package),
        (package / FIELDS).read_text(encoding="utf-8").partition("[titles]")[0] + titles,
        json.loads((package / CALIBRATION).read_text(encoding="utf-8")),
        replace(profile, expected=fields),
    )


def test_a_document_without_a_field_that_all_have_is_none_of_the_kind(receipts: Extractor) -> None:
    document = receipts.read(receipt_pdf(make_receipt(1)))
    spans = receipts.tag(document)
    whole = _expecting("date", "total").resolve(document, spans, job_id="a", timings={})
    assert not all(value.needs_review for value in _values(whole))
    rest = [span for span in spans if span.field != "total"]
    answerer = _expecting("date", "total")
    answer = answerer.resolve(document, rest, job_id="a", timings={})
    assert answer.fields["total"] is None
    assert list(_values(answer))
    assert all(value.needs_review for value in _values(answer))
    assert answer.model.fit is not None
    assert answer.model.fit >= FITS
    [warning] = [text for text in answer.warnings if "none was found" in text]
    assert warning.startswith("Documents of receipts have total, and none was found in this one")
    with pytest.raises(NoFittingModel, match="have total, and none"):
        answerer.resolve(document, rest, job_id="a", timings={}, refuse=True)
    plain = _expecting().resolve(document, rest, job_id="a", timings={})
    assert not all(value.needs_review for value in _values(plain))


def test_a_text_that_is_no_date_is_no_date_of_the_document(receipts: Extractor) -> None:
    document = receipts.read(receipt_pdf(make_receipt(1)))
    spans = receipts.tag(document)
    words = [token.text for _, token in document.words()]
    at = next(i for i, word in enumerate(words) if word.isalpha())
    rest = [span for span in spans if span.field != "date" and not span.start <= at < span.end]
    answerer = _expecting("date", "total")
    answer = answerer.resolve(
        document, [*rest, Span("date", at, at + 1, (0.999,))], job_id="a", timings={}
    )
    date = answer.fields["date"]
    assert isinstance(date, FieldValue)
    assert date.value is None
    assert any(text.startswith("Documents of receipts have date") for text in answer.warnings)
    assert all(value.needs_review for value in _values(answer))


def test_a_document_that_calls_itself_something_else_is_marked(receipts: Extractor) -> None:
    document = receipts.read(receipt_pdf(make_receipt(1)))
    spans = receipts.tag(document)
    titles = '[titles]\nnumber = "total"\nown = ["Ticket"]\nother = ["Total"]\n'
    answerer = _expecting("date", "total", titles=titles)
    answer = answerer.resolve(document, spans, job_id="a", timings={})
    assert list(_values(answer))
    assert all(value.needs_review for value in _values(answer))
    [warning] = [text for text in answer.warnings if "calls itself" in text]
    assert warning.startswith("The document calls itself 'Total', which receipts does not read:")
    with pytest.raises(NoFittingModel, match="calls itself 'Total'"):
        answerer.resolve(document, spans, job_id="a", timings={}, refuse=True)


def _with_a_tall_first_line(page: Page) -> Page:
    first = page.tokens[0]
    bottom = min(1.0, first.box.top + 2 * first.box.height)
    tall = [
        replace(token, box=replace(token.box, top=first.box.top, bottom=bottom))
        for token in page.tokens
        if token.line == first.line
    ]
    return replace(page, tokens=(*tall, *page.tokens[len(tall) :]))


def test_a_document_that_calls_itself_one_of_the_kind_may_lack_a_field(receipts: Extractor) -> None:
    document = receipts.read(receipt_pdf(make_receipt(1)))
    spans = [span for span in receipts.tag(document) if span.field != "total"]
    titled = replace(document, pages=(_with_a_tall_first_line(document.pages[0]),))
    titles = f'[titles]\nown = ["{document.pages[0].tokens[0].text}"]\nother = ["Offer"]\n'
    answerer = _expecting("date", "total", titles=titles)
    answer = answerer.resolve(titled, spans, job_id="a", timings={})
    assert answer.fields["total"] is None
    assert not all(value.needs_review for value in _values(answer))
    # That it is missing is said all the same, and somebody should look.
    assert any("have total, and none was found" in text for text in answer.warnings)
    assert answer.needs_review
    assert answer.title == document.pages[0].tokens[0].text


def test_a_document_that_calls_itself_one_of_the_kind_may_fit_less(
    receipts: Extractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = receipts.read(receipt_pdf(make_receipt(1)))
    spans = receipts.tag(document)
    titled = replace(document, pages=(_with_a_tall_first_line(document.pages[0]),))
    name = document.pages[0].tokens[0].text
    answerer = _expecting(titles=f'[titles]\nown = ["{name}"]\nother = ["Offer"]\n')
    for fit, marked in ((FITS_BY_TITLE, False), (FITS_BY_TITLE - 0.01, True)):
        monkeypatch.setattr(Profile, "fit", lambda self, document, fit=fit: fit)
        answer = answerer.resolve(titled, spans, job_id="a", timings={})
        assert any("not like those" in text for text in answer.warnings) is marked
        plain = answerer.resolve(document, spans, job_id="a", timings={})
        assert any("not like those" in text for text in plain.warnings)
        with pytest.raises(NoFittingModel, match="it fits by 0"):
            answerer.resolve(document, spans, job_id="a", timings={}, refuse=True)


@pytest.mark.parametrize("title", ["Quote", "Kostenvoranschlag", "Devis", "Albarán"])
def test_a_slip_that_calls_itself_a_quote_is_no_receipt(receipts: Extractor, title: str) -> None:
    document = receipts.read(receipt_pdf(make_receipt(1)))
    page = _with_a_tall_first_line(document.pages[0])
    titled = replace(page, tokens=(replace(page.tokens[0], text=title), *page.tokens[1:]))
    slip = replace(document, pages=(titled,))
    answer = receipts.resolve(slip, receipts.tag(slip), job_id="a", timings={})
    assert any("calls itself" in warning for warning in answer.warnings)
    assert list(_values(answer))
    assert all(value.needs_review for value in _values(answer))


_STRANGERS = {
    "swiss_bakery": [
        "Bäckerei Zumthor AG |Dorfstrasse 5, 3999 Oberlauen |CHE-123.456.788 MWST",
        "Quittung 9921 29.03.2025 07:51 |1 Butterzopf 500g 7.20 |4 Gipfeli 6.80 |1 Nusstorte 13.60",
        "Total CHF 27.60 |TWINT 27.60 |MWST 2.6% 0.70 |Danke und en schöne Tag",
    ],
    "charity_shop": [
        "St Wenna Hospice Shop |3 Fore Street, Trewarne |Registered charity 2998877",
        "Sale 5520 25 Jan 2025 11:33 |Served by Volunteer 4 |Ladies coat 8.50 |Paperback x3 2.99",
        "Total to pay £14.49 |Cash £20.00 |Change £5.51 |Every penny helps. Gift Aid? Ask!",
    ],
    "spanish_hardware_shop": [
        "FERRETERÍA HNOS. BERMÚDEZ, C.B. |C/ Real 118 |15402 Ferrol (A Coruña) |E15822041",
        "Tique 25/4417 23/05/25 12:40 |Uds Artículo Importe |1 BROCA WIDIA 8MM 4,15",
        "2 BISAGRA LATÓN 9,80 |1 SILICONA TRANSP. 6,72 |1 LLAVE INGLESA 10 15,10",
        "TOTAL A PAGAR 47,62 |TARJETA 47,62 |B.I. 39,36 21% 8,26 |Cambios: 15 días con este tique",
    ],
}


@pytest.mark.parametrize("lines", _STRANGERS.values(), ids=_STRANGERS)
def test_receipts_of_strangers_fit(lines: list[str]) -> None:
    profile = load_profile(BUNDLED / "receipts")
    assert profile is not None
    assert (profile.fit(document_of(*lines)) or 0) >= FITS


@pytest.mark.parametrize("model", ["invoices", "receipts", "orders", "nda"])
def test_words_of_other_kinds_fit_no_model(model: str) -> None:
    profile = load_profile(BUNDLED / model)
    assert profile is not None
    own = (model, f"{model}-")
    kinds = {
        name: np.exp(words) for name, words in kinds_elsewhere().items() if not name.startswith(own)
    }
    assert len(kinds) > 150
    assert {name for name, words in kinds.items() if (profile.fit_of(words) or 0) >= FITS} == set()


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
