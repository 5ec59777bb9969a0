"""Boxes as a sum over their coordinates on a grid: the LoPE paper's 2-D terms, and LayoutLM's.

    R_i = sum over the box's two corners of PE_x(x) + PE_y(y)                    LoPE, sec. 3
    L_i = R_i + W[x1 - x0] + H[y1 - y0]                      LayoutLM (Xu et al., KDD 2020)

The page runs from 0 to 1000 both ways. PE is a table, sinusoids, LoPE or LoPE_sc; LayoutLM's are
tables.
"""

from __future__ import annotations

from torch import Tensor

from models.config import Axis
from models.encoding import TaggerBatch
from models.position.base import Position
from models.position.learned import LearnedAxis
from models.position.lope import LopeAxis
from models.position.sinusoidal import SineAxis

GRID = 1000
AnyAxis = LearnedAxis | SineAxis | LopeAxis


def build_axis(kind: Axis, rows: int, size: int) -> AnyAxis:
    """Return the encoding of one axis.

    Args:
        kind: its name.
        rows: places of a table; functions have no last place.
        size: D.
    """
    if kind == "learned":
        return LearnedAxis(rows, size)
    if kind == "sine":
        return SineAxis(size)
    return LopeAxis(size, shortcut=kind == "lope-sc")


def grid(boxes: Tensor) -> Tensor:
    """Return the nearest grid lines 0 .. 1000 of boxes (..., 4) in fractions of the page."""
    return (boxes * GRID).round().clamp(0, GRID).long()


class CornerEmbedding(Position):
    """Boxes to (B, L, D), one encoding for x and one for y, summed over the two corners.

    Args:
        kind: of encoding, for both axes.
        size: D.
    """

    def __init__(self, kind: Axis, size: int) -> None:
        super().__init__()
        self.x = build_axis(kind, GRID + 1, size)
        self.y = build_axis(kind, GRID + 1, size)

    def start_at(self, rms: float) -> None:
        """Draw the encodings anew so that their sum has about this root mean square."""
        for part in (self.x, self.y):
            part.start_at(rms / 4**0.5)  # of four terms

    def pretrained_tables(self) -> dict[str, str]:
        """Return the tables over the page, under their own names."""
        parts = self.named_children()
        tables = [f"{name}.weight" for name, part in parts if isinstance(part, LearnedAxis)]
        return dict(zip(tables, tables, strict=True))

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the layout term of the input, (B, L, D)."""
        places = grid(batch.boxes)  # (B, L, 4)
        x0, top, x1, bottom = places.unbind(-1)
        term: Tensor = self.x(x0) + self.y(top) + self.x(x1) + self.y(bottom)
        return term


class ExtentEmbedding(CornerEmbedding):
    """Boxes to (B, L, D) as in LayoutLM: tables over corners, widths and heights.

    Args:
        size: D.
    """

    x: LearnedAxis
    y: LearnedAxis

    def __init__(self, size: int) -> None:
        super().__init__("learned", size)
        self.width = LearnedAxis(GRID + 1, size)
        self.height = LearnedAxis(GRID + 1, size)

    def start_at(self, rms: float) -> None:
        """Draw the tables anew so that their sum has about this root mean square."""
        for part in (self.x, self.y, self.width, self.height):
            part.start_at(rms / 6**0.5)  # of six terms

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the layout term of the input, (B, L, D)."""
        x0, top, x1, bottom = grid(batch.boxes).unbind(-1)  # (B, L) each
        # Padding may hold any box; a real one never ends before it begins.
        width, height = (x1 - x0).clamp(min=0), (bottom - top).clamp(min=0)
        term: Tensor = super().forward(batch) + self.width(width) + self.height(height)
        return term
