"""Captions of a model's fields name values that the tagger missed, or is not sure of."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.missed.captioned import caption_key
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

FIELDS = (
    FieldSpec("customer", Kind.IDENTIFIER, captions=("Kundennummer", "Debtor code")),
    FieldSpec("order", Kind.IDENTIFIER, captions=("Your order", "As per your order", "P.O. no")),
    FieldSpec("arrival", Kind.DATE, captions=("Arrival",)),
    FieldSpec("departure", Kind.DATE, captions=("Departure",), range_start="arrival"),
    FieldSpec("tax", Kind.TAX_ID, country="DE", captions=("USt-IdNr",)),
    FieldSpec("account", Kind.IBAN),
)


def _answers(text: str, *spans: Span) -> dict[str, FieldValue | None]:
    found = resolve_all(document_of(text, columns=90), list(spans), FIELDS, Calibration())
    return {
        name: value if isinstance(value, FieldValue) else None
        for name, value in found.fields.items()
    }


def _text(text: str, field: str, *spans: Span) -> str | None:
    value = _answers(text, *spans)[field]
    return None if value is None else value.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Kunden-Nr.: 4711 of 2020", "4711", id="written_in_another_way"),
        pytest.param("DEBTOR CODE HIG014", "HIG014", id="in_capitals"),
        pytest.param("A Street 7    Debtor code  HIG014", "HIG014", id="behind_a_gap"),
        pytest.param("Debtor code QRO 15926 paid", "QRO 15926", id="two_words"),
        pytest.param("Debtor code 8500 4471 2936", "8500 4471 2936", id="in_groups"),
        pytest.param("Debtor code      Date | HIG014           1 May 2020", "HIG014", id="above"),
        pytest.param("Debtor code | | | | | HIG014", None, id="far_above"),
        pytest.param("Our debtor code of old | HIG014", None, id="above_among_other_words"),
        pytest.param("Debtor code Smith 4711", None, id="a_word_between"),
        pytest.param("Debtor code none", None, id="no_digit"),
        pytest.param("Debtor code 4711 | Kundennummer 4712", None, id="two_numbers"),
        pytest.param("Debtor code 4711 | Kundennummer 4711", "4711", id="one_number_twice"),
        pytest.param("Creditor code 4711", None, id="another_caption"),
        pytest.param("Debtor code | DC 24117", "DC 24117", id="two_words_below"),
    ],
)
def test_what_stands_at_a_caption_is_given(text: str, expected: str | None) -> None:
    assert _text(text, "customer") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Kundennummer   Auftrag | 4711-55201-A   B-7", "4711-55201-A", id="first"),
        pytest.param("Auftrag   Kundennummer | B-7       471155", "471155", id="last"),
        pytest.param("Kunden Nr   Auftrag | QR 15926    B-7", "QR 15926", id="two_words_each"),
        pytest.param("Auftraggeber   Kundennummer | B-7    471155", None, id="not_aligned"),
        pytest.param("Alte Kundennummer   Auftrag | 4711-55201-A   B-7", None, id="longer"),
        pytest.param(
            "Kundennummer        Auftrag | 471155   B-7", "471155", id="the_captions_apart"
        ),
    ],
)
def test_captions_of_a_narrow_table_stand_above_the_left_edges_of_its_cells(
    text: str, expected: str | None
) -> None:
    assert _text(text, "customer") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("No: A 14814", "A 14814", id="beside"),
        pytest.param("No. | 14814", "14814", id="above"),
        pytest.param("No. 44, Jalan Sultan", None, id="of_a_street"),
        pytest.param("No. | 1001 | 1002", None, id="of_rows"),
        pytest.param("No. 14814 | Invoice no 33", "33", id="not_beside_a_full_caption"),
        pytest.param("No   Item | 1    14814", None, id="of_the_only_row"),
        pytest.param("Co. Reg. No. 14814", None, id="of_a_shortened_caption"),
        pytest.param("Paid: No 14814", None, id="said_of_another_caption"),
    ],
)
def test_no_alone_is_a_caption_of_what_has_its_text_to_itself(
    text: str, expected: str | None
) -> None:
    number = FieldSpec("number", Kind.IDENTIFIER, captions=("Invoice no", "No"))
    value = resolve_all(document_of(text, columns=90), [], [number], Calibration()).fields["number"]
    assert (value.text if isinstance(value, FieldValue) else None) == expected


@pytest.mark.parametrize(
    ("written", "other"), [("P.O. no", "PO number"), ("C.I.F. cliente", "CIF cliente")]
)
def test_full_stops_between_letters_do_not_tell_captions_apart(written: str, other: str) -> None:
    assert caption_key(written) == caption_key(other)
    assert _text("PO number: 4711", "order") == "4711"


def test_the_answer_says_why_and_asks_for_a_look() -> None:
    value = _answers("Debtor code: HIG014")["customer"]
    assert value is not None
    assert value.needs_review
    assert value.normalisation.reason == "Chosen because it stands at the caption 'Debtor code:'."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F.a.o. Shaun. As per your order CB/2296 of May", "CB/2296"),
        ("P.O. No. CB/2296", "CB/2296"),
        ("Thank you for your order CB/2296", None),
        ("a long sentence that ends in your order CB/2296", None),
        ("Your order of 12 March 2020", None),
        ("Your order 12 March 2020", None),
        ("Your order: 12.03.2020", None),
        ("Your order DATE 12.03.2020", None),
        ("Your order 1,234.56", None),
        ("Your order DE22 3706 0193 0022 4180 75", None),
        ("Your order | 4711 Main Street", None),
        ("Your order ¹", None),
    ],
)
def test_what_is_an_order_number(text: str, expected: str | None) -> None:
    assert _text(text, "order") == expected


def test_what_is_no_date_of_its_own_is_none() -> None:
    assert _text("Arrival 30 days from 1 May 2020", "arrival") is None


def test_a_caption_of_another_field_is_not_taken_for_its_end() -> None:
    """Of "Customer VAT no" the end is the vendor's caption."""
    assert _text("Ihre USt-IdNr.: DE136695976", "tax") is None


