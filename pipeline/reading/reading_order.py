"""Puts words into reading order: one function for text layers, OCR and gold transcriptions.

A line is a visual row: a caption and its amount at the other edge of a receipt are one line, even
where the OCR put them into different blocks. The steps:

1.  Words of one source line (same block and line number) form a segment. A segment whose words do
    not stand in one row, after all, is taken apart into its words.
2.  The skew of the page is the weighted median of slopes along lines and from each line to its
    neighbour; heights are compared after taking it out.
3.  Columns: blocks of running text side by side (`_is_prose`) open a gutter between them. Segments
    that cross the gutter cut the page into bands; a band with running text on both sides is read
    left side first, then right side, each by these same rules. Everything else is one region.
4.  In a region, a segment joins the row that it overlaps by at least half of the lower of the two
    heights, and where it does not stand on top of the row's words. Rows go top to bottom, the
    segments of a row left to right.

The result does not depend on the order of the input, only on places and source lines.
"""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from models.geometry import Box
from pipeline.document import Token
from pipeline.reading.words import cut_glued

FloatArray = npt.NDArray[np.float64]

_ROW_OVERLAP = 0.5  # of the lower height; real neighbours overlap by less than a quarter
_SIDE_OVERLAP = 0.3  # of the narrower width that two segments of one row may share
_MIN_RUN = 0.1  # of the page's width; shorter lines say little about the skew
_MAX_SLOPE = 0.2  # steeper "lines" are noise, not skew
_OPEN_ROWS = 8  # rows that can still take a segment; keeps hostile pages linear
_PROSE_LINES, _PROSE_WORDS, _PROSE_LETTERS = 3, 4.0, 0.7


@dataclass(frozen=True, slots=True)
class _Segment:
    """Words that stand in one row; heights in page widths, skew taken out."""

    tokens: tuple[Token, ...]
    block: int
    x0: float
    x1: float
    middle: float
    height: float


@dataclass(slots=True)
class _Row:
    """A row under construction; `middle` and `height` are those of its first segment."""

    middle: float
    height: float
    segments: list[_Segment] = field(default_factory=list)

    def takes(self, segment: _Segment) -> bool:
        """Return whether the segment stands in this row, beside what is in it already."""
        shared = (self.height + segment.height) / 2 - abs(self.middle - segment.middle)
        lower = min(self.height, segment.height)
        # Both heights can be zero (degenerate boxes): then only an equal middle makes one row.
        if shared < min(_ROW_OVERLAP * lower, lower):
            return False
        return not any(_on_top(segment, other) for other in self.segments)


def order_tokens(tokens: Sequence[Token], aspect: float) -> tuple[Token, ...]:
    """Return the tokens in reading order, `line` numbered from 0 by visual row, `block` kept.

    A bracketed number glued to letters becomes a token of its own, see `cut_glued`.

    Args:
        tokens: words of one page, in any order; `block` and `line` name their source lines.
        aspect: height of the page divided by its width, in the same unit.

    Raises:
        ValueError: `aspect` is not a positive finite number.
    """
    if not 0 < aspect < float("inf"):
        raise ValueError(f"aspect is {aspect}, expected a positive number")
    segments = _segments(list(cut_glued(tokens)), aspect)
    rows = _read_region(segments)
    return tuple(
        replace(token, line=number)
        for number, row in enumerate(rows)
        for segment in row
        for token in segment.tokens
    )


def split_line(text: str, box: Box, line: int) -> list[Token]:
    """Return the words of a transcribed line, its box shared out by numbers of characters.

    Args:
        text: the line; white space parts the words (none gives an empty list).
        box: place of the whole line.
        line: source line number that the words get; the block is 0.
    """
    stripped = text.strip()
    step = box.width / max(len(stripped), 1)
    return [
        Token(
            match.group(),
            Box(
                # The sum can pass the edge by a rounding error.
                min(box.x0 + match.start() * step, box.x1),
                box.top,
                min(box.x0 + match.end() * step, box.x1),
                box.bottom,
            ),
            line=line,
        )
        for match in re.finditer(r"\S+", stripped)
    ]


