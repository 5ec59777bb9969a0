"""Another reading order for a labelled document, as the LoPE paper trains against reading it.

    global shuffling      the blocks of a page in a random order
    neighbour swapping    each block changes places with the one at a distance ~ N(0, sigma^2)

A block is a line, or the lines that one labelled value runs over, so that no span is split; order
inside a block is kept. Boxes stay where they are. Pages keep their order, and a block that runs
over a page's end keeps its place.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.example import Example


def shuffle_blocks(example: Example, random: Generator) -> Example:
    """Return the example with the blocks of each page in a random order."""
    order: list[NDArray[np.int64]] = []
    for run in _runs(example):
        order += [run[int(place)] for place in random.permutation(len(run))]
    return _reordered(example, order)


def swap_neighbours(example: Example, sigma: float, random: Generator) -> Example:
    """Return the example with each block swapped once, mostly with one beside it.

    Args:
        example: a document.
        sigma: standard deviation of the distance, in blocks; it is rounded, and ends at the
            first and the last block of the page.
        random: where distances are drawn.
    """
    order: list[NDArray[np.int64]] = []
    for run in _runs(example):
        distances = np.rint(random.normal(0.0, sigma, len(run)))
        for place, distance in enumerate(distances):
            other = int(np.clip(place + distance, 0, len(run) - 1))
            run[place], run[other] = run[other], run[place]
        order += run
    return _reordered(example, order)


def _runs(example: Example) -> list[list[NDArray[np.int64]]]:
    """Return the blocks, as indices of words, in runs within which they may change places."""
    count = len(example.words)
    if not count:
        return []
    begins = np.ones(count, dtype=bool)
    begins[1:] = (np.diff(example.line) != 0) | (np.diff(example.page) != 0)
    for span in example.spans:
        begins[span.start + 1 : span.end] = False
    runs: list[list[NDArray[np.int64]]] = []
    previous: tuple[int, int] | None = None
    for block in np.split(np.arange(count), np.flatnonzero(begins)[1:]):
        pages = int(example.page[block[0]]), int(example.page[block[-1]])
        # A block of two pages is a run of its own, and parts what is before and after it.
        if pages != previous or pages[0] != pages[1]:
            runs.append([])
        runs[-1].append(block)
        previous = pages
    return runs


def _reordered(example: Example, blocks: list[NDArray[np.int64]]) -> Example:
    """Return the example with its words in the order of `blocks`, lines numbered anew."""
    if not blocks:
        return example
    order = np.concatenate(blocks)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    moved = [
        replace(
            span, start=int(place[span.start]), end=int(place[span.start]) + span.end - span.start
        )
        for span in example.spans
    ]
    found = example.taken(order, sorted(moved, key=lambda span: span.start))
    changes = np.diff(found.line, prepend=found.line[:1]) != 0
    return replace(found, line=np.cumsum(changes))
