"""The comparison of answers tells a document that is lost, and one that is answered otherwise."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.faults.compare import Comparison, compared, report
from tests.faults.counts import Counts
from tests.faults.soak import Outcome

CALM = {"a": "1", "b": "2", "c": "3"}  # JSON, as answers are


def outcome(*, lost: int = 0) -> Outcome:
    counts = Counts(3, 3, 3 - lost, 0, lost, 0, 0, 0)
    return Outcome(counts, True, Counter(killed=4), Counter(), 60.0)


def test_answers_are_compared_by_document() -> None:
    assert compared(CALM, dict(reversed(CALM.items()))) == Comparison(3, 0, 0)
    assert compared(CALM, {"a": "1", "b": "0"}) == Comparison(1, 1, 1)


def test_the_place_of_a_difference_is_named(caplog: pytest.LogCaptureFixture) -> None:
    calm, stormy = '{"fields": [{"text": "1"}, null]}', '{"fields": [{"text": "2"}, null]}'
    assert report({"a": calm}, {"embedded": (outcome(), {"a": stormy})}) == 1
    assert "a: /fields/0/text: '1', then '2'" in caplog.text


def test_only_a_run_like_that_in_calm_is_sound() -> None:
    assert report(CALM, {"embedded": (outcome(), CALM)}) == 0
    for bad, answers in (
        (outcome(lost=1), CALM),
        (outcome(), {**CALM, "c": "0"}),
        (outcome(), {"a": "1", "b": "2"}),
    ):
        assert report(CALM, {"embedded": (outcome(), CALM), "production": (bad, answers)}) == 1
