"""Columns: a value ends where its column does, and goes on below in it."""

from __future__ import annotations

import itertools

import pytest

from models.labels import Span
from pipeline.answers.places.columns import (
    address_alone,
    by_column,
    ended,
    with_last_word,
)
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of


def _parted(text: str, start: int, end: int) -> list[list[str]]:
    words = list(document_of(text).words())
    scores = tuple(1.0 - index / 100 for index in range(end - start))
    parts = by_column(Span("name", start, end, scores), words)
    assert [index for part in parts for index in range(part.start, part.end)] == [
        *range(start, end)
    ]
    assert [score for part in parts for score in part.token_scores] == list(scores)
    return [[words[index][1].text for index in range(part.start, part.end)] for part in parts]


def test_span_that_runs_into_the_next_column_is_parted() -> None:
    assert _parted("Tom Reed for       Market: Salem | x", 0, 5) == [
        ["Tom", "Reed", "for"],
        ["Market:", "Salem"],
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Tom  Reed   Co | x", id="wide_spaces_of_one_text"),
        pytest.param("                    Tom | Reed Co", id="next_line"),
    ],
)
def test_what_stands_in_one_column_stays_together(text: str) -> None:
    assert _parted(text, 0, 3) == [["Tom", "Reed", "Co"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("REQ-5        SO-41 | x", ["REQ-5", "SO-41"], id="side_by_side"),
        pytest.param("8500 4471 | x", ["8500 4471"], id="one_number"),
    ],
)
@pytest.mark.parametrize("spans", [[(0, 1), (1, 2)], [(0, 2)]], ids=["two_spans", "one_span"])
def test_the_number_in_the_next_box_is_another_one(
    text: str, said: list[str], spans: list[tuple[int, int]]
) -> None:
    tagged = [Span("order", start, end, (0.9,) * (end - start)) for start, end in spans]
    evidence = Evidence.of(document_of(text), tagged)
    mentions = evidence.mentions(FieldSpec("order", Kind.IDENTIFIER))
    assert [evidence.text(mention) for mention in mentions] == said


def _with_last_word(text: str, end: int, taken: tuple[int, ...] = ()) -> str:
    words = list(document_of(text).words())
    mention = Mention((Span("name", 0, end, (0.5,) * end),))
    found = with_last_word(mention, words, {*range(end), *taken})
    assert found.score == pytest.approx(0.5)
    return " ".join(words[index][1].text for index in found.words)


@pytest.mark.parametrize(
    ("text", "end", "expected"),
    [
        pytest.param("Paxton Farm Market #118", 2, "Paxton Farm Market", id="cut_within_its_text"),
        pytest.param("Reed       x | Parts", 1, "Reed", id="text_at_its_end"),
        pytest.param("Paxton Ltd Farm", 2, "Paxton Ltd", id="name_in_full"),
        pytest.param("Paxton Farm closes at Nine", 2, "Paxton Farm", id="sentence"),
        pytest.param("Paxton Farm Telefon (0512) 77", 2, "Paxton Farm", id="number_behind_more"),
        pytest.param("Paxton Farm Invoice No: 77", 2, "Paxton Farm", id="caption_behind_more"),
        pytest.param("PAXTON TAX INVOICE", 1, "PAXTON", id="title_behind"),
        pytest.param("Paxton Farm Receipt", 2, "Paxton Farm", id="title_of_a_word_behind"),
        pytest.param("Ann Ode Via Roma", 2, "Ann Ode", id="street_behind"),
    ],
)
def test_a_name_takes_the_last_word_of_its_text(text: str, end: int, expected: str) -> None:
    assert _with_last_word(text, end) == expected


def test_words_of_other_values_are_not_taken_in() -> None:
    assert _with_last_word("Paxton Farm Market", 2, taken=(2,)) == "Paxton Farm"


