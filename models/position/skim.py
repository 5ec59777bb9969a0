"""SkimEmbeddings (Nguyen et al., EMNLP Findings 2021): a Skimformer's layout in a text model.

    p_i = P l_i,   l_i = X(x0) + Y(y0) + X(x1) + Y(y1) + W(x1 - x0) + H(y1 - y0)

X, Y, W, H start as the tables that a Skimformer learnt, see `models.attention.skim`; P is a new
linear map to the text model's size. Both are trained further.
"""

from __future__ import annotations

from torch import Tensor, nn

from models.encoding import TaggerBatch
from models.position.base import AdaptedPosition
from models.position.corners import ExtentEmbedding


class SkimEmbedding(AdaptedPosition):
    """Boxes to (B, L, D) through a Skimformer's tables.

    Args:
        size: D, also the width of the tables.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.tables = ExtentEmbedding(size)
        self.adapter = nn.Linear(size, size, bias=False)
        self.start_at(0.02)

    def energy(self) -> float:
        """Return about the mean square of l, for the tables as they are."""
        tables = self.tables
        read = (tables.x, tables.x, tables.y, tables.y, tables.width, tables.height)  # by a box
        return sum(float(table.weight.detach().square().mean()) for table in read)

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the layout term of the input, (B, L, D)."""
        term: Tensor = self.adapter(self.tables(batch))
        return term
