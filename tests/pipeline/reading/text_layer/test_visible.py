"""Which hidden words stand where visible ones do, and what it costs to tell."""

from __future__ import annotations

import time

import numpy as np
import pytest

from pipeline.reading.text_layer import visible
from pipeline.reading.text_layer.text_objects import Flags, Floats
from pipeline.reading.text_layer.visible import _under
from pipeline.reading.text_layer.words import Words


def under(shown: Floats, hidden: Floats) -> Flags:
    """Return, for each hidden box, whether visible ones stand there."""
    boxes = np.concatenate((shown, hidden))
    count = len(boxes)
    which = np.arange(count) >= len(shown)
    sizes, none = np.full(count, 9.0), np.zeros(count, np.int64)
    words = Words(["x"] * count, boxes, none, sizes * 0, sizes, which, ~which & False)
    return _under(words, which, ~which)


def lines(count: int, moved: float = 0.0) -> Floats:
    """Return the boxes of ten words a line on so many lines, moved down."""
    top = np.repeat(10.0 * np.arange(count), 10) + moved
    left = np.tile(50.0 * np.arange(10), count)
    return np.stack((left, top, left + 45, top + 9), axis=1)


def test_hidden_words_are_under_the_words_that_cover_half_of_them() -> None:
    tall = np.array([[0.0, -900.0, 20.0, 5.0]])  # reaches down from far above
    hidden = np.concatenate((lines(4, moved=4.0), [[1.0, 0.0, 21.0, 9.0], [500, 0, 540, 9]]))
    assert under(lines(4), hidden).tolist() == [True] * 41 + [False]
    assert under(tall, np.array([[1.0, 0.0, 19.0, 9.0]])).tolist() == [True]
    assert under(tall, np.array([[21.0, 0.0, 39.0, 9.0]])).tolist() == [False]


def test_many_words_take_no_longer_than_there_are_many() -> None:
    started = time.process_time()
    assert under(lines(4_000), lines(4_000)).all()
    assert time.process_time() - started < 4


def test_pages_made_to_do_harm_have_their_hidden_words_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(visible, "_MAX_PAIRS", 100)
    assert under(lines(4), lines(4, moved=5000.0)).tolist() == [False] * 40
    beside = lines(40)
    beside[:, [0, 2]] += (46, 4)  # between two visible words
    assert under(lines(40), beside).all()
