"""Spans that touch are one mention, with the scores of all its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.labels import Span
from pipeline.answers.places.mentions import Mention, join_runs
from pipeline.answers.places.ranking import rank_values
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind

DATE = FieldSpec("date", Kind.DATE, day_first=True)


def _span(start: int, score: float) -> Span:
    return Span("date", start, start + 1, (score,))


def test_three_single_words_side_by_side_are_one_date() -> None:
    [joined] = join_runs([_span(4, 0.8), _span(3, 0.9), _span(5, 0.7)])
    assert (joined.start, joined.end, joined.token_scores) == (3, 6, (0.9, 0.8, 0.7))
    assert joined.score == pytest.approx((0.9 * 0.8 * 0.7) ** (1 / 3))
    [value] = rank_values(
        [Mention((joined,))], [normalise("05 MAY 18", DATE, DocumentContext())], DATE
    )
    assert value.normalised.value == "2018-05-05"


def test_spans_with_and_without_scores_join() -> None:
    joined = join_runs([Span("date", 0, 2), _span(2, 0.25)])
    assert [(span.start, span.end) for span in joined] == [(0, 3)]
    assert joined[0].token_scores == (1.0, 1.0, 0.25)


@given(st.sets(st.integers(0, 30), max_size=15))
def test_joined_spans_never_touch_and_cover_the_same_words(starts: set[int]) -> None:
    joined = join_runs(_span(start, 0.5) for start in starts)
    assert {i for span in joined for i in range(span.start, span.end)} == starts
    ends = [span.end for span in joined]
    assert all(span.start > end for span, end in zip(joined[1:], ends[:-1], strict=True))


def test_the_score_of_a_mention_is_that_of_all_its_words() -> None:
    mention = Mention((Span("date", 3, 5, (0.9, 0.8)), Span("date", 9, 10)))
    assert mention.words == [3, 4, 9]
    assert mention.score == pytest.approx((0.9 * 0.8 * 1.0) ** (1 / 3))