def test_end_of_a_text_alone_is_not_gone_on_with() -> None:
    words = list(document_of("Visit Paxton Farm").words())
    mention = Mention((Span("name", 1, 2, (0.5,)),))
    assert with_last_word(mention, words, {1}) is mention


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("ABN 44 118 220 417 | 1 Sydney St | Yass", "1 Sydney St Yass", id="before"),
        pytest.param("1 Mill St | Leeds | Tel. 0113 496 0118", "1 Mill St Leeds", id="behind"),
        pytest.param(
            "1 Mill St | CVR 33110982 | Leeds", "1 Mill St CVR 33110982 Leeds", id="between"
        ),
        pytest.param("1 Mill St | Bern | CHE-118.442.907 MWST", "1 Mill St Bern", id="tax_behind"),
        pytest.param(
            "1 Mill St | Fes | ICE 001844188000047", "1 Mill St Fes", id="any_long_number"
        ),
        pytest.param("1 Mill St | SP 01310-100", "1 Mill St SP 01310-100", id="long_postcode"),
        pytest.param("1 Mill St | CEP 01.310-100", "1 Mill St CEP 01.310-100", id="its_caption"),
        pytest.param("Mill | JLN 222 46100 PJ", "Mill JLN 222 46100 PJ", id="short_street"),
        pytest.param("Mill | PO Box 12345678", "Mill PO Box 12345678", id="long_box"),
        pytest.param("ビル | 〒104-0061 1-2-3 銀座", "ビル 〒104-0061 1-2-3 銀座", id="japan"),
        pytest.param("Suite 200 | Leeds", "Suite 200 Leeds", id="a_room"),
        pytest.param("ABN 44 118 220 417", "ABN 44 118 220 417", id="nothing_else"),
    ],
)
def test_an_address_has_no_lines_of_registers_and_phones_at_its_ends(text: str, said: str) -> None:
    size = len(list(document_of(text).words()))
    assert _said(text, FieldSpec("address", Kind.ADDRESS), (0, size)) == [said]


def test_an_address_does_not_end_with_the_begin_of_a_phone() -> None:
    found = _said("1 Mill St | Lagos | 0803 555 0144", FieldSpec("address", Kind.ADDRESS), (0, 5))
    assert found == ["1 Mill St Lagos"]


def test_lines_are_taken_off_across_parts() -> None:
    words = list(document_of("ABN 44 118 220 417 | 1 Mill St | Leeds").words())
    parts = (Span("address", 0, 6, tuple(map(float, range(6)))), Span("address", 6, 9, (7.0,) * 3))
    found = address_alone(Mention(parts), words, ())
    assert found.words == [5, 6, 7, 8]
    assert found.scores == {5: 5.0, 6: 7.0, 7: 7.0, 8: 7.0}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("Reed Parts GmbH | Ann Lee", "Reed Parts GmbH", id="attention_below"),
        pytest.param("Reed & Co. | KG", "Reed & Co. KG", id="legal_form_of_two_lines"),
        pytest.param("Reed S.A. | de C.V.", "Reed S.A. de C.V.", id="legal_form_of_three_words"),
        pytest.param("Reed S.A. | de Vigo", "Reed S.A.", id="a_place_below"),
        pytest.param("Reed Ltd | (Parts)", "Reed Ltd (Parts)", id="a_mark_goes_on"),
        pytest.param("Reed Ltd Parts | Lee", "Reed Ltd Parts Lee", id="no_legal_form_at_the_end"),
        pytest.param("Ann | Lee", "Ann Lee", id="none_at_all"),
        pytest.param("Reed Surf Hire Ltd, Wellington", "Reed Surf Hire Ltd,", id="a_comma"),
        pytest.param("Reed Co., Ltd.", "Reed Co., Ltd.", id="a_comma_in_a_legal_form"),
    ],
)
def test_a_name_ends_with_the_line_of_its_legal_form(text: str, kept: str) -> None:
    words = list(document_of(text).words())
    split = len(words) - 1
    scores = tuple(0.9 for _ in range(split))
    whole = Mention((Span("name", 0, split, scores), Span("name", split, split + 1, (0.5,))))
    mention = ended(whole, words)
    assert " ".join(words[index][1].text for index in mention.words) == kept
    assert all(len(part.token_scores) == part.end - part.start for part in mention.parts)