def test_a_sure_value_of_another_field_stays() -> None:
    answers = _answers("Your order | INV-778", Span("customer", 2, 3, (0.9999,)))
    assert answers["customer"] is not None
    assert answers["order"] is not None


@pytest.mark.parametrize(
    ("text", "field", "span", "marked"),
    [
        pytest.param("Your order | INV-778", "customer", (2, 3), True, id="a_number_of_another"),
        pytest.param("Debtor code | INV-778", "customer", (2, 3), False, id="a_number_of_its_own"),
        pytest.param("Code | INV-778", "customer", (1, 2), False, id="a_number_of_none"),
        pytest.param("Arrival 3 May 2020", "issued", (1, 4), True, id="a_date_of_another"),
        pytest.param("Issued 3 May 2020", "issued", (1, 4), False, id="a_date_of_none"),
    ],
)
def test_what_stands_at_another_fields_caption_is_looked_at(
    text: str, field: str, span: tuple[int, int], marked: bool
) -> None:
    fields = (*FIELDS, FieldSpec("issued", Kind.DATE))
    sure = Calibration({field: FieldCalibration(review_threshold=0.0)})
    spans = [Span(field, *span, (0.9999,) * (span[1] - span[0]))]
    value = resolve_all(document_of(text, columns=90), spans, fields, sure).fields[field]
    assert isinstance(value, FieldValue)
    assert value.needs_review is marked


def test_an_end_is_not_before_a_beginning_that_a_caption_names() -> None:
    spans = (Span("arrival", 1, 4, (0.3,) * 3), Span("departure", 5, 8, (0.9999,) * 3))
    answers = _answers("x 1 May 2020 y 3 May 2020 | Arrival 5 May 2020", *spans)
    assert answers["arrival"] is not None
    assert answers["arrival"].value == "2020-05-05"
    assert answers["departure"] is None


def test_what_a_caption_names_is_no_candidate_besides() -> None:
    spans = (Span("arrival", 0, 3, (0.6,) * 3), Span("arrival", 4, 7, (0.5,) * 3))
    value = _answers("3 May 2020 , 4 May 2020 | Arrival 4 May 2020", *spans)["arrival"]
    assert value is not None
    assert (value.value, [one.value for one in value.candidates]) == ("2020-05-04", ["2020-05-03"])


