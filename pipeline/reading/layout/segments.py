"""Source lines as the reading order sees them: levelled, each standing in one row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.document import Token
from pipeline.reading.layout.skew import page_slope

# Of the lower of two heights. Neighbouring rows of print overlap by less than a quarter.
_ROW_OVERLAP = 0.5
_SIDE_OVERLAP = 0.3  # of the narrower width; more, and one of the two stands on top of the other


@dataclass(frozen=True, slots=True)
class Segment:
    """Words that stand in one row; lengths in page widths, skew taken out; see `rows.Level`.

    Attributes:
        tokens: from left to right.
        block: number of their text block.
        x0, x1: left and right edge.
        middle: of the usual word's height, from the top of the page down.
        height: of the usual word.
    """

    tokens: tuple[Token, ...]
    block: int
    x0: float
    x1: float
    middle: float
    height: float


def segments_of(tokens: Sequence[Token], aspect: float) -> list[Segment]:
    """Return the segments of a page, in the order in which their source lines first occur.

    The words of one source line (same block and line number) form a segment. Where they do not
    stand in one row after all, each is a segment of its own.

    Args:
        tokens: words of one page, in any order.
        aspect: height of the page divided by its width.
    """
    sources: defaultdict[tuple[int, int], list[Token]] = defaultdict(list)
    for token in tokens:
        sources[token.block, token.line].append(token)
    slope = page_slope(list(sources.values()), aspect)
    segments: list[Segment] = []
    for words in sources.values():
        segment = _segment(words, aspect, slope)
        middles = [_middle(word, aspect, slope) for word in words]
        tallest = max(word.box.height for word in words) * aspect
        if max(middles) - min(middles) <= tallest:
            segments.append(segment)
        else:
            segments += [_segment([word], aspect, slope) for word in words]
    return segments


def _segment(words: Sequence[Token], aspect: float, slope: float) -> Segment:
    ordered = tuple(sorted(words, key=_place))
    # Medians, so that one stray box (a rule read as a bar) does not move the segment.
    middles = sorted(_middle(word, aspect, slope) for word in ordered)
    heights = sorted(word.box.height * aspect for word in ordered)
    half = len(ordered) // 2
    return Segment(
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


def from_top(segment: Segment) -> tuple[float, float, float, tuple[str, ...]]:
    """Return what segments are sorted by from the top down; ties do not depend on the input."""
    texts = tuple(token.text for token in segment.tokens)
    return segment.middle, segment.x0, segment.x1, texts


def beside(row: Sequence[Segment], segment: Segment) -> bool:
    """Return whether a segment stands in a row, beside what is in it already; see `rows.rows`.

    It overlaps the row's first segment by at least half of the lower of the two heights, and does
    not stand on top of any in it.
    """
    first = row[0]
    shared = (first.height + segment.height) / 2 - abs(first.middle - segment.middle)
    # Both heights can be zero (degenerate boxes): then only an equal middle makes one row.
    if shared < _ROW_OVERLAP * min(first.height, segment.height):
        return False
    return not any(_on_top(segment, other) for other in row)


def _on_top(one: Segment, other: Segment) -> bool:
    """Return whether two segments cover the same stretch of a row, so that they cannot share it."""
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    return shared > _SIDE_OVERLAP * min(one.x1 - one.x0, other.x1 - other.x0)
