"""E-invoices in answers: the XML's value, the place where it is printed, and every difference."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from models.geometry import Box
from pipeline.answers.e_invoices.embedded import Merged, with_embedded
from pipeline.answers.e_invoices.fields import FIELDS, NAME
from pipeline.answers.e_invoices.xml_files import answer_e_invoice
from pipeline.document import Document, EmbeddedInvoice, Page, Token
from pipeline.result import Answer, Candidate, FieldValue
from tests.builders import field_value

XML = EmbeddedInvoice(
    "factur-x.xml",
    "cii",
    {
        "invoice_number": "R-17",
        "invoice_date": "2026-03-09",
        "vendor_name": "Schrauben GmbH",
        "vendor_address": "Am Tor 1, 10115 Berlin, DE",
        "currency": "EUR",
        "subtotal": "105.00",
        "total_tax": "19.95",
        "invoice_total": "124.95",
        "iban": "DE02120300000000202051",
        "document_kind": "invoice",
    },
    {
        "items": (
            {"description": "Screws, stainless", "quantity": "2000", "amount": "85.00"},
            {"description": "Nuts", "quantity": "10", "amount": "20.00"},
        ),
        "taxes": ({"rate": "19", "base": "105.00", "amount": "19.95"},),
    },
)


def page(*lines: str) -> Document:
    tokens = [
        Token(word, Box(0.1 * at, 0.05 * line, 0.1 * at + 0.09, 0.05 * line + 0.04), line=line)
        for line, text in enumerate(lines)
        for at, word in enumerate(text.split())
    ]
    pages = (Page(1, 595.0, 842.0, text_source="text_layer", tokens=tuple(tokens)),)
    return Document("0" * 64, "application/pdf", pages, 1, (), XML)


def found(kind: str, text: str, value: object, *others: object) -> FieldValue:
    candidates = [
        Candidate(text=str(other), value=other, confidence=0.1, page=1, box=[0, 0, 0.1, 0.05])
        for other in others
    ]
    return field_value(
        kind,
        text,
        value,
        confidence=0.7,
        box=[0.1, 0.1, 0.2, 0.2],
        candidates=candidates,
        needs_review=True,
    )


def merged(document: Document, **fields: Answer) -> Merged:
    return with_embedded(document, XML, FIELDS, {spec.name: None for spec in FIELDS} | fields, {})


def one(answer: Answer) -> FieldValue:
    assert isinstance(answer, FieldValue)
    return answer


def test_a_value_that_the_page_says_too_stays_at_its_place() -> None:
    total = found("amount", "124,95 EUR", {"amount": "124.950", "currency": None})
    made = merged(page("x"), invoice_total=total)
    value = one(made.fields["invoice_total"])
    assert value.value == {"amount": "124.95", "currency": "EUR"}
    assert (value.source, value.confidence, value.needs_review) == ("embedded", 1.0, False)
    assert (value.text, value.box, value.words) == (total.text, total.box, total.words)
    assert made.warnings == ()


def test_a_difference_is_a_warning_with_both_values_and_the_page_stays_visible() -> None:
    forged = found("amount", "924,95 EUR", {"amount": "924.95", "currency": "EUR"})
    made = merged(page("Summe 924,95 EUR"), invoice_total=forged)
    value = one(made.fields["invoice_total"])
    assert value.value == {"amount": "124.95", "currency": "EUR"}
    assert value.needs_review
    assert (value.box, value.words) == ([], [])
    assert value.candidates[0].text == "924,95 EUR"
    (warning,) = made.warnings
    assert "'124.95'" in warning
    assert "'924,95 EUR'" in warning


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("invoice_date", found("date", "1.1.2020", "2020-01-01", "2026-03-09")),
        ("vendor_name", found("name", "SCHRAUBEN GMBH", "SCHRAUBEN GMBH")),
        ("vendor_address", found("address", "10115 Berlin Am Tor 1 Germany", None)),
        ("document_kind", found("text", "Rechnung", "Rechnung")),
    ],
)
def test_what_is_said_in_other_words_is_no_difference(name: str, answer: FieldValue) -> None:
    made = merged(page("x"), **{name: answer})
    assert made.warnings == ()
    assert one(made.fields[name]).source == "embedded"


def test_values_that_no_model_found_are_located_by_what_is_printed() -> None:
    document = page("Schrauben GmbH", "Nr. R-17 vom 09.03.2026", "IBAN DE02 1203 0000 0000 2020 51")
    fields = merged(document).fields
    assert one(fields["vendor_name"]).words == [0, 1]
    assert one(fields["invoice_number"]).text == "R-17"
    assert one(fields["invoice_date"]).text == "09.03.2026"
    assert one(fields["iban"]).text == "DE02 1203 0000 0000 2020 51"
    assert one(fields["subtotal"]).box == []
    assert one(fields["subtotal"]).value == {"amount": "105.00", "currency": "EUR"}


def test_a_figure_of_more_digits_than_are_ever_printed_stands_nowhere() -> None:
    xml = replace(XML, fields=XML.fields | {"invoice_total": "1" + 28 * "0" + ".00"})
    answers = dict.fromkeys(spec.name for spec in FIELDS)
    total = one(with_embedded(page("Due 124.95"), xml, FIELDS, answers, {}).fields["invoice_total"])
    assert not total.box


def test_rows_are_those_of_the_xml_each_at_its_line() -> None:
    document = page("Nuts 10 20,00", "Screws, stainless 2000 85,00")
    printed = [
        {"description": found("text", "Nuts", "Nuts"), "quantity": None, "amount": None},
        {
            "description": found("text", "Screws, stainless", "Screws, stainless"),
            "quantity": None,
            "amount": found("amount", "84,00", {"amount": "84.00", "currency": "EUR"}),
        },
    ]
    made = with_embedded(document, XML, FIELDS, {}, {"items": printed})
    screws, nuts = made.groups["items"]
    assert screws["description"] is not None
    assert screws["description"].value == "Screws, stainless"
    assert screws["amount"] is not None
    assert screws["amount"].candidates[0].text == "84,00"
    assert [warning.partition(":")[0] for warning in made.warnings] == ["items.amount[0]"]
    assert nuts["amount"] is not None
    assert nuts["amount"].value == {"amount": "20.00", "currency": "EUR"}
    assert nuts["unit"] is None


def alone(invoice: EmbeddedInvoice) -> Document:
    only = Page(1, 0.0, 0.0, text_source="embedded")
    return Document("0" * 64, "application/xml", (only,), 1, (), invoice)


def test_an_e_invoice_by_itself_is_answered_by_no_model() -> None:
    answer = answer_e_invoice(alone(XML), job_id="a", timings={"read": 0.1})
    assert answer.model.name == NAME
    assert {name for name, value in answer.fields.items() if value} == set(XML.fields)
    assert all(one(value).source == "embedded" for value in answer.fields.values() if value)
    assert [len(answer.groups[name]) for name in ("items", "taxes")] == [2, 1]
    assert answer.checks
    assert all(check.ok for check in answer.checks)
    assert answer.warnings == []
    with pytest.raises(ValueError, match="no e-invoice"):
        answer_e_invoice(page("x"), job_id="a", timings={})


def test_an_e_invoice_that_does_not_add_up_says_so() -> None:
    wrong = EmbeddedInvoice("a", "cii", {**XML.fields, "invoice_total": "924.95"}, XML.groups)
    answer = answer_e_invoice(alone(wrong), job_id="a", timings={})
    (warning,) = answer.warnings
    assert "subtotal and tax make the total" in warning
    assert Decimal(one(answer.fields["invoice_total"]).value["amount"]) == Decimal("924.95")