def test_the_place_of_an_account_is_its_own() -> None:
    value = _answers("pay to DE22 3706 0193 0022 4180 75 BIC AB12")["account"]
    assert value is not None
    assert value.words == list(range(2, 8))


def test_a_sure_value_stays() -> None:
    text = "Ref 9999 | Debtor code 4711"
    assert _text(text, "customer", Span("customer", 1, 2, (0.9999,))) == "9999"
    assert _text(text, "customer", Span("customer", 1, 2, (0.3,))) == "4711"


def test_what_a_caption_names_for_one_field_is_not_another_one() -> None:
    answers = _answers("Your order PO-88", Span("customer", 2, 3, (0.7,)))
    assert answers["customer"] is None
    assert answers["order"] is not None
    assert answers["order"].text == "PO-88"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Arrival 3 May 2020 Departure 5 May 2020", ("2020-05-03", "2020-05-05")),
        ("Arrival: May 3, 2020 | Departure: May 5, 2020", ("2020-05-03", "2020-05-05")),
        ("Arrival 3 May 2020 Departure 1 May 2020", ("2020-05-03", None)),
        ("Arrival May 2020 Departure tbc", (None, None)),
    ],
)
def test_dates_at_captions(text: str, expected: tuple[str | None, str | None]) -> None:
    answers = _answers(text)
    given = [answers["arrival"], answers["departure"]]
    assert tuple(value.value if value else None for value in given) == expected


def test_a_sure_tax_number_stays_though_its_check_digits_are_wrong() -> None:
    page = "DE136695970 | USt-IdNr DE136695976"
    strict = Calibration({"tax": FieldCalibration(intercept=-5.0)})
    for score, given in ((0.99, "DE136695970"), (0.5, "DE136695976")):
        spans = [Span("tax", 0, 1, (score,))]
        value = resolve_all(document_of(page, columns=90), spans, FIELDS, strict).fields["tax"]
        assert isinstance(value, FieldValue)
        assert value.text == given


def test_a_tax_number_reads_as_one() -> None:
    assert _text("USt-IdNr.: DE136695976", "tax") == "DE136695976"
    assert _text("USt-IdNr.: 12", "tax") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pay to DE22 3706 0193 0022 4180 75 at", "DE22370601930022418075"),
        ("pay to DE22 3706 0193 0022 4180 76 at", None),
        ("DE22 3706 0193 0022 4180 75 | NL02 TRIO 0786 3142 06", None),
    ],
)
def test_an_account_is_told_by_its_check_digits(text: str, expected: str | None) -> None:
    value = _answers(text)["account"]
    assert (value and value.value) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kunden-Nr.:", "Kundennummer"),
        ("N° de client", "Client no"),
        ("Your order #", "your order no."),
        ("Nº cliente", "Número de cliente"),
        ("O/C", "O.C."),
        ("N/Réf", "N/ réf"),
    ],
)
def test_writings_of_a_caption(one: str, other: str) -> None:
    assert caption_key(one) == caption_key(other)


def test_ours_is_no_number_sign() -> None:
    assert caption_key("N/Réf") != caption_key("N° réf")
    assert caption_key("O/C") != caption_key("C/O")


def test_a_date_that_stands_at_other_captions_alone_is_not_given() -> None:
    served = FieldSpec("served", Kind.DATE, other_captions=("Offertedatum",))
    tagged = [Span("served", 1, 2, (0.9,))]
    for text, given in (("Offertedatum: 25-07-2020", False), ("Dienst: 25-07-2020", True)):
        found = resolve_all(document_of(text), tagged, (served,), Calibration()).fields["served"]
        assert isinstance(found, FieldValue) == given


def test_captions_that_differ() -> None:
    assert caption_key("Customer no") != caption_key("Customer")
    assert caption_key("Order date") != caption_key("Order no")


SUMS = (
    FieldSpec("tax", Kind.AMOUNT, captions=("Total VAT", "Total includes GST of")),
    FieldSpec("total", Kind.AMOUNT, captions=("Invoice total", "Totale fattura")),
    FieldSpec("due", Kind.AMOUNT, captions=("Balance due", "Netto a pagare")),
)


