"""How labels write a field, learnt from pairs of printed text and label."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.normalise import DocumentContext
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import fold_space
from pipeline.values.texts.surface import BY_VALUE, EDGE, FORM, WORD, restyle
from training.data.autotag import learn_form, learn_style

NAMES = ("ALMA", "BRET", "CORA", "DORN", "ELSA")


def _pairs(printed: str, label: str, names: tuple[str, ...] = NAMES) -> list[tuple[str, str]]:
    return [(printed.format(name), label.format(name)) for name in names]


@pytest.mark.parametrize(
    ("printed", "label", "style"),
    [
        pytest.param("NO 5\n{}", "NO 5, {}", {"\n": ", "}, id="line_end_to_comma"),
        pytest.param("NO 5,\n{}", "NO 5,{}", {",\n": ","}, id="comma_without_space"),
        pytest.param("{} , X", "{}, X", {" , ": ", "}, id="space_before_comma"),
        pytest.param("{} BHD.", "{} BHD", {f".{EDGE}": ""}, id="stop_at_the_end"),
        pytest.param("{} BHD", "{} BHD.", {EDGE: "."}, id="stop_added_at_the_end"),
        pytest.param("{}\nX", "{} X", {}, id="line_end_to_space_is_no_news"),
        pytest.param("{} X", "{} X", {}, id="as_printed"),
        pytest.param("{}\nX", "Y, Z", {}, id="other_letters_tell_nothing"),
        pytest.param("{} AB\nX", "{} A B, X", {}, id="split_words_do_not_pair_up"),
    ],
)
def test_habits_that_labels_show(printed: str, label: str, style: dict[str, str]) -> None:
    assert learn_style(_pairs(printed, label)) == style


@pytest.mark.parametrize(
    ("printed", "label", "style"),
    [
        pytest.param("{} & Sons", "{} and Sons", {f"{WORD}&": "and"}, id="sign_for_a_word"),
        pytest.param(
            "{} Incorporated", "{} Inc.", {f"{WORD}incorporated": "Inc."}, id="abbreviated"
        ),
        pytest.param("{} One Two Six", "{} Uno Due Sei", {}, id="too_many_words"),
        pytest.param("{} Milk 1", "{} Milk l", {}, id="a_digit_was_misread"),
        pytest.param("{} Milk l", "{} Milk 1", {}, id="a_letter_was_misread"),
    ],
)
def test_words_that_labels_write_otherwise(printed: str, label: str, style: dict[str, str]) -> None:
    learnt = learn_style(_pairs(printed, label))
    assert {rule: text for rule, text in learnt.items() if rule.startswith(WORD)} == style
    if style:
        assert restyle(printed.format("ZOE"), learnt) == label.format("ZOE")


@pytest.mark.parametrize(
    ("kind", "pairs", "style"),
    [
        pytest.param(
            Kind.DATE,
            [(f"the {day}th day of April, 2001", f"2001-04-{day}") for day in range(11, 15)],
            {FORM: BY_VALUE},
            id="dates_as_values",
        ),
        pytest.param(
            Kind.DATE,
            [(f"{day}/4/2001", f"{day}/4/2001") for day in range(11, 15)],
            {},
            id="dates_as_printed",
        ),
        pytest.param(
            Kind.DURATION,
            [("two (2) years", "2 years"), ("one (1) year", "1 year"), ("six months", "6 months")],
            {FORM: BY_VALUE},
            id="durations_as_values",
        ),
        pytest.param(Kind.DATE, [("1 May 2001", "2001-05-01")] * 9, {}, id="one_label_is_no_habit"),
    ],
)
def test_values_in_place_of_what_is_printed(
    kind: Kind, pairs: list[tuple[str, str]], style: dict[str, str]
) -> None:
    assert learn_form(pairs, FieldSpec("field", kind), DocumentContext()) == style


def test_two_labels_are_no_habit() -> None:
    assert learn_style(_pairs("A\n{}", "A, {}", NAMES[:2])) == {}


def test_one_shop_with_many_receipts_has_one_vote() -> None:
    assert learn_style([("ALMA\nX", "ALMA, X")] * 40) == {}


def test_divided_labels_leave_the_gap_as_printed() -> None:
    pairs = _pairs("A\n{}", "A, {}") + _pairs("B\n{}", "B - {}")
    assert learn_style(pairs) == {}


runs = st.text("ABC123", min_size=1, max_size=4)
marks = st.sampled_from([" ", ", ", "\n", ",\n", ". ", " - ", "/"])


@given(st.lists(st.tuples(runs, marks), min_size=1, max_size=6), st.data())
def test_learnt_style_writes_consistent_labels_exactly(
    parts: list[tuple[str, str]], data: st.DataObject
) -> None:
    # Labels that write each printed gap one way are reproduced from what was printed.
    habit = {
        gap: data.draw(st.sampled_from([" ", ", ", "; ", gap.replace("\n", " ")]))
        for gap in sorted({gap for _, gap in parts})
    }
    pairs = []
    for name in NAMES:
        printed = "".join(run + gap for run, gap in parts) + name
        label = "".join(run + habit[gap] for run, gap in parts) + name
        pairs.append((printed, label))
    style = learn_style(pairs)
    for printed, label in pairs:
        assert fold_space(restyle(printed, style)) == fold_space(label)
