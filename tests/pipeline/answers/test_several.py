"""A file of several documents is told from one that has an annex, or that names others."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from models.labels import Span
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.several import Part, parts_of, told_apart
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

_FIELDS = (
    FieldSpec("number", Kind.IDENTIFIER),
    FieldSpec("issued", Kind.DATE),
    FieldSpec("buyer", Kind.NAME),
    FieldSpec("total", Kind.AMOUNT),
    FieldSpec("order", Kind.IDENTIFIER),
)
_EXPECTED = ("buyer", "issued", "number", "total")
_MARKS = {"#": "number", "@": "issued", "~": "buyer", "$": "total", "*": "order"}

_FIRST = "Invoice #4711 of @2024-05-03 for ~Oak due $17.00"
_SECOND = "Invoice #4712 of @2024-06-04 for ~Elm due $18.00"
_THIRD = "Invoice #4713 of @2024-07-05 for ~Fir due $19.00"


def _parts(
    *pages: str,
    titled: tuple[int, ...] = (),
    number: str | None = "number",
    expected: tuple[str, ...] = _EXPECTED,
    score: float = 0.95,
    read: tuple[int, ...] = (),
) -> list[str]:
    """Return the ranges of the documents that some pages hold, each with its number, if any.

    Args:
        pages: texts, in which words that begin with a field's mark are tagged, with "?" behind it
            faintly.
        titled: pages with a tall title.
        number: the field with a document's number.
        expected: fields that documents have.
        score: of the places tagged.
        read: numbers of the pages, by default from 1.
    """
    document = document_of(*pages)
    spans = [
        Span(_MARKS[token.text[0]], at, at + 1, (0.4 if token.text[1] == "?" else score,))
        for at, (_, token) in enumerate(document.words())
        if token.text[0] in _MARKS
    ]
    bare = document_of(*(re.sub("[#@~$*?]", "", page) for page in pages))
    numbers = read or tuple(page.number for page in bare.pages)
    renumbered = (
        replace(page, number=of_file) for page, of_file in zip(bare.pages, numbers, strict=True)
    )
    bare = replace(bare, pages=tuple(renumbered))
    found = parts_of(
        numbers,
        Evidence.of(bare, spans),
        _FIELDS,
        expected,
        number,
        titled,
    )
    return [f"{part} {part.number}".strip() for part in found]


@pytest.mark.parametrize(
    ("pages", "found"),
    [
        pytest.param([_FIRST, _SECOND], ["1 4711", "2 4712"], id="two"),
        pytest.param(
            [_FIRST, _SECOND, _THIRD], ["1 4711", "2 4712", "3 4713"], id="as_many_as_there_are"
        ),
        pytest.param(
            ["Invoice #4711 of @2024-05-03 for ~Oak", "due $17.00", _SECOND],
            ["1-2 4711", "3 4712"],
            id="whose_total_is_on_the_last_page",
        ),
        pytest.param([_FIRST, "", _SECOND, ""], ["1-2 4711", "3-4 4712"], id="with_empty_backs"),
        pytest.param(["Dear all", _FIRST, _SECOND], ["1-2 4711", "3 4712"], id="with_a_cover"),
        pytest.param(
            [_FIRST, "Invoice #4712 of @2024-06-04 due $18.00"],
            ["1 4711", "2 4712"],
            id="which_lacks_one_value",
        ),
        pytest.param([_FIRST, _SECOND.replace("#", "*")], ["1 4711", "2"], id="with_no_number"),
        pytest.param([_FIRST, f"{_SECOND} #?4712"], ["1 4711", "2 4712"], id="faintly_said_again"),
        pytest.param(
            [_FIRST.replace("4711", "12"), _SECOND], ["1 12", "2 4712"], id="of_which_one_is_short"
        ),
    ],
)
def test_pages_that_say_what_documents_have_anew_begin_documents(
    pages: list[str], found: list[str]
) -> None:
    assert _parts(*pages) == found


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([_FIRST], id="one_page"),
        pytest.param([_FIRST, _FIRST], id="printed_twice"),
        pytest.param(
            [_FIRST, "Specification #815 of @2024-01-01"], id="an_annex_with_a_number_and_a_date"
        ),
        pytest.param(
            [_FIRST, "Invoice #815 of @2024-05-03 for ~Oak due $17.00"],
            id="a_number_of_something_else_beside_its_date",
        ),
        pytest.param([_FIRST, f"{_SECOND} page 2 of 4711"], id="that_prints_the_number_again"),
        pytest.param(
            [_FIRST.replace("4711", "12"), f"{_SECOND} #?12"], id="that_faintly_says_a_short_one"
        ),
        pytest.param([_FIRST, "Call #815 for ~Elm at @12:30"], id="that_names_a_time"),
        pytest.param([_FIRST, "Reminder of @2024-06-04 for $18.00"], id="that_is_paid_in_parts"),
        pytest.param([_FIRST, "Delivery of @2024-06-04 for ~Elm"], id="delivered_to_another"),
        pytest.param(
            [_FIRST, f"{_SECOND} and #4713 and #4714 and #4715"], id="that_lists_what_is_open"
        ),
    ],
)
def test_one_document_holds_no_others(pages: list[str]) -> None:
    assert _parts(*pages) == []


def test_unlikely_places_begin_nothing() -> None:
    assert _parts(_FIRST, _SECOND, score=0.55) == ["1 4711", "2 4712"]
    assert _parts(_FIRST, _SECOND, score=0.45) == []


def test_a_title_stands_for_a_date_or_for_a_number() -> None:
    same_day = ("Invoice #4712 of @2024-05-03 for ~Elm", "due $18.00")
    assert _parts(_FIRST, *same_day) == []
    assert _parts(_FIRST, *same_day, titled=(1, 2)) == ["1 4711", "2-3 4712"]
    bare = ("Invoice of @2024-07-05 for ~Fir", "due $19.00")
    assert _parts(_FIRST, _SECOND, *bare) == ["1 4711", "2-4 4712"]
    assert _parts(_FIRST, _SECOND, *bare, titled=(1, 2, 3)) == ["1 4711", "2 4712", "3-4"]
    assert _parts(_FIRST, "Statement #815 for ~Elm", titled=(1, 2)) == []


def test_a_title_on_each_page_of_a_document_begins_none() -> None:
    begun = "Invoice #4711 of @2024-05-03 for ~Oak"
    assert _parts(begun, "Invoice printed @2024-05-04 for ~Oak due $17.00", titled=(1, 2)) == []
    misread = "Invoice #47l1 of @2024-05-03 for ~Oak due $17.00"
    assert _parts(begun, misread, titled=(1, 2)) == []
    pages = (begun, "due $17.00", "Invoice #4712 of @2024-05-03 for ~Oak due $18.00")
    assert _parts(*pages, titled=(1, 3)) == ["1-2 4711", "3 4712"]


def test_pages_are_those_of_the_file_that_were_read() -> None:
    assert _parts(_FIRST, "", _SECOND, read=(2, 3, 4)) == ["2-3 4711", "4 4712"]
    assert _parts(_FIRST, "", "", _SECOND, read=(1, 4, 5, 9)) == ["1,4-5 4711", "9 4712"]


def test_two_values_make_no_document() -> None:
    assert _parts(_FIRST, _SECOND, titled=(1, 2), expected=("number", "issued")) == []
    assert _parts(_FIRST, _SECOND, titled=(1, 2), expected=("number", "issued", "total")) == [
        "1 4711",
        "2 4712",
    ]


def test_without_a_field_for_numbers_pages_say_everything_anew() -> None:
    def parts(*pages: str, expected: tuple[str, ...] = ("issued", "total")) -> list[str]:
        return _parts(*pages, number=None, expected=expected)

    assert parts(_FIRST, _SECOND) == ["1", "2"]
    assert parts("Dear all", _FIRST, "", _SECOND) == ["1-3", "4"]
    assert parts(f"{_FIRST} *A7", f"{_SECOND} *A8") == ["1", "2"]
    assert parts(f"{_FIRST} *A7", f"{_SECOND} *A8".replace("$18", "$17")) == []
    assert parts(_FIRST, _SECOND.replace("Elm", "Oak")) == []
    assert parts(_FIRST, "Invoice #4712 of @2024-06-04 for ~Elm", "due $18.00") == []
    assert parts(_FIRST, _SECOND, expected=()) == []


def test_where_it_is_not_known_what_documents_have_they_have_all_but_one_value() -> None:
    assert _parts(_FIRST, _SECOND, expected=()) == ["1 4711", "2 4712"]
    assert _parts(_FIRST, _SECOND.replace("~", ""), expected=()) == []


def test_the_sentence_names_the_pages_and_how_to_send_them() -> None:
    parts = [Part((1, 2), "4711"), Part((3,), "4712"), Part((4, 5, 6), "4713")]
    assert told_apart(parts[:2], numbered=True) == (
        "Pages 1-2 and 3 look like documents of their own (numbers 4711 and 4712): send them "
        "apart, with `pages=1-2` and `pages=3`."
    )
    assert told_apart(parts) == (
        "Pages 1-2, 3 and 4-6 look like documents of their own: send them apart, with `pages=1-2`, "
        "`pages=3` and `pages=4-6`."
    )
    assert "(numbers" not in told_apart([parts[0], Part((3,), "")], numbered=True)


def test_of_a_tall_pile_the_sentence_names_the_pages_alone() -> None:
    pile = [Part((page,), f"47{page}") for page in range(1, 301)]
    assert told_apart(pile[:10], numbered=True).count("pages=") == 10
    assert told_apart(pile[:11], numbered=True) == (
        "Pages 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 11 look like documents of their own: send them "
        "apart, with `pages=1` and so on."
    )
    assert len(told_apart(pile, numbered=True)) < 2_000