def _segments(tokens: Sequence[Token], aspect: float) -> list[_Segment]:
    """Return the segments of a page (steps 1 and 2)."""
    sources: defaultdict[tuple[int, int], list[Token]] = defaultdict(list)
    for token in tokens:
        sources[token.block, token.line].append(token)
    slope = _page_slope(list(sources.values()), aspect)
    segments: list[_Segment] = []
    for words in sources.values():
        segment = _segment(words, aspect, slope)
        middles = [_middle(word, aspect, slope) for word in words]
        tallest = max(word.box.height for word in words) * aspect
        if max(middles) - min(middles) <= tallest:
            segments.append(segment)
        else:
            segments += [_segment([word], aspect, slope) for word in words]
    return segments


def _segment(words: Sequence[Token], aspect: float, slope: float) -> _Segment:
    ordered = tuple(sorted(words, key=_place))
    # Medians, so that one stray box (a rule read as a bar) does not move the segment.
    middles = sorted(_middle(word, aspect, slope) for word in ordered)
    heights = sorted(word.box.height * aspect for word in ordered)
    half = len(ordered) // 2
    return _Segment(
        ordered,
        ordered[0].block,
        min(word.box.x0 for word in ordered),
        max(word.box.x1 for word in ordered),
        middles[half],
        heights[half],
    )


def _place(token: Token) -> tuple[float, float, float, float, str]:
    box = token.box
    return box.x0, box.top, box.x1, box.bottom, token.text


def _middle(token: Token, aspect: float, slope: float) -> float:
    """Return the height of a word's centre with the skew taken out, in page widths."""
    box = token.box
    return (box.top + box.bottom) / 2 * aspect - slope * (box.x0 + box.x1) / 2


def _page_slope(lines: Sequence[Sequence[Token]], aspect: float) -> float:
    """Return the skew of the page as rise per run, 0 where nothing is long enough to tell.

    The slopes along the lines vote first, each by its run. Lines whose words share one box height,
    as those of gold transcriptions do, carry no slope in themselves; so, in a second vote, every
    line also tells its slope to the line that stands nearest to its right.
    """
    votes: list[tuple[float, float]] = []
    places = np.empty((len(lines), 4))  # x0, x1, middle, height; heights in page widths
    for place, words in zip(places, lines, strict=True):
        # Lines are short: plain numbers are faster here than arrays.
        middles = [(word.box.x0 + word.box.x1) / 2 for word in words]
        heights = [(word.box.top + word.box.bottom) / 2 * aspect for word in words]
        place[:] = (
            min(word.box.x0 for word in words),
            max(word.box.x1 for word in words),
            statistics.median(heights),
            statistics.median(word.box.height for word in words) * aspect,
        )
        run = max(middles) - min(middles)
        if run >= _MIN_RUN and max(heights) > min(heights):
            across, down = np.array(middles), np.array(heights)
            centred = across - across.mean()
            votes.append((float(centred @ (down - down.mean()) / (centred @ centred)), run))
    first = _weighted_median(votes)
    return _weighted_median([*votes, *_neighbour_votes(places, first)])


def _weighted_median(votes: Sequence[tuple[float, float]]) -> float:
    """Return the slope in the middle of (slope, weight) votes, 0 without any credible one."""
    credible = sorted(vote for vote in votes if abs(vote[0]) <= _MAX_SLOPE)
    if not credible:
        return 0.0
    reached = np.cumsum([weight for _, weight in credible])
    return credible[int(np.searchsorted(reached, reached[-1] / 2))][0]


def _neighbour_votes(places: FloatArray, slope: float) -> Iterator[tuple[float, float]]:
    """Yield slope and run from each line to the nearest one on its right, in about the same row.

    Args:
        places: (n, 4): x0, x1, middle and height of each line, in page widths.
        slope: the skew as known so far.
    """
    level = places[:, 2] - slope * (places[:, 0] + places[:, 1]) / 2
    order = np.lexsort((places[:, 0], level))
    level = level[order]
    x0, x1, _, height = places[order].T
    for index in range(len(places)):
        # Rows are short: what stands beside a line is near it when sorted by height.
        near = slice(max(index - _OPEN_ROWS, 0), index + _OPEN_ROWS + 1)
        rise = level[near] - level[index]
        gap = x0[near] - x1[index]
        beside = (gap >= 0) & (np.abs(rise) <= 0.8 * np.minimum(height[near], height[index]))
        if not beside.any():
            continue
        nearest = int(np.argmin(np.where(beside, gap, np.inf)))
        run = float(x0[near][nearest] + x1[near][nearest] - x0[index] - x1[index]) / 2
        if run >= _MIN_RUN:
            yield slope + float(rise[nearest]) / run, run


