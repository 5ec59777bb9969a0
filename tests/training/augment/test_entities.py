"""Mixed values keep the form of real ones and take their content from others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from models.labels import Span
from pipeline.tagging import example_of
from tests.builders import document_of
from training.augment.entities import Entity, Pool, entities_of

NAMES = ["TEO", "HENG", "LIM", "KEDAI", "MAJU", "BUNGA", "PADU"]
COMPANIES = [
    Entity(((first, second, "SDN", "BHD"),))
    for first in NAMES
    for second in NAMES
    if first < second
]
ADDRESSES = [
    Entity((("NO.", str(number), "JALAN", name), (str(80000 + number), name)))
    for number, name in enumerate(NAMES, start=11)
]
seeds = st.integers(0, 2**32 - 1)


def test_values_are_collected_line_by_line_once() -> None:
    document = document_of("KEDAI | CONTOH BHD | TOTAL 9.00")
    example = example_of(document, spans=(Span("company", 0, 3), Span("total", 4, 5)))
    found = entities_of([example, example], "company")
    assert found == [Entity((("KEDAI",), ("CONTOH", "BHD")))]
    assert entities_of([example], "address") == []


@given(seeds)
def test_unmixed_values_are_real_ones(seed: int) -> None:
    assert Pool(COMPANIES).draw(default_rng(seed), 0.0) in COMPANIES


@given(seeds)
def test_mixed_addresses_keep_their_lines_and_their_common_words(seed: int) -> None:
    drawn = Pool(ADDRESSES).draw(default_rng(seed), 1.0)
    assert [len(line) for line in drawn.lines] == [4, 2]
    first, last = drawn.lines
    assert (first[0], first[2]) == ("NO.", "JALAN")
    assert first[1].isdigit()
    assert last[0].isdigit()
    assert first[3] in NAMES
    assert last[1] in NAMES


def test_mixing_makes_values_that_nobody_printed() -> None:
    pool, random = Pool(ADDRESSES), default_rng(0)
    drawn = {pool.draw(random, 1.0) for _ in range(50)}
    assert len(drawn - set(ADDRESSES)) > 25


def test_words_that_many_values_share_are_never_exchanged() -> None:
    # Each name is in six of 21 companies: form here, for want of anything rare.
    pool, random = Pool(COMPANIES), default_rng(0)
    assert {pool.draw(random, 1.0) for _ in range(50)} <= set(COMPANIES)


def test_values_of_one_line_take_no_line_from_others() -> None:
    pool, random = Pool([Entity((("A", "B"),)), Entity((("C",), ("D",)))]), default_rng(0)
    assert {len(pool.draw(random, 1.0).lines) for _ in range(50)} == {1, 2}


def test_pool_without_values_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a value"):
        Pool([])
