"""Strings, addresses and identifiers: what is shown and what is compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.texts.address_lines import clean_address, printed_address
from pipeline.values.texts.identifiers import clean_identifier, printed_identifier
from pipeline.values.texts.strings import clean, fold_space, in_ascii, lenient

ANY_TEXT = st.text(alphabet=st.characters(), max_size=40)  # surrogates included


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("  ABC\n\tSDN.  BHD. ", "ABC SDN. BHD.", id="space_folds_and_points_stay"),
        pytest.param("*** ABC S/B ***", "ABC S/B", id="ornaments"),
        pytest.param("ABC (M) SDN BHD", "ABC (M) SDN BHD", id="brackets_inside"),
        pytest.param("ABC TRADING (M)", "ABC TRADING (M)", id="bracket_pair_at_the_end"),
        pytest.param("ABC TRADING (", "ABC TRADING", id="lone_opening"),
        pytest.param("ABC) ", "ABC", id="lone_closing"),
        pytest.param("(ABC", "ABC", id="partner_missing"),
        pytest.param(", ABC :", "ABC", id="stray_punctuation"),
        pytest.param("A\x00B", "A B", id="nul"),
        pytest.param("***", "", id="nothing_left"),
        pytest.param("'s-Hertogenbosch", "'s-Hertogenbosch", id="clipped_article"),
        pytest.param("'t Zand,", "'t Zand", id="clipped_article_of_a_thing"),
        pytest.param("'ABC'", "ABC", id="quotes"),
    ],
)
def test_clean(text: str, expected: str) -> None:
    assert clean(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Sdn. Bhd.", "SDNBHD", id="case_and_points"),
        pytest.param("ﬁnance １２", "FINANCE12", id="compatibility_forms"),
        pytest.param("Straße", "STRASSE", id="upper_case_expands"),
        pytest.param("Cafe\u0301", "CAFÉ", id="accents_compose"),
        pytest.param("---", "", id="nothing_left"),
    ],
)
def test_lenient(text: str, expected: str) -> None:
    assert lenient(text) == expected


def test_latin_letters_in_ascii_and_others_as_they_are() -> None:
    assert (
        in_ascii("Größe ÉTÉ Łódź Ærø Iğdır İzmir GROẞ № ℡ 金額 ½")
        == "grosse ete lodz aero igdir izmir gross no tel 金額 1⁄2"
    )


@given(ANY_TEXT)
def test_forms_are_fixed_points(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert lenient(lenient(text)) == lenient(text)
    assert clean_address(clean_address(text)) == clean_address(text)
    assert printed_identifier(printed_identifier(text)) == printed_identifier(text)
    fold_space(text).encode("utf-8")


@given(ANY_TEXT)
def test_cleaning_loses_no_letter_or_digit(text: str) -> None:
    assert lenient(clean(text)) == lenient(fold_space(text))


@pytest.mark.parametrize(
    ("text", "printed", "cleaned"),
    [
        pytest.param(
            "12, JALAN A , 43300 TOWN,", "12, JALAN A , 43300 TOWN,", "12, JALAN A, 43300 TOWN",
            id="as_printed_and_tidied",
        ),
        pytest.param("Address: 1 High St.", "1 High St.", "1 High St.", id="caption"),
        pytest.param("REGISTERED ADDRESS : 1 A", "1 A", "1 A", id="longer_caption"),
        pytest.param("ADDISON ROAD 5", "ADDISON ROAD 5", "ADDISON ROAD 5", id="no_caption"),
        pytest.param("LOT 5 (GF)", "LOT 5 (GF)", "LOT 5 (GF)", id="bracket_at_the_end"),
    ],
)  # fmt: skip
def test_addresses(text: str, printed: str, cleaned: str) -> None:
    assert (printed_address(text), clean_address(text)) == (printed, cleaned)


@pytest.mark.parametrize(
    ("text", "printed", "cleaned"),
    [
        pytest.param("Invoice No: 12345", "12345", "12345", id="caption"),
        pytest.param("INV. NO. A-17/3", "A-17/3", "A-17/3", id="abbreviated_caption"),
        pytest.param("Contract # 2436316-1", "2436316-1", "2436316-1", id="hash"),
        pytest.param("#55", "55", "55", id="hash_glued"),
        pytest.param("No. 77", "77", "77", id="number_word"),
        pytest.param("272355 / 3", "272355 / 3", "272355/3", id="split_number"),
        pytest.param("DE89 3704 0044", "DE89 3704 0044", "DE8937040044", id="groups_of_four"),
        pytest.param("9752880 (Rev 0)", "9752880 (Rev 0)", "9752880 (Rev 0)", id="note"),
        pytest.param("NOVA 12", "NOVA 12", "NOVA 12", id="no_caption"),
        pytest.param("Invoice No:", "Invoice No", "Invoice No", id="nothing_behind_the_caption"),
    ],
)
def test_identifiers(text: str, printed: str, cleaned: str) -> None:
    assert (printed_identifier(text), clean_identifier(text)) == (printed, cleaned)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["a ", "no ", "a.", "(", "()", ",", "#", "No: ", "1 ", "address: "]
)
def test_adversarial_text_returns(piece: str) -> None:
    text = (piece * 2_000)[:2_000]
    assert len(clean(text)) <= 2_000
    assert len(clean_address(text)) <= 2_000
    assert len(clean_identifier(text)) <= 2_000
