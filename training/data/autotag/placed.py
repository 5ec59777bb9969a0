"""Labels that say where their values are printed: the words in those places."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.document import Document
from pipeline.values.texts.strings import lenient
from training.data.autotag.occurrences import Match
from training.data.dataset import Place


def find_placed(
    document: Document, places: Sequence[Place], fields: Collection[str]
) -> list[Match]:
    """Return the runs of words whose centres lie in labelled places, left to right and disjoint.

    Args:
        document: as read.
        places: that are labelled; a value in several lines may give several runs.
        fields: names of those to look for.
    """
    pages = [page.number for page, _ in document.words()]
    on_page = np.array(pages, dtype=np.int64)
    edges = np.array([token.box.as_list() for _, token in document.words()], dtype=np.float64)
    centres = (edges.reshape(-1, 4)[:, :2] + edges.reshape(-1, 4)[:, 2:]) / 2
    says_something = np.array([bool(lenient(token.text)) for _, token in document.words()])
    free = np.ones(len(pages), dtype=np.bool_)
    found: list[Match] = []
    for place in places:
        if place.field not in fields:
            continue
        inside = np.zeros(len(pages), dtype=np.bool_)
        for number, box in place.boxes:
            low, high = (box.x0, box.top), (box.x1, box.bottom)
            within = ((centres >= low) & (centres <= high)).all(axis=1)
            inside |= within & (on_page == number)
        inside &= free
        # Marks between a value's parts, such as the dots of an address in one line, are its own.
        for (_, end), (start, _) in itertools.pairwise(_runs(inside)):
            if not says_something[end:start].any():
                inside[end:start] = free[end:start]
        free &= ~inside
        found += [
            Match(place.field, place.value, start, end, "placed") for start, end in _runs(inside)
        ]
    return sorted(found, key=lambda match: match.start)


def _runs(chosen: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield the half-open ranges of what is chosen."""
    ends = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]])))
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        yield int(start), int(end)
