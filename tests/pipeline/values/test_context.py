"""The evidence of a whole document: its currency, its order of dates, its country."""

from __future__ import annotations

import pytest

from pipeline.values.context import DocumentContext, infer_context


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["AMT (RM)", "9.00"], "MYR", id="caption"),
        pytest.param(["TOTAL RM", "CASH RM20.00"], "MYR", id="end_of_a_line_and_amount"),
        pytest.param(["$5.00"], None, id="a_shared_sign"),
        pytest.param(["RM5.00", "€5.00"], None, id="contradiction"),
        pytest.param(["PT17920 SEK U9, SHAH ALAM"], None, id="a_code_among_words"),
        pytest.param(["FORM 5"], None, id="the_end_of_a_word"),
        pytest.param(["RON 95"], None, id="petrol"),
        pytest.param(["TVA FR44732829320", "1 353,60 €"], "EUR", id="a_tax_number_is_no_franc"),
        pytest.param(["1,884.00 KGS"], None, id="kilograms"),
        pytest.param(["Итого 1 884,00 KGS"], "KGS", id="som"),
        pytest.param(["00198 Roma (RM)", "P.IVA 01234"], None, id="rome"),
        pytest.param(
            ["Singapore 238801", "Amount (RM)", "1500.00"], "MYR", id="money_of_elsewhere"
        ),
        pytest.param(["SIRET 998", "FR76 3000 4000", "PRIX EUR"], "EUR", id="an_account"),
        pytest.param(["SIRET 998", "FR 120.00", "9.50 €"], None, id="francs_beside_cents"),
        pytest.param(["Total $45.00", "Amounts in CAD"], "CAD", id="a_sign_and_its_code"),
    ],
)
def test_infer_currency(lines: list[str], expected: str | None) -> None:
    assert infer_context(lines).currency == expected


@pytest.mark.parametrize(
    ("lines", "country"),
    [
        pytest.param(["ACME SDN. BHD.", "12 JALAN X", "81100 JOHOR BAHRU"], "MY", id="malaysia"),
        pytest.param(["USt-IdNr. DE136695976", "Steuernummer 12/345"], "DE", id="germany"),
        pytest.param(["New York, NY 10118"], "US", id="state_and_zip"),
        pytest.param(["TVA 21%"], None, id="many_countries_have_tva"),
        pytest.param(["SAS, RCS Lyon 847 219 367"], "FR", id="french_register"),
        pytest.param(["S.à r.l., R.C.S. Luxembourg B 123456"], None, id="register_of_luxembourg"),
        pytest.param(["TVA 0472.720.788"], "BE", id="belgian_tva"),
        pytest.param(["Contribuinte NIPC 501442600"], "PT", id="portugal"),
        pytest.param(["Comercial Silva, Lda", "Luanda"], None, id="lda_is_angolan_too"),
        pytest.param(["IČ DPH SK2020123456"], "SK", id="slovakia"),
        pytest.param(["Adószám 91928733-2-06"], "HU", id="hungary"),
        pytest.param(["CUIT 30-37124327-1"], "AR", id="argentina"),
        pytest.param(["RUT: 76.086.428-5"], "CL", id="chile"),
        pytest.param(["NIT: 992658251-6"], "CO", id="colombia"),
        pytest.param(["RFC: OJF883188ZL7"], "MX", id="mexico"),
        pytest.param(["Washington, DC 20001"], "US", id="district_and_zip"),
        pytest.param(["Wilmington, DE 19801"], "US", id="delaware"),
        pytest.param(["Invalidenstr. 1", "DE 10115 Berlin"], None, id="german_postcode"),
        pytest.param(["London SW1A 2AA"], "GB", id="postcode"),
        pytest.param(["IBAN NL91 ABNA 0417 1643 00"], "NL", id="iban"),
        pytest.param(["Ottawa ON K1A 0A9"], "CA", id="canada"),
        pytest.param(["Erf Print (Pty) Ltd", "Durban, South Africa"], "ZA", id="south_africa"),
        pytest.param(["Wattle Pty Ltd"], "AU", id="australia"),
        pytest.param(["SIRET 123", "Steuernummer 5"], None, id="contradiction"),
        pytest.param(["TOTAL 9.00"], None, id="silent"),
        pytest.param(["Providencia 1234, Santiago, Chile"], "CL", id="the_end_of_an_address"),
        pytest.param(["00100 Nairobi", "KENYA"], "KE", id="below_a_postcode"),
        pytest.param(["Espresso", "Kenya"], None, id="coffee"),
        pytest.param(["วันที่ 12/03/2567"], "TH", id="script"),
        pytest.param(["Av. Providencia 1234", "Santiago, Chile"], "CL", id="number_above"),
        pytest.param(["Calle 5, Quito, Ecuador", "$ 9.00"], "EC", id="its_money"),
        pytest.param(["Calle 5, Lima, Peru", "$ 9.00"], None, id="other_money"),
        pytest.param(["Tel Aviv Grill", "כשר לפסח", "$ 9.00"], None, id="script_and_other_money"),
        pytest.param(["Bill to: 5 Moi Ave, Nairobi, Kenya"], None, id="customer"),
        pytest.param(["BILL TO", "A Ltd", "7 Marina Rd", "Lagos, Nigeria"], None, id="below"),
        pytest.param(["Ship to", "A", "Av. B 1", "15046 Lima", "Peru"], None, id="far_below"),
        pytest.param(
            ["BILL TO", "A", "B", "C", "D", "E", "7 Marina Rd, Lagos, Nigeria"], "NG", id="too_far"
        ),
        pytest.param(["Attn: Lopez, Israel", "Port: Mombasa, Kenya"], None, id="captions"),
        pytest.param(["03/04/2024", "JFK - Lima, Peru"], None, id="flight"),
        pytest.param(["Beans 9.00", "From Ethiopia, Kenya"], None, id="origins"),
        pytest.param(["Dark roast 250", "Kenya"], None, id="below_a_weight"),
        pytest.param(["DO20240314000123"], None, id="number_of_a_delivery"),
        pytest.param(["IBAN LT121000011101001000"], None, id="bank_abroad"),
        pytest.param(["Toledo, OH 43604", "Santiago, Chile"], "US", id="marks_before_names"),
        pytest.param(
            ["HAM AND TURKEY", "Atlanta, Georgia", "A RM", "1st St, S.E."], None, id="none"
        ),
    ],
)
def test_country(lines: list[str], country: str | None) -> None:
    assert infer_context(lines).country == country


