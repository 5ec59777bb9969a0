"""Normalisation: one text and its field to one value, for any text."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.values.normalise import (
    MAX_CHARACTERS,
    DocumentContext,
    Normalised,
    infer_context,
    key_of,
    normalise,
)
from pipeline.values.schema import FieldSpec, Kind

NOTHING = DocumentContext()
DAY_FIRST = DocumentContext(day_first=True)
CONTEXTS = st.builds(
    DocumentContext,
    day_first=st.none() | st.booleans(),
    decimal=st.sampled_from([None, ".", ","]),
    currency=st.sampled_from([None, "MYR"]),
)
SPECS = st.builds(
    FieldSpec,
    name=st.just("field"),
    kind=st.sampled_from(Kind),
    day_first=st.none() | st.booleans(),
    currency=st.sampled_from([None, "USD"]),
    unsigned=st.booleans(),
)
TEXTS = st.text(alphabet=st.characters(), max_size=60) | st.text(
    alphabet="0123456789/-.,:;() $€RMOIlmaryes%'#", max_size=60
)


def of(kind: Kind, text: str, context: DocumentContext = NOTHING, **hints: object) -> Normalised:
    """Return `text` normalised for a field of `kind`."""
    return normalise(text, FieldSpec("field", kind, **hints), context)  # type: ignore[arg-type]


def test_a_date_is_cut_out_of_its_line() -> None:
    found = of(Kind.DATE, "DATE:25/12/2018 10:22")
    iso = "2018-12-25"
    assert found == Normalised("25/12/2018", None, iso, iso, "ok", precision="day")


@pytest.mark.parametrize(
    "text", ["– € 25,98", "-25,98 €", "(25.98) EUR", "25,98- EUR", "€25.98 CR"]
)
def test_how_much_is_taken_off_is_sure_whichever_sign_is_printed(text: str) -> None:
    found = of(Kind.AMOUNT, text, unsigned=True)
    assert (found.value, found.status) == ({"amount": "25.98", "currency": "EUR"}, "ok")
    assert found.key == of(Kind.AMOUNT, "25.98").key


def test_an_amount_keeps_its_currency_as_printed_and_shows_its_number() -> None:
    found = of(Kind.AMOUNT, "TOTAL: RM 9.00 SR")
    assert found.text == "RM 9.00"
    assert found.number is not None
    assert found.text[slice(*found.number)] == "9.00"
    assert found.value == {"amount": "9.00", "currency": "MYR"}
    assert (found.key, found.status) == ("9", "ok")


def test_an_amount_that_is_less_by_a_word_is_printed_with_it() -> None:
    found = of(Kind.AMOUNT, "Rabatt: minus 250,00 EUR")
    assert (found.text, found.value) == (
        "minus 250,00 EUR",
        {"amount": "-250.00", "currency": "EUR"},
    )
    assert found.number is not None
    assert found.text[slice(*found.number)] == "250,00"


def test_a_duration_has_value_unit_and_iso() -> None:
    found = of(Kind.DURATION, "a term of three (3) years")
    assert found.value == {"value": "3", "unit": "year", "iso": "P3Y"}
    assert (found.text, found.key) == ("three (3) years", "P36M")


@pytest.mark.parametrize(
    ("kind", "text", "printed", "value"),
    [
        (Kind.NAME, " *ABC  SDN. BHD.* ", "ABC SDN. BHD.", "ABC SDN. BHD."),
        (Kind.IDENTIFIER, "No: 12 / 3", "12 / 3", "12/3"),
        (Kind.TEXT, "New York,", "New York", "New York"),
    ],
)
def test_strings(kind: Kind, text: str, printed: str, value: str) -> None:
    found = of(kind, text)
    assert (found.text, found.value, found.status) == (printed, value, "ok")


@pytest.mark.parametrize(
    ("context", "hint", "iso", "status"),
    [
        pytest.param(None, None, "2018-04-03", "ambiguous", id="nothing_tells"),
        pytest.param(None, False, "2018-03-04", "ambiguous", id="a_hint_alone_is_no_evidence"),
        pytest.param(True, False, "2018-04-03", "ok", id="the_document_wins_over_the_hint"),
    ],
)
def test_order_of_dates(context: bool | None, hint: bool | None, iso: str, status: str) -> None:
    found = of(Kind.DATE, "03/04/2018", DocumentContext(day_first=context), day_first=hint)
    assert (found.value, found.status) == (iso, status)


def test_an_ambiguous_date_shows_both_readings_and_why() -> None:
    found = of(Kind.DATE, "03/04/2018")
    assert found.alternatives == ("2018-03-04",)
    assert found.reason is not None
    assert "order" in found.reason


@pytest.mark.parametrize(
    ("text", "document", "hint", "currency"),
    [
        pytest.param("US$5.00", "MYR", "MYR", "USD", id="its_own_currency_first"),
        pytest.param("$5.00", "MYR", "MYR", None, id="a_dollar_is_no_ringgit"),
        pytest.param("5.00", "MYR", "USD", "MYR", id="then_the_document"),
        pytest.param("$5.00", None, "USD", "USD", id="then_the_hint"),
        pytest.param("5.00", None, None, None, id="or_none"),
    ],
)
def test_currency(text: str, document: str | None, hint: str | None, currency: str | None) -> None:
    found = of(Kind.AMOUNT, text, DocumentContext(currency=document), currency=hint)
    assert found.value["currency"] == currency


def test_money_is_preferred_to_other_numbers() -> None:
    assert of(Kind.AMOUNT, "3 ITEMS 12 RM 9.00").key == "9"
    assert of(Kind.AMOUNT, "TABLE 12 TOTAL 9.50").key == "9.5"


def test_several_values_are_ambiguous_and_all_kept() -> None:
    two = of(Kind.AMOUNT, "27.60 60.60")
    assert (two.key, two.status) == ("27.6", "ambiguous")
    assert two.alternatives == ({"amount": "60.60", "currency": None},)
    flight = of(Kind.DATE, "02/17/20-02/23/20")
    assert (flight.value, flight.alternatives) == ("2020-02-17", ("2020-02-23",))
    term = of(Kind.DURATION, "two years or 18 months")
    assert [a["iso"] for a in term.alternatives] == ["P18M"]
    assert of(Kind.AMOUNT, "9.00 RM 9.00 RM").status == "ok"


def test_a_number_that_can_be_a_date_is_in_doubt_but_where_invoices_are_numbered_so() -> None:
    assert of(Kind.IDENTIFIER, "12/03/2024").status == "ambiguous"
    assert of(Kind.IDENTIFIER, "12/03/2024", DocumentContext(country="PL")).status == "ok"
    assert of(Kind.IDENTIFIER, "12.03.2024", DocumentContext(country="PL")).status == "ambiguous"


def test_an_open_separator_is_ambiguous() -> None:
    found = of(Kind.AMOUNT, "3.350")
    assert (found.status, found.alternatives) == (
        "ambiguous",
        ({"amount": "3350", "currency": None},),
    )
    assert of(Kind.AMOUNT, "3.350", DocumentContext(decimal=",")).value["amount"] == "3350"


def test_letters_among_digits_are_read_as_digits() -> None:
    found = of(Kind.DATE, "O5/12/2O18", DAY_FIRST)
    assert (found.value, found.text, found.status) == ("2018-12-05", "O5/12/2O18", "ok")
    assert found.reason is not None
    assert of(Kind.AMOUNT, "RM9.OO").value == {"amount": "9.00", "currency": "MYR"}
    # Words are left alone: "OIL" is not 011.
    assert of(Kind.AMOUNT, "OIL 5%").status == "failed"


def test_a_time_glued_to_a_date_is_no_part_of_it() -> None:
    found = of(Kind.DATE, "03/02/201815:28", DAY_FIRST)
    assert (found.value, found.text, found.status) == ("2018-02-03", "03/02/2018", "ok")
    assert of(Kind.DATE, "29-10-201718:31:45", day_first=True).value == "2017-10-29"


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        pytest.param("28-90", "28.90", id="hyphen"),
        pytest.param("RM 5;20", "5.20", id="semicolon"),
        pytest.param("12-10-2018", None, id="date"),
        pytest.param("28-9", None, id="one_digit"),
        pytest.param("28-90 Jalan", None, id="among_words"),
    ],
)
def test_a_point_read_as_another_mark_is_put_right(text: str, amount: str | None) -> None:
    found = normalise(text, FieldSpec("total", Kind.AMOUNT), NOTHING)
    assert (found.value and found.value["amount"]) == amount
    if amount is not None:
        assert (found.text, found.status) == (text, "ok")
        assert found.reason is not None


def test_a_partial_date_says_so() -> None:
    found = of(Kind.DATE, "August 2024")
    assert (found.value, found.status, found.reason) == ("2024-08", "ok", "The day is not written.")
    assert of(Kind.DATE, "August 2024, printed 3 May 2024").value == "2024-05-03"


@pytest.mark.parametrize("kind", Kind)
def test_failure_keeps_the_text_and_says_why(kind: Kind) -> None:
    found = of(kind, "--")
    assert (found.status, found.value, found.number) == ("failed", None, None)
    assert found.reason is not None


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize(
    "piece",
    [
        "1/1/2018 ", "(", "no ", "RM1 ", "a", "O", "one ", ".", "1 234 ", "1,", "half a ", "Q3 ",
        "march ", "$", "@a.", "DE89 ", "+49 ", "☒ ", "1/2 ", "²", "½", "million ", "1万", "٣", "$ ",
    ],
)  # fmt: skip
def test_overlong_text_fails_at_once(kind: Kind, piece: str) -> None:
    found = of(kind, (piece * 60_000)[:60_000])
    assert found.status == "failed"
    assert len(found.text) <= MAX_CHARACTERS
    assert of(kind, (piece * MAX_CHARACTERS)[:MAX_CHARACTERS]).status in (
        "ok",
        "ambiguous",
        "failed",
    )


@pytest.mark.timeout(20)
@settings(max_examples=40)
@given(st.text("1a$-.,(/ ½%@'", min_size=1, max_size=3), st.sampled_from(Kind))
def test_the_longest_repetitions_are_read(piece: str, kind: Kind) -> None:
    found = of(kind, (piece * MAX_CHARACTERS)[: MAX_CHARACTERS - 1] + "1")
    assert len(found.text) <= MAX_CHARACTERS


@given(TEXTS, SPECS, CONTEXTS)
def test_any_text_is_normalised(text: str, spec: FieldSpec, context: DocumentContext) -> None:
    found = normalise(text, spec, context)
    assert (found.value is None) == (found.status == "failed")
    assert (found.status == "ok") or found.reason
    assert found.status == "ambiguous" or not found.alternatives
    json.dumps(asdict(found), allow_nan=False).encode("utf-8")
    found.text.encode("utf-8")
    if found.number is not None:
        assert 0 <= found.number[0] < found.number[1] <= len(found.text)


@given(TEXTS, SPECS, CONTEXTS)
def test_keys_are_stable(text: str, spec: FieldSpec, context: DocumentContext) -> None:
    found = normalise(text, spec, context)
    assert key_of(text, spec, context) == found.key
    if found.status != "failed" and spec.kind in (Kind.NAME, Kind.TEXT, Kind.IDENTIFIER):
        assert key_of(found.text, spec, context) == found.key
        assert key_of(found.value, spec, context) == found.key


@given(st.dates(date(1950, 1, 1), date(2045, 12, 31)), CONTEXTS)
def test_an_iso_date_is_its_own_key(day: date, context: DocumentContext) -> None:
    assert key_of(day.isoformat(), FieldSpec("field", Kind.DATE), context) == day.isoformat()


@given(st.decimals(0, 10**9, places=2), CONTEXTS)
def test_the_written_form_does_not_change_an_amounts_key(
    amount: Decimal, context: DocumentContext
) -> None:
    spec = FieldSpec("field", Kind.AMOUNT)
    keys = {key_of(form, spec, context) for form in (f"{amount}", f"RM{amount:,}", f"{amount} MYR")}
    assert len(keys) == 1


def test_a_document_tells_its_context() -> None:
    lines = ["DATE 25/12/2018", "AMT (RM)", "1,234.50", "9.00"]
    assert infer_context(lines) == DocumentContext(
        day_first=True, decimal=".", currency="MYR", named=frozenset({"MYR"})
    )
    assert infer_context([]) == DocumentContext()


def test_a_process_that_reads_one_kind_loads_no_other_and_no_parser_of_dates() -> None:
    program = """
import sys
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind
print(normalise("5 March 2024", FieldSpec("day", Kind.DATE), DocumentContext()).value)
kinds = "pipeline.values.kinds."
print([name.removeprefix(kinds) for name in sys.modules if name.startswith(kinds)])
print("dateparser" in sys.modules)
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == ["2024-03-05", "['date']", "False"]
