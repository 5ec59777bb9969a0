"""E-invoices in the syntaxes of single countries: FatturaPA of Italy, FA of Poland's KSeF."""

from __future__ import annotations

import json

import pytest

from pipeline.answers.e_invoices.xml_files import answer_e_invoice
from pipeline.document import Document
from pipeline.errors import CorruptDocument, UnsupportedMedia
from pipeline.reading.reader import read_document
from pipeline.result import FieldValue

FATTURA = b"""<?xml version="1.0" encoding="UTF-8"?>
<p:FatturaElettronica versione="FPR12"
 xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2">
 <FatturaElettronicaHeader>
  <CedentePrestatore>
   <DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>00743110157</IdCodice></IdFiscaleIVA>
    <CodiceFiscale>RSSMRA70A01F205X</CodiceFiscale>
    <Anagrafica><Nome>Mario</Nome><Cognome>Rossi</Cognome></Anagrafica></DatiAnagrafici>
   <Sede><Indirizzo>Via Roma</Indirizzo><NumeroCivico>12</NumeroCivico><CAP>20121</CAP>
    <Comune>Milano</Comune><Provincia>MI</Provincia><Nazione>IT</Nazione></Sede>
  </CedentePrestatore>
  <CessionarioCommittente>
   <DatiAnagrafici><CodiceFiscale>VRDLGU80A01H501W</CodiceFiscale>
    <Anagrafica><Denominazione>Verdi &amp; Figli S.r.l.</Denominazione></Anagrafica>
   </DatiAnagrafici>
   <Sede><Indirizzo>Corso Italia 3</Indirizzo><CAP>00198</CAP><Comune>Roma</Comune>
    <Provincia>RM</Provincia><Nazione>IT</Nazione></Sede>
  </CessionarioCommittente>
 </FatturaElettronicaHeader>
 <FatturaElettronicaBody>
  <DatiGenerali><DatiGeneraliDocumento><TipoDocumento>TD01</TipoDocumento><Divisa>EUR</Divisa>
    <Data>2026-04-02</Data><Numero>17/FE</Numero>
    <ImportoTotaleDocumento>171.00</ImportoTotaleDocumento></DatiGeneraliDocumento>
   <DatiOrdineAcquisto><IdDocumento>OA-9</IdDocumento></DatiOrdineAcquisto></DatiGenerali>
  <DatiBeniServizi>
   <DettaglioLinee><NumeroLinea>1</NumeroLinea>
    <CodiceArticolo><CodiceTipo>INT</CodiceTipo><CodiceValore>B-1</CodiceValore></CodiceArticolo>
    <Descrizione>Bicchieri</Descrizione><Quantita>50.00</Quantita><UnitaMisura>PZ</UnitaMisura>
    <PrezzoUnitario>2.00</PrezzoUnitario><PrezzoTotale>100.00</PrezzoTotale>
    <AliquotaIVA>22.00</AliquotaIVA></DettaglioLinee>
   <DettaglioLinee><NumeroLinea>2</NumeroLinea><Descrizione>Libri</Descrizione>
    <PrezzoUnitario>47.12</PrezzoUnitario><PrezzoTotale>47.12</PrezzoTotale>
    <AliquotaIVA>4.00</AliquotaIVA></DettaglioLinee>
   <DatiRiepilogo><AliquotaIVA>22.00</AliquotaIVA><ImponibileImporto>100.00</ImponibileImporto>
    <Imposta>22.00</Imposta></DatiRiepilogo>
   <DatiRiepilogo><AliquotaIVA>4.00</AliquotaIVA><ImponibileImporto>47.12</ImponibileImporto>
    <Imposta>1.88</Imposta></DatiRiepilogo>
  </DatiBeniServizi>
  <DatiPagamento><CondizioniPagamento>TP01</CondizioniPagamento>
   <DettaglioPagamento><DataScadenzaPagamento>2026-05-02</DataScadenzaPagamento>
    <ImportoPagamento>100.00</ImportoPagamento><IBAN>IT60X0542811101000000123456</IBAN>
   </DettaglioPagamento>
   <DettaglioPagamento><DataScadenzaPagamento>2026-06-02</DataScadenzaPagamento>
    <ImportoPagamento>71.00</ImportoPagamento></DettaglioPagamento></DatiPagamento>
 </FatturaElettronicaBody>
</p:FatturaElettronica>"""

