"""E-invoices in PDFs: both syntaxes say the same, and what attacks a parser is refused."""

from __future__ import annotations

import json

import pikepdf
import pytest

from pipeline.document import Document
from pipeline.errors import CorruptDocument, UnsupportedMedia
from pipeline.reading.einvoice import MAX_BYTES, MAX_ROWS, embedded_in, read_xml
from pipeline.reading.reader import read_document
from tests.builders import change_pdf, receipt_pdf

CII = b"""<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
 xmlns:ram="urn:ram:100" xmlns:udt="urn:udt:100">
 <rsm:ExchangedDocument><ram:ID>R-17</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>
  <udt:DateTimeString format="102">20260309</udt:DateTimeString></ram:IssueDateTime>
 </rsm:ExchangedDocument>
 <rsm:SupplyChainTradeTransaction>
  <ram:IncludedSupplyChainTradeLineItem>
   <ram:SpecifiedTradeProduct><ram:SellerAssignedID>S-4</ram:SellerAssignedID>
    <ram:Name>Screws,
     stainless</ram:Name></ram:SpecifiedTradeProduct>
   <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice>
    <ram:ChargeAmount>0.0525</ram:ChargeAmount></ram:NetPriceProductTradePrice>
   </ram:SpecifiedLineTradeAgreement>
   <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="H87">2000.0000</ram:BilledQuantity>
   </ram:SpecifiedLineTradeDelivery>
   <ram:SpecifiedLineTradeSettlement>
    <ram:ApplicableTradeTax><ram:RateApplicablePercent>19.00</ram:RateApplicablePercent>
    </ram:ApplicableTradeTax>
    <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>105</ram:LineTotalAmount>
    </ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
  </ram:IncludedSupplyChainTradeLineItem>
  <ram:ApplicableHeaderTradeAgreement>
   <ram:SellerTradeParty><ram:Name>Schrauben GmbH</ram:Name><ram:PostalTradeAddress>
     <ram:PostcodeCode>10115</ram:PostcodeCode><ram:LineOne>Am Tor 1</ram:LineOne>
     <ram:CityName>Berlin</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress>
    <ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">21/815</ram:ID>
    </ram:SpecifiedTaxRegistration><ram:SpecifiedTaxRegistration>
     <ram:ID schemeID="VA">DE 136 695 976</ram:ID></ram:SpecifiedTaxRegistration>
   </ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Bau KG</ram:Name></ram:BuyerTradeParty>
  </ram:ApplicableHeaderTradeAgreement>
  <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
   <ram:ApplicableTradeTax><ram:CalculatedAmount>19.95</ram:CalculatedAmount>
    <ram:BasisAmount>105.00</ram:BasisAmount>
    <ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax>
   <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    <ram:TaxBasisTotalAmount>105.00</ram:TaxBasisTotalAmount>
    <ram:TaxTotalAmount currencyID="EUR">19.95</ram:TaxTotalAmount>
    <ram:GrandTotalAmount>124.95</ram:GrandTotalAmount>
    <ram:DuePayableAmount>124.95</ram:DuePayableAmount>
   </ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
 </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>"""

