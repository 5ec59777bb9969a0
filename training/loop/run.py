"""A tagger's training under way: what is done, what is kept of it, whether it goes on.

A run's folder holds:

    last.safetensors   weights, optimiser and scores after the last epoch (`checkpoint`)
    best.safetensors   weights of the best epoch
    log.jsonl          one line every ten steps: epoch, step, loss, rate; one an epoch: score
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from safetensors.torch import load_file
from torch import Tensor

from models.precision import autocast
from models.tagger import Tagger
from training.loop.average import MovingAverage
from training.loop.checkpoint import Begun, load_checkpoint, save_checkpoint, write_tensors
from training.loop.config import LoopConfig
from training.loop.descent import Descent, linear_rate, parameter_groups
from training.loop.session import Session


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a training ended.

    Attributes:
        best_epoch: from 1.
        best_score: validation score of that epoch, 0 to 1.
        scores: validation score of each epoch; 0 for one that could not be kept, because its order
            dropout had not reached 1.
        seconds: of training, this call only.
    """

    best_epoch: int
    best_score: float
    scores: tuple[float, ...]
    seconds: float


class Run:
    """A training of a tagger, at the end of an epoch.

    Args:
        tagger: with the weights to start from, on its device.
        config: settings.
        session: how it is run; without a checkpoint to resume it begins anew, and so does its log.
        steps: of an epoch.

    Raises:
        InvalidOption: see `load_checkpoint`.

    Attributes:
        tagger: in training.
        config: settings.
        steps: of an epoch.
        scores: of the epochs done.
    """

    def __init__(self, tagger: Tagger, config: LoopConfig, session: Session, *, steps: int) -> None:
        self.tagger = tagger
        self.config = config
        self.steps = steps
        self.scores: list[float] = []
        self._folder = session.folder
        # Fields in another order make weights of the same shapes.
        settings = {**session.settings, "fields": list(tagger.labels.fields)}
        self._begun = Begun(config, settings, session.documents)
        self._optimizer = torch.optim.AdamW(parameter_groups(tagger, config), fused=True)
        self._average = MovingAverage(tagger, config.average)
        self._started = time.monotonic()
        self._folder.mkdir(parents=True, exist_ok=True)
        if not (session.resume and self._resumed()):
            (self._folder / "log.jsonl").write_text("", encoding="utf-8")
        done = steps * self.epoch
        self._descent = Descent(
            tagger,
            self._optimizer,
            lambda step, waits: linear_rate(done + step, self.total, config.warmup, waits),
            config.clip,
        )

    def _resumed(self) -> bool:
        """Go on from the folder's last checkpoint; return whether there is one."""
        kept = load_checkpoint(self._folder, self.tagger, self._optimizer, begun=self._begun)
        if kept is None:
            return False
        parts, state = kept
        self._average.restore(parts.get("average", {}), state["average_steps"])
        self.scores = [float(score) for score in state["scores"]]
        return True

    @property
    def epoch(self) -> int:
        """Number of epochs done, which is the number of the next one, from 0."""
        return len(self.scores)

    @property
    def total(self) -> int:
        """Steps of the whole schedule."""
        return self.steps * self.config.epochs

    @property
    def last(self) -> int:
        """Number of the last epoch that may be run."""
        return min(self.config.epochs, self.config.stop_after or self.config.epochs)

    @property
    def device(self) -> str:
        """Kind of device that the tagger is on."""
        return self.tagger.head.weight.device.type

    def continues(self) -> bool:
        """Return whether another epoch is due."""
        best, patience = max(self.scores, default=0.0), self.config.patience
        stale = best > 0 and self.epoch - 1 - self.scores.index(best) >= patience
        return self.epoch < self.last and not (stale and self._can_keep(self.epoch - 1))

    def step(self, losses: Iterable[Tensor], number: int) -> float:
        """Learn from the loss of an epoch's step `number`, from 1; return its value.

        Args:
            losses: its parts, see `Descent.step`.
            number: of the step.

        Raises:
            InvalidOption: the loss is not finite.
        """
        value = self._descent.step(losses, f"epoch {self.epoch + 1}")
        self._average.update(self.tagger)
        if number % 10 == 0 or number == self.steps:
            self._log(epoch=self.epoch + 1, step=number, loss=value, rate=self._descent.rate)
        return value

    @contextmanager
    def averaged(self) -> Iterator[Tagger]:
        """Give the tagger with the weights to be scored, in the precision of the training."""
        with self._average.in_place(self.tagger), autocast(self.device, self.config.precision):
            yield self.tagger

    def record(self, measured: float) -> bool:
        """End an epoch: keep its weights if they are the best, the checkpoint, a line of the log.

        Args:
            measured: validation score of the averaged weights, 0 to 1.

        Returns:
            Whether they are the best so far.
        """
        can_keep = self._can_keep(self.epoch)
        score = measured if can_keep else 0.0
        best = not self.scores or score > max(self.scores)
        if best:
            with self._average.in_place(self.tagger):
                write_tensors(self._folder / "best.safetensors", self.tagger.state_dict())
        self.scores.append(score)
        save_checkpoint(
            self._folder,
            {"weights": self.tagger.state_dict(), "average": self._average.values},
            self._optimizer,
            begun=self._begun,
            state={"scores": self.scores, "average_steps": self._average.steps},
        )
        self._log(epoch=self.epoch, score=measured, seconds=time.monotonic() - self._started)
        return best and can_keep

    def finish(self) -> Outcome:
        """Give the tagger the weights of the best epoch, and say how the training went."""
        self.tagger.load_state_dict(load_file(self._folder / "best.safetensors"))
        best = max(self.scores)
        return Outcome(
            self.scores.index(best) + 1, best, tuple(self.scores), time.monotonic() - self._started
        )

    def _can_keep(self, epoch: int) -> bool:
        """Return whether the weights of an epoch may be the ones that are kept.

        With order dropout, they still read the order of words in the first half of a training.
        """
        return not self.tagger.config.order_dropout or 2 * (epoch + 1) >= self.config.epochs

    def _log(self, **values: float) -> None:
        with (self._folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(values) + "\n")
