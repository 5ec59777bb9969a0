"""Text that runs from right to left: the order in which people read what stands side by side."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal

Way = Literal[-1, 0, 1]  # leftwards, neither, rightwards
_LEFTWARDS = ("R", "AL")
# Hebrew, Arabic and others
_ANY_LEFTWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def any_leftwards(texts: Iterable[str]) -> bool:
    """Return whether any letter of texts is of a script that runs leftwards."""
    return _ANY_LEFTWARDS.search("".join(texts)) is not None


def way_of(texts: Iterable[str]) -> Way:
    """Return which way most letters of texts run; 0 where they have none, as figures do."""
    text = "".join(texts)
    if not _ANY_LEFTWARDS.search(text):
        return 1 if any(map(str.isalpha, text)) else 0
    ways = [unicodedata.bidirectional(character) for character in text]
    left, right = sum(way in _LEFTWARDS for way in ways), ways.count("L")
    return 0 if not left and not right else -1 if left >= right else 1


def in_reading_order(items: Sequence[int], texts: Sequence[str], base: Way) -> list[int]:
    """Return what stands side by side in the order in which it is read.

    Figures and signs are read with the letters around them, and between the two ways with the line.

    Args:
        items: numbers, from left to right.
        texts: those of the items.
        base: way of the line that they stand in.
    """
    ways = [way_of((text,)) for text in texts]
    if -1 not in ways:
        return list(items)
    following = [base] * len(ways)  # the way of the next letters behind each
    for at in range(len(ways) - 1, 0, -1):
        following[at - 1] = ways[at] or following[at]
    for at, way in enumerate(ways):
        if not way:
            before, after = ways[at - 1] if at else base, following[at]
            figures = any(map(str.isdigit, texts[at]))
            ways[at] = before if before == after or (before == 1 and figures) else base
    runs = [list(run) for _, run in groupby(range(len(ways)), key=ways.__getitem__)]
    if base == -1:
        runs.reverse()
    return [items[at] for run in runs for at in (run if ways[run[0]] == 1 else reversed(run))]
