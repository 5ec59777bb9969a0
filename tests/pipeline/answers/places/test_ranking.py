"""Places to ranked values: equal values add up, and ties have one outcome."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.labels import Span
from pipeline.answers.places.mentions import Mention
from pipeline.answers.places.ranking import rank_values
from pipeline.values.normalise import DocumentContext
from pipeline.values.schema import FieldSpec, Kind

TOTAL = FieldSpec("total", Kind.AMOUNT)
NOTHING = DocumentContext()


def _mention(start: int, score: float) -> Mention:
    return Mention((Span("total", start, start + 1, (score,)),))


def test_equal_values_add_up_however_they_are_written() -> None:
    mentions = [_mention(0, 0.9), _mention(2, 0.5), _mention(4, 0.6)]
    first, second = rank_values(mentions, ["20.00", "9.00", "RM9.0"], TOTAL, NOTHING)
    assert [value.normalised.key for value in (first, second)] == ["9", "20"]
    assert [value.total for value in (first, second)] == pytest.approx([1.1, 0.9])
    assert first.best is mentions[2]


def test_value_that_is_none_comes_last() -> None:
    mentions = [_mention(0, 0.99), _mention(2, 0.1)]
    first, second = rank_values(mentions, ["nil", "9.00"], TOTAL, NOTHING)
    assert first.normalised.key == "9"
    assert second.normalised.status == "failed"


def test_first_of_equal_values_and_mentions_is_shown() -> None:
    mentions = [_mention(6, 0.5), _mention(2, 0.5), _mention(4, 0.5), _mention(0, 0.5)]
    ranked = rank_values(mentions, ["1.00", "2.00", "1.00", "2.00"], TOTAL, NOTHING)
    assert [(value.normalised.key, value.best.start) for value in ranked] == [("2", 0), ("1", 4)]


def test_nothing_offers_nothing() -> None:
    assert rank_values([], [], TOTAL, NOTHING) == []


def test_a_companys_name_in_short_counts_for_the_one_in_full() -> None:
    mentions = [_mention(0, 0.9), _mention(2, 0.1)]
    vendor = FieldSpec("vendor", Kind.NAME, company=True)
    [value] = rank_values(mentions, ["ASHCOMBE", "Ashcombe Ltd"], vendor, NOTHING)
    assert value.normalised.text == "Ashcombe Ltd"
    assert value.total == pytest.approx(1.0)
    plain = rank_values(
        mentions, ["ASHCOMBE", "Ashcombe Ltd"], replace(vendor, company=False), NOTHING
    )
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
    ranked = rank_values(mentions, texts, TOTAL, NOTHING)
    order = list(range(len(items)))
    random.shuffle(order)
    again = rank_values([mentions[i] for i in order], [texts[i] for i in order], TOTAL, NOTHING)
    assert [value.best for value in again] == [value.best for value in ranked]
    assert sum(value.total for value in ranked) == pytest.approx(
        sum(mention.score for mention in mentions)
    )
    keys = [value.normalised.key for value in ranked]
    assert len(keys) == len(set(keys))
