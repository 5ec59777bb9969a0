"""Headings of tables: lines in which captions name two columns, and which of them is left."""

from __future__ import annotations

import bisect
import itertools
from collections import defaultdict
from collections.abc import Iterator

from pipeline.answers.rows.cells import Line, Words, line_of
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.strings import lenient

_MOST_WORDS = 4  # of a caption


class Headings:
    """The lines of a document that say in which order two columns stand.

    A line says nothing where it has captions of one column on both sides of the other's.

    Args:
        one: the first column.
        other: the second.
        words: of the document with their pages.
    """

    def __init__(self, one: FieldSpec, other: FieldSpec, words: Words) -> None:
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
        self._words = sorted(found)
        self._in_order = [found[index] for index in self._words]

    def in_order(self, index: int) -> bool | None:
        """Return whether the first column stands left, by the last such line before a word.

        None where no line before it says so.
        """
        at = bisect.bisect_left(self._words, index) - 1
        return None if at < 0 else self._in_order[at]


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
