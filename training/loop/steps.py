"""Training by steps, with a log, and checkpoints to resume from.

What a step draws depends on its number alone, so that a resumed run draws what the uninterrupted
one would have. A run's folder holds:

    last.safetensors   weights, optimiser and the number of steps done (`checkpoint`)
    log.jsonl          one line every ten steps: step, loss, seconds
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from models.precision import Precision
from pipeline.errors import InvalidOption
from training.loop.checkpoint import AGAIN, load_checkpoint, save_checkpoint
from training.loop.descent import Descent, linear_rate

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
    folder: Path,
    on_step: Callable[[int, int, float], None],
    resume: bool,
    begun: Mapping[str, str] | None = None,
) -> None:
    """Train a model in place.

    Args:
        model: whose weights are kept.
        groups: of its parameters, with ``lr`` the peak rate of each, as AdamW takes them, and the
            steps that they wait for, if any; see `parameter_groups`.
        loss_of: the loss of a step, a scalar, from its number, 0 to `total` - 1.
        config: settings of the run; a checkpoint of others is refused.
        total: steps of the whole run.
        folder: of the run; made if it is not there.
        on_step: called with (done, total, loss).
        resume: continue from the folder's checkpoint, where there is one.
        begun: what the run began with, such as its start and a mark of its text, by name.

    Raises:
        InvalidOption: the checkpoint is of a run with other settings, another beginning or another
            architecture, or the loss is not finite.
    """
    folder.mkdir(parents=True, exist_ok=True)
    optimizer = torch.optim.AdamW(groups, weight_decay=config.weight_decay, fused=True)
    begun = dict(begun or {})
    done = _resumed(folder, model, optimizer, config, begun) if resume else 0
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
        on_step(step + 1, total, value)
        if (step + 1) % 10 == 0 or step + 1 == total:
            line = {"step": step + 1, "loss": value, "seconds": time.monotonic() - started}
            with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        if (step + 1) % config.save_every == 0 or step + 1 == total:
            save_checkpoint(
                folder,
                {"weights": model.state_dict()},
                optimizer,
                config=config,
                state={"step": step + 1, "begun": begun},
            )


def _resumed(
    folder: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    config: StepsConfig,
    begun: Mapping[str, str],
) -> int:
    """Give a model and its optimiser what a folder's checkpoint has; return its steps, 0 of none.

    Raises:
        InvalidOption: it is of a run with other settings, another beginning or architecture.
    """
    kept = load_checkpoint(folder, optimizer, config=config)
    if kept is None:
        return 0
    parts, state = kept
    had = {**begun, **state.get("begun", {})}  # older checkpoints do not say
    if changed := [name for name in had if had[name] != begun.get(name)]:
        raise InvalidOption(f"{folder} holds a run of another {changed[0]}.", advice=AGAIN)
    try:
        model.load_state_dict(parts["weights"])
    except RuntimeError as error:
        raise InvalidOption(
            f"{folder} holds a run of another architecture.",
            advice="Give the preset of that run, or leave --resume out to start anew.",
        ) from error
    return int(state["step"])
