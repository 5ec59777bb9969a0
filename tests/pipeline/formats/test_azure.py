"""Answers in the shape of Azure's invoices: names, types and places that its programs read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pipeline.errors import EncryptedPdf
from pipeline.formats.azure import azure_result
from pipeline.formats.export import Reply
from pipeline.result import (
    DocumentInfo,
    Extraction,
    FieldValue,
    ModelInfo,
    Normalisation,
    PageInfo,
)
from pipeline.values.schema import Kind
from tests.builders import field_value


def _value(kind: Kind, text: str, value: object, precision: Any = None) -> FieldValue:
    return field_value(
        kind,
        text,
        value,
        confidence=0.75,
        page=2,
        box=[0.5, 0.25, 1, 0.5],
        normalisation=Normalisation(status="ok", precision=precision),
    )


def _answer(
    fields: dict[str, FieldValue | list[FieldValue] | None],
    groups: dict[str, list[dict[str, FieldValue | None]]] | None = None,
    media_type: str = "application/pdf",
    **page: Any,
) -> Extraction:
    usual = {"number": 2, "width": 612, "height": 792, "rotation": 0}
    shown = PageInfo(**{**usual, **page}, text_source="ocr", reason="a picture")
    return Extraction(
        id="1",
        document=DocumentInfo(
            sha256="ab", media_type=media_type, page_count=2, word_count=9, pages=[shown]
        ),
        model=ModelInfo(name="invoices", version="1.0.0", sha256="", fit=0.9),
        fields=fields,
        groups=groups or {},
        warnings=["A page is faint."],
        timings={},
    )


def _document(answer: Extraction) -> dict[str, Any]:
    result = json.loads(json.dumps(azure_result(Reply("a.pdf", answer=answer))))
    assert result["status"] == "succeeded"
    [document] = result["analyzeResult"]["documents"]
    return dict(document)


@pytest.mark.parametrize(
    ("field", "found", "name", "expected"),
    [
        (
            "invoice_total",
            _value(Kind.AMOUNT, "1.234,50 €", {"amount": "1234.50", "currency": "EUR"}),
            "InvoiceTotal",
            {
                "type": "currency",
                "valueCurrency": {"amount": 1234.5, "currencyCode": "EUR"},
            },
        ),
        (
            "subtotal",
            _value(Kind.AMOUNT, "10", {"amount": "10", "currency": None}),
            "SubTotal",
            {"type": "currency", "valueCurrency": {"amount": 10.0}},
        ),
        (
            "total_tax",
            _value(Kind.AMOUNT, "none", None),
            "TotalTax",
            {"type": "currency"},
        ),
        (
            "invoice_number",
            _value(Kind.IDENTIFIER, "R-7", "R-7"),
            "InvoiceId",
            {"type": "string", "valueString": "R-7"},
        ),
        (
            "service_start",
            _value(Kind.DATE, "5.3.24", "2024-03-05", "day"),
            "ServiceStartDate",
            {"type": "date", "valueDate": "2024-03-05"},
        ),
        (
            "service_end",
            _value(Kind.DATE, "March 2024", "2024-03", "month"),
            "ServiceEndDate",
            {"type": "date"},
        ),
        (
            "vendor_address",
            _value(
                Kind.ADDRESS,
                "12 High Street, Leeds",
                {
                    "formatted": "12 High Street, Leeds",
                    "lines": ["12 High Street, Leeds"],
                    "house_number": "12",
                    "street": "High Street",
                    "postcode": None,
                    "city": "Leeds",
                    "region": None,
                    "country": "GB",
                },
            ),
            "VendorAddress",
            {
                "type": "address",
                "valueAddress": {
                    "houseNumber": "12",
                    "road": "High Street",
                    "city": "Leeds",
                    "countryRegion": "GB",
                    "streetAddress": "12 High Street",
                },
            },
        ),
    ],
)
def test_fields_have_their_names_and_types(
    field: str, found: FieldValue, name: str, expected: dict[str, Any]
) -> None:
    fields = _document(_answer({field: found, "due_date": None}))["fields"]
    assert list(fields) == [name]
    told = fields[name]
    assert told.pop("content") == found.text
    assert told.pop("confidence") == 0.75
    [region] = told.pop("boundingRegions")
    assert region == {
        "pageNumber": 2,
        "polygon": [4.25, 2.75, 8.5, 2.75, 8.5, 5.5, 4.25, 5.5],  # inches of 8.5 x 11
    }
    assert told == expected


def test_rows_and_payees_are_arrays_of_objects() -> None:
    cell = _value(Kind.NUMBER, "3,5", "3.5")
    rate = _value(Kind.PERCENT, "19 %", "19")
    iban = _value(Kind.IBAN, "DE89370400440532013000", "DE89370400440532013000")
    rows: dict[str, list[dict[str, FieldValue | None]]] = {
        "items": [{"quantity": cell, "unit": None}, {"quantity": None}],
        "taxes": [{"rate": rate}],
    }
    fields = _document(_answer({"iban": iban}, rows))["fields"]
    assert sorted(fields) == ["Items", "PaymentDetails", "TaxDetails"]
    [item] = fields["Items"]["valueArray"]
    assert item["type"] == "object"
    assert list(item["valueObject"]) == ["Quantity"]
    assert item["valueObject"]["Quantity"]["valueNumber"] == 3.5
    [tax] = fields["TaxDetails"]["valueArray"]
    assert tax["valueObject"]["Rate"]["valueString"] == "19%"
    [payee] = fields["PaymentDetails"]["valueArray"]
    assert payee["valueObject"]["IBAN"]["valueString"] == iban.value


def test_pictures_are_measured_in_inches_too() -> None:
    name = _value(Kind.NAME, "ACME", "ACME")
    answer = _answer({"vendor_name": name}, media_type="image/png", width=204.0004, height=264.0005)
    analysis = azure_result(Reply("a.png", answer=answer))["analyzeResult"]
    # 850 x 1100 pixels at 300 dpi
    assert analysis["pages"] == [
        {"pageNumber": 2, "angle": 0, "width": 2.8333, "height": 3.6667, "unit": "inch"}
    ]
    [region] = analysis["documents"][0]["fields"]["VendorName"]["boundingRegions"]
    assert region["polygon"][4:6] == pytest.approx([2.8333, 1.8333], abs=1e-4)
    assert analysis["warnings"] == [{"code": "Warning", "message": "A page is faint."}]
    assert analysis["documents"][0]["confidence"] == 0.9


@pytest.mark.parametrize(("turned", "angle"), [(0, 0), (90, -90), (180, 180), (270, 90)])
def test_the_angle_is_how_the_content_lies_not_how_it_was_turned(turned: int, angle: int) -> None:
    result = azure_result(Reply("a.pdf", answer=_answer({}, rotation=turned)))
    assert result["analyzeResult"]["pages"][0]["angle"] == angle


def test_what_is_printed_nowhere_has_no_region() -> None:
    typed = _value(Kind.NAME, "ACME", "ACME").model_copy(update={"box": []})
    (field,) = _document(_answer({"vendor_name": typed}))["fields"].values()
    assert field["content"] == "ACME"
    assert "boundingRegions" not in field


def test_failures_are_failures_there_too() -> None:
    result = azure_result(Reply("a.pdf", error=EncryptedPdf("It has a password.")))
    assert result == {
        "status": "failed",
        "error": {"code": "pdf_encrypted", "message": "It has a password."},
    }


@pytest.mark.parametrize(
    ("printed", "street", "number", "line"),
    [
        ("Lindenstraße 14, 10969 Berlin", "Lindenstraße", "14", "Lindenstraße 14"),
        ("via Roma, 7 - Milano", "via Roma", "7", "via Roma 7"),
        ("14 High Street, London 140", "High Street", "14", "14 High Street"),
        ("Musterweg, Berlin", "Musterweg", None, "Musterweg"),
    ],
)
def test_house_number_stands_where_it_is_printed(
    printed: str, street: str, number: str | None, line: str
) -> None:
    parts: dict[str, Any] = {"formatted": printed, "lines": [printed], "street": street}
    parts |= {"house_number": number, "postcode": None, "city": None, "region": None}
    found = _value(Kind.ADDRESS, printed, {**parts, "country": None})
    fields = _document(_answer({"vendor_address": found}))["fields"]
    assert fields["VendorAddress"]["valueAddress"]["streetAddress"] == line