UBL = b"""<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:b="urn:oasis:ubl:basic" xmlns:a="urn:agg">
 <b:ID>R-17</b:ID><b:IssueDate>2026-03-09</b:IssueDate><b:InvoiceTypeCode>380</b:InvoiceTypeCode>
 <b:DocumentCurrencyCode>EUR</b:DocumentCurrencyCode>
 <a:AccountingSupplierParty><a:Party><a:PostalAddress><b:StreetName>Am Tor 1</b:StreetName>
   <b:CityName>Berlin</b:CityName><b:PostalZone>10115</b:PostalZone>
   <a:Country><b:IdentificationCode>DE</b:IdentificationCode></a:Country></a:PostalAddress>
  <a:PartyTaxScheme><b:CompanyID>DE136695976</b:CompanyID></a:PartyTaxScheme>
  <a:PartyLegalEntity><b:RegistrationName>Schrauben GmbH</b:RegistrationName></a:PartyLegalEntity>
 </a:Party></a:AccountingSupplierParty>
 <a:AccountingCustomerParty><a:Party><a:PartyName><b:Name>Bau KG</b:Name></a:PartyName></a:Party>
 </a:AccountingCustomerParty>
 <a:TaxTotal><b:TaxAmount currencyID="EUR">19.95</b:TaxAmount><a:TaxSubtotal>
  <b:TaxableAmount>105.00</b:TaxableAmount><b:TaxAmount>19.95</b:TaxAmount>
  <a:TaxCategory><b:Percent>19</b:Percent></a:TaxCategory></a:TaxSubtotal></a:TaxTotal>
 <a:LegalMonetaryTotal><b:TaxExclusiveAmount>105</b:TaxExclusiveAmount>
  <b:TaxInclusiveAmount>124.95</b:TaxInclusiveAmount><b:PayableAmount>124.95</b:PayableAmount>
 </a:LegalMonetaryTotal>
 <a:InvoiceLine><b:InvoicedQuantity unitCode="H87">2000</b:InvoicedQuantity>
  <b:LineExtensionAmount>105.00</b:LineExtensionAmount><a:Item><b:Name>Screws, stainless</b:Name>
   <a:SellersItemIdentification><b:ID>S-4</b:ID></a:SellersItemIdentification>
   <a:ClassifiedTaxCategory><b:Percent>19</b:Percent></a:ClassifiedTaxCategory></a:Item>
  <a:Price><b:PriceAmount>0.0525</b:PriceAmount></a:Price></a:InvoiceLine>
</Invoice>"""

FIELDS = {
    "invoice_number": "R-17",
    "invoice_date": "2026-03-09",
    "vendor_name": "Schrauben GmbH",
    "vendor_tax_id": "DE136695976",
    "vendor_address": "Am Tor 1, 10115 Berlin, DE",
    "customer_name": "Bau KG",
    "currency": "EUR",
    "subtotal": "105.00",
    "total_tax": "19.95",
    "invoice_total": "124.95",
    "amount_due": "124.95",
    "document_kind": "invoice",
}
ITEM = {
    "description": "Screws, stainless",
    "product_code": "S-4",
    "quantity": "2000",
    "unit": "H87",
    "unit_price": "0.0525",
    "tax_rate": "19",
    "amount": "105.00",
}


@pytest.mark.parametrize(("data", "syntax"), [(CII, "cii"), (UBL, "ubl")])
def test_both_syntaxes_are_read_into_the_same_values(data: bytes, syntax: str) -> None:
    invoice = read_xml(data, "a.xml")
    assert invoice is not None
    assert invoice.syntax == syntax
    assert invoice.fields == FIELDS
    assert invoice.groups["items"] == (ITEM,)
    assert invoice.groups["taxes"] == ({"rate": "19", "base": "105.00", "amount": "19.95"},)


def test_what_zugferd_1_calls_otherwise_is_read_alike() -> None:
    older = CII
    for now, then in (
        (b"CrossIndustryInvoice", b"CrossIndustryDocument"),
        (b"rsm:ExchangedDocument", b"rsm:HeaderExchangedDocument"),
        (b"rsm:SupplyChainTrade", b"rsm:SpecifiedSupplyChainTrade"),
        (b"ApplicableHeaderTrade", b"ApplicableSupplyChainTrade"),
        (b"SpecifiedLineTrade", b"SpecifiedSupplyChainTrade"),
        (b"SettlementHeaderMonetary", b"SettlementMonetary"),
        (b"SettlementLineMonetary", b"SettlementMonetary"),
        (b"RateApplicablePercent", b"ApplicablePercent"),
    ):
        assert now in older
        older = older.replace(now, then)
    invoice = read_xml(older, "ZUGFeRD-invoice.xml")
    assert invoice is not None
    assert (invoice.fields, invoice.groups["items"]) == (FIELDS, (ITEM,))


