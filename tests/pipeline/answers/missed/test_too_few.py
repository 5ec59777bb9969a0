"""A field that has several values at least is given those, where the tagger is sure of a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind, load_fields
from tests.builders import document_of

TEXT = "Aspen Ltd and Birch Ltd met Cedar Ltd"
STRICT = Calibration({"party": FieldCalibration(answer_threshold=0.97)})


def _given(at_least: int, *scores: float, fit: float | None = None) -> list[FieldValue]:
    spans = [Span("party", 3 * at, 3 * at + 2, (score,) * 2) for at, score in enumerate(scores)]
    field = FieldSpec("party", Kind.NAME, many=True, at_least=at_least)
    found = resolve_all(document_of(TEXT), spans, (field,), STRICT, fit=fit).fields["party"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    ("at_least", "scores", "expected"),
    [
        pytest.param(0, (0.99, 0.9), ["Aspen Ltd"], id="open"),
        pytest.param(2, (0.99, 0.9), ["Aspen Ltd", "Birch Ltd"], id="one_lacks"),
        pytest.param(2, (0.9, 0.91, 0.95), ["Birch Ltd", "Cedar Ltd"], id="the_likeliest"),
        pytest.param(2, (0.99, 0.7), ["Aspen Ltd"], id="none_that_is_sure"),
        pytest.param(2, (0.99, 0.98, 0.95), ["Aspen Ltd", "Birch Ltd"], id="enough"),
    ],
)
def test_values_that_lack_are_given(
    at_least: int, scores: tuple[float, ...], expected: list[str]
) -> None:
    assert [value.text for value in _given(at_least, *scores)] == expected


def test_they_need_review_and_say_why() -> None:
    _, lacking = _given(2, 0.99, 0.9)
    assert lacking.needs_review
    assert lacking.normalisation.reason == "Chosen because a document has at least 2 of them."


@pytest.mark.parametrize(("fit", "count"), [(0.5, 2), (0.4, 1)])
def test_document_of_another_kind_lacks_none(fit: float, count: int) -> None:
    assert len(_given(2, 0.99, 0.9, fit=fit)) == count


def test_agreements_have_two_parties() -> None:
    fields = load_fields(Path(__file__).parents[4] / "weights" / "nda" / "fields.toml")
    assert [spec.at_least for spec in fields if spec.name == "party"] == [2]