def _read_region(segments: list[_Segment]) -> Iterator[list[_Segment]]:
    """Yield the rows of a region in reading order (steps 3 and 4)."""
    gutter = _find_gutter(segments)
    if gutter is None:
        yield from _rows(segments)
        return
    for band in _bands(segments, gutter):
        left = [segment for segment in band if segment.x0 + segment.x1 < 2 * gutter]
        right = [segment for segment in band if segment.x0 + segment.x1 >= 2 * gutter]
        crossing = any(segment.x0 < gutter < segment.x1 for segment in band)
        if not crossing and any(_prose(left)) and any(_prose(right)):
            yield from _read_region(left)
            yield from _read_region(right)
        else:
            yield from _rows(band)


def _bands(segments: list[_Segment], gutter: float) -> Iterator[list[_Segment]]:
    """Yield the segments from top to bottom, in runs that cross the gutter or keep clear of it."""
    band: list[_Segment] = []
    crossed = False
    for segment in sorted(segments, key=_from_top):
        crosses = segment.x0 < gutter < segment.x1
        if band and crosses != crossed:
            yield band
            band = []
        crossed = crosses
        band.append(segment)
    if band:
        yield band


def _from_top(segment: _Segment) -> tuple[float, float, float, tuple[str, ...]]:
    texts = tuple(token.text for token in segment.tokens)
    return segment.middle, segment.x0, segment.x1, texts


def _prose(segments: Sequence[_Segment]) -> Iterator[tuple[float, float, float, float]]:
    """Yield x0, x1, top and bottom of each block of running text among the segments."""
    blocks: defaultdict[int, list[_Segment]] = defaultdict(list)
    for segment in segments:
        blocks[segment.block].append(segment)
    for lines in blocks.values():
        if _is_prose(lines):
            yield (
                min(line.x0 for line in lines),
                max(line.x1 for line in lines),
                min(line.middle for line in lines),
                max(line.middle for line in lines),
            )


def _is_prose(lines: Sequence[_Segment]) -> bool:
    """Return whether a block is running text: three lines or more, long ones, mostly of letters.

    A column of amounts, or of captions, is not: it belongs to the rows across it.
    """
    texts = [token.text for line in lines for token in line.tokens]
    characters = "".join(texts)
    letters = sum(map(str.isalpha, characters))
    return (
        len(lines) >= _PROSE_LINES
        and len(texts) >= _PROSE_WORDS * len(lines)
        and letters >= _PROSE_LETTERS * len(characters)
    )


def _find_gutter(segments: Sequence[_Segment]) -> float | None:
    """Return where to part two columns of running text, or None where none stand side by side.

    Of all pairs of blocks that share at least half of the lower block's height, the pair with the
    narrowest gap counts (a wider one may have a column between); the gutter is its middle.
    """
    blocks = list(_prose(segments))
    narrowest, gutter = float("inf"), None
    for left in blocks:
        for right in blocks:
            gap = right[0] - left[1]
            shared = min(left[3], right[3]) - max(left[2], right[2])
            lower = min(left[3] - left[2], right[3] - right[2])
            if 0 <= gap < narrowest and shared > 0 and shared >= lower / 2:
                narrowest, gutter = gap, (left[1] + right[0]) / 2
    return gutter


def _rows(segments: Sequence[_Segment]) -> list[list[_Segment]]:
    """Return the rows of a region without columns, top to bottom, each left to right (step 4)."""
    rows: list[_Row] = []
    for segment in sorted(segments, key=_from_top):
        open_rows = [row for row in rows[-_OPEN_ROWS:] if row.takes(segment)]
        if open_rows:
            row = min(open_rows, key=lambda row: abs(row.middle - segment.middle))
        else:
            row = _Row(segment.middle, segment.height)
            rows.append(row)
        row.segments.append(segment)
    return [sorted(row.segments, key=lambda segment: segment.x0) for row in rows]


def _on_top(a: _Segment, b: _Segment) -> bool:
    """Return whether two segments cover the same stretch of a row, so that they cannot share it."""
    shared = min(a.x1, b.x1) - max(a.x0, b.x0)
    return shared > _SIDE_OVERLAP * min(a.x1 - a.x0, b.x1 - b.x0)