FAKTURA = """<Faktura xmlns="http://crd.gov.pl/wzor/2025/06/25/13775/">
 <Naglowek><KodFormularza kodSystemowy="FA (3)" wersjaSchemy="1-0E">FA</KodFormularza></Naglowek>
 <Podmiot1><DaneIdentyfikacyjne><NIP>5260250274</NIP><Nazwa>Młyn Żółw sp. z o.o.</Nazwa>
  </DaneIdentyfikacyjne><Adres><KodKraju>PL</KodKraju><AdresL1>ul. Młyńska 4</AdresL1>
  <AdresL2>61-730 Poznań</AdresL2></Adres></Podmiot1>
 <Podmiot2><DaneIdentyfikacyjne><KodUE>DE</KodUE><NrVatUE>136695976</NrVatUE><Nazwa>Bau KG</Nazwa>
  </DaneIdentyfikacyjne><Adres><KodKraju>DE</KodKraju><AdresL1>Am Tor 1, 10115 Berlin</AdresL1>
  </Adres><NrKlienta>K-77</NrKlienta></Podmiot2>
 <Fa><KodWaluty>PLN</KodWaluty><P_1>2026-02-08</P_1><P_2>FV/2026/02/8</P_2><P_6>2026-02-05</P_6>
  <P_13_1>200.00</P_13_1><P_14_1>46.00</P_14_1><P_14_1W>46.00</P_14_1W>
  <P_13_2>50.00</P_13_2><P_14_2>4.00</P_14_2><P_13_7>10.00</P_13_7><P_15>310.00</P_15>
  <RodzajFaktury>VAT</RodzajFaktury>
  <FaWiersz><NrWierszaFa>1</NrWierszaFa><P_7>Mąka</P_7><P_8A>kg</P_8A><P_8B>100</P_8B>
   <P_9A>2.00</P_9A><P_11>200.00</P_11><P_12>23</P_12></FaWiersz>
  <FaWiersz><NrWierszaFa>2</NrWierszaFa><P_7>Dostawa</P_7><P_11>50.00</P_11><P_12>8</P_12></FaWiersz>
  <FaWiersz><NrWierszaFa>3</NrWierszaFa><P_7>Szkolenie</P_7><P_11>10.00</P_11><P_12>zw</P_12>
  </FaWiersz>
  <Platnosc><TerminPlatnosci><Termin>2026-02-22</Termin></TerminPlatnosci>
   <RachunekBankowy><NrRB>61109010140000071219812874</NrRB></RachunekBankowy></Platnosc>
  <WarunkiTransakcji><Zamowienia><NrZamowienia>PO 5</NrZamowienia></Zamowienia></WarunkiTransakcji>
 </Fa></Faktura>""".encode()

FATTURA_FIELDS = {
    "invoice_number": "17/FE",
    "document_kind": "invoice",
    "invoice_date": "2026-04-02",
    "due_date": "2026-05-02",
    "vendor_name": "Mario Rossi",
    "vendor_address": "Via Roma 12, 20121 Milano MI, IT",
    "vendor_tax_id": "IT00743110157",
    "customer_name": "Verdi & Figli S.r.l.",
    "customer_address": "Corso Italia 3, 00198 Roma RM, IT",
    "customer_tax_id": "VRDLGU80A01H501W",
    "purchase_order": "OA-9",
    "currency": "EUR",
    "subtotal": "147.12",
    "total_tax": "23.88",
    "invoice_total": "171.00",
    "amount_due": "171.00",
    "iban": "IT60X0542811101000000123456",
}
FAKTURA_FIELDS = {
    "invoice_number": "FV/2026/02/8",
    "document_kind": "invoice",
    "invoice_date": "2026-02-08",
    "due_date": "2026-02-22",
    "service_start": "2026-02-05",
    "vendor_name": "Młyn Żółw sp. z o.o.",
    "vendor_address": "ul. Młyńska 4, 61-730 Poznań, PL",
    "vendor_tax_id": "PL5260250274",
    "customer_name": "Bau KG",
    "customer_address": "Am Tor 1, 10115 Berlin, DE",
    "customer_tax_id": "DE136695976",
    "customer_id": "K-77",
    "purchase_order": "PO 5",
    "currency": "PLN",
    "subtotal": "260.00",
    "total_tax": "50.00",
    "invoice_total": "310.00",
    "iban": "PL61109010140000071219812874",
}