def test_many_names_side_by_side_are_several() -> None:
    text = "Aspen Holdings Ltd          Birch AG | By:"
    span = Span("party", 0, 5, (0.9, 0.9, 0.9, 0.8, 0.8))
    evidence = Evidence.of(document_of(text), [span])
    mentions = evidence.mentions(FieldSpec("party", Kind.NAME, many=True))
    assert [evidence.text(mention) for mention in mentions] == ["Aspen Holdings Ltd", "Birch AG"]


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        pytest.param("x            Roy Teasdale", ["Friends of | Roy Teasdale"], id="goes_on"),
        pytest.param("Paid for by: Roy Teasdale", ["Friends of", "Roy Teasdale"], id="a_caption"),
    ],
)
def test_name_at_a_caption_of_its_own_is_another_one(below: str, expected: list[str]) -> None:
    text = f"Candidate:   Friends of | {below}"
    document = document_of(text)
    words = [token.text for _, token in document.words()]
    start = words.index("Roy")
    spans = [Span("payer", 1, 3, (0.9, 0.9)), Span("payer", start, start + 2, (0.9, 0.9))]
    evidence = Evidence.of(document, spans)
    mentions = evidence.mentions(FieldSpec("payer", Kind.NAME))
    assert [evidence.text(one).replace("\n", " | ") for one in mentions] == expected


def _said(text: str, spec: FieldSpec, *spans: tuple[int, int]) -> list[str]:
    tagged = [Span(spec.name, start, end, (0.9,) * (end - start)) for start, end in spans]
    evidence = Evidence.of(document_of(text), tagged)
    return [" ".join(evidence.text(mention).split()) for mention in evidence.mentions(spec)]


@pytest.mark.parametrize(
    ("text", "spans", "said"),
    [
        pytest.param(
            "Street and number: 5 Mill Lane | City: Leeds | Postcode: LS1 4AP",
            [(3, 6), (7, 8), (9, 11)],
            ["5 Mill Lane Leeds LS1 4AP"],
            id="a_caption_in_each_line",
        ),
        pytest.param(
            "Acme Ltd, 5 Mill Lane · | · Leeds LS1 4AP",
            [(2, 5), (7, 10)],
            ["5 Mill Lane Leeds LS1 4AP"],
            id="behind_the_name",
        ),
        pytest.param(
            "Street: 5 Mill Lane · | Paid                Leeds LS1 4AP",
            [(1, 4), (6, 9)],
            ["5 Mill Lane", "Leeds LS1 4AP"],
            id="in_another_column",
        ),
        pytest.param(
            "5 Mill Lane, Leeds · | Registered in England and Wales",
            [(0, 4), (7, 10)],
            ["5 Mill Lane, Leeds", "England and Wales"],
            id="behind_other_words_below",
        ),
    ],
)
def test_an_address_goes_on_at_the_left_edge_of_the_text_that_it_begins_in(
    text: str, spans: list[tuple[int, int]], said: list[str]
) -> None:
    assert _said(text, FieldSpec("address", Kind.ADDRESS), *spans) == said


@pytest.mark.parametrize(
    ("text", "spans", "said"),
    [
        pytest.param("Lee & | Mill Ltd", [(0, 2), (2, 4)], ["Lee & Mill Ltd"], id="right_below_it"),
        pytest.param(
            "Name: Lee & · | Mill Ltd", [(1, 3), (4, 6)], ["Lee & Mill Ltd"], id="at_its_caption"
        ),
        pytest.param(
            "Name: Lee · | Mill Ltd", [(1, 2), (3, 5)], ["Lee", "Mill Ltd"], id="without_and"
        ),
    ],
)
def test_a_name_that_ends_with_and_goes_on_below(
    text: str, spans: list[tuple[int, int]], said: list[str]
) -> None:
    assert _said(text, FieldSpec("name", Kind.NAME), *spans) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("Straat Dam 5 | Plaats 1012 Leiden", "Dam 5 1012 Leiden", id="captions"),
        pytest.param("Plaats aan 5 | 1012 Leiden", "Plaats aan 5 1012 Leiden", id="a_street"),
        pytest.param("Mill Ltd | 5 Dam | Leiden", "5 Dam Leiden", id="end_of_a_name"),
        pytest.param("ill Ltd | 5 Dam | Leiden", "ill Ltd 5 Dam Leiden", id="half_a_word"),
        pytest.param("5 Dam | 2300 Leiden | 2300 Leiden", "5 Dam 2300 Leiden", id="said_again"),
    ],
)
def test_an_address_is_alone(text: str, said: str) -> None:
    document = document_of(text)
    lines = [0, *(n for n, word in enumerate(text.replace(" |", "|").split()) if word[-1] == "|")]
    count = len(list(document.words()))
    edges = [0, *(line + 1 for line in lines[1:]), count]
    spans = [Span("place", a, b, (0.9,) * (b - a)) for a, b in itertools.pairwise(edges)]
    evidence = Evidence.of(document, spans)
    mentions = evidence.mentions(FieldSpec("place", Kind.ADDRESS), ["Lee Mill Ltd"])
    assert " ".join(evidence.text(mentions[0]).split()) == said


