"""What every position encoding has: a term of the input, a size to start at, tables to fill."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from torch import Tensor, nn

from models.encoding import TaggerBatch
from models.roles import Role


class Position(nn.Module, ABC):
    """Slot 1: one term of the encoder's input."""

    @abstractmethod
    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the term, (B, L, D), or (1, L, D) where it is the same in all rows."""

    @abstractmethod
    def start_at(self, rms: float) -> None:
        """Draw the term anew so that it has about this root mean square."""

    def set_progress(self, progress: float) -> None:
        """Take note of how much of training is done, 0 to 1; most terms have no schedule."""

    def pretrained_tables(self) -> dict[str, str]:
        """Return which of its weights a pretrained encoder may fill.

        Returns:
            The weight's name in this module, by the name that the table has among pretrained
            weights: ``order.weight``, or ``x.weight`` and so on; see `models.starts.fill.fill`.
        """
        return {}


class AdaptedPosition(Position):
    """A layout encoding through a linear map to the encoder's width, which has no bias.

    Attributes:
        adapter: the map, (D, size of the encoding).
    """

    roles: ClassVar[dict[str, Role]] = {"adapter": Role.ADAPTER}
    adapter: nn.Linear

    def energy(self) -> float:
        """Return the mean square of the encoding's numbers; 1 of one that is normalised."""
        return 1.0

    def start_at(self, rms: float) -> None:
        """Draw the adapter anew so that its output has this root mean square."""
        size = self.adapter.in_features
        nn.init.normal_(self.adapter.weight, std=rms / (self.energy() * size) ** 0.5)
