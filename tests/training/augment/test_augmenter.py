"""Varied documents keep true labels: spans still cover the value, boxes stay on the page."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

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
from training.augment import NONE, AugmentConfig, Augmenter
from training.augment.entities import Entity
from training.augment.variations import (
    drop_lines,
    misread,
    move_page,
    permute_digits,
    swap_entity,
)

STRONG = AugmentConfig(
    digits=1.0,
    swap=1.0,
    drop_lines=0.9,
    mask=0.2,
    noise=0.2,
    shift=0.3,
    scale=0.5,
)
randoms = st.integers(0, 2**32 - 1).map(default_rng)
entities = st.lists(
    st.lists(st.text("ABC19", min_size=1, max_size=8), min_size=1, max_size=4).map(tuple),
    min_size=1,
    max_size=4,
).map(lambda lines: Entity(tuple(lines)))


def _texts(example: Example) -> list[tuple[str, tuple[str, ...]]]:
    return [(span.field, example.words[span.start : span.end]) for span in example.spans]


def _sound(example: Example) -> None:
    """Check what every example promises beyond its own checks."""
    LabelSet(FIELDS).encode(example.spans, len(example.words))  # disjoint, inside
    assert all(earlier.end <= later.start for earlier, later in pairwise(example.spans))
    assert (np.diff(example.line) >= 0).all()
    assert (example.boxes[:, :2] <= example.boxes[:, 2:] + 1e-6).all()


@given(examples(labelled=True), randoms)
def test_any_variation_is_sound(example: Example, random: Generator) -> None:
    pools = {name: [Entity((("NEW", "9"), ("X",))), Entity((("OLD",),))] for name in FIELDS}
    varied = Augmenter(STRONG, pools)(example, random)
    _sound(varied)
    assert [span.field for span in varied.spans] == [span.field for span in example.spans]


@given(examples(labelled=True), randoms)
def test_without_probabilities_nothing_changes(example: Example, random: Generator) -> None:
    assert Augmenter(NONE, {})(example, random) is example


@given(examples(labelled=True), randoms)
def test_digits_are_exchanged_one_for_one(example: Example, random: Generator) -> None:
    varied = permute_digits(example, random)
    assert varied.spans == example.spans
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    for old, new in zip("".join(example.words), "".join(varied.words), strict=True):
        assert old.isdigit() == new.isdigit()
        assert old.isdigit() or old == new
        assert there.setdefault(old, new) == new  # equal amounts stay equal
        assert back.setdefault(new, old) == old  # and different ones different


@given(examples(labelled=True), randoms, st.floats(0, 1))
def test_lines_with_labels_are_never_dropped(
    example: Example, random: Generator, share: float
) -> None:
    varied = drop_lines(example, share, random)
    _sound(varied)
    assert _texts(varied) == _texts(example)
    assert set(varied.line.tolist()) <= set(example.line.tolist())
    for line in set(varied.line.tolist()):  # a line goes whole or stays whole
        words = [w for w, n in zip(example.words, example.line, strict=True) if n == line]
        kept = [w for w, n in zip(varied.words, varied.line, strict=True) if n == line]
        assert kept == words


@given(examples(), randoms)
def test_documents_keep_at_least_a_line(example: Example, random: Generator) -> None:
    assert drop_lines(example, 1.0, random).words


@given(examples(labelled=True), randoms)
def test_one_character_is_misread_and_no_word_is_lost(example: Example, random: Generator) -> None:
    varied = misread(example, 1.0, random)
    assert varied.spans == example.spans
    for old, new in zip(example.words, varied.words, strict=True):
        assert len(old) == len(new)
        assert sum(a != b for a, b in zip(old, new, strict=True)) <= 1


def test_misreading_exchanges_look_alikes() -> None:
    example = example_of(document_of("5.00 BOB"))
    read = {misread(example, 1.0, default_rng(seed)).words for seed in range(20)}
    assert ("S.00", "8OB") in read
    assert all(first in {"S.00", "5.O0", "5.0O"} for first, _ in read)


@given(examples(labelled=True), randoms)
def test_content_moves_together(example: Example, random: Generator) -> None:
    varied = move_page(example, 0.05, 0.1, random)
    _sound(varied)
    assert varied.words == example.words
    # Left to right and top to bottom stay; only the edge of the page can make two places equal.
    for axis in range(4):
        old, new = example.boxes[:, axis], varied.boxes[:, axis]
        order = np.argsort(old, kind="stable")
        assert (np.diff(new[order]) >= -1e-6).all()


@given(examples(labelled=True), entities, st.sampled_from(FIELDS))
def test_swapped_value_is_spelled_by_its_span(example: Example, entity: Entity, field: str) -> None:
    varied = swap_entity(example, field, entity)
    _sound(varied)
    place = next((i for i, span in enumerate(example.spans) if span.field == field), None)
    if place is None:
        assert varied is example
        return
    old, new = example.spans[place], varied.spans[place]
    words = tuple(word for line in entity.lines for word in line)
    assert varied.words[new.start : new.end] == words
    rest = [text for index, text in enumerate(_texts(example)) if index != place]
    assert [text for index, text in enumerate(_texts(varied)) if index != place] == rest
    assert varied.words[: new.start] == example.words[: old.start]
    assert varied.words[new.end :] == example.words[old.end :]
    lines = varied.line[new.start : new.end]
    assert [lines.tolist().count(n) for n in dict.fromkeys(lines)] == [*map(len, entity.lines)]


@given(examples(labelled=True), entities, st.sampled_from(FIELDS))
def test_swapped_value_stands_where_the_old_one_stood(
    example: Example, entity: Entity, field: str
) -> None:
    varied = swap_entity(example, field, entity)
    for old, new in zip(example.spans, varied.spans, strict=True):
        if old.field == field:
            before = example.boxes[old.start : old.end]
            after = varied.boxes[new.start : new.end]
            assert (after[:, :2].min(axis=0) >= before[:, :2].min(axis=0) - 1e-5).all()
            assert (after[:, 2:].max(axis=0) <= before[:, 2:].max(axis=0) + 1e-5).all()
            return


@given(examples(labelled=True), entities, st.sampled_from(FIELDS))
def test_lines_around_a_swapped_value_stay_apart(
    example: Example, entity: Entity, field: str
) -> None:
    varied = swap_entity(example, field, entity)
    if varied is example:
        return
    span = next(span for span in example.spans if span.field == field)
    shift = len(varied.words) - len(example.words)
    if span.end < len(example.words):
        touching = example.line[span.end] == example.line[span.end - 1]
        end = span.end + shift
        assert (varied.line[end] == varied.line[end - 1]) == touching
        assert np.diff(varied.line[end:]).tolist() == np.diff(example.line[span.end :]).tolist()


def test_pool_of_one_value_is_not_swapped() -> None:
    example = example_of(document_of("KEDAI"), spans=(Span("company", 0, 1),))
    config = replace(NONE, swap=1.0)
    alone = Augmenter(config, {"company": [Entity((("OTHER",),))]})
    assert alone(example, default_rng(0)).words == ("KEDAI",)
    two = Augmenter(config, {"company": [Entity((("OTHER",),)), Entity((("MORE",),))]})
    assert two(example, default_rng(0)).words[0] in {"OTHER", "MORE"}


@pytest.mark.parametrize("seed", range(3))
def test_variations_are_drawn_by_the_generator_alone(seed: int) -> None:
    example = example_of(document_of("A 12 | B 34 | C 56 | D 78"))
    augment = Augmenter(STRONG, {})
    first, second = (augment(example, default_rng(seed)) for _ in range(2))
    assert first.words == second.words
    assert np.array_equal(first.boxes, second.boxes)
