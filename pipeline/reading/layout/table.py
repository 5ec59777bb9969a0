"""The words of a page as columns of a table: what lines, blocks and the reading order work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np
import numpy.typing as npt

from models.geometry import Box
from pipeline.document import Token

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of one page; all columns share their length n.

    Attributes:
        texts: as of `Token`.
        boxes: (n, 4) x0, top, x1, bottom, as of `Box`.
        line: (n,) number of the line; in one block, words of equal number belong together.
        block: (n,) number of the text block.
        source: (n,) which of the words given this one is, or is cut from.
    """

    texts: list[str]
    boxes: Floats
    line: Numbers
    block: Numbers
    source: Numbers

    @classmethod
    def of(cls, tokens: Sequence[Token]) -> WordTable:
        """Return the words of tokens."""
        count = len(tokens)
        boxes = [(t.box.x0, t.box.top, t.box.x1, t.box.bottom) for t in tokens]
        return cls(
            [token.text for token in tokens],
            np.array(boxes, np.float64).reshape(count, 4),
            np.fromiter((token.line for token in tokens), np.int64, count),
            np.fromiter((token.block for token in tokens), np.int64, count),
            np.arange(count),
        )

    def __len__(self) -> int:
        return len(self.texts)

    def tokens(self, confidences: Sequence[float] | None = None) -> tuple[Token, ...]:
        """Return the words as tokens.

        Args:
            confidences: of the words given, see `source`; 1 each where there are none.
        """
        sure = repeat(1.0) if confidences is None else map(confidences.__getitem__, self.source)
        boxes = map(Box, *self.boxes.T.tolist())
        return tuple(map(Token, self.texts, boxes, sure, self.line.tolist(), self.block.tolist()))


def joined(parts: Sequence[WordTable]) -> WordTable:
    """Return the words of several tables one after the other, none of whose lines are shared."""
    if len(parts) == 1:
        return parts[0]
    found = WordTable.of(())
    for part in parts:
        found = WordTable(
            found.texts + part.texts,
            np.concatenate((found.boxes, part.boxes)),
            np.concatenate((found.line, part.line + found.line.max(initial=-1) + 1)),
            np.concatenate((found.block, part.block + found.block.max(initial=-1) + 1)),
            np.concatenate((found.source, part.source + len(found))),
        )
    return found


@dataclass(frozen=True)
class Groups:
    """Items in sequence, in groups that follow one another; none is empty.

    Attributes:
        starts: (g,) number of the first item of each group.
        count: number of the items.
    """

    starts: Numbers
    count: int

    @cached_property
    def sizes(self) -> Numbers:
        """Number of items in each group, (g,)."""
        return np.diff(self.starts, append=self.count)

    @cached_property
    def numbers(self) -> Numbers:
        """Number of the group of each item, (count,)."""
        return np.repeat(np.arange(len(self.starts)), self.sizes)

    def least(self, values: Floats) -> Floats:
        """Return the least of the values, (count,), of each group, (g,)."""
        least: Floats = np.minimum.reduceat(values, self.starts)
        return least

    def most(self, values: Floats) -> Floats:
        """Return the greatest of the values, (count,), of each group, (g,)."""
        most: Floats = np.maximum.reduceat(values, self.starts)
        return most

    def sums(self, values: Floats) -> Floats:
        """Return the sum of the values, (count,), of each group, (g,)."""
        sums: Floats = np.add.reduceat(values, self.starts)
        return sums

    def middles(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the two values in the middle of each group, the lower first; equal where odd."""
        ranked = values[np.lexsort((values, self.numbers))]
        half = self.sizes // 2
        return ranked[self.starts + (self.sizes - 1) // 2], ranked[self.starts + half]

    def medians(self, values: Floats) -> Floats:
        """Return the median of the values, (count,), of each group, (g,)."""
        lower, upper = self.middles(values)
        return (lower + upper) / 2


def grouped(keys: Numbers) -> Groups:
    """Return the groups that items in sequence make where equal keys, (count,), follow another."""
    begins = np.ones(len(keys), np.bool_)
    begins[1:] = keys[1:] != keys[:-1]
    return Groups(np.flatnonzero(begins), len(keys))