@pytest.mark.parametrize(
    ("data", "syntax", "fields", "rows"),
    [
        (
            FATTURA,
            "fatturapa",
            FATTURA_FIELDS,
            [("Bicchieri", "50", "2.00", "22", "100.00"), ("Libri", None, "47.12", "4", "47.12")],
        ),
        (
            FAKTURA,
            "ksef",
            FAKTURA_FIELDS,
            [
                ("Mąka", "100", "2.00", "23", "200.00"),
                ("Dostawa", None, None, "8", "50.00"),
                ("Szkolenie", None, None, None, "10.00"),
            ],
        ),
    ],
    ids=["FatturaPA", "KSeF"],
)
def test_what_it_says_is_the_answer(
    data: bytes, syntax: str, fields: dict[str, str], rows: list[tuple[str | None, ...]]
) -> None:
    document = read_document(data)
    assert document.embedded is not None
    assert (document.embedded.syntax, document.embedded.fields) == (syntax, fields)
    columns = ("description", "quantity", "unit_price", "tax_rate", "amount")
    read = [tuple(map(row.get, columns)) for row in document.embedded.groups["items"]]
    assert read == rows
    assert Document.from_json(json.loads(json.dumps(document.to_json()))) == document
    answer = answer_e_invoice(document, job_id="a", timings={})
    assert answer.warnings == []
    assert all(check.ok for check in answer.checks)
    for name in ("vendor_tax_id", "iban", "invoice_total", "invoice_date"):
        value = answer.fields[name]
        assert isinstance(value, FieldValue)
        assert (value.normalisation.status, value.needs_review) == ("ok", False), name


def test_taxes_by_rate_are_rows() -> None:
    embedded = read_document(FATTURA).embedded
    assert embedded is not None
    assert embedded.groups["taxes"] == (
        {"rate": "22", "base": "100.00", "amount": "22.00"},
        {"rate": "4", "base": "47.12", "amount": "1.88"},
    )


@pytest.mark.parametrize(
    ("data", "code", "of_credit"), [(FATTURA, b">TD01<", b">TD04<"), (FAKTURA, b">VAT<", b">KOR<")]
)
def test_credit_notes_say_so(data: bytes, code: bytes, of_credit: bytes) -> None:
    assert code in data
    embedded = read_document(data.replace(code, of_credit)).embedded
    assert embedded is not None
    assert embedded.fields["document_kind"] == "credit note"


def test_a_file_of_several_invoices_is_refused_with_their_number() -> None:
    body = FATTURA[FATTURA.index(b"<FatturaElettronicaBody>") : FATTURA.index(b"</p:Fattura")]
    with pytest.raises(CorruptDocument, match="holds 2 invoices") as caught:
        read_document(FATTURA.replace(b"</p:Fattura", body + b"</p:Fattura"))
    assert "Split it" in (caught.value.advice or "")


@pytest.mark.parametrize("length", [b"\x82\x01\x23", b"\x83\x01\x23\x45", b"\x80"])
def test_a_signed_file_is_named_as_such(length: bytes) -> None:
    signed = b"\x30" + length + bytes.fromhex("06092a864886f70d010702") + FATTURA
    with pytest.raises(UnsupportedMedia, match="a signed file") as caught:
        read_document(signed)
    assert "p7m" in (caught.value.advice or "")


def test_another_schema_of_that_name_is_none() -> None:
    for data, name in ((FATTURA, b"fatture/v1.2"), (FAKTURA, b"gov.pl/wzor")):
        with pytest.raises(UnsupportedMedia, match="FatturaPA or KSeF"):
            read_document(data.replace(name, b"else"))
