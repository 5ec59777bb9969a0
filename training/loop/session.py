"""How a training is run, whatever it learns: where, on what device, from where, told to whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, Self


class Progress(Protocol):
    """What a caller may show while training runs."""

    def step(self, done: int, total: int, loss: float) -> None:
        """Called after each step of the whole run."""

    def epoch(self, number: int, score: float | None, best: bool) -> None:
        """Called after each epoch, with its validation score; None where nothing is held out."""


@dataclass(frozen=True, slots=True)
class Session:
    """How a training is run; one with other settings or documents is not resumed.

    Attributes:
        folder: for checkpoints and logs; made if it is not there.
        progress: told of steps and epochs of each training in turn.
        device: ``cpu`` or ``cuda``.
        resume: continue from the folder's last checkpoint, where there is one.
        settings: what makes the run besides those of the loop, such as where it starts from; JSON
            values by name.
        documents: a mark of what is learnt from and scored on.
    """

    folder: Path
    progress: Progress
    device: str = "cpu"
    resume: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    documents: str = ""

    def within(self, name: str) -> Self:
        """Return the same in a folder of this folder."""
        return replace(self, folder=self.folder / name)
