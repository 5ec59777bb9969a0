"""Examples: what rows of a dataset and live documents become before a tagger sees them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.labels import Span


@dataclass(frozen=True, slots=True)
class Example:
    """Words with boxes in reading order, and where labelled, their spans.

    Attributes:
        id: name of the document.
        words: the words, n of them.
        boxes: (n, 4) float32, x0, top, x1, bottom as fractions of the page as delivered.
        page: (n,) int64, index of each word's page from 0.
        line: (n,) int64, number of each word's line, rising over the whole document.
        aspect: (n,) float32, width / height of each word's page.
        spans: disjoint labelled spans; empty for a live document.
    """

    id: str
    words: tuple[str, ...]
    boxes: NDArray[np.float32]
    page: NDArray[np.int64]
    line: NDArray[np.int64]
    aspect: NDArray[np.float32]
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        n = len(self.words)
        if self.boxes.shape != (n, 4):
            raise ValueError(f"{n} words but boxes of shape {self.boxes.shape}, expected ({n}, 4)")
        for name in ("page", "line", "aspect"):
            shape = getattr(self, name).shape
            if shape != (n,):
                raise ValueError(f"{n} words but {name} of shape {shape}, expected ({n},)")
        if n and not (
            np.isfinite(self.boxes).all() and self.boxes.min() >= 0.0 and self.boxes.max() <= 1.0
        ):
            raise ValueError("boxes must be finite fractions of the page, 0 to 1")

    def taken(self, places: NDArray[np.int64], spans: Iterable[Span]) -> Example:
        """Return some of the words, in any order, with the spans that there are among them."""
        words = tuple(self.words[place] for place in places.tolist())
        boxes, page, line = self.boxes[places], self.page[places], self.line[places]
        return Example(self.id, words, boxes, page, line, self.aspect[places], tuple(spans))