@pytest.mark.parametrize(
    ("lines", "day_first"),
    [
        pytest.param(["25/12/2018", "New York, NY 10118"], True, id="a_date_before_the_country"),
        pytest.param(["3/4/2018", "New York, NY 10118"], False, id="country"),
        pytest.param(["3/4/2018", "TOTAL RM 9.00"], True, id="currency"),
        pytest.param(["3/4/2018", "9,00 €"], True, id="euro"),
        pytest.param(["3/4/2018", "USD 9.00"], None, id="dollars_are_used_everywhere"),
        pytest.param(
            ["Rechnung vom 3.4.2018 für die Lieferung", "Betrag und Datum mit der Seite"],
            True,
            id="language",
        ),
        pytest.param(["3/4/2018", "Tokyo, Japan"], None, id="the_year_comes_first_there"),
        pytest.param(["3/4/2018"], None, id="silent"),
        pytest.param(["3/4/2018", "Calle 5, Santiago, Chile"], True, id="any_country"),
        pytest.param(["3/4/2018", "Pili 5, Manila, Philippines"], None, id="either_order_there"),
        pytest.param(["3/4/2018", "Pili 5, Lima, Peru", "USD 9.00"], None, id="other_money"),
        pytest.param(["3/4/2018", "TOTAL KES 9.00"], True, id="any_currency"),
    ],
)
def test_order_of_dates(lines: list[str], day_first: bool | None) -> None:
    assert infer_context(lines).day_first is day_first


def test_a_shared_sign_leads_where_nothing_else_is_named() -> None:
    dollars = infer_context(["$5.00", "$7.00", "TOTAL $12.00"])
    assert dollars.currency is None
    assert "USD" in dollars.signs
    canadian = infer_context(["$5.00", "$7.00", "$8.00", "$9.00", "TOTAL 12.00 CAD"])
    assert (canadian.currency, canadian.signs) == ("CAD", ())
    assert infer_context(["All amounts in US Dollars", "(usd)"]).currency == "USD"
    assert infer_context(["12,00 € 24,00 €"]).currency == "EUR"


def test_a_country_tells_no_decimal_mark() -> None:
    # A customer's country is no reason to take "Total 1,234" for one and a fraction.
    assert infer_context(["Bill to: 10115 Berlin, Germany", "Total 1,234"]).decimal is None


def test_an_empty_document_tells_nothing() -> None:
    assert infer_context([]) == DocumentContext()


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    ["A1 ", "DE", "12345 ", "NY 1", "RM", "$ ", "(usd", "IBAN DE12 3456 ", "der ", "1,", "kr "],
)
def test_adversarial_pages_return(piece: str) -> None:
    assert infer_context([(piece * 60_000)[:60_000]]) is not None
