"""Training by steps, with a log, and checkpoints to resume from.

What a step draws depends on its number alone, so that a resumed run draws what the uninterrupted
one would have. A run's folder holds:

    last.safetensors   weights, optimiser and the number of steps done (`checkpoint`)
    log.jsonl          one line every ten steps: step, loss, seconds
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from models.precision import Precision
from training.loop.checkpoint import Begun, load_checkpoint, save_checkpoint
from training.loop.descent import Descent, linear_rate
from training.loop.session import Session

_CLIP = 1.0  # largest norm of the gradient, as BERT's (Devlin et al., 2019, released code)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsConfig:
    """Settings of every training by steps.

    Attributes:
        warmup: share of the steps over which rates rise; they fall linearly afterwards.
        weight_decay: of parameters whose group says nothing else.
        save_every: steps between checkpoints.
        seed: of everything drawn.
        precision: of the matrix products.
    """

    warmup: float = 0.06
    weight_decay: float = 0.01
    save_every: int = 100
    seed: int = 0
    precision: Precision = "auto"


def train_steps(
    model: nn.Module,
    groups: Iterable[dict[str, Any]],
    loss_of: Callable[[int], Tensor],
    *,
    config: StepsConfig,
    total: int,
    session: Session,
) -> None:
    """Train a model in place.

    Args:
        model: whose weights are kept.
        groups: of its parameters, with ``lr`` the peak rate of each, as AdamW takes them, and the
            steps that they wait for, if any; see `parameter_groups`.
        loss_of: the loss of a step, a scalar, from its number, 0 to `total` - 1.
        config: settings of the run; a checkpoint of others is refused.
        total: steps of the whole run.
        session: how it is run; `model` is on its device.

    Raises:
        InvalidOption: the checkpoint is of a run of another beginning or another architecture, or
            the loss is not finite.
    """
    folder, begun = session.folder, Begun(config, session.settings, session.documents)
    folder.mkdir(parents=True, exist_ok=True)
    optimizer = torch.optim.AdamW(groups, weight_decay=config.weight_decay, fused=True)
    kept = load_checkpoint(folder, model, optimizer, begun=begun) if session.resume else None
    done = int(kept[1]["step"]) if kept else 0
    descent = Descent(
        model,
        optimizer,
        lambda further, waits: linear_rate(done + further, total, config.warmup, waits),
        _CLIP,
    )
    started = time.monotonic()
    for step in range(done, total):
        torch.manual_seed(config.seed + step)
        model.train()
        value = descent.step([loss_of(step)], f"step {step + 1}")
        session.progress.step(step + 1, total, value)
        if (step + 1) % 10 == 0 or step + 1 == total:
            line = {"step": step + 1, "loss": value, "seconds": time.monotonic() - started}
            with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        if (step + 1) % config.save_every == 0 or step + 1 == total:
            save_checkpoint(
                folder,
                {"weights": model.state_dict()},
                optimizer,
                begun=begun,
                state={"step": step + 1},
            )
