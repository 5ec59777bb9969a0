"""Answers as e-invoices: valid by the schema that others publish, and nothing made up."""

from __future__ import annotations

from pathlib import Path

import facturx
import pytest
from lxml import etree

from pipeline.answers.e_invoices.xml_files import answer_e_invoice
from pipeline.document import Document, EmbeddedInvoice, Page
from pipeline.errors import InvoiceIncomplete
from pipeline.formats.cii import CrossIndustryInvoice, cii_of, terms_of
from pipeline.reading.einvoice import read_xml
from pipeline.result import Extraction
from tests.builders import field_value

FIELDS = {
    "invoice_number": "R-17",
    "document_kind": "invoice",
    "invoice_date": "2026-03-09",
    "due_date": "2026-04-08",
    "service_start": "2026-02-01",
    "service_end": "2026-02-28",
    "vendor_name": "Schrauben & Söhne GmbH",
    "vendor_address": "Am Tor 1, 10115 Berlin, DE",
    "vendor_tax_id": "DE136695976",
    "customer_name": "Bau KG",
    "customer_address": "Ring 4, 1010 Wien, AT",
    "customer_id": "K-4",
    "purchase_order": "PO-9",
    "currency": "EUR",
    "subtotal": "110.00",
    "total_tax": "19.65",
    "invoice_total": "129.65",
    "amount_due": "100.00",
    "iban": "DE02120300000000202051",
}
ITEMS = (
    {
        "description": "Screws", "product_code": "S-4", "quantity": "2000", "unit": "H87",
        "unit_price": "0.05", "tax_rate": "19", "amount": "100.00",
    },
    {"description": "Book", "quantity": "1", "unit": "H87", "unit_price": "10.00",
     "tax_rate": "6.5", "amount": "10.00"},
)  # fmt: skip
TAXES = (
    {"rate": "19", "base": "100.00", "amount": "19.00"},
    {"rate": "6.5", "base": "10.00", "amount": "0.65"},
)


def answer(
    *items: dict[str, str], taxes: tuple[dict[str, str], ...] = (), **changed: str | None
) -> Extraction:
    fields = {name: text for name, text in (FIELDS | changed).items() if text is not None}
    groups = {"items": items, "taxes": taxes}
    page = Page(1, 0.0, 0.0, text_source="embedded")
    invoice = EmbeddedInvoice("a.xml", "cii", fields, groups)
    document = Document("0" * 64, "application/xml", (page,), 1, (), invoice)
    return answer_e_invoice(document, job_id="a", timings={})


@pytest.fixture(scope="module")
def schema() -> etree.XMLSchema:
    (path,) = Path(facturx.__file__).parent.rglob("*EN16931.xsd")
    return etree.XMLSchema(file=str(path))


def read(made: CrossIndustryInvoice) -> EmbeddedInvoice:
    invoice = read_xml(made.xml, "made.xml")
    assert invoice is not None
    return invoice


def test_a_whole_invoice_is_valid_lacks_nothing_and_reads_as_it_was(
    schema: etree.XMLSchema,
) -> None:
    made = cii_of(answer(*ITEMS, taxes=TAXES))
    schema.assertValid(etree.fromstring(made.xml))
    assert made.missing == ()
    again = read(made)
    assert again.fields == FIELDS
    assert again.groups["items"] == ({**ITEMS[0]}, {**ITEMS[1]})
    assert again.groups["taxes"] == TAXES


def test_a_credit_note_has_its_type_and_positive_amounts(schema: etree.XMLSchema) -> None:
    row = {"description": "Screws", "quantity": "-2", "unit_price": "50.00", "amount": "-100.00"}
    made = cii_of(
        answer(
            row,
            document_kind="credit note",
            subtotal="-100.00",
            total_tax="-19.00",
            invoice_total="-119.00",
            amount_due=None,
        )
    )
    schema.assertValid(etree.fromstring(made.xml))
    assert b"<ram:TypeCode>381</ram:TypeCode>" in made.xml
    again = read(made)
    assert again.fields["document_kind"] == "credit note"
    assert again.fields["invoice_total"] == "119.00"
    (item,) = again.groups["items"]
    assert (item["quantity"], item["unit_price"], item["amount"]) == ("2", "50.00", "100.00")
    assert (item["tax_rate"], again.groups["taxes"][0]["amount"]) == ("19", "19.00")


