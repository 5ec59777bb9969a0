"""One step down the gradient: which parameters learn at which rate, the schedule, the refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

from models.roles import Role, parts_of
from models.tagger import Tagger
from pipeline.errors import InvalidOption
from training.loop.config import LoopConfig


def parameter_groups(tagger: Tagger, config: LoopConfig) -> list[dict[str, Any]]:
    """Return a tagger's parameters by rate and decay, as AdamW takes them.

    A checkpoint names a parameter by its place in them.
    """
    rates = {
        Role.HEAD: config.head_rate,
        Role.BIAS: config.bias_rate,
        Role.ADAPTER: config.adapter_rate,
    }
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for _, parameter, role in parts_of(tagger):
        if parameter.requires_grad:
            decays = parameter.ndim > 1 and role is not Role.BIAS
            key = rates.get(role, config.rate), config.weight_decay if decays else 0.0
            groups.setdefault(key, []).append(parameter)
    return [
        {"params": parameters, "lr": rate, "weight_decay": decay}
        for (rate, decay), parameters in groups.items()
    ]


def linear_rate(step: int, total: int, warmup: float) -> float:
    """Return the factor of the learning rate: linear up over `warmup` of the steps, linear down."""
    warm = max(1, round(warmup * total))
    if step < warm:
        return (step + 1) / warm
    return max(0.0, (total - step) / max(1, total - warm))


class Descent:
    """AdamW with a linear schedule and gradients of limited norm.

    Args:
        model: whose gradients are clipped.
        optimizer: of its parameters, with the moments of the steps done.
        rate_at: factor of the learning rates at a step of this run, from 0.
        clip: largest norm of the gradient.
    """

    def __init__(
        self,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        rate_at: Callable[[int], float],
        clip: float,
    ) -> None:
        self._parameters: Iterable[nn.Parameter] = list(model.parameters())
        self._optimizer = optimizer
        self._schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate_at)
        self._clip = clip

    @property
    def rate(self) -> float:
        """Learning rate of the first group."""
        return float(self._schedule.get_last_lr()[0])

    def step(self, loss: Tensor, place: str) -> float:
        """Change the parameters by a loss, a scalar; return its value.

        Args:
            loss: with its graph.
            place: where in the training it is, in words, for the error.

        Raises:
            InvalidOption: the loss is not finite.
        """
        value = float(loss.detach())
        if not bool(torch.isfinite(loss)):
            raise InvalidOption(
                f"The training diverged: the loss is {value} in {place}.",
                advice="Choose a lower --rate.",
            )
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._parameters, self._clip)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad(set_to_none=True)
        return value
