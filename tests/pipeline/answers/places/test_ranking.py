"""Places to ranked values: equal values add up, and ties have one outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.labels import Span
from pipeline.answers.places.mentions import Mention
from pipeline.answers.places.ranking import Value, rank_values
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind

TOTAL = FieldSpec("total", Kind.AMOUNT)
NOTHING = DocumentContext()


def _ranked(
    mentions: Sequence[Mention], texts: Sequence[str], spec: FieldSpec = TOTAL
) -> list[Value]:
    return rank_values(mentions, [normalise(text, spec, NOTHING) for text in texts], spec)


def _mention(start: int, score: float) -> Mention:
    return Mention((Span("total", start, start + 1, (score,)),))


def test_equal_values_add_up_however_they_are_written() -> None:
    mentions = [_mention(0, 0.9), _mention(2, 0.5), _mention(4, 0.6)]
    first, second = _ranked(mentions, ["20.00", "9.00", "RM9.0"])
    assert [value.normalised.key for value in (first, second)] == ["9", "20"]
    assert [value.total for value in (first, second)] == pytest.approx([1.1, 0.9])
    assert first.best is mentions[2]


def test_value_that_is_none_comes_last() -> None:
    mentions = [_mention(0, 0.99), _mention(2, 0.1)]
    first, second = _ranked(mentions, ["nil", "9.00"])
    assert first.normalised.key == "9"
    assert second.normalised.status == "failed"


def test_a_tax_number_with_wrong_check_digits_is_one() -> None:
    tax = FieldSpec("tax", Kind.TAX_ID)
    mistyped, other = "DE136695970", "57/146/03381"
    for score, first in ((0.7, mistyped), (0.95, other)):
        ranked = _ranked([_mention(0, 0.99), _mention(2, score)], [mistyped, other], tax)
        assert ranked[0].normalised.text == first


@pytest.mark.parametrize(
    ("kind", "part", "whole", "other"),
    [
        (Kind.ADDRESS, "5 Mill Lane", "5 Mill Lane, Leeds", "7 High Street, York"),
        (Kind.TAX_ID, "8567346215", "PL8567346215", "57/146/03381"),
    ],
)
@pytest.mark.parametrize("score", [0.95, 0.5])
def test_a_part_counts_for_the_value_that_has_all_of_it(
    kind: Kind, part: str, whole: str, other: str, score: float
) -> None:
    mentions = [_mention(0, 0.99), _mention(2, score), _mention(4, 0.98)]
    ranked = _ranked(mentions, [part, whole, other], FieldSpec("value", kind))
    texts = [value.normalised.text for value in ranked]
    if score < 0.9:  # it may have a neighbour's words
        assert texts == [part, other, whole]
    else:
        assert texts == [whole, other]
        assert ranked[0].total == pytest.approx(0.99 + score)
        marked = ranked[0].normalised.status == "ambiguous"
        assert marked is (kind is Kind.ADDRESS)


@pytest.mark.parametrize(
    ("kind", "part", "whole"),
    [
        (Kind.ADDRESS, "1 High Street, York", "11 High Street, York"),
        (Kind.ADDRESS, "-", "11 High Street, York"),
        (Kind.TAX_ID, "1366", "DE136695976"),
    ],
)
def test_what_a_longer_value_holds_by_chance_is_no_part_of_it(
    kind: Kind, part: str, whole: str
) -> None:
    ranked = _ranked([_mention(0, 0.99), _mention(2, 0.95)], [part, whole], FieldSpec("v", kind))
    assert len(ranked) == 2
    assert all(value.normalised.status != "ambiguous" for value in ranked)


@pytest.mark.parametrize(
    ("score", "longer", "parted"),
    [
        pytest.param(0.95, "CEO Ode, 5 Mill Lane", True, id="neighbour_before"),
        pytest.param(0.6, "CEO Ode, 5 Mill Lane", False, id="less_likely_part"),
        pytest.param(0.95, "5 Mill Lane, Leeds, Germany", False, id="country_behind"),
    ],
)
def test_an_address_that_took_in_a_neighbours_words_has_no_parts(
    score: float, longer: str, parted: bool
) -> None:
    foot = Mention((Span("total", 2, 7, (0.7, 1.0, 1.0, 1.0, 1.0)),))
    ranked = _ranked(
        [_mention(0, score), foot], ["5 Mill Lane", longer], FieldSpec("value", Kind.ADDRESS)
    )
    texts = [one.normalised.text for one in ranked]
    assert texts == (["5 Mill Lane", longer] if parted else [longer])


def test_first_of_equal_values_and_mentions_is_shown() -> None:
    mentions = [_mention(6, 0.5), _mention(2, 0.5), _mention(4, 0.5), _mention(0, 0.5)]
    ranked = _ranked(mentions, ["1.00", "2.00", "1.00", "2.00"])
    assert [(value.normalised.key, value.best.start) for value in ranked] == [("2", 0), ("1", 4)]


def test_nothing_offers_nothing() -> None:
    assert _ranked([], []) == []


def test_a_companys_name_in_short_counts_for_the_one_in_full() -> None:
    mentions = [_mention(0, 0.9), _mention(2, 0.1)]
    vendor = FieldSpec("vendor", Kind.NAME, company=True)
    [value] = _ranked(mentions, ["ASHCOMBE", "Ashcombe Ltd"], vendor)
    assert value.normalised.text == "Ashcombe Ltd"
    assert value.total == pytest.approx(1.0)
    plain = _ranked(mentions, ["ASHCOMBE", "Ashcombe Ltd"], replace(vendor, company=False))
    assert plain[0].normalised.text == "ASHCOMBE"


offers = st.lists(
    st.tuples(st.sampled_from(["1.00", "1", "2.50", "x", "", "RM 2.50"]), st.floats(0.01, 1)),
    max_size=8,
)


@given(offers, st.randoms(use_true_random=False))
def test_rank_does_not_depend_on_the_order_of_mentions(
    items: list[tuple[str, float]], random: Random
) -> None:
    mentions = [_mention(2 * index, score) for index, (_, score) in enumerate(items)]
    texts = [text for text, _ in items]
    ranked = _ranked(mentions, texts)
    order = list(range(len(items)))
    random.shuffle(order)
    again = _ranked([mentions[i] for i in order], [texts[i] for i in order])
    assert [value.best for value in again] == [value.best for value in ranked]
    assert sum(value.total for value in ranked) == pytest.approx(
        sum(mention.score for mention in mentions)
    )
    keys = [value.normalised.key for value in ranked]
    assert len(keys) == len(set(keys))