def test_what_the_document_did_not_tell_is_listed_and_the_file_still_valid(
    schema: etree.XMLSchema,
) -> None:
    row = {"description": "Work", "amount": "100.00", "unit": "Kiste -- groß"}
    made = cii_of(
        answer(
            row,
            vendor_tax_id=None,
            vendor_address=None,
            customer_address=None,
            due_date=None,
            subtotal=None,
            total_tax="0.00",
            invoice_total="90.00",
            total_discount="10.00",
            amount_due=None,
        )
    )
    schema.assertValid(etree.fromstring(made.xml))
    assert terms_of(made.missing) == "BT-40, BT-55, BT-31, BT-129, BT-130, BT-118, BT-9"
    comment = made.xml.partition(b"-->")[0].decode()
    assert all(text.replace("--", "- -") in comment for text in made.missing)
    again = read(made)
    assert (again.fields["subtotal"], again.fields["total_discount"]) == ("90.00", "10.00")


def test_an_address_that_tells_no_country_is_left_out_and_named(schema: etree.XMLSchema) -> None:
    made = cii_of(answer(*ITEMS, taxes=TAXES, vendor_tax_id=None, vendor_address="Am Tor 1, Ort"))
    schema.assertValid(etree.fromstring(made.xml))
    assert made.missing[0] == (
        "BT-40 the country of the seller, without which its address is left out."
    )


def test_too_little_is_refused_with_all_that_is_missing() -> None:
    with pytest.raises(InvoiceIncomplete) as raised:
        cii_of(answer(invoice_number=None, invoice_date=None, customer_address=None))
    for term in ("BT-1 ", "BT-2 ", "BG-25 ", "BT-55 "):
        assert term in raised.value.detail


def test_signs_that_xml_does_not_know_are_left_out(schema: etree.XMLSchema) -> None:
    made = cii_of(answer(*ITEMS, taxes=TAXES, customer_name="A\x00\x1b<b>\ufffe & C"))
    schema.assertValid(etree.fromstring(made.xml))
    assert read(made).fields["customer_name"] == "A <b> & C"


def printed_unit(text: str) -> CrossIndustryInvoice:
    """Return the e-invoice of an answer whose first unit was read from the page."""
    given = answer(*ITEMS, taxes=TAXES)
    first, *others = given.groups["items"]
    items = [{**first, "unit": field_value("text", text, text)}, *others]
    return cii_of(given.model_copy(update={"groups": {**given.groups, "items": items}}))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("STK", "H87"),  # the code STK is of sticks of cigarettes
        ("PCS", "H87"),
        ("Stk.", "H87"),
        ("KG", "KGM"),
        ("STD", "HUR"),
        ("HUR", "HUR"),
        ("uur", "HUR"),
        ("Jahr", "ANN"),
        ("mc", "MTQ"),  # metri cubi
        ("un.", "H87"),
        ("stuks", "H87"),
        ("EA", "EA"),
    ],
)
def test_units_are_words_first_and_codes_where_they_are_known(text: str, code: str) -> None:
    made = printed_unit(text)
    assert read(made).groups["items"][0]["unit"] == code
    assert made.missing == ()


def test_a_unit_in_capitals_that_is_no_known_code_is_missing() -> None:
    made = printed_unit("PAL")  # pallets; as a code it is pascals
    assert read(made).groups["items"][0]["unit"] == "C62"
    assert terms_of(made.missing) == "BT-130"


def test_a_unit_of_embedded_xml_is_a_code() -> None:
    made = cii_of(answer({**ITEMS[0], "unit": "STK"}, ITEMS[1], taxes=TAXES))
    assert read(made).groups["items"][0]["unit"] == "STK"


@pytest.mark.parametrize(
    "number",
    [
        pytest.param("RSSMRA85T10A562S", id="fiscal code of an Italian, not of Serbia"),
        pytest.param("ABC010101XYZ", id="RFC of Mexico, and AB is no country"),
        pytest.param("DE136695975", id="wrong check digit"),
    ],
)
def test_a_tax_number_that_is_no_vat_number_tells_no_country(
    number: str, schema: etree.XMLSchema
) -> None:
    made = cii_of(answer(*ITEMS, taxes=TAXES, vendor_tax_id=number, vendor_address=None))
    schema.assertValid(etree.fromstring(made.xml))
    assert f'<ram:ID schemeID="FC">{number}</ram:ID>'.encode() in made.xml
    assert terms_of(made.missing) == "BT-40"


