"""Where e-invoices say what.

UN/CEFACT CII, ZUGFeRD 1, which came before it, and OASIS UBL 2.1, by the business terms of EN
16931-1; Italy's FatturaPA 1.2 and Poland's FA of the KSeF, whose elements are those of their
schemas. Paths have no namespaces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.document import Syntax

OR, AND = " or ", " and "
Places = Mapping[str, str]
"""By name, where a value stands: a path, ``/@name`` behind it for an attribute; several with `AND`
between them, whose texts are one value; with `OR` between such, the first that leads to one counts.
"""


@dataclass(frozen=True, slots=True)
class Paths:
    """Where one syntax keeps the values.

    Attributes:
        name: of the syntax.
        roots: names of the root element.
        kind: code of the document's type.
        credit_notes: the codes of credit notes.
        fields: places from the root, by the name of the field.
        addresses: path of each address.
        address_lines: parts of an address below its path, line by line.
        groups: for each group the path of a row, and the places of its cells from there.
        sums: paths of the amounts that make a field together, where the syntax has no path for it.
        invoice: path of an invoice, where a file may hold several.
        country: of the tax numbers and accounts that name none.
    """

    name: Syntax
    roots: tuple[str, ...]
    kind: str
    credit_notes: tuple[str, ...]
    fields: Places
    addresses: Mapping[str, str]
    address_lines: tuple[str, ...]
    groups: Mapping[str, tuple[str, Places]]
    sums: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    invoice: str = "."
    country: str = ""


_CREDIT_NOTES = ("381", "261", "262", "296", "308", "396", "420", "458", "532")  # UNTDID 1001


def _below(place: str, places: str) -> str:
    """Return places below a place, as from where that is seen."""
    several = (one.split(AND) for one in places.split(OR))
    return OR.join(AND.join(f"{place}/{path}" for path in paths) for paths in several)


def _cii(root: str, head: str, trade: str, part: str, line: str, sums: tuple[str, str]) -> Paths:
    """Return the paths of CII or of ZUGFeRD 1, which differ in the names of the larger parts."""
    agreement, delivery, settlement = (
        f"{trade}/{part}Trade{name}" for name in ("Agreement", "Delivery", "Settlement")
    )
    total = f"{settlement}/{sums[0]}"
    rate = "RateApplicablePercent or ApplicablePercent"
    tax_id = "SpecifiedTaxRegistration/ID[@schemeID='VA'] or SpecifiedTaxRegistration/ID"
    order = "IssuerAssignedID or ID"
    prices = "NetPriceProductTradePrice/ChargeAmount or GrossPriceProductTradePrice/ChargeAmount"
    seller, buyer = f"{agreement}/SellerTradeParty", f"{agreement}/BuyerTradeParty"
    account = "SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount"
    period = f"{settlement}/BillingSpecifiedPeriod"
    delivered = f"{delivery}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString"
    return Paths(
        "cii",
        (root,),
        f"{head}/TypeCode",
        _CREDIT_NOTES,
        {
            "invoice_number": f"{head}/ID",
            "invoice_date": f"{head}/IssueDateTime/DateTimeString",
            "due_date": f"{settlement}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
            "vendor_name": f"{seller}/Name",
            "vendor_tax_id": _below(seller, tax_id),
            "customer_name": f"{buyer}/Name",
            "customer_tax_id": _below(buyer, tax_id),
            "customer_id": f"{buyer}/ID",
            "purchase_order": _below(f"{agreement}/BuyerOrderReferencedDocument", order),
            "service_start": f"{period}/StartDateTime/DateTimeString{OR}{delivered}",
            "service_end": f"{period}/EndDateTime/DateTimeString",
            "currency": f"{settlement}/InvoiceCurrencyCode",
            "subtotal": f"{total}/TaxBasisTotalAmount",
            "total_discount": f"{total}/AllowanceTotalAmount",
            "total_tax": f"{total}/TaxTotalAmount",
            "invoice_total": f"{total}/GrandTotalAmount",
            "amount_due": f"{total}/DuePayableAmount",
            "iban": f"{settlement}/{account}/IBANID",
        },
        {
            "vendor_address": f"{seller}/PostalTradeAddress",
            "customer_address": f"{buyer}/PostalTradeAddress",
        },
        ("LineOne", "LineTwo", "LineThree", "PostcodeCode CityName", "CountryID"),
        {
            "items": (
                f"{trade}/IncludedSupplyChainTradeLineItem",
                {
                    "description": "SpecifiedTradeProduct/Name",
                    "product_code": "SpecifiedTradeProduct/SellerAssignedID",
                    "quantity": f"{line}TradeDelivery/BilledQuantity",
                    "unit": f"{line}TradeDelivery/BilledQuantity/@unitCode",
                    "unit_price": _below(f"{line}TradeAgreement", prices),
                    "tax_rate": _below(f"{line}TradeSettlement/ApplicableTradeTax", rate),
                    "amount": f"{line}TradeSettlement/{sums[1]}/LineTotalAmount",
                },
            ),
            "taxes": (
                f"{settlement}/ApplicableTradeTax",
                {"rate": rate, "base": "BasisAmount", "amount": "CalculatedAmount"},
            ),
        },
    )


def _ubl(root: str, line: str, quantity: str) -> Paths:
    """Return the paths of a UBL invoice or credit note, which differ in the names of the lines."""
    seller, buyer = "AccountingSupplierParty/Party", "AccountingCustomerParty/Party"
    name = "PartyLegalEntity/RegistrationName or PartyName/Name"
    # A seller may say its number for local taxes too, before the one for VAT.
    tax_id = "PartyTaxScheme/TaxScheme[ID='VAT']/../CompanyID or PartyTaxScheme/CompanyID"
    return Paths(
        "ubl",
        (root,),
        f"{root}TypeCode",
        _CREDIT_NOTES,
        {
            "invoice_number": "ID",
            "invoice_date": "IssueDate",
            "due_date": "DueDate or PaymentMeans/PaymentDueDate",
            "vendor_name": _below(seller, name),
            "vendor_tax_id": _below(seller, tax_id),
            "customer_name": _below(buyer, name),
            "customer_tax_id": _below(buyer, tax_id),
            "customer_id": f"{buyer}/PartyIdentification/ID",
            "purchase_order": "OrderReference/ID",
            "service_start": "InvoicePeriod/StartDate or Delivery/ActualDeliveryDate",
            "service_end": "InvoicePeriod/EndDate",
            "currency": "DocumentCurrencyCode",
            "subtotal": "LegalMonetaryTotal/TaxExclusiveAmount",
            "total_discount": "LegalMonetaryTotal/AllowanceTotalAmount",
            "total_tax": "TaxTotal/TaxAmount",
            "invoice_total": "LegalMonetaryTotal/TaxInclusiveAmount",
            "amount_due": "LegalMonetaryTotal/PayableAmount",
            "iban": "PaymentMeans/PayeeFinancialAccount/ID",
        },
        {
            "vendor_address": f"{seller}/PostalAddress",
            "customer_address": f"{buyer}/PostalAddress",
        },
        ("StreetName", "AdditionalStreetName", "PostalZone CityName", "Country/IdentificationCode"),
        {
            "items": (
                line,
                {
                    "description": "Item/Name",
                    "product_code": "Item/SellersItemIdentification/ID",
                    "quantity": quantity,
                    "unit": f"{quantity}/@unitCode",
                    "unit_price": "Price/PriceAmount",
                    "tax_rate": "Item/ClassifiedTaxCategory/Percent",
                    "amount": "LineExtensionAmount",
                },
            ),
            "taxes": (
                "TaxTotal/TaxSubtotal",
                {"rate": "TaxCategory/Percent", "base": "TaxableAmount", "amount": "TaxAmount"},
            ),
        },
    )


def _fatturapa() -> Paths:
    """Return the paths of FatturaPA 1.2 (Agenzia delle Entrate), Italy's invoices."""
    head, body = "FatturaElettronicaHeader", "FatturaElettronicaBody"
    general, payment = f"{body}/DatiGenerali", f"{body}/DatiPagamento/DettaglioPagamento"
    document, summary = f"{general}/DatiGeneraliDocumento", f"{body}/DatiBeniServizi/DatiRiepilogo"
    seller, buyer = f"{head}/CedentePrestatore", f"{head}/CessionarioCommittente"
    name = _below("DatiAnagrafici/Anagrafica", "Denominazione or Nome and Cognome")
    number = "IdFiscaleIVA/IdPaese and IdFiscaleIVA/IdCodice or CodiceFiscale"
    tax_id = _below("DatiAnagrafici", number)
    return Paths(
        "fatturapa",
        ("FatturaElettronica",),
        f"{document}/TipoDocumento",
        ("TD04", "TD08"),
        {
            "invoice_number": f"{document}/Numero",
            "invoice_date": f"{document}/Data",
            "due_date": f"{payment}/DataScadenzaPagamento",
            "vendor_name": _below(seller, name),
            "vendor_tax_id": _below(seller, tax_id),
            "customer_name": _below(buyer, name),
            "customer_tax_id": _below(buyer, tax_id),
            "purchase_order": f"{general}/DatiOrdineAcquisto/IdDocumento",
            "currency": f"{document}/Divisa",
            "invoice_total": f"{document}/ImportoTotaleDocumento",
            "iban": f"{payment}/IBAN",
        },
        {"vendor_address": f"{seller}/Sede", "customer_address": f"{buyer}/Sede"},
        ("Indirizzo NumeroCivico", "CAP Comune Provincia", "Nazione"),
        {
            "items": (
                f"{body}/DatiBeniServizi/DettaglioLinee",
                {
                    "description": "Descrizione",
                    "product_code": "CodiceArticolo/CodiceValore",
                    "quantity": "Quantita",
                    "unit": "UnitaMisura",
                    "unit_price": "PrezzoUnitario",
                    "tax_rate": "AliquotaIVA",
                    "amount": "PrezzoTotale",
                },
            ),
            "taxes": (
                summary,
                {"rate": "AliquotaIVA", "base": "ImponibileImporto", "amount": "Imposta"},
            ),
        },
        {
            "subtotal": (f"{summary}/ImponibileImporto",),
            "total_tax": (f"{summary}/Imposta",),
            "amount_due": (f"{payment}/ImportoPagamento",),
        },
        body,
    )


