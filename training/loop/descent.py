"""One step down the gradient: which parameters learn at which rate, the schedule, the refusal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from models.roles import Role, parts_of
from pipeline.errors import InvalidOption


class Rates(Protocol):
    """The settings that say how fast each part of a model learns; see `LoopConfig`."""

    @property
    def rate(self) -> float: ...  # noqa: D102
    @property
    def head_rate(self) -> float: ...  # noqa: D102
    @property
    def bias_rate(self) -> float: ...  # noqa: D102
    @property
    def adapter_rate(self) -> float: ...  # noqa: D102
    @property
    def weight_decay(self) -> float: ...  # noqa: D102


def parameter_groups(model: nn.Module, config: Rates, *, waits: int = 0) -> list[dict[str, Any]]:
    """Return a model's parameters by rate and decay, as AdamW takes them.

    A checkpoint names a parameter by its place in them.

    Args:
        model: whose modules give the roles.
        config: rates, and the decay of matrices.
        waits: steps at the beginning in which nothing learns but the head.
    """
    rates = {
        Role.HEAD: config.head_rate,
        Role.BIAS: config.bias_rate,
        Role.ADAPTER: config.adapter_rate,
    }
    groups: dict[tuple[float, float, int], list[nn.Parameter]] = {}
    for _, parameter, role in parts_of(model):
        if parameter.requires_grad:
            decays = parameter.ndim > 1 and role is not Role.BIAS
            decay = config.weight_decay if decays else 0.0
            key = rates.get(role, config.rate), decay, 0 if role is Role.HEAD else waits
            groups.setdefault(key, []).append(parameter)
    return [
        {"params": parameters, "lr": rate, "weight_decay": decay, "waits": waiting}
        for (rate, decay, waiting), parameters in groups.items()
    ]


def linear_rate(step: int, total: int, warmup: float, waits: int = 0) -> float:
    """Return the factor of the learning rate: linear up over `warmup` of the steps, linear down.

    It is 0 for the first `waits` steps, and begins behind them.
    """
    step, total = step - waits, total - waits
    warm = max(1, round(warmup * total))
    if step < 0:
        return 0.0
    if step < warm:
        return (step + 1) / warm
    return max(0.0, (total - step) / max(1, total - warm))


class Descent:
    """AdamW with a linear schedule and gradients of limited norm.

    Args:
        model: whose gradients are clipped.
        optimizer: of its parameters, with the moments of the steps done.
        rate_at: factor of the learning rates at a step of this run, from 0, in a group that
            waits for so many steps.
        clip: largest norm of the gradient.
    """

    def __init__(
        self,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        rate_at: Callable[[int, int], float],
        clip: float,
    ) -> None:
        self._parameters: Iterable[nn.Parameter] = list(model.parameters())
        self._optimizer = optimizer
        factors = [_waiting(rate_at, group.get("waits", 0)) for group in optimizer.param_groups]
        self._schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, factors)
        self._clip = clip

    @property
    def rate(self) -> float:
        """Learning rate of the first group."""
        return float(self._schedule.get_last_lr()[0])

    def step(self, losses: Iterable[Tensor], place: str) -> float:
        """Change the parameters by a loss, given in parts that add up to it; return its value.

        Args:
            losses: scalars with their graphs; each graph is gone before the next part is asked for.
            place: where in the training it is, in words, for the error.

        Raises:
            InvalidOption: the loss is not finite.
        """
        value = 0.0
        for loss in losses:
            value += float(loss.detach())
            if not math.isfinite(value):
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


def _waiting(rate_at: Callable[[int, int], float], waits: int) -> Callable[[int], float]:
    return lambda step: rate_at(step, waits)