@pytest.mark.parametrize("day", [b"2026-13-45", b"2026-02-30", b"0000-01-01"])
def test_a_day_that_is_none_is_left_out(day: bytes) -> None:
    for data, written in ((UBL, b"2026-03-09"), (CII, b"20260309")):
        changed = data.replace(written, day if b"-" in written else day.replace(b"-", b""))
        assert changed != data
        found = read_xml(changed, "x.xml")
        assert found is not None
        assert "invoice_date" not in found.fields


def test_the_number_for_vat_comes_before_other_tax_numbers() -> None:
    local = b"<PartyTaxScheme><CompanyID>21/815</CompanyID><TaxScheme><ID>FC</ID></TaxScheme>"
    vat = b"<PartyTaxScheme><CompanyID>DE1</CompanyID><TaxScheme><ID>VAT</ID></TaxScheme>"
    end = b"</PartyTaxScheme>"
    for schemes, number in ((local + end + vat + end, "DE1"), (local + end, "21/815")):
        data = b"<Invoice><ID>1</ID>" + b"".join(
            b"<Accounting%bParty><Party>%b</Party></Accounting%bParty>" % (party, schemes, party)
            for party in (b"Supplier", b"Customer")
        )
        found = read_xml(data + b"</Invoice>", "x.xml")
        assert found is not None
        assert found.fields["vendor_tax_id"] == found.fields["customer_tax_id"] == number


def test_an_amount_in_another_currency_is_not_the_invoices() -> None:
    cii, ubl = b"<ram:TaxTotalAmount", b" <a:TaxTotal>"
    other = b'<a:TaxTotal><b:TaxAmount currencyID="GBP">16.80</b:TaxAmount></a:TaxTotal>'
    for data in (
        CII.replace(cii, cii + b' currencyID="GBP">16.80</ram:TaxTotalAmount>' + cii),
        UBL.replace(ubl, other + ubl),
    ):
        assert b"GBP" in data
        found = read_xml(data, "x.xml")
        assert found is not None
        assert found.fields["total_tax"] == "19.95"


def test_credit_notes_and_other_xml_are_told_apart() -> None:
    note = UBL.replace(b"Invoice ", b"CreditNote ").replace(b"</Invoice>", b"</CreditNote>")
    note = note.replace(b"<b:InvoiceTypeCode>380</b:InvoiceTypeCode>", b"")
    read = read_xml(note, "a.xml")
    assert read is not None
    assert read.fields["document_kind"] == "credit note"
    corrected = read_xml(CII.replace(b">380<", b">381<"), "a.xml")
    assert corrected is not None
    assert corrected.fields["document_kind"] == "credit note"
    assert read_xml(b"<metadata><ID>4</ID></metadata>", "a.xml") is None


@pytest.mark.parametrize("amount", ["NaN", "Infinity", "1e999999", "-", "12 apples"])
def test_an_amount_that_is_none_is_left_out(amount: str) -> None:
    data = CII.replace(b"<ram:GrandTotalAmount>124.95", b"<ram:GrandTotalAmount>" + amount.encode())
    invoice = read_xml(data, "a.xml")
    assert invoice is not None
    assert "invoice_total" not in invoice.fields


