"""Codes of articles, told by the column that they stand in."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.rows.codes import with_codes
from pipeline.answers.rows.groups import rows_of
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

TEXT = FieldSpec("items.description", Kind.TEXT, many=True)
CODE = FieldSpec("items.code", Kind.IDENTIFIER, many=True)
AMOUNT = FieldSpec("items.amount", Kind.AMOUNT, many=True)
COLUMNS = {"d": TEXT, "c": CODE, "a": AMOUNT}


def _codes(page: str, tags: str) -> list[str | None]:
    """Return the code of each row that tagged words make, a letter of `COLUMNS` a word."""
    words = list(document_of(page, columns=90).words())
    letters = tags.replace(" ", "")
    assert len(letters) == len(words)
    spans = [
        Span(COLUMNS[letter].name, at, at + 1, (0.9,))
        for at, letter in enumerate(letters)
        if letter in COLUMNS
    ]
    rows = rows_of([TEXT, CODE, AMOUNT], spans, words)
    return [
        " ".join(words[index][1].text for index in row["code"].words) if "code" in row else None
        for row in rows
    ]


def _table(*codes: str) -> str:
    texts = ("black tea", "green tea", "mint tea", "white tea")
    amounts = ("5.00", "6.00", "4.00", "9.00")
    rows = zip(codes, texts, amounts, strict=False)
    return " | | ".join(f"{code:14}{text:16}{amount}" for code, text, amount in rows)


@pytest.mark.parametrize(
    ("codes", "found"),
    [
        pytest.param(["AB-10", "AB-12", "XY-77"], True, id="letters_and_digits"),
        pytest.param(["70418", "70533", "90001"], True, id="numbers"),
        pytest.param(["838.505", "168.120", "919.883"], True, id="groups"),
        pytest.param(["978-84-19-4", "978-84-27-5", "978-84-08-4"], True, id="isbn"),
        pytest.param(["AB-10", "AB-12", "FREIGHT"], True, id="one_of_letters"),
        pytest.param(["000010", "000020", "000030"], False, id="positions"),
        pytest.param(["01.010", "01.020", "02.010"], False, id="positions_of_sections"),
        pytest.param(["88120", "88120", "88120"], False, id="delivery_note"),
        pytest.param(["07.10.2026", "08.10.2026", "12.10.2026"], False, id="dates"),
        pytest.param(["2026-10-07", "2026-10-09", "2026-10-12"], False, id="dates_year_first"),
        pytest.param(["07-2026", "08-2026", "10-2026"], False, id="months"),
        pytest.param(["2", "12", "4"], False, id="quantities"),
        pytest.param(["MILA", "ANTON", "MILA"], False, id="names"),
    ],
)
def test_unlike_words_below_one_another_before_the_texts_are_codes(
    codes: list[str], found: bool
) -> None:
    assert _codes(_table(*codes), "-dda -dda -dda") == (codes if found else [None] * 3)


def test_a_code_of_the_column_is_no_part_of_a_text() -> None:
    page = _table("AB-10", "AB-12", "TR-EQ", "XY-77")
    assert _codes(page, "-dda -dda ddda -dda") == ["AB-10", "AB-12", "TR-EQ", "XY-77"]


def test_texts_that_begin_with_sizes_keep_them() -> None:
    page = "4X40 screw    5.00 | | 5X80 screw    6.00 | | 6X90 screw    4.00"
    assert _codes(page, "dda dda dda") == [None] * 3


def test_the_column_of_codes_takes_the_place_of_positions_tagged_as_such() -> None:
    page = " | | ".join(
        f"{position}   {code}   black tea   5.00"
        for position, code in (("000010", "70418"), ("000020", "70533"), ("000030", "90001"))
    )
    assert _codes(page, "c-dda c-dda c-dda") == ["70418", "70533", "90001"]


def test_a_code_of_several_words_stays_whole() -> None:
    page = "AB 7041   black tea   5.00 | | XY 7533   green tea   6.00 | | KM 9002   mint tea   4.00"
    assert _codes(page, "ccdda ccdda ccdda") == ["AB 7041", "XY 7533", "KM 9002"]


def test_codes_that_the_tagger_gives_elsewhere_stay() -> None:
    page = " | | ".join(
        f"{order}   {text}   {serial}   5.00"
        for order, text, serial in (
            ("70418", "black tea", "SN-41"),
            ("70533", "green tea", "SN-44"),
            ("90001", "mint tea", "SN-59"),
        )
    )
    assert _codes(page, "-ddca -ddca -ddca") == ["SN-41", "SN-44", "SN-59"]
    assert _codes(f"{page} | | SN-77   5.00", "-ddca -ddca -ddca ca")[-1] == "SN-77"


def test_rows_without_texts_have_no_codes() -> None:
    words = list(document_of("5.00").words())
    rows = rows_of([AMOUNT], [Span(AMOUNT.name, 0, 1, (0.9,))], words)
    assert with_codes(rows, "description", CODE, words) == rows
