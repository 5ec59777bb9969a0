"""Hypothesis strategies: spans, label sequences, words as documents hold them, and hostile ones."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from models.example import Example
from models.labels import Span

FIELDS = ("company", "date", "total")

plain_words = st.text("abcXYZ0189.,/-", min_size=1, max_size=12)
hostile_words = st.one_of(
    plain_words,
    st.text(min_size=0, max_size=8),  # any character, control and unassigned ones among them
    st.sampled_from(
        ["", "\x00\x01", "\u200b", "🙂🙂", "é", "!" * 200, "a" * 300, "\ud800", "日本"]
    ),
)


@st.composite
def disjoint_spans(draw: st.DrawFn, length: int) -> list[Span]:
    """Spans over `length` words that share none, left to right; neighbours may touch."""
    spans: list[Span] = []
    place = 0
    while place < length:
        start = place + draw(st.integers(0, 2))
        end = start + draw(st.integers(1, 4))
        if end > length:
            break
        if draw(st.booleans()):
            spans.append(Span(draw(st.sampled_from(FIELDS)), start, end))
        place = end
    return spans


@st.composite
def examples(
    draw: st.DrawFn,
    words: st.SearchStrategy[str] = plain_words,
    max_words: int = 30,
    *,
    labelled: bool = False,
) -> Example:
    """Examples of one or two pages, several lines, words left to right on each line."""
    texts = draw(st.lists(words, min_size=1, max_size=max_words))
    breaks = draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)))
    turn = draw(st.integers(0, len(texts)))  # words from here on stand on a second page
    starts = np.array(breaks, dtype=np.int64)
    starts[0] = 0
    if 0 < turn < len(texts):
        starts[turn] = 1
    line = np.cumsum(starts)
    column = np.arange(len(texts)) - np.searchsorted(line, line)
    x0, top = column / (len(texts) + 1), line / (len(texts) + 1)
    boxes = np.stack([x0, top, x0 + 0.6 / (len(texts) + 1), top + 0.7 / (len(texts) + 1)], axis=1)
    page = (np.arange(len(texts)) >= turn).astype(np.int64)
    return Example(
        "drawn",
        tuple(texts),
        boxes.astype(np.float32),
        page,
        line,
        np.where(page == 0, 0.7, 1.4).astype(np.float32),
        tuple(draw(disjoint_spans(len(texts)))) if labelled else (),
    )
