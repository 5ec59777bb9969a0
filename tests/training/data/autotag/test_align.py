"""Auto-tagging: each value is found where it stands, in whatever form, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.labels import LabelSet
from pipeline.document import Document
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of
from training.data import Row
from training.data.autotag import Tagged, Text, autotag

DATE = FieldSpec("date", Kind.DATE, day_first=True)
TOTAL = FieldSpec("total", Kind.AMOUNT)
NAME = FieldSpec("company", Kind.NAME)
ADDRESS = FieldSpec("address", Kind.ADDRESS)
NUMBER = FieldSpec("number", Kind.IDENTIFIER)
PARTY = FieldSpec("party", Kind.NAME, many=True)


def _row(name: str, **fields: str | tuple[str, ...]) -> Row:
    values = {key: (v,) if isinstance(v, str) else v for key, v in fields.items()}
    return Row(name, Path("unused"), None, values)


def _tag(document: Document, *fields: FieldSpec, **values: str | tuple[str, ...]) -> Tagged:
    return autotag([_row("doc", **values)], {"doc": document}, fields)["doc"]


def _found(document: Document, tagged: Tagged) -> list[tuple[str, str]]:
    words = [token.text for _, token in document.words()]
    return [(span.field, " ".join(words[span.start : span.end])) for span in tagged.spans]


@pytest.mark.parametrize(
    "printed",
    [
        pytest.param("25/12/2018", id="slashes"),
        pytest.param("25-12-18", id="short_year"),
        pytest.param("25.12.2018", id="stops"),
        pytest.param("2018-12-25", id="iso"),
        pytest.param("25 DEC 2018", id="month_as_word"),
        pytest.param("December 25, 2018", id="month_first"),
        pytest.param("25TH DECEMBER 2018", id="ordinal"),
    ],
)
@pytest.mark.parametrize("label", ["25/12/2018", "2018-12-25", "25 Dec 2018"])
def test_dates_are_found_by_value_in_every_form(printed: str, label: str) -> None:
    document = document_of(f"SHOP 12/34 | DATE: {printed} 18:05 | TOTAL 25.12")
    tagged = _tag(document, DATE, date=label)
    assert _found(document, tagged) == [("date", printed)]
    assert tagged.matches[0].how in ("value", "exact")


@pytest.mark.parametrize(
    ("printed", "label", "found"),
    [
        pytest.param("9.00", "9.00", "9.00", id="plain"),
        pytest.param("RM 9.00", "9.00", "9.00", id="currency_printed_but_not_in_the_label"),
        pytest.param("RM 9.00", "RM 9.00", "RM 9.00", id="currency_in_both"),
        pytest.param("RM9.00", "9.00", "RM9.00", id="currency_glued"),
        pytest.param("1,234.50", "1234.50", "1,234.50", id="thousands"),
        pytest.param("9.00", "9", "9.00", id="label_without_decimals"),
        pytest.param("-9.00", "9.00", "-9.00", id="sign_only_printed"),
        pytest.param("9 632", "9 632", "9 632", id="spaced_thousands_without_decimals"),
    ],
)
def test_amounts_are_found_by_value(printed: str, label: str, found: str) -> None:
    document = document_of(f"TEA 3.50 | TOTAL {printed} | CASH 50.00")
    assert _found(document, _tag(document, TOTAL, total=label)) == [("total", found)]


@pytest.mark.parametrize(
    ("printed", "label", "found"),
    [
        pytest.param("KEDAI BUKU | X", "KEDAI BUKU", "KEDAI BUKU", id="same"),
        pytest.param("KEDAI | BUKU BHD | X", "KEDAI BUKU BHD", "KEDAI BUKU BHD", id="two_lines"),
        pytest.param("Kedai Buku. | X", "KEDAI, BUKU", "Kedai Buku.", id="case_and_marks"),
        pytest.param("KEDAIBUKU | X", "KEDAI BUKU", "KEDAIBUKU", id="space_lost_in_reading"),
        pytest.param("KEDAI BUKU 5ERI | X", "KEDAI BUKU SERI", "KEDAI BUKU 5ERI", id="misread"),
        pytest.param(
            "NO 5 JALAN PENSIL 7/1 | 43300 SERI C0NTOH | TEL 1",
            "NO 5, JALAN PENSIL 7/1, 43300 SERI CONTOH",
            "NO 5 JALAN PENSIL 7/1 43300 SERI C0NTOH",
            id="misread_over_two_lines",
        ),
        pytest.param("Nutmeg, Incorporated met", "Nutmeg Inc.", "Nutmeg, Incorporated", id="form"),
        pytest.param("of Heron & Pike only", "Heron and Pike", "Heron & Pike", id="and"),
        pytest.param("by Nutmeg Inc.'s | X", "Nutmeg Inc.", "Nutmeg Inc.'s", id="genitive"),
        pytest.param("NUTMEG INC. | Nutmeg Income", "Nutmeg Inc.", "NUTMEG INC.", id="whole_words"),
    ],
)
def test_names_are_found_however_they_are_printed(printed: str, label: str, found: str) -> None:
    document = document_of(f"WELCOME | {printed}")
    assert _found(document, _tag(document, NAME, company=label)) == [("company", found)]


@pytest.mark.parametrize(
    ("text", "spec", "value", "reason"),
    [
        pytest.param("KEDAI BUKU", NAME, "RESTORAN TELUK UJIAN", "nearest is", id="other_name"),
        pytest.param("TOTAL 9.00", TOTAL, "7.35", "nearest is", id="other_amount"),
        pytest.param("DATE 1/2/2018", DATE, "31/10/2017", "nearest is", id="other_date"),
        pytest.param("KEDAI", NAME, "---", "neither letters nor digits", id="marks_only"),
        pytest.param("", NAME, "KEDAI", "no words", id="blank_document"),
        pytest.param("A 12345", NUMBER, "234", "not found", id="part_of_a_number"),
    ],
)
def test_what_is_not_there_is_missed_with_a_reason(
    text: str, spec: FieldSpec, value: str, reason: str
) -> None:
    tagged = _tag(document_of(text), spec, **{spec.name: value})
    assert tagged.spans == ()
    [miss] = tagged.misses
    assert (miss.field, miss.value) == (spec.name, value)
    assert reason in miss.reason


def test_captions_learnt_from_the_data_tell_the_total_from_the_cash() -> None:
    documents, rows = {}, []
    for index in range(9):
        total = f"{index + 13}.20"
        price = total if index % 3 == 0 else f"{index + 2}.70"  # one thing bought, or several
        cash = total if index % 3 == 1 else "50.00"
        documents[f"d{index}"] = document_of(f"TEA {price} | TOTAL {total} | CASH {cash}")
        rows.append(_row(f"d{index}", total=total))
    tags = autotag(rows, documents, [TOTAL])
    for name, tagged in tags.items():
        assert [(span.start, span.end) for span in tagged.spans] == [(3, 4)], name


def test_without_captions_every_occurrence_counts() -> None:
    document = document_of("9.00 | 9.00")
    assert _found(document, _tag(document, TOTAL, total="9.00")) == [("total", "9.00")] * 2


def test_names_are_tagged_wherever_they_stand() -> None:
    document = document_of("KEDAI BUKU | THANK YOU | KEDAI BUKU")
    tagged = _tag(document, NAME, company="KEDAI BUKU")
    assert _found(document, tagged) == [("company", "KEDAI BUKU")] * 2


def test_longer_value_keeps_the_words_that_two_fields_share() -> None:
    document = document_of("KEDAI BUKU SERI | 43300 SERI | TEL 1")
    tagged = _tag(document, NAME, ADDRESS, company="SERI", address="KEDAI BUKU SERI 43300 SERI")
    assert _found(document, tagged) == [("address", "KEDAI BUKU SERI 43300 SERI")]
    [miss] = tagged.misses
    assert (miss.field, miss.reason) == ("company", "all its words belong to another field's value")


def test_several_values_of_one_field_are_all_tagged() -> None:
    document = document_of("BETWEEN ACME INC | AND BOLT LLC | OF TOWN")
    tagged = _tag(document, PARTY, party=("ACME INC", "BOLT LLC"))
    assert _found(document, tagged) == [("party", "ACME INC"), ("party", "BOLT LLC")]
    assert tagged.misses == ()


def test_fields_that_are_not_asked_for_are_left() -> None:
    assert _tag(document_of("KEDAI 9.00"), TOTAL, company="KEDAI", total="9.00").spans[0].start == 1


def test_rows_without_a_document_are_left() -> None:
    assert autotag([_row("doc", total="9.00")], {}, [TOTAL]) == {}


def test_dates_beside_captions_count_and_the_same_dates_in_a_table_do_not() -> None:
    documents, rows = {}, []
    for index in range(12):
        first, last = f"03/{index + 2:02d}/20", f"03/{index + 11:02d}/20"
        between = [f"03/{index + more:02d}/20" for more in (4, 5, 6)]
        if index % 4 == 0:
            between[index % 3] = first if index % 8 else last
        items = " | ".join(f"ITEM {day} NEWS" for day in between)
        documents[f"d{index}"] = document_of(f"FLIGHT {first} - {last} | {items}")
        rows.append(_row(f"d{index}", start=first, end=last))
    fields = [FieldSpec("start", Kind.DATE), FieldSpec("end", Kind.DATE)]
    for tagged in autotag(rows, documents, fields).values():
        spans = [(span.field, span.start) for span in tagged.spans]
        assert spans == [("start", 1), ("end", 3)]


def test_two_fields_with_one_value_share_its_places() -> None:
    documents, rows = {}, []
    for index in range(8):
        first = f"03/{index + 2:02d}/20"
        last = first if index % 4 == 0 else f"03/{index + 11:02d}/20"
        documents[f"d{index}"] = document_of(f"FLIGHT {first} - {last} | THANK YOU")
        rows.append(_row(f"d{index}", start=first, end=last))
    fields = [FieldSpec("end", Kind.DATE), FieldSpec("start", Kind.DATE)]
    for tagged in autotag(rows, documents, fields).values():
        spans = [(span.field, span.start) for span in tagged.spans]
        assert spans == [("start", 1), ("end", 3)]
        assert tagged.misses == ()


def test_names_that_are_one_of_few_are_told_by_captions_too() -> None:
    states = ("ALDER", "BIRCH", "CEDAR")
    documents, rows = {}, []
    for index in range(15):
        state, home = states[index % 3], states[index % 2]
        documents[f"d{index}"] = document_of(
            f"OFFICE AT {home} STREET | GOVERNED BY LAWS OF {state} ALONE"
        )
        rows.append(_row(f"d{index}", state=state))
    for tagged in autotag(rows, documents, [FieldSpec("state", Kind.NAME)]).values():
        assert [(span.start, span.end) for span in tagged.spans] == [(8, 9)]


@pytest.mark.parametrize("printed", ["three (3) years", "36 months", "a period of three years"])
def test_durations_are_found_by_value(printed: str) -> None:
    term = FieldSpec("term", Kind.DURATION)
    tagged = _tag(document_of(f"LASTS FOR {printed} FROM 2 days ON"), term, term="3 years")
    [match] = tagged.matches
    assert match.how == "value"


@pytest.mark.parametrize(
    ("printed", "label", "found"),
    [
        pytest.param(
            "Buyer: RED PINE FOR Market: TOWN | SENATE CITY",
            "Red Pine for Senate",
            ["RED PINE FOR", "SENATE"],
            id="two_lines",
        ),
        pytest.param(
            "Buyer: RED PINE Market: TOWN | FOR STATE | SENATE",
            "Red Pine for State Senate",
            ["RED PINE", "FOR STATE SENATE"],
            id="three_lines_of_which_two_touch",
        ),
    ],
)
def test_name_cut_by_a_column_is_tagged_in_its_parts(
    printed: str, label: str, found: list[str]
) -> None:
    page = document_of(printed).pages[0]
    left = next(token.box.x0 for token in page.tokens if token.text == "RED")
    shift = left - page.tokens[0].box.x0
    tokens = tuple(
        replace(t, box=replace(t.box, x0=t.box.x0 + shift, x1=t.box.x1 + shift)) if t.line else t
        for t in page.tokens
    )
    document = replace(document_of("x"), pages=(replace(page, tokens=tokens),))
    tagged = _tag(document, NAME, company=label)
    assert _found(document, tagged) == [("company", text) for text in found]
    assert {match.how for match in tagged.matches} == {"column"}


@pytest.mark.parametrize(
    ("printed", "field", "label", "found"),
    [
        pytest.param("DATE 06/01/20", DATE, "06/02/20", ["06/01/20"], id="one_digit_off"),
        pytest.param("06/01/20 06/03/20", DATE, "06/02/20", [], id="two_could_be_meant"),
    ],
)
def test_mistyped_dates(printed: str, field: FieldSpec, label: str, found: list[str]) -> None:
    document = document_of(printed)
    tagged = _tag(document, field, date=label)
    assert [text for _, text in _found(document, tagged)] == found


words = st.text("ABC19.,/-", min_size=1, max_size=6)


@given(
    st.lists(words, min_size=1, max_size=15),
    st.lists(words, min_size=1, max_size=3).map(" ".join),
    words,
    words,
)
def test_spans_are_disjoint_and_inside_whatever_the_values(
    texts: list[str], company: str, total: str, date: str
) -> None:
    document = document_of(" | ".join(texts))
    tagged = _tag(document, NAME, TOTAL, DATE, company=company, total=total, date=date)
    LabelSet(("company", "total", "date")).encode(tagged.spans, len(list(document.words())))
    assert [(s.start, s.end) for s in tagged.spans] == [(m.start, m.end) for m in tagged.matches]
    said = {(match.field, match.value) for match in tagged.matches}
    missed = {(miss.field, miss.value) for miss in tagged.misses}
    assert said | missed == {("company", company), ("total", total), ("date", date)}
    assert not said & missed


@given(st.lists(words, min_size=1, max_size=15), st.data())
def test_value_copied_from_the_page_is_found(texts: list[str], data: st.DataObject) -> None:
    document = document_of(" | ".join(texts))
    start = data.draw(st.integers(0, len(texts) - 1))
    end = data.draw(st.integers(start + 1, len(texts)))
    value = " ".join(texts[start:end])
    tagged = _tag(document, NAME, company=value)
    assert tagged.misses == () or not any(map(str.isalnum, value))


@given(st.lists(words, min_size=1, max_size=10), st.data())
def test_characters_lead_back_to_their_words(texts: list[str], data: st.DataObject) -> None:
    text = Text(document_of(" | ".join(texts)))
    start = data.draw(st.integers(0, len(texts) - 1))
    end = data.draw(st.integers(start + 1, len(texts)))
    printed = text.printed(start, end)
    assert printed.split() == texts[start:end]
    offset = sum(len(word) + 1 for word in texts[:start])
    assert text.words_at(offset, offset + len(printed)) == (start, end)
    assert text.letters.of(start, end) == "".join(filter(str.isalnum, printed)).upper()