BOMB = b"""<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>"""
OUTSIDE = b"""<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>"""
REMOTE = b"""<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">"""


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(BOMB + b"<Invoice><ID>&b;</ID></Invoice>", id="entities in entities"),
        pytest.param(OUTSIDE + b"<Invoice><ID>&e;</ID></Invoice>", id="a file of the machine"),
        pytest.param(REMOTE + b"<Invoice><ID>1</ID></Invoice>", id="a document type elsewhere"),
        pytest.param(b"<Invoice>" * 5000 + b"</Invoice>" * 5000, id="deep nesting"),
        pytest.param(b"<Invoice>" + b"<a/>" * 500_001 + b"</Invoice>", id="too many elements"),
        pytest.param(b"<Invoice><ID>1</Invoice>", id="not well formed"),
        pytest.param(b'<?xml version="1.0" encoding="klingon"?><Invoice/>', id="unknown encoding"),
        pytest.param(b"<Invoice>" + b" " * MAX_BYTES + b"</Invoice>", id="too large"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_what_attacks_or_is_no_xml_is_refused(data: bytes) -> None:
    with pytest.raises(CorruptDocument, match=r"evil\.xml"):
        read_xml(data, "evil.xml")


def test_an_invoice_has_so_many_lines_and_no_more() -> None:
    line = b"<a:InvoiceLine><b:LineExtensionAmount>1</b:LineExtensionAmount></a:InvoiceLine>"
    head, end = UBL.removesuffix(b"</Invoice>"), b"</Invoice>"
    whole = read_xml(head + line * (MAX_ROWS - 2) + end, "long.xml")  # two are there
    assert whole is not None
    assert sum(map(len, whole.groups.values())) == MAX_ROWS
    with pytest.raises(CorruptDocument, match=rf"long\.xml has {MAX_ROWS + 1} lines"):
        read_xml(head + line * (MAX_ROWS - 1) + end, "long.xml")


def with_files(**files: bytes) -> bytes:
    def attach(pdf: pikepdf.Pdf) -> None:
        for name, content in files.items():
            pdf.attachments[f"{name}.xml"] = content

    return change_pdf(receipt_pdf(), attach)


def test_a_pdf_is_read_with_what_it_carries_and_stays_whole_in_the_store() -> None:
    document = read_document(with_files(evil=OUTSIDE + b"<Invoice>&e;</Invoice>", invoice=CII))
    assert document.embedded is not None
    assert document.embedded.fields == FIELDS
    assert any("evil.xml declares a document type" in warning for warning in document.warnings)
    assert document.pages[0].tokens
    assert Document.from_json(json.loads(json.dumps(document.to_json()))) == document
    assert read_document(receipt_pdf()).embedded is None


def test_the_first_e_invoice_counts() -> None:
    other = CII.replace(b"R-17", b"R-18")
    found, warnings = embedded_in([("x.xml", b"<x/>"), ("a.xml", CII), ("b.xml", other)])
    assert found is not None
    assert (found.file, found.fields["invoice_number"], warnings) == ("a.xml", "R-17", ())


@pytest.mark.parametrize("data", [CII, UBL, b"\xef\xbb\xbf" + UBL, b"<!-- a --> <!-- b -->" + UBL])
def test_an_e_invoice_by_itself_is_a_document_of_one_page_without_words(data: bytes) -> None:
    document = read_document(data)
    assert (document.media_type, document.page_count) == ("application/xml", 1)
    assert document.is_e_invoice
    assert document.embedded is not None
    assert document.embedded.fields == FIELDS
    assert document.warnings == ()
    assert Document.from_json(json.loads(json.dumps(document.to_json()))) == document
    assert not read_document(with_files(invoice=CII)).is_e_invoice


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(BOMB + UBL, id="entities in entities"),
        pytest.param(OUTSIDE + UBL, id="a file of the machine"),
        pytest.param(b'<?xml version="1.0"?><feed xmlns="urn:a"/>', id="other XML"),
        pytest.param(UBL.replace(b":xsd:Invoice-2", b":xsd:Order-2"), id="another namespace"),
        pytest.param(b"<!--" + b"-->  <!--" * 5000 + b"--><a/>", id="comments without end"),
    ],
)
def test_other_xml_and_what_attacks_is_no_document(data: bytes) -> None:
    with pytest.raises(UnsupportedMedia):
        read_document(data)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(UBL[:-40], id="cut"),
        pytest.param(UBL.replace(b"</Invoice>", b"<a>" * 90), id="deep nesting"),
        pytest.param(
            CII.replace(b"<rsm:ExchangedDocument>", b"<!DOCTYPE a><rsm:ExchangedDocument>"),
            id="a document type further down",
        ),
    ],
)
def test_a_damaged_e_invoice_is_refused_by_its_content(data: bytes) -> None:
    with pytest.raises(CorruptDocument, match="The XML file"):
        read_document(data)
