"""SkimEmbeddings (Nguyen et al., EMNLP Findings 2021): a Skimformer's layout in a text model.

    p_i = P l_i,   l_i = X(x0) + Y(y0) + X(x1) + Y(y1) + W(x1 - x0) + H(y1 - y0)

X, Y, W, H start as the tables that a Skimformer learnt, see `models.attention.skim`; P is a new
linear map to the text model's size. Both are trained further.
"""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor, nn

from models.encoding import TaggerBatch
from models.position.base import Position
from models.position.corners import ExtentEmbedding
from models.roles import Role


class SkimEmbedding(Position):
    """Boxes to (B, L, D) through a Skimformer's tables.

    Args:
        size: D, also the width of the tables.
    """

    roles: ClassVar[dict[str, Role]] = {"adapter": Role.ADAPTER}

    def __init__(self, size: int) -> None:
        super().__init__()
        self.tables = ExtentEmbedding(size)
        self.adapter = nn.Linear(size, size, bias=False)
        self.start_at(0.02)

    def start_at(self, rms: float) -> None:
        """Draw P anew so that its output has about this root mean square, for the tables as are."""
        tables = self.tables  # x and y are read twice a box
        energy = sum(
            times * float(table.weight.detach().square().mean())
            for times, table in (
                (2, tables.x),
                (2, tables.y),
                (1, tables.width),
                (1, tables.height),
            )
        )
        nn.init.normal_(self.adapter.weight, std=rms / (energy * self.adapter.in_features) ** 0.5)

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the layout term of the input, (B, L, D)."""
        term: Tensor = self.adapter(self.tables(batch))
        return term