@pytest.mark.parametrize(
    ("number", "country"),
    [
        ("DE136695976", "DE"),
        ("EL094259216", "GR"),
        ("XI980780684", "GB"),
        ("NL123456782B90", "NL"),
        ("CHE107787577MWST", "CH"),
    ],
)
def test_a_vat_number_tells_the_country(number: str, country: str) -> None:
    made = cii_of(answer(*ITEMS, taxes=TAXES, vendor_tax_id=number, vendor_address=None))
    assert f'<ram:ID schemeID="VA">{number}</ram:ID>'.encode() in made.xml
    assert f"<ram:CountryID>{country}</ram:CountryID>".encode() in made.xml
    assert made.missing == ()


def test_a_buyer_has_a_vat_number_or_none() -> None:
    fiscal_code = {"customer_tax_id": "RSSMRA85T10A562S", "customer_address": None}
    made = cii_of(answer(*ITEMS, taxes=TAXES, **fiscal_code))
    assert b"RSSMRA" not in made.xml
    assert terms_of(made.missing) == "BT-55"


def test_a_line_with_figures_too_large_is_left_out_and_told() -> None:
    huge = {"quantity": "99999999999999", "unit_price": "99999999999999"}
    many = {"quantity": "0.00000000000000000001", "amount": "99999999999999"}
    made = cii_of(answer(*ITEMS, huge, many, {"amount": "9" * 40}, taxes=TAXES))
    assert len(read(made).groups["items"]) == 2
    assert terms_of(made.missing) == "BT-131, BT-146"


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"subtotal": "0.000000000000000000001", "total_tax": "19650"}, id="tiny"),
        pytest.param({"subtotal": "1E-999999", "total_tax": "1E+999999"}, id="beyond reckoning"),
        pytest.param({"invoice_total": "9" * 40, "subtotal": None}, id="huge"),
    ],
)
@pytest.mark.parametrize("taxes", [(), TAXES, ({"rate": "1E-20", "amount": "99999999999999"},)])
def test_no_figure_of_an_invoice_is_a_fault_of_the_program(
    changed: dict[str, str | None], taxes: tuple[dict[str, str], ...]
) -> None:
    rows = [{key: text for key, text in row.items() if key != "tax_rate"} for row in ITEMS]
    try:
        made = cii_of(answer(*rows, taxes=taxes, **changed))
    except InvoiceIncomplete:
        return
    assert made.missing


def test_taxes_too_large_to_reckon_are_told() -> None:
    row = {"quantity": "1", "unit_price": "1", "amount": "99999999999999999999999"}
    rows = ({**row, "tax_rate": "9999999"}, {**row, "tax_rate": "7"})
    with pytest.raises(InvoiceIncomplete, match="BG-23 "):
        cii_of(answer(*rows))


@pytest.mark.parametrize("row", [{"quantity": "1", "unit_price": "0.125"}, {"amount": "0.125"}])
def test_halves_are_rounded_up(row: dict[str, str]) -> None:
    made = cii_of(answer({"description": "Screw", **row}, ITEMS[1]))
    assert read(made).groups["items"][0]["amount"] == "0.13"


def test_nothing_of_a_credit_note_is_minus_zero() -> None:
    rows = (
        {"description": "Screws", "quantity": "-2", "unit_price": "50.00", "amount": "-100.00"},
        {"description": "Advice", "quantity": "1", "unit_price": "0.00", "amount": "0.00"},
    )
    made = cii_of(
        answer(
            *rows,
            taxes=({"rate": "0", "base": "-100.00", "amount": "0.00"},),
            document_kind="credit note",
            subtotal="-100.00",
            total_tax="0.00",
            invoice_total="-100.00",
            amount_due="0.00",
        )
    )
    assert read(made).groups["items"][1]["amount"] == "0.00"
    assert b">-0" not in made.xml


@pytest.mark.parametrize(
    ("title", "code"),
    [("credit note", 381), ("avoir", 381), ("Gutschrift", 381), ("invoice", 380), (None, 380)],
)
def test_what_a_document_calls_itself_tells_its_type(title: str | None, code: int) -> None:
    given = answer(*ITEMS, document_kind=None).model_copy(update={"title": title})
    assert f"<ram:TypeCode>{code}</ram:TypeCode>".encode() in cii_of(given).xml
