"""A moving average of a tagger's weights: the model that is scored and kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from models.tagger import Tagger


class MovingAverage:
    """Moving average of the weights; with decay 0, the weights themselves.

    Args:
        tagger: whose weights are followed, on its device.
        decay: share of the average that remains after a step, 0 to 1.

    Attributes:
        values: the averaged state, by name; empty with decay 0.
        steps: updates so far.
    """

    def __init__(self, tagger: Tagger, decay: float) -> None:
        self.decay = decay
        self.steps = 0
        self.learnt = {name for name, _ in tagger.named_parameters()}
        self.values = (
            {k: v.detach().clone() for k, v in tagger.state_dict().items()} if decay else {}
        )

    @torch.no_grad()
    def update(self, tagger: Tagger) -> None:
        """Include the weights after a step."""
        if not self.decay:
            return
        self.steps += 1
        # Early on the average forgets its start faster; the formula is that of TensorFlow's
        # ExponentialMovingAverage with num_updates.
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for name, value in tagger.state_dict().items():
            if name in self.learnt:
                self.values[name].lerp_(value, 1 - decay)
            else:  # what follows a schedule, such as the rate of order dropout, is not averaged
                self.values[name].copy_(value)

    def restore(self, values: dict[str, Tensor], steps: int) -> None:
        """Continue from the values of a checkpoint."""
        self.steps = steps
        self.values = {name: value.to(self.values[name].device) for name, value in values.items()}

    @contextmanager
    def in_place(self, tagger: Tagger) -> Iterator[None]:
        """Give the tagger the averaged weights while the context lasts."""
        if not self.decay:
            yield
            return
        kept = {k: v.detach().clone() for k, v in tagger.state_dict().items()}
        tagger.load_state_dict(self.values)
        try:
            yield
        finally:
            tagger.load_state_dict(kept)
