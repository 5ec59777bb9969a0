"""Lines in another order: values stay whole and true, boxes and pages stay where they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator, default_rng

from models.example import Example
from models.labels import LabelSet, Span
from pipeline.tagging import example_of
from tests.builders import document_of
from tests.strategies import FIELDS, examples
from training.augment import AugmentConfig, Augmenter
from training.augment.reorder import shuffle_blocks, swap_neighbours

Change = Callable[[Example, Generator], Example]


def _swap(example: Example, random: Generator) -> Example:
    return swap_neighbours(example, 1.0, random)


every_change = pytest.mark.parametrize("change", [shuffle_blocks, _swap])
randoms = st.integers(0, 2**32 - 1).map(default_rng)


def _words(example: Example) -> list[tuple[object, ...]]:
    return [
        (word, *box.tolist(), int(page), float(aspect))
        for word, box, page, aspect in zip(
            example.words, example.boxes, example.page, example.aspect, strict=True
        )
    ]


def _lines(example: Example) -> list[list[tuple[object, ...]]]:
    words = _words(example)
    return [
        [words[index] for index in np.flatnonzero(example.line == line)]
        for line in np.unique(example.line)
    ]


def _values(example: Example) -> list[tuple[str, list[tuple[object, ...]]]]:
    words = _words(example)
    return [(span.field, words[span.start : span.end]) for span in example.spans]


@every_change
@given(example=examples(labelled=True), random=randoms)
def test_values_words_and_lines_are_those_of_before(
    change: Change, example: Example, random: Generator
) -> None:
    varied = change(example, random)
    assert sorted(map(str, _values(varied))) == sorted(map(str, _values(example)))
    assert sorted(map(str, _lines(varied))) == sorted(map(str, _lines(example)))
    assert np.array_equal(varied.page, example.page)
    assert set(np.diff(varied.line)) <= {0, 1}
    read = LabelSet(FIELDS).spans(_certain(varied))
    assert [(s.field, s.start, s.end) for s in read] == [
        (s.field, s.start, s.end) for s in varied.spans
    ]


def _certain(example: Example) -> np.ndarray:
    """Return probabilities that say the labels for sure."""
    labels = LabelSet(FIELDS)
    return np.eye(len(labels))[labels.encode(example.spans, len(example.words))]


@every_change
def test_a_value_of_two_lines_stays_together(change: Change) -> None:
    document = document_of("SHOP | NO 1 | ROAD 2 | TOTAL 5.00 | BYE")
    address = Span("company", 1, 5)
    example = example_of(document, spans=(address,))
    orders = set()
    for seed in range(40):
        varied = change(example, default_rng(seed))
        [span] = varied.spans
        assert varied.words[span.start : span.end] == ("NO", "1", "ROAD", "2")
        orders.add(varied.words)
    assert 4 < len(orders) <= 24  # four blocks


def test_shuffling_takes_a_line_anywhere_and_swapping_mostly_beside() -> None:
    document = document_of(" | ".join(f"w{number}" for number in range(30)))
    example = example_of(document)
    names = np.array([int(word[1:]) for word in example.words])

    def travelled(change: Change) -> float:
        found = []
        for seed in range(50):
            varied = change(example, default_rng(seed))
            found.append(np.abs(np.array([int(w[1:]) for w in varied.words]) - names))
        return float(np.mean(found))

    assert travelled(shuffle_blocks) == pytest.approx(10, abs=1)  # a third of the length
    assert 0.5 < travelled(_swap) < 2.5


@every_change
def test_pages_keep_their_order(change: Change) -> None:
    example = example_of(document_of("a | b | c", "d | e | f"))
    for seed in range(20):
        words = change(example, default_rng(seed)).words
        assert set(words[:3]) == {"a", "b", "c"}


@every_change
def test_a_value_over_two_pages_keeps_its_place(change: Change) -> None:
    example = example_of(document_of("a | b | c", "d | e | f"), spans=(Span("company", 2, 4),))
    for seed in range(20):
        varied = change(example, default_rng(seed))
        assert varied.words[2:4] == ("c", "d")
        assert varied.spans == example.spans


def test_options_of_the_augmenter_reorder() -> None:
    example = example_of(document_of(" | ".join("abcdefgh")))
    zero = dict.fromkeys(("digits", "swap", "drop_lines", "mask", "noise", "shift", "scale"), 0.0)
    for option in ({"shuffle": 1.0}, {"neighbours": 1.0}):
        varied = Augmenter(AugmentConfig(**zero, **option), {})(example, default_rng(0))
        assert varied.words != example.words
        assert sorted(varied.words) == sorted(example.words)
