"""Labels and spans: round trips, validity, the best path against brute force and seqeval."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from seqeval.scheme import IOBES, Entities

from models.labels import LabelSet, Span
from tests.strategies import FIELDS, disjoint_spans

LABELS = LabelSet(FIELDS)
TWO = LabelSet(("a", "b"))
_VALID = re.compile(r"(o|s|bi*e|S|BI*E)*")  # of TWO: field a in small letters, b in capitals


def _spelled(labels: list[int]) -> str:
    return "".join("obiesBIES"[label] for label in labels)


def _probabilities(labels: LabelSet, most: int) -> st.SearchStrategy[np.ndarray]:
    return st.integers(1, most).flatmap(
        lambda n: arrays(np.float64, (n, len(labels)), elements=st.floats(0.001, 1.0)).map(
            lambda values: values / values.sum(axis=1, keepdims=True)
        )
    )


def test_names_follow_the_order_of_the_fields() -> None:
    assert TWO.names == ("O", "B-a", "I-a", "E-a", "S-a", "B-b", "I-b", "E-b", "S-b")


@given(st.data(), st.integers(0, 25))
def test_decoding_gives_back_what_was_encoded(data: st.DataObject, length: int) -> None:
    spans = data.draw(disjoint_spans(length))
    labels = LABELS.encode(spans, length)
    assert labels.shape == (length,)
    assert LABELS.decode(labels) == spans


@given(st.lists(st.integers(0, len(LABELS) - 1), max_size=30))
def test_any_sequence_decodes_to_disjoint_spans(labels: list[int]) -> None:
    spans = LABELS.decode(labels)
    inside = [False] * len(labels)
    for span in spans:
        assert not any(inside[span.start : span.end])
        inside[span.start : span.end] = [True] * (span.end - span.start)
        names = {LABELS.names[label][2:] for label in labels[span.start : span.end]}
        assert names == {span.field}
    assert inside == [label != 0 for label in labels]
    assert spans == sorted(spans, key=lambda span: span.start)
    assert LABELS.decode(LABELS.encode(spans, len(labels))) == spans


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        pytest.param("bie", [("a", 0, 3)], id="whole"),
        pytest.param("ii", [("a", 0, 2)], id="ends_missing"),
        pytest.param("ss", [("a", 0, 1), ("a", 1, 2)], id="singles_stay_apart"),
        pytest.param("bb", [("a", 0, 1), ("a", 1, 2)], id="begin_starts_anew"),
        pytest.param("ei", [("a", 0, 1), ("a", 1, 2)], id="end_closes"),
        pytest.param("bE", [("a", 0, 1), ("b", 1, 2)], id="other_field_closes"),
        pytest.param("oboo", [("a", 1, 2)], id="begin_alone"),
        pytest.param("", [], id="no_words"),
    ],
)
def test_broken_runs_are_read_so(labels: str, expected: list[tuple[str, int, int]]) -> None:
    spans = TWO.decode(["obiesBIES".index(label) for label in labels])
    assert [(span.field, span.start, span.end) for span in spans] == expected


@given(_probabilities(TWO, 3))
def test_best_path_is_the_best_of_all_valid_paths(probabilities: np.ndarray) -> None:
    path = [int(label) for label in TWO.best_path(probabilities)]
    assert _VALID.fullmatch(_spelled(path))

    def score(labels: tuple[int, ...]) -> float:
        return sum(math.log(row[label]) for row, label in zip(probabilities, labels, strict=True))

    every = itertools.product(range(len(TWO)), repeat=len(probabilities))
    best = max(score(labels) for labels in every if _VALID.fullmatch(_spelled(list(labels))))
    assert score(tuple(path)) == pytest.approx(best)


@given(_probabilities(TWO, 40))
def test_best_path_is_always_valid(probabilities: np.ndarray) -> None:
    assert _VALID.fullmatch(_spelled([int(label) for label in TWO.best_path(probabilities)]))


def test_best_path_holds_where_probabilities_are_exactly_zero() -> None:
    certain = np.zeros((4, len(TWO)))
    certain[:, 2] = 1.0  # I of field a everywhere: no valid path has any probability
    path = [int(label) for label in TWO.best_path(certain)]
    assert _spelled(path) == "biie"
    assert len(TWO.best_path(np.zeros((0, len(TWO))))) == 0


@given(st.lists(st.lists(st.integers(0, len(LABELS) - 1), max_size=20), min_size=1, max_size=5))
def test_strict_entities_of_seqeval_are_all_found(sequences: list[list[int]]) -> None:
    names = [[LABELS.names[label] for label in labels] for labels in sequences]
    theirs = Entities(names, scheme=IOBES).entities
    for labels, entities in zip(sequences, theirs, strict=True):
        ours = {(span.field, span.start, span.end) for span in LABELS.decode(labels)}
        assert {(found.tag, found.start, found.end) for found in entities} <= ours


@given(_probabilities(LABELS, 30))
def test_best_paths_decode_as_seqeval_does(probabilities: np.ndarray) -> None:
    path = LABELS.best_path(probabilities)
    [entities] = Entities([[LABELS.names[label] for label in path]], scheme=IOBES).entities
    ours = [(span.field, span.start, span.end) for span in LABELS.decode(path)]
    assert ours == [(found.tag, found.start, found.end) for found in entities]


@given(_probabilities(LABELS, 20))
def test_words_are_scored_by_their_field(probabilities: np.ndarray) -> None:
    for span in LABELS.spans(probabilities):
        first = 1 + 4 * FIELDS.index(span.field)
        for index, score in zip(range(span.start, span.end), span.token_scores, strict=True):
            assert score == pytest.approx(sum(probabilities[index, first : first + 4]))
        assert 0.0 <= span.score <= 1.0


@given(_probabilities(LABELS, 20))
def test_second_look_leaves_what_the_path_found(probabilities: np.ndarray) -> None:
    plain = LABELS.spans(probabilities)
    found = LABELS.spans(probabilities, FIELDS)
    assert [span for span in found if span in plain] == plain
    taken = {index for span in plain for index in range(span.start, span.end)}
    for span in found:
        if span not in plain:
            assert span.field not in {other.field for other in plain}
            assert taken.isdisjoint(range(span.start, span.end))
            assert 0.01 <= span.score <= 1.0
    assert LABELS.spans(probabilities, ()) == plain


def test_word_in_two_roles_is_taken_in_beside_its_span() -> None:
    probabilities = np.full((6, len(TWO)), 0.0)
    probabilities[:, 0] = 1.0
    probabilities[1, [0, 1, 2]] = 0.4, 0.3, 0.3  # B or I of field a: no role of it wins over O
    probabilities[2, [0, 1]] = 0.1, 0.9
    probabilities[3, [0, 3]] = 0.1, 0.9
    probabilities[4, [0, 2, 3]] = 0.52, 0.24, 0.24
    [span] = TWO.spans(probabilities)
    assert (span.field, span.start, span.end) == ("a", 1, 4)
    assert span.token_scores == pytest.approx((0.6, 0.9, 0.9))


@given(_probabilities(LABELS, 20))
def test_spans_are_disjoint_and_hold_what_the_path_found(probabilities: np.ndarray) -> None:
    spans = LABELS.spans(probabilities)
    assert all(one.end <= other.start for one, other in itertools.pairwise(spans))
    path = LABELS.decode(LABELS.best_path(probabilities))
    assert len(path) == len(spans)
    for bare, span in zip(path, spans, strict=True):
        assert bare.field == span.field
        assert span.start <= bare.start < bare.end <= span.end
        more = [*range(span.start, bare.start), *range(bare.end, span.end)]
        assert all(span.token_scores[index - span.start] >= 0.5 for index in more)


def test_second_look_finds_the_likeliest_words() -> None:
    probabilities = np.full((5, len(TWO)), 0.0)
    probabilities[:, 0] = 1.0  # O everywhere
    probabilities[1, [0, 1]] = 0.7, 0.3  # B of field a, and E after it: nearly a span
    probabilities[2, [0, 3]] = 0.8, 0.2
    probabilities[4, [0, 4]] = 0.9, 0.1  # less than half as likely
    probabilities[3, [0, 8]] = 0.995, 0.005  # field b: too unlikely
    assert TWO.spans(probabilities) == []
    assert TWO.spans(probabilities, ("b",)) == []
    [span] = TWO.spans(probabilities, ("a", "unknown"))
    assert (span.field, span.start, span.end) == ("a", 1, 3)
    assert span.token_scores == pytest.approx((0.3, 0.2))
    assert TWO.spans(np.zeros((0, len(TWO))), ("a",)) == []


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=50))
def test_span_score_is_the_geometric_mean(scores: list[float]) -> None:
    found = Span("a", 3, 3 + len(scores), tuple(scores)).score
    assert 0.0 <= found <= 1.0
    product = math.prod(max(score, 1e-12) ** (1 / len(scores)) for score in scores)
    assert found == pytest.approx(product)
    assert found <= max(scores) + 1e-9


def test_span_without_scores_is_certain() -> None:
    assert Span("a", 0, 2).score == 1.0


def test_spans_survive_json() -> None:
    span = Span("a", 2, 4, (0.25, 1.0))
    assert Span.from_json(span.to_json()) == span


@pytest.mark.parametrize(
    ("start", "end", "scores"),
    [
        pytest.param(2, 2, (), id="empty"),
        pytest.param(-1, 2, (), id="negative"),
        pytest.param(3, 2, (), id="backwards"),
        pytest.param(0, 2, (0.5,), id="score_missing"),
    ],
)
def test_spans_that_are_none_are_refused(start: int, end: int, scores: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="span"):
        Span("a", start, end, scores)


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        pytest.param([Span("a", 0, 3), Span("b", 2, 4)], "overlaps", id="overlap"),
        pytest.param([Span("a", 3, 6)], "leaves", id="outside"),
        pytest.param([Span("c", 0, 1)], "unknown field", id="unknown"),
    ],
)
def test_encoding_refuses_what_it_cannot_spell(spans: list[Span], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TWO.encode(spans, 5)


def test_field_names_are_different() -> None:
    with pytest.raises(ValueError, match="repeat"):
        LabelSet(("a", "b", "a"))