def test_a_name_behind_a_caption_of_its_own_is_another_one() -> None:
    found = _said("Seller Lee | Our customer Ray", FieldSpec("name", Kind.NAME), (1, 2), (4, 5))
    assert found == ["Lee", "Ray"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "IBAN DE02 1203 0000 0000 · | 2020 51",
            ["DE02 1203 0000 0000 2020 51"],
            id="check_digits_are_right",
        ),
        pytest.param(
            "IBAN DE02 1203 0000 0000 · | 2020 52",
            ["DE02 1203 0000 0000", "2020 52"],
            id="check_digits_are_wrong",
        ),
    ],
)
def test_an_account_goes_on_below_where_its_check_digits_tell(text: str, said: list[str]) -> None:
    assert _said(text, FieldSpec("account", Kind.IBAN), (1, 5), (6, 8)) == said


NUMBER = FieldSpec("number", Kind.IDENTIFIER)


def _said_at(text: str, spec: FieldSpec, *places: tuple[int, int, float]) -> list[str]:
    document = document_of(text)
    spans = [Span(spec.name, a, b, (score,) * (b - a)) for a, b, score in places]
    evidence = Evidence.of(document, spans)
    return [evidence.text(mention).replace("\n", " ") for mention in evidence.mentions(spec)]


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        pytest.param((0.98, 0.78, 0.75), ["F2009-022", "/ 6625"], id="less_sure_of_the_stroke"),
        pytest.param((1.0, 1.0, 0.99), ["F2009-022 / 6625"], id="sure_of_all"),
    ],
)
def test_a_number_ends_at_a_stroke_that_the_tagger_begins_anew(
    scores: tuple[float, float, float], said: list[str]
) -> None:
    places = [(at, at + 1, score) for at, score in enumerate(scores)]
    assert _said_at("F2009-022 / 6625", NUMBER, *places) == said


@pytest.mark.parametrize(
    ("text", "kind", "second", "said"),
    [
        pytest.param(
            "12 High St | Leeds | 12 High St | Leeds",
            Kind.ADDRESS,
            4,
            ["12 High St Leeds", "12 High St Leeds"],
            id="address_below",
        ),
        pytest.param("Lee Ltd Lee Ltd", Kind.NAME, 2, ["Lee Ltd", "Lee Ltd"], id="name_beside"),
        pytest.param("LEE Lee Ltd", Kind.NAME, 1, ["LEE", "Lee Ltd"], id="brand_and_company"),
        pytest.param("12 High St | Leeds", Kind.ADDRESS, 3, ["12 High St Leeds"], id="goes_on"),
    ],
)
def test_what_is_said_once_more_right_behind_a_value_is_none_of_it(
    text: str, kind: Kind, second: int, said: list[str]
) -> None:
    places = (0, second, 0.9), (second, len(text.replace("|", "").split()), 0.9)
    assert _said_at(text, FieldSpec("said", kind), *places) == said


def test_of_tags_that_begin_at_one_word_the_last_counts() -> None:
    spans = [Span("due", 0, 1, (0.9,)), Span("end", 0, 1, (0.8,))]
    assert Evidence.of(document_of("4711"), spans).spans == spans[1:]
