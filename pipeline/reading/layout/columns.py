"""Columns of running text side by side, each of which is read to its end before the next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.reading.layout.segments import Segment, from_top

# A block is running text from so many lines on, with so many words a line, and where this share of
# its characters are letters: forms and tables have short lines and many figures.
_PROSE_LINES, _PROSE_WORDS, _PROSE_LETTERS = 3, 4.0, 0.7
# Blocks of running text beyond which no columns are looked for, and how often parts are parted
# again: far more than a broadsheet has; they keep pages made to do harm from taking minutes.
_MAX_PROSE, _MAX_DEPTH = 256, 32


@dataclass(frozen=True, slots=True)
class _Prose:
    """Where a block of running text stands; `top` and `bottom` are middles of its outer lines."""

    x0: float
    x1: float
    top: float
    bottom: float


def regions(
    segments: list[Segment], depth: int = 0, *, leftwards: bool = False
) -> Iterator[list[Segment]]:
    """Yield the parts of a page in reading order, each of which is read row by row.

    Blocks of running text side by side open a gutter between them. Segments that cross the gutter
    cut the page into bands; a band with running text on both sides is read left side first, then
    right side, each by these same rules. Where there is no gutter the page is one region.

    Args:
        segments: of the page, or of a part of it.
        depth: how many parts the segments are a part of.
        leftwards: the right side is read first.
    """
    gutter = _find_gutter(segments) if depth < _MAX_DEPTH else None
    if gutter is None:
        yield segments
        return
    # From top to bottom, in runs that cross the gutter or keep clear of it.
    runs = groupby(sorted(segments, key=from_top), lambda one: one.x0 < gutter < one.x1)
    for crossing, run in runs:
        band = list(run)
        left = [segment for segment in band if segment.x0 + segment.x1 < 2 * gutter]
        right = [segment for segment in band if segment.x0 + segment.x1 >= 2 * gutter]
        if not crossing and any(_prose(left)) and any(_prose(right)):
            for side in (right, left) if leftwards else (left, right):
                yield from regions(side, depth + 1, leftwards=leftwards)
        else:
            yield band


def _find_gutter(segments: Sequence[Segment]) -> float | None:
    """Return where to part two columns of running text, or None where none stand side by side.

    Of all pairs of blocks that share at least half of the lower block's height, the pair with the
    narrowest gap counts (a wider one may have a column between); the gutter is its middle.
    """
    blocks = list(_prose(segments))
    if len(blocks) > _MAX_PROSE:
        return None
    narrowest, gutter = float("inf"), None
    for left in blocks:
        for right in blocks:
            gap = right.x0 - left.x1
            shared = min(left.bottom, right.bottom) - max(left.top, right.top)
            lower = min(left.bottom - left.top, right.bottom - right.top)
            if 0 <= gap < narrowest and shared > 0 and shared >= lower / 2:
                narrowest, gutter = gap, (left.x1 + right.x0) / 2
    return gutter


def _prose(segments: Sequence[Segment]) -> Iterator[_Prose]:
    """Yield the place of each block of running text among the segments."""
    blocks: defaultdict[int, list[Segment]] = defaultdict(list)
    for segment in segments:
        blocks[segment.block].append(segment)
    for lines in blocks.values():
        if _is_prose(lines):
            yield _Prose(
                min(line.x0 for line in lines),
                max(line.x1 for line in lines),
                min(line.middle for line in lines),
                max(line.middle for line in lines),
            )


def _is_prose(lines: Sequence[Segment]) -> bool:
    """Return whether a block is running text: three lines or more, long ones, mostly of letters.

    A column of amounts, or of captions, is not: it belongs to the rows across it.
    """
    words = sum(len(line.texts) for line in lines)
    if len(lines) < _PROSE_LINES or words < _PROSE_WORDS * len(lines):
        return False
    characters = "".join(text for line in lines for text in line.texts)
    return sum(map(str.isalpha, characters)) >= _PROSE_LETTERS * len(characters)