def _sum(text: str, field: str, *spans: Span) -> str | None:
    found = resolve_all(document_of(text, columns=90), list(spans), SUMS, Calibration())
    value = found.fields[field]
    return value.text if isinstance(value, FieldValue) else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Invoice total      EUR 1.234,50", "EUR 1.234,50", id="behind_a_gap"),
        pytest.param("Invoice total      R$ 1.234,50", "R$ 1.234,50", id="a_sign"),
        pytest.param("Invoice total: 1 234,50 Ft by May", "1 234,50 Ft", id="in_groups"),
        pytest.param("Date      Invoice total | 1 May      12.00", "12.00", id="below"),
        pytest.param("Invoice total | 12.00 | 14.00", None, id="a_column"),
        pytest.param("Invoice total 25,5 % 12.00", None, id="a_rate"),
        pytest.param("Invoice total 180 of it", None, id="a_count"),
        pytest.param("Invoice total 12.00 | Invoice total 13.00", None, id="two_amounts"),
    ],
)
def test_an_amount_stands_at_its_caption(text: str, expected: str | None) -> None:
    assert _sum(text, "total") == expected


def test_what_is_due_is_an_amount_of_its_own_only_where_it_is_printed_apart() -> None:
    total = Span("total", 2, 3, (0.95,))
    assert _sum("Balance due 12.00", "due", total) is None
    again = Span("total", 5, 6, (0.9,))
    assert _sum("Balance due 12.00 | Invoice total 12.00", "due", total, again) == "12.00"


def test_a_total_at_the_caption_of_what_is_due_gives_way_to_the_one_at_its_own() -> None:
    text = "Totale fattura 15.00 | Netto a pagare 12.00"
    net = Span("total", 6, 7, (0.95,))
    assert _sum(text, "total", net) == "15.00"
    assert _sum(text, "due", net) == "12.00"


def test_amounts_mistaken_for_each_other_change_places() -> None:
    text = "Total includes GST of 2.00 | Invoice total 22.00 | Balance due 12.00"
    wrong, of_another = Span("total", 4, 5, (0.8,)), Span("tax", 7, 8, (0.8,))
    assert _sum(text, "total", wrong, of_another) == "22.00"
    assert _sum(text, "tax", wrong, of_another) == "2.00"


def test_a_sure_amount_without_a_caption_of_its_own_does_not_change_places() -> None:
    text = "Invoice total 10.00 | GST 2.00 | Payable 12.00"
    net, gross = Span("tax", 2, 3, (0.9,)), Span("total", 6, 7, (0.8,))
    assert _sum(text, "total", net, gross) == "12.00"
    assert _sum(text, "tax", net, gross) == "10.00"


def test_a_longer_caption_says_whose_a_number_is() -> None:
    fields = (
        FieldSpec("vendor", Kind.TAX_ID, captions=("P. IVA",)),
        FieldSpec("customer", Kind.TAX_ID, captions=("Vs. P. IVA",)),
    )
    document = document_of("Vs. P.IVA IT00743110157")
    tagged = [Span("customer", 2, 3, (0.99,))]
    found = resolve_all(document, tagged, fields, Calibration()).fields
    assert found["vendor"] is None
    assert isinstance(found["customer"], FieldValue)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        pytest.param("Our order no: X-4711", None, id="at_another_caption"),
        pytest.param("Our order no: X-4711 | Your order: X-4711", "X-4711", id="at_its_own_too"),
        pytest.param("Our order no: X-4711 | Paid | X-4711", "X-4711", id="elsewhere"),
        pytest.param("Our orders: X-4711", "X-4711", id="at_none_of_them"),
    ],
)
def test_what_stands_at_other_captions_alone_is_not_given(text: str, given: str | None) -> None:
    order = FieldSpec(
        "order", Kind.IDENTIFIER, captions=("Your order",), other_captions=("Our order no",)
    )
    words = [token.text for _, token in document_of(text).words()]
    spans = [Span("order", at, at + 1, (0.9,)) for at, word in enumerate(words) if "4711" in word]
    found = resolve_all(document_of(text), spans, (order,), Calibration()).fields["order"]
    assert (found.text if isinstance(found, FieldValue) else None) == given
