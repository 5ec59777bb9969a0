"""A progress bar that shows nothing and notes everything."""

from __future__ import annotations


class Quiet:
    """Notes what a progress bar would show."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, int]] = []
        self.epochs: list[tuple[int, float | None, bool]] = []

    def step(self, done: int, total: int, loss: float) -> None:
        """Note a step."""
        self.steps.append((done, total))

    def epoch(self, number: int, score: float | None, best: bool) -> None:
        """Note an epoch."""
        self.epochs.append((number, score, best))
