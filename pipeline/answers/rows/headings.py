"""Headings of tables: lines in which captions name two columns, and which of them is left."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator

from pipeline.answers.rows.cells import Line, Words, line_of
from pipeline.values.schema import FieldSpec
from pipeline.values.strings import lenient

_MOST_WORDS = 4  # of a caption


def headings(one: FieldSpec, other: FieldSpec, words: Words) -> dict[int, bool]:
    """Return whether a column stands left of another, by the first word of each line that says so.

    A line says nothing where it has captions of one column on both sides of the other's.

    Args:
        one: the first column.
        other: the second.
        words: of the document with their pages.
    """
    lines: defaultdict[Line, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    if one.captions and other.captions:
        for side, column in enumerate((one, other)):
            for index in _printed(column, words):
                lines[line_of(index, words)][side].append(index)
    found: dict[int, bool] = {}
    for firsts, seconds in lines.values():
        if firsts and seconds:
            (left, right), (other_left, other_right) = (
                (min(edges), max(edges))
                for edges in ([words[i][1].box.x0 for i in side] for side in (firsts, seconds))
            )
            if right < other_left or other_right < left:
                found[min(*firsts, *seconds)] = right < other_left
    return dict(sorted(found.items()))


def _printed(column: FieldSpec, words: Words) -> Iterator[int]:
    """Yield the first word of each place where one of a column's captions is printed."""
    wanted = {lenient(caption) for caption in column.captions} - {""}
    texts = [lenient(token.text) for _, token in words]
    for at, text in enumerate(texts):
        if text and any(
            joined in wanted and line_of(at + more, words) == line_of(at, words)
            for more, joined in enumerate(itertools.accumulate(texts[at : at + _MOST_WORDS]))
        ):
            yield at
