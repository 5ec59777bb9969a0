"""Texts of rows that go on in lines which the tagger left out, told by the gaps between lines.

Lines of one text stand closer to each other than rows of a table do. So of the lines between two
rows of figures that begin where texts do, those before the widest gap go on the row above. Where
gaps are alike they tell nothing. A line that begins with a caption of its own ("Batch: 7741") says
something about the text, and is none of it.
"""

from __future__ import annotations

import bisect
import itertools
import math
import re
import statistics
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.answers.places.columns import in_text
from pipeline.answers.places.mentions import Words
from pipeline.answers.rows.cells import (
    PRICE,
    Row,
    box_of,
    line_of,
    lines_of,
    middles,
    places,
)

# In heights of a word:
_ALIGNED = 0.6  # left edges of lines are at most this far apart
_INDENTED = 2.5  # lines that go on may begin this much further right
_LEADING = 2.0  # from one line of a text to the next, at most
_LAST = 1.4  # the same where no text of the table tells
# Of another gap or height:
_WIDE = 0.88  # as wide as the widest gap
_AS_WIDE = 1.15  # no wider than others
_MOST = 12  # lines that go on one text
_CAPTION = re.compile(r"[^\W\d][^\d():]*:(?:\s|$)")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of a line that stand close together, from `first` to before `end`.

    Its middle is measured from the top of its page, in heights of it.
    """

    page: int
    middle: float
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class _Block:
    """Where a row with figures stands: the middles of its first and last line.

    In heights of the page, from its top.
    """

    row: int
    page: int
    top: float
    bottom: float


class _Table:
    """The lines at the left edge of a column of texts, and those that end a text.

    Args:
        rows: mentions by column.
        name: column of the texts.
        figures: columns of figures.
        words: of the document with their pages.
    """

    def __init__(
        self, rows: Sequence[Row], name: str, figures: Collection[str], words: Words
    ) -> None:
        begins = [words[row[name].words[0]] for row in rows if name in row]
        self.left = statistics.median_low(token.box.x0 for _, token in begins)
        self.height = statistics.median_low(token.box.height for _, token in begins)
        self.space = self.height * begins[0][0].height / begins[0][0].width
        edges = [
            float(np.median(column[:, 0]))
            for column in (places(rows, figure, words) for figure in figures)
            if len(column)
        ]
        self.right = min((edge for edge in edges if edge > self.left), default=1.0)
        self.words = words
        cells = [row[column] for row in rows for column in figures if column in row]
        of_rows = lines_of(cells, words)
        self.lines: list[_Piece] = []
        ends: list[tuple[int, float]] = []
        for piece in _pieces(words):
            own = range(piece.first, piece.end)
            if line_of(piece.first, words) in of_rows:
                continue
            if self._goes_on(own):
                self.lines.append(piece)
            elif self._ends(own):
                ends.append((piece.page, piece.middle))
        self.lines.sort(key=lambda piece: (piece.page, piece.middle))
        self.keys = [(piece.page, piece.middle) for piece in self.lines]
        self.ends = sorted(ends)

    def _at_edge(self, own: Sequence[int]) -> bool:
        offset = self.words[own[0]][1].box.x0 - self.left
        return -_ALIGNED * self.space <= offset <= _INDENTED * self.space

    def _goes_on(self, own: Sequence[int]) -> bool:
        texts = [self.words[index][1].text for index in own]
        return (
            self._at_edge(own)
            and box_of(own, self.words).x1 <= self.right
            and not all(map(PRICE.fullmatch, texts))
            and not _CAPTION.match(" ".join(texts))
        )

    def _ends(self, own: Sequence[int]) -> bool:
        if self._at_edge(own):
            return True
        priced = any(PRICE.fullmatch(self.words[index][1].text) for index in own)
        return priced and self.words[own[0]][1].box.x0 >= self.right - self.space

    def below(self, block: _Block, following: _Block | None) -> tuple[list[_Piece], float]:
        """Return the lines below a row, and where what they end at stands; infinity at none."""
        same = following is not None and following.page == block.page
        stop = following.top if following and same else math.inf
        at = bisect.bisect_right(self.ends, (block.page, block.bottom))
        if at < len(self.ends) and self.ends[at][0] == block.page:
            stop = min(stop, self.ends[at][1])
        first = bisect.bisect_right(self.keys, (block.page, block.bottom))
        last = bisect.bisect_left(self.keys, (block.page, stop), first)
        return self.lines[first : min(last, first + _MOST)], stop


def continued(
    rows: Sequence[Row], name: str, figures: Collection[str], words: Words
) -> dict[int, list[int]]:
    """Return the words by which the texts of rows go on, by row.

    Args:
        rows: mentions by column.
        name: column of the texts.
        figures: columns of figures.
        words: of the document with their pages, which the mentions count.
    """
    blocks = sorted(_blocks(rows, name, figures, words), key=lambda block: (block.page, block.top))
    if not blocks or not any(name in row for row in rows):
        return {}
    table = _Table(rows, name, figures, words)
    found: dict[int, list[_Piece]] = {}
    last: list[tuple[_Block, list[_Piece]]] = []  # rows without another below, and lines there
    widest = 0.0  # gap between lines that are one text
    for block, following in itertools.zip_longest(blocks, blocks[1:]):
        lines, stop = table.below(block, following)
        if not lines:
            continue
        if following is None or following.page != block.page or stop != following.top:
            last.append((block, lines))
            continue
        gaps = _gaps(block.bottom, lines, stop)
        end = next(at for at, gap in enumerate(gaps) if gap >= _WIDE * max(gaps))
        if end and max(gaps[:end]) <= _LEADING * table.height:
            widest = max(widest, *gaps[:end])
            found.setdefault(block.row, []).extend(lines[:end])
    reach = _AS_WIDE * (widest or min(_LAST * table.height, _WIDE * _pitch(blocks)))
    for block, lines in last:
        pairs = itertools.pairwise(_gaps(block.bottom, lines, math.inf))
        near = itertools.takewhile(lambda pair: pair[0] <= min(reach, _AS_WIDE * pair[1]), pairs)
        found.setdefault(block.row, []).extend(lines[: sum(1 for _ in near)])
    return {
        row: [index for line in lines for index in range(line.first, line.end)]
        for row, lines in found.items()
        if name in rows[row]
    }


def _pitch(blocks: Sequence[_Block]) -> float:
    """Return how far the nearest two rows of a page are apart, infinitely far of one row."""
    pairs = itertools.pairwise(blocks)
    tops = [two.top - one.top for one, two in pairs if one.page == two.page]
    return min((apart for apart in tops if apart > 0), default=math.inf)


def _gaps(top: float, lines: Sequence[_Piece], bottom: float) -> list[float]:
    middles = [top, *(line.middle for line in lines), bottom]
    return [other - one for one, other in itertools.pairwise(middles)]


def _blocks(
    rows: Sequence[Row], name: str, figures: Collection[str], words: Words
) -> Iterator[_Block]:
    """Yield where the rows stand that have figures, and all of them on one page."""
    for at, row in enumerate(rows):
        of_figures = [index for column in figures if column in row for index in row[column].words]
        if not of_figures:
            continue
        of_row = sorted({*of_figures, *(row[name].words if name in row else ())})
        if len({words[index][0].number for index in of_row}) > 1:
            continue
        stand = middles(of_row, words).values()
        yield _Block(at, words[of_row[0]][0].number, min(stand), max(stand))


def _pieces(words: Words) -> Iterator[_Piece]:
    first = 0
    for index in range(1, len(words) + 1):
        if in_text(index, words):
            continue
        box = box_of(range(first, index), words)
        yield _Piece(words[first][0].number, (box.top + box.bottom) / 2, first, index)
        first = index
