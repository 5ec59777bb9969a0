"""Spans to ranked values: equal values add up, runs are joined, ties have one outcome."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.labels import Span
from pipeline.answers.mentions import Mention, join_runs
from pipeline.answers.ranking import rank_values
from pipeline.values.normalise import DocumentContext
from pipeline.values.schema import FieldSpec, Kind

TOTAL = FieldSpec("total", Kind.AMOUNT)
DATE = FieldSpec("date", Kind.DATE, day_first=True)
NOTHING = DocumentContext()


def _span(start: int, score: float, field: str = "total") -> Span:
    return Span(field, start, start + 1, (score,))


def _mention(start: int, score: float) -> Mention:
    return Mention((_span(start, score),))


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


def test_three_single_words_side_by_side_are_one_date() -> None:
    spans = [_span(4, 0.8, "date"), _span(3, 0.9, "date"), _span(5, 0.7, "date")]
    [joined] = join_runs(spans)
    assert (joined.start, joined.end, joined.token_scores) == (3, 6, (0.9, 0.8, 0.7))
    assert joined.score == pytest.approx((0.9 * 0.8 * 0.7) ** (1 / 3))
    [value] = rank_values([Mention((joined,))], ["05 MAY 18"], DATE, NOTHING)
    assert value.normalised.value == "2018-05-05"


def test_spans_with_and_without_scores_join() -> None:
    joined = join_runs([Span("total", 0, 2), _span(2, 0.25)])
    assert [(span.start, span.end) for span in joined] == [(0, 3)]
    assert joined[0].token_scores == (1.0, 1.0, 0.25)


@given(st.sets(st.integers(0, 30), max_size=15))
def test_joined_spans_never_touch_and_cover_the_same_words(starts: set[int]) -> None:
    joined = join_runs(_span(start, 0.5) for start in starts)
    assert {i for span in joined for i in range(span.start, span.end)} == starts
    ends = [span.end for span in joined]
    assert all(span.start > end for span, end in zip(joined[1:], ends[:-1], strict=True))