def _ksef() -> Paths:
    """Return the paths of FA (2) and FA (3) of the KSeF (Ministerstwo Finansów), Poland's."""
    seller, buyer = "Podmiot1/DaneIdentyfikacyjne", "Podmiot2/DaneIdentyfikacyjne"
    nets = ("1", "2", "3", "4", "5", "6_1", "6_2", "6_3", "7", "8", "9", "10", "11")  # by rate
    return Paths(
        "ksef",
        ("Faktura",),
        "Fa/RodzajFaktury",
        ("KOR", "KOR_ZAL", "KOR_ROZ"),
        {
            "invoice_number": "Fa/P_2",
            "invoice_date": "Fa/P_1",
            "due_date": "Fa/Platnosc/TerminPlatnosci/Termin",
            "vendor_name": f"{seller}/Nazwa",
            "vendor_tax_id": f"{seller}/NIP",
            "customer_name": f"{buyer}/Nazwa",
            "customer_tax_id": _below(buyer, "NIP or KodUE and NrVatUE or NrID"),
            "customer_id": "Podmiot2/NrKlienta",
            "purchase_order": "Fa/WarunkiTransakcji/Zamowienia/NrZamowienia",
            "service_start": "Fa/P_6 or Fa/OkresFa/P_6_Od",
            "service_end": "Fa/OkresFa/P_6_Do",
            "currency": "Fa/KodWaluty",
            "invoice_total": "Fa/P_15",
            "amount_due": "Fa/Rozliczenie/DoZaplaty",
            "iban": "Fa/Platnosc/RachunekBankowy/NrRB",
        },
        {"vendor_address": "Podmiot1/Adres", "customer_address": "Podmiot2/Adres"},
        ("AdresL1", "AdresL2", "KodKraju"),
        {
            "items": (
                "Fa/FaWiersz",
                {
                    "description": "P_7",
                    "product_code": "Indeks",
                    "quantity": "P_8B",
                    "unit": "P_8A",
                    "unit_price": "P_9A or P_9B",
                    "tax_rate": "P_12",
                    "amount": "P_11 or P_11A",
                },
            ),
        },
        {
            "subtotal": tuple(f"Fa/P_13_{rate}" for rate in nets),
            "total_tax": tuple(f"Fa/P_14_{rate}" for rate in nets[:5]),
        },
        country="PL",
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
    _fatturapa(),
    _ksef(),
)
