"""What waits for a review: what has a doubtful value, and what nothing was read from."""

from __future__ import annotations

from typing import Any

import pytest

from app.schemas.common import ANSWER
from pipeline.result import Extraction
from store.reviews import need_of
from store.reviews.applied import applied
from tests.builders import field_value


def _answer(**changes: Any) -> Extraction:
    return Extraction.model_validate({**ANSWER, "id": "1", **changes})


@pytest.mark.parametrize("needed", [True, False])
def test_an_answer_without_doubtful_values_waits_where_it_says_so(needed: bool) -> None:
    need = need_of(_answer(fields={"total": None}, groups={}, needs_review=needed))
    assert (need is not None) is needed
    if need is not None:
        assert (need.doubts, need.worth) == (0, 1.0)


def test_what_a_person_has_finished_needs_no_review() -> None:
    value = field_value("text", "a", "a").model_copy(update={"needs_review": True})
    answer = _answer(fields={"total": value}, groups={}).with_need().model_dump(mode="json")
    assert answer["needs_review"]
    assert applied(answer, [], done=False)["needs_review"]
    assert not applied(answer, [], done=True)["needs_review"]
