"""The training loop: AdamW, warm-up and linear decay, early stopping on field-level F1.

Deterministic by seed and epoch, so that a resumed run draws what the unbroken one would have.
Checkpoints are safetensors and JSON; a run's folder holds:

    last.safetensors   weights, optimiser and scores after the last epoch (`training.checkpoint`)
    best.safetensors   weights of the best epoch
    log.jsonl          one line a step group: epoch, step, loss, rate; one an epoch: score
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from models.encoding import IGNORED, NO_WORD, PieceEncoder, Window, collate
from models.example import Example
from models.precision import Precision, autocast
from models.roles import Role, parts_of
from models.tagger import Tagger
from pipeline.errors import InvalidOption
from training.augment import Augmenter
from training.average import MovingAverage
from training.checkpoint import load_checkpoint, save_checkpoint

_SHORTEST = 32  # pieces of a document in a step


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """Settings of a training.

    Attributes:
        epochs: at most; after each the model is scored.
        batch_size: windows a step.
        rate: peak learning rate of the encoder.
        head_rate, bias_rate: of the head, and of the relative biases.
        adapter_rate: of the layout adapter: lower than the encoder's, for a step of it moves every
            piece of a page alike.
        weight_decay: of matrices; not of norms and biases.
        warmup: share of the steps over which rates rise.
        patience: epochs without a better score after which training stops; they do not count
            while the score is 0, for nothing has been learnt by then.
        stop_after: epochs after which it stops in any case, on the way to `epochs`; 0 for never.
        clip: largest norm of the gradient.
        per_group: most documents of one issuer in a pass; 0 takes all.
        passes: times that an epoch goes over the documents; each time anew, by another window.
        labelled: share of the windows drawn of long documents that are drawn among those with a
            label; the others are drawn among all.
        crop: most pieces of a document that a step shows; 0 for the tagger's window. One that reads
            whole documents learns from parts of them, several a step, in a fraction of the time.
        average: decay a step of the moving average of weights that is scored and kept; 0 for none.
        freeze_words: leave the word embeddings as they came.
        seed: of everything drawn.
        precision: of the matrix products; auto takes bfloat16 where the hardware has it.
    """

    epochs: int = 12
    batch_size: int = 4
    rate: float = 2e-4
    head_rate: float = 1e-3
    bias_rate: float = 3e-3
    adapter_rate: float = 3e-5
    weight_decay: float = 0.01
    warmup: float = 0.06
    patience: int = 4
    stop_after: int = 0
    clip: float = 1.0
    per_group: int = 0
    passes: int = 1
    labelled: float = 0.6
    crop: int = 0
    average: float = 0.0
    freeze_words: bool = False
    seed: int = 0
    precision: Precision = "auto"


class Progress(Protocol):
    """What a caller may show while training runs."""

    def step(self, done: int, total: int, loss: float) -> None:
        """Called after each step of the whole run."""

    def epoch(self, number: int, score: float, best: bool) -> None:
        """Called after each epoch's validation."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a training ended.

    Attributes:
        best_epoch: from 1.
        best_score: validation score of that epoch, 0 to 1.
        scores: validation score of each epoch; 0 for one that could not be kept, since its order
            dropout had not reached 1.
        seconds: of training, this call only.
    """

    best_epoch: int
    best_score: float
    scores: tuple[float, ...]
    seconds: float


def train(
    tagger: Tagger,
    pieces: PieceEncoder,
    examples: Sequence[Example],
    *,
    groups: Sequence[str],
    evaluate: Callable[[Tagger], float] | None,
    augment: Augmenter,
    folder: Path,
    config: LoopConfig,
    progress: Progress,
    device: str = "cpu",
    resume: bool = False,
) -> Outcome:
    """Train a tagger in place; it ends with the weights of the best epoch.

    Args:
        tagger: with the weights to start from.
        pieces: for the tagger's config.
        examples: labelled training documents.
        groups: issuer of each example.
        evaluate: validation score of a tagger, higher is better, 0 to 1; None where no document
            is held out: the last epoch is kept then, and scores are the share of epochs done.
        augment: varies the examples anew each epoch.
        folder: of this run; made if it is not there.
        config: settings.
        progress: told of steps and epochs.
        device: ``cpu`` or ``cuda``.
        resume: go on from the folder's last checkpoint, where there is one.

    Raises:
        ValueError: no examples.
        InvalidOption: the checkpoint is of a run with other settings, or the loss is not finite.
    """
    if not examples:
        raise ValueError("no training documents")
    folder.mkdir(parents=True, exist_ok=True)
    tagger.to(device)
    shown = _cropped(pieces, config.crop)
    tagger.encoder.words.weight.requires_grad_(not config.freeze_words)
    optimizer = torch.optim.AdamW(_parameter_groups(tagger, config), fused=True)
    per_epoch = math.ceil(len(_drawn(groups, config, 0)) / config.batch_size)
    total = per_epoch * config.epochs
    average = MovingAverage(tagger, config.average)
    scores: list[float] = []
    kept = load_checkpoint(folder, optimizer, config=config) if resume else None
    if kept is not None:
        parts, state = kept
        tagger.load_state_dict(parts["weights"])
        average.restore(parts.get("average", {}), state["average_steps"])
        scores = [float(score) for score in state["scores"]]
    else:
        (folder / "log.jsonl").write_text("", encoding="utf-8")
    done = per_epoch * len(scores)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: linear_rate(done + step, total, config.warmup)
    )

    def settled(epoch: int) -> bool:
        # With order dropout, only the second half of a training leaves a model without order.
        return not tagger.config.order_dropout or 2 * (epoch + 1) >= config.epochs

    started = time.monotonic()
    for epoch in range(len(scores), config.epochs):
        if settled(epoch - 1) and _stale(scores, config.patience):
            break
        if config.stop_after and epoch >= config.stop_after:
            break
        torch.manual_seed(config.seed * 1000 + epoch)
        for number, (windows, labels) in enumerate(
            _batches(tagger, shown, examples, groups, augment, config, epoch), start=1
        ):
            tagger.train()
            tagger.set_progress((epoch * per_epoch + number) / total)
            batch = collate(windows, labels).to(device)
            with autocast(device, config.precision):
                logits = tagger(batch)
            assert batch.labels is not None
            loss = nn.functional.cross_entropy(
                logits.float().flatten(0, 1), batch.labels.flatten(), ignore_index=IGNORED
            )
            if not bool(torch.isfinite(loss)):
                raise InvalidOption(
                    f"The training went astray: the loss is {loss.item()} in epoch {epoch + 1}.",
                    advice="Choose a lower --rate.",
                )
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(tagger.parameters(), config.clip)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            average.update(tagger)
            progress.step(epoch * per_epoch + number, total, float(loss.detach()))
            if number % 10 == 0 or number == per_epoch:
                rate = float(schedule.get_last_lr()[0])
                _log(folder, epoch=epoch + 1, step=number, loss=float(loss.detach()), rate=rate)
        with average.in_place(tagger), autocast(device, config.precision):
            measured = (epoch + 1) / config.epochs if evaluate is None else evaluate(tagger)
            # While order is still read it is not the model that was asked for: logged, not kept.
            score = measured if settled(epoch) else 0.0
            best = not scores or score > max(scores)
            if best:
                save_file(_weights(tagger), folder / "best.safetensors")
        scores.append(score)
        save_checkpoint(
            folder,
            {"weights": tagger.state_dict(), "average": average.values},
            optimizer,
            config=config,
            state={"scores": scores, "average_steps": average.steps},
        )
        _log(folder, epoch=epoch + 1, score=measured, seconds=time.monotonic() - started)
        progress.epoch(epoch + 1, measured, best and settled(epoch))
    tagger.load_state_dict(load_file(folder / "best.safetensors"))
    best_score = max(scores)
    return Outcome(
        scores.index(best_score) + 1, best_score, tuple(scores), time.monotonic() - started
    )


def _parameter_groups(tagger: Tagger, config: LoopConfig) -> list[dict[str, Any]]:
    """Return what learns, by rate and decay; checkpoints name parameters by their place in it."""
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


def _stale(scores: Sequence[float], patience: int) -> bool:
    best = max(scores, default=0.0)
    return best > 0 and len(scores) - 1 - scores.index(best) >= patience


def _drawn(groups: Sequence[str], config: LoopConfig, epoch: int) -> list[int]:
    """Return the indices of an epoch's examples in a random order, few of each issuer a pass."""
    random = np.random.default_rng((config.seed, epoch))
    chosen = []
    for _ in range(config.passes):
        taken: dict[str, int] = {}
        for index in random.permutation(len(groups)).tolist():
            taken[groups[index]] = taken.get(groups[index], 0) + 1
            if not config.per_group or taken[groups[index]] <= config.per_group:
                chosen.append(index)
    return chosen


