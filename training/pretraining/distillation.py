"""Knowledge distillation: an encoder learns to reproduce the states of a trained one.

    loss = sum over blocks l of  |s_l - t_l|^2 / |t_l - t_(l-1)|^2

s_l and t_l are the states of student and teacher behind block l, over real pieces (states of
layers as in TinyBERT, Jiao et al., 2020; an attention replaced and then taught, as in T2R, Kasai
et al., 2021). At first each block of the student is given the teacher's state before it, so that
all blocks learn at once from correct inputs; then the student's own, so that errors do not add up.

The teacher sees a long sequence in parts of its own window, the student all of it: what softmax
attention learnt in windows passes to an attention that reads whole documents. No labels are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models.encoder import Encoder
from models.encoding import TaggerBatch, Window, collate
from models.precision import autocast
from models.roles import Role, parts_of
from training.errors import DatasetError
from training.loop import Session, StepsConfig, train_steps

_BLOCK = 64  # windows among which those of like length are put together
_LEAST = 1e-6  # of what a block of the teacher adds


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilConfig(StepsConfig):
    """Settings of a distillation, with those of `StepsConfig`.

    Attributes:
        steps: of the run.
        forced: share of them in which blocks are given the teacher's states.
        pieces: about so many a step, at least one window.
        rate: peak learning rate of attentions, their projections, and of what no teacher gave.
        rest_rate: of norms and feed-forwards; words and the teacher's positions stay as they are.
    """

    steps: int = 800
    forced: float = 0.25
    pieces: int = 2048
    rate: float = 1e-3
    rest_rate: float = 1e-4
    warmup: float = 0.05
    weight_decay: float = 0.0


def distil(
    student: Encoder,
    teacher: Encoder,
    windows: Sequence[Window],
    held: Sequence[Window],
    *,
    new: Sequence[str],
    teacher_window: int,
    config: DistilConfig,
    session: Session,
) -> float:
    """Train a student in place.

    Args:
        student: with the teacher's weights where it has the same, `models.starts.load_teacher`.
        teacher: of the same width and depth; stays as it is.
        windows: to learn from.
        held: that are held out.
        new: names of the student's weights that no teacher gave.
        teacher_window: most pieces that the teacher sees at once.
        config: settings.
        session: how it is run.

    Returns:
        The share of the variance of the teacher's last states that the student's miss, over the
        windows held out: 0 for equal states, 1 for a student that gives their mean.

    Raises:
        DatasetError: no windows.
        InvalidOption: the checkpoint is of a run with other settings, or the loss is not finite.
    """
    if not windows or not held:
        raise DatasetError("There is no text to learn from.", advice="Add documents.")
    device = session.device
    student.to(device)
    teacher.to(device).eval()
    batches = list(_batches(windows, config))
    forced = round(config.forced * config.steps)

    def loss_of(step: int) -> Tensor:
        # Without dropout: the target is one fixed state.
        student.eval()
        batch = collate([windows[index] for index in batches[step]]).to(device)
        with autocast(device, config.precision):
            goals = states(teacher, batch, teacher_window)
            found = list(student.states(batch, goals if step < forced else None))[1:]
        return distance(found, goals, batch.keep)

    groups = _groups(student, new, config)
    learns = {id(parameter) for group in groups for parameter in group["params"]}
    still = [p for p in student.parameters() if p.requires_grad and id(p) not in learns]
    for parameter in still:  # their gradients would cost time, and count in the norm
        parameter.requires_grad_(False)
    train_steps(student, groups, loss_of, config=config, total=config.steps, session=session)
    for parameter in still:
        parameter.requires_grad_(True)
    student.eval()
    return _missed(student, teacher, held, teacher_window, config, device)


@torch.no_grad()
def states(teacher: Encoder, batch: TaggerBatch, window: int) -> list[Tensor]:
    """Return a teacher's states, (B, L, D) each: before its first block, and behind each block.

    Sequences longer than its window are cut into parts of that length, and the states put
    together again.
    """
    parts, length = _cut(batch, window), batch.input_ids.shape[1]
    return [
        state.float().reshape(len(batch.keep), -1, state.shape[-1])[:, :length]
        for state in teacher.states(parts)
    ]


def distance(found: Sequence[Tensor], goals: Sequence[Tensor], keep: Tensor) -> Tensor:
    """Return the loss, a scalar.

    Args:
        found: the student's states behind each block, (B, L, D).
        goals: the teacher's, with the one before its first block.
        keep: (B, L), where the pieces are real.
    """
    total = keep.new_zeros((), dtype=torch.float32)
    for own, before, after in zip(found, goals[:-1], goals[1:], strict=True):
        missed = (own.float() - after)[keep].square().mean()
        added = (after - before)[keep].square().mean()
        total = total + missed / added.clamp(min=_LEAST)
    return total


@torch.no_grad()
def _missed(
    student: Encoder,
    teacher: Encoder,
    held: Sequence[Window],
    teacher_window: int,
    config: DistilConfig,
    device: str,
) -> float:
    found, goals = [], []
    for window in held:
        batch = collate([window]).to(device)
        with autocast(device, config.precision):
            goals.append(states(teacher, batch, teacher_window)[-1][batch.keep])
            found.append(list(student.states(batch))[-1][batch.keep].float())
    goal, own = torch.cat(goals), torch.cat(found)
    spread = (goal - goal.mean(0)).square().sum().clamp(min=_LEAST)
    return float((own - goal).square().sum() / spread)


def _cut(batch: TaggerBatch, window: int) -> TaggerBatch:
    """Return the sequences of a batch in parts of at most `window` pieces, as rows of their own."""
    count, length = batch.input_ids.shape
    if length <= window:
        return batch
    parts = -(-length // window)

    def cut(values: Tensor) -> Tensor:
        added = values.new_zeros((count, parts * window - length, *values.shape[2:]))
        return torch.cat([values, added], 1).reshape(-1, window, *values.shape[2:])

    return TaggerBatch(
        cut(batch.input_ids),
        cut(batch.boxes),
        cut(batch.page_index),
        cut(batch.aspect).where(cut(batch.keep), 1.0),
        cut(batch.keep),
        cut(batch.word_shape),
    )


def _batches(windows: Sequence[Window], config: DistilConfig) -> Iterator[list[int]]:
    """Yield the windows of each step: those of like length together, all of them once a pass."""
    left, epoch = config.steps, 0
    while True:
        random = np.random.default_rng((config.seed, epoch))
        order = random.permutation(len(windows)).tolist()
        found: list[list[int]] = []
        for start in range(0, len(order), _BLOCK):
            batch: list[int] = []
            for index in sorted(order[start : start + _BLOCK], key=lambda i: len(windows[i])):
                if batch and len(windows[index]) * (len(batch) + 1) > config.pieces:
                    found.append(batch)
                    batch = []
                batch.append(index)
            found.append(batch)
        for place in random.permutation(len(found))[:left]:
            yield found[int(place)]
        left -= len(found)
        if left <= 0:
            return
        epoch += 1


def _groups(student: Encoder, new: Sequence[str], config: DistilConfig) -> list[dict[str, Any]]:
    """Return what learns, and how fast."""
    fast: list[nn.Parameter] = []
    slow: list[nn.Parameter] = []
    in_blocks = {id(part.parameter): part.role for part in parts_of(student.blocks)}
    for name, parameter in student.named_parameters():
        role = in_blocks.get(id(parameter))
        if name in new or role is Role.MIXING:
            fast.append(parameter)
        elif role is Role.FEED_FORWARD:
            slow.append(parameter)
    return [{"params": fast, "lr": config.rate}, {"params": slow, "lr": config.rest_rate}]
