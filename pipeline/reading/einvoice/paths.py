"""Where e-invoices say what: UN/CEFACT CII, ZUGFeRD 1, which came before it, and OASIS UBL 2.1.

The business terms are those of EN 16931-1; paths have no namespaces. Where a value has several
paths, the first that leads to one counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Places = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Paths:
    """Where one syntax keeps the values.

    Attributes:
        name: of the syntax.
        roots: names of the root element.
        kind: code of the document's type, UNTDID 1001.
        fields: paths from the root, by the name of the field; ``/@name`` for an attribute.
        addresses: path of each address.
        address_lines: parts of an address below its path, line by line.
        groups: for each group the path of a row, and the paths of its cells from there.
    """

    name: Literal["cii", "ubl"]
    roots: tuple[str, ...]
    kind: str
    fields: Places
    addresses: Mapping[str, str]
    address_lines: tuple[tuple[str, ...], ...]
    groups: Mapping[str, tuple[str, Places]]


def _cii(root: str, head: str, trade: str, part: str, line: str, sums: tuple[str, str]) -> Paths:
    """Return the paths of CII or of ZUGFeRD 1, which differ in the names of the larger parts."""
    agreement, delivery, settlement = (
        f"{trade}/{part}Trade{name}" for name in ("Agreement", "Delivery", "Settlement")
    )
    of_line = {name: f"{line}Trade{name}" for name in ("Agreement", "Delivery", "Settlement")}
    total, line_total = f"{settlement}/{sums[0]}", f"{of_line['Settlement']}/{sums[1]}"
    rate = ("RateApplicablePercent", "ApplicablePercent")
    seller, buyer = f"{agreement}/SellerTradeParty", f"{agreement}/BuyerTradeParty"
    period = f"{settlement}/BillingSpecifiedPeriod"
    delivered = f"{delivery}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString"
    return Paths(
        "cii",
        (root,),
        f"{head}/TypeCode",
        {
            "invoice_number": (f"{head}/ID",),
            "invoice_date": (f"{head}/IssueDateTime/DateTimeString",),
            "due_date": (
                f"{settlement}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
            ),
            "vendor_name": (f"{seller}/Name",),
            "vendor_tax_id": (
                f"{seller}/SpecifiedTaxRegistration/ID[@schemeID='VA']",
                f"{seller}/SpecifiedTaxRegistration/ID",
            ),
            "customer_name": (f"{buyer}/Name",),
            "customer_tax_id": (
                f"{buyer}/SpecifiedTaxRegistration/ID[@schemeID='VA']",
                f"{buyer}/SpecifiedTaxRegistration/ID",
            ),
            "customer_id": (f"{buyer}/ID",),
            "purchase_order": (
                f"{agreement}/BuyerOrderReferencedDocument/IssuerAssignedID",
                f"{agreement}/BuyerOrderReferencedDocument/ID",
            ),
            "service_start": (f"{period}/StartDateTime/DateTimeString", delivered),
            "service_end": (f"{period}/EndDateTime/DateTimeString",),
            "currency": (f"{settlement}/InvoiceCurrencyCode",),
            "subtotal": (f"{total}/TaxBasisTotalAmount",),
            "total_discount": (f"{total}/AllowanceTotalAmount",),
            "total_tax": (f"{total}/TaxTotalAmount",),
            "invoice_total": (f"{total}/GrandTotalAmount",),
            "amount_due": (f"{total}/DuePayableAmount",),
            "iban": (
                f"{settlement}/SpecifiedTradeSettlementPaymentMeans"
                "/PayeePartyCreditorFinancialAccount/IBANID",
            ),
        },
        {
            "vendor_address": f"{seller}/PostalTradeAddress",
            "customer_address": f"{buyer}/PostalTradeAddress",
        },
        (("LineOne",), ("LineTwo",), ("LineThree",), ("PostcodeCode", "CityName"), ("CountryID",)),
        {
            "items": (
                f"{trade}/IncludedSupplyChainTradeLineItem",
                {
                    "description": ("SpecifiedTradeProduct/Name",),
                    "product_code": ("SpecifiedTradeProduct/SellerAssignedID",),
                    "quantity": (f"{of_line['Delivery']}/BilledQuantity",),
                    "unit": (f"{of_line['Delivery']}/BilledQuantity/@unitCode",),
                    "unit_price": (
                        f"{of_line['Agreement']}/NetPriceProductTradePrice/ChargeAmount",
                        f"{of_line['Agreement']}/GrossPriceProductTradePrice/ChargeAmount",
                    ),
                    "tax_rate": tuple(
                        f"{of_line['Settlement']}/ApplicableTradeTax/{name}" for name in rate
                    ),
                    "amount": (f"{line_total}/LineTotalAmount",),
                },
            ),
            "taxes": (
                f"{settlement}/ApplicableTradeTax",
                {"rate": rate, "base": ("BasisAmount",), "amount": ("CalculatedAmount",)},
            ),
        },
    )


def _ubl(root: str, line: str, quantity: str) -> Paths:
    """Return the paths of a UBL invoice or credit note, which differ in the names of the lines."""
    seller, buyer = "AccountingSupplierParty/Party", "AccountingCustomerParty/Party"
    names = ("PartyLegalEntity/RegistrationName", "PartyName/Name")
    # A seller may say its number for local taxes too, before the one for VAT.
    tax_ids = (
        "PartyTaxScheme/TaxScheme[ID='VAT']/../CompanyID",
        "PartyTaxScheme/CompanyID",
    )
    return Paths(
        "ubl",
        (root,),
        f"{root}TypeCode",
        {
            "invoice_number": ("ID",),
            "invoice_date": ("IssueDate",),
            "due_date": ("DueDate", "PaymentMeans/PaymentDueDate"),
            "vendor_name": tuple(f"{seller}/{name}" for name in names),
            "vendor_tax_id": tuple(f"{seller}/{place}" for place in tax_ids),
            "customer_name": tuple(f"{buyer}/{name}" for name in names),
            "customer_tax_id": tuple(f"{buyer}/{place}" for place in tax_ids),
            "customer_id": (f"{buyer}/PartyIdentification/ID",),
            "purchase_order": ("OrderReference/ID",),
            "service_start": ("InvoicePeriod/StartDate", "Delivery/ActualDeliveryDate"),
            "service_end": ("InvoicePeriod/EndDate",),
            "currency": ("DocumentCurrencyCode",),
            "subtotal": ("LegalMonetaryTotal/TaxExclusiveAmount",),
            "total_discount": ("LegalMonetaryTotal/AllowanceTotalAmount",),
            "total_tax": ("TaxTotal/TaxAmount",),
            "invoice_total": ("LegalMonetaryTotal/TaxInclusiveAmount",),
            "amount_due": ("LegalMonetaryTotal/PayableAmount",),
            "iban": ("PaymentMeans/PayeeFinancialAccount/ID",),
        },
        {
            "vendor_address": f"{seller}/PostalAddress",
            "customer_address": f"{buyer}/PostalAddress",
        },
        (
            ("StreetName",),
            ("AdditionalStreetName",),
            ("PostalZone", "CityName"),
            ("Country/IdentificationCode",),
        ),
        {
            "items": (
                line,
                {
                    "description": ("Item/Name",),
                    "product_code": ("Item/SellersItemIdentification/ID",),
                    "quantity": (quantity,),
                    "unit": (f"{quantity}/@unitCode",),
                    "unit_price": ("Price/PriceAmount",),
                    "tax_rate": ("Item/ClassifiedTaxCategory/Percent",),
                    "amount": ("LineExtensionAmount",),
                },
            ),
            "taxes": (
                "TaxTotal/TaxSubtotal",
                {
                    "rate": ("TaxCategory/Percent",),
                    "base": ("TaxableAmount",),
                    "amount": ("TaxAmount",),
                },
            ),
        },
    )


SYNTAXES = (
    _cii(
        "CrossIndustryInvoice",
        "ExchangedDocument",
        "SupplyChainTradeTransaction",
        "ApplicableHeader",
        "SpecifiedLine",
        (
            "SpecifiedTradeSettlementHeaderMonetarySummation",
            "SpecifiedTradeSettlementLineMonetarySummation",
        ),
    ),
    _cii(
        "CrossIndustryDocument",
        "HeaderExchangedDocument",
        "SpecifiedSupplyChainTradeTransaction",
        "ApplicableSupplyChain",
        "SpecifiedSupplyChain",
        ("SpecifiedTradeSettlementMonetarySummation",) * 2,
    ),
    _ubl("Invoice", "InvoiceLine", "InvoicedQuantity"),
    _ubl("CreditNote", "CreditNoteLine", "CreditedQuantity"),
)