def _cropped(pieces: PieceEncoder, most: int) -> PieceEncoder:
    """Return an encoder whose windows have at most so many pieces; 0 leaves it.

    Raises:
        InvalidOption: so few that a window would teach nothing.
    """
    if 0 < most < _SHORTEST:
        raise InvalidOption(
            f"A step cannot learn from {most} pieces of a document.",
            advice=f"Give --crop {_SHORTEST} or more, or 0 for whole windows.",
        )
    if not 0 < most < pieces.config.window:
        return pieces
    overlap = min(pieces.config.overlap, most // 4)
    return PieceEncoder(pieces.tokenizer, replace(pieces.config, window=most, overlap=overlap))


def _batches(
    tagger: Tagger,
    pieces: PieceEncoder,
    examples: Sequence[Example],
    groups: Sequence[str],
    augment: Augmenter,
    config: LoopConfig,
    epoch: int,
) -> Iterator[tuple[list[Window], list[NDArray[np.int64]]]]:
    """Yield an epoch's batches: documents of like length together, the batches in random order.

    A document of several windows gives one of them a pass, drawn anew each time.
    """
    random = np.random.default_rng((config.seed, epoch, 1))
    items = []
    for index in _drawn(groups, config, epoch):
        example = augment(examples[index], random)
        windows = pieces.windows(example)
        if windows:
            labels = tagger.labels.encode(example.spans, len(example.words))
            if len(windows) > 1 and random.random() < config.labelled:
                windows = [window for window in windows if _labelled(window, example)] or windows
            items.append((windows[random.integers(len(windows))], labels))
    block = 16 * config.batch_size
    batches = []
    for start in range(0, len(items), block):
        alike = sorted(items[start : start + block], key=lambda item: len(item[0]))
        batches += [
            alike[i : i + config.batch_size] for i in range(0, len(alike), config.batch_size)
        ]
    for place in random.permutation(len(batches)):
        batch = batches[int(place)]
        yield [window for window, _ in batch], [labels for _, labels in batch]


def _labelled(window: Window, example: Example) -> bool:
    """Return whether a window holds a word of a labelled span."""
    first, last = window.word[window.word != NO_WORD][[0, -1]]
    return any(span.start <= last and span.end > first for span in example.spans)


def _weights(tagger: Tagger) -> dict[str, Tensor]:
    return {name: value.detach().cpu().contiguous() for name, value in tagger.state_dict().items()}


def _log(folder: Path, **values: float) -> None:
    with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(values) + "\n")
