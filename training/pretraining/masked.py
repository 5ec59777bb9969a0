"""Masked-language pre-training with layout: words are hidden, their boxes never are.

15% of the pieces are chosen; of these 80% become [MASK], 10% a random piece, 10% stay; the
loss is the cross-entropy of the chosen ones (Devlin et al., 2019; boxes kept visible as in
Garncarek et al., 2020, sec. 3.4, and in MVLM).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from models.encoder import Encoder
from models.encoding import IGNORED, NO_WORD, TaggerBatch, Window, collate
from models.precision import autocast
from models.word_shapes import NO_SHAPE
from training.errors import DatasetError
from training.loop import Session, StepsConfig, parameter_groups, train_steps
from training.pretraining.model import MaskedModel

_CHOSEN, _HIDDEN, _RANDOM = 0.15, 0.8, 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedConfig(StepsConfig):
    """Settings of a pre-training, with those of `StepsConfig`.

    Attributes:
        epochs: passes over the windows.
        steps: of the whole run, in place of `epochs`; 0 goes by epochs.
        batch_size: windows a step.
        rate: peak learning rate of the encoder.
        head_rate, bias_rate: of the decoder, and of the relative biases.
        adapter_rate: of layout adapters; slower, see docs/decisions/0030-slow-adapters.md.
        head_share: of the steps, in which the decoder learns before all else: a decoder that knows
            nothing would pull the encoder apart.
        validation: share of the windows that is held out, in whole documents, to measure
            perplexity on; see `training.pretraining.unlabelled.hold_out`.
    """

    epochs: int = 1
    steps: int = 0
    batch_size: int = 8
    rate: float = 1e-4
    head_rate: float = 1e-3
    bias_rate: float = 3e-3
    adapter_rate: float = 1e-4
    head_share: float = 0.1
    validation: float = 0.02


@dataclass(frozen=True, slots=True)
class Guesses:
    """How well the hidden pieces of one document were guessed.

    Attributes:
        nats: summed cross-entropy.
        pieces: number of hidden pieces; 0 where the document is short.
    """

    nats: float
    pieces: int


def mask(window: Window, random: Generator, mask_id: int, vocabulary: int) -> tuple[Window, Tensor]:
    """Return a window with pieces hidden, and the labels: the piece where chosen, else IGNORED."""
    chosen = (random.random(len(window)) < _CHOSEN) & (window.word != NO_WORD)
    kind = random.random(len(window))
    ids = window.input_ids.copy()
    ids[chosen & (kind < _HIDDEN)] = mask_id
    swapped = chosen & (kind >= _HIDDEN) & (kind < _HIDDEN + _RANDOM)
    ids[swapped] = random.integers(0, vocabulary, int(swapped.sum()))
    labels = np.where(chosen, window.input_ids, IGNORED)
    shapes = np.where(chosen, NO_SHAPE, window.word_shape)  # they would tell what is hidden
    hidden = dataclasses.replace(window, input_ids=ids, word_shape=shapes)
    return hidden, torch.from_numpy(labels)


def pretrain(
    encoder: Encoder,
    windows: Sequence[Window],
    held: Mapping[str, Sequence[Window]],
    *,
    mask_id: int,
    config: MaskedConfig,
    session: Session,
) -> dict[str, Guesses]:
    """Train an encoder in place; return how well it guesses in each document that was held out.

    Args:
        encoder: with the weights to start from.
        windows: to train on.
        held: of the documents that are held out.
        mask_id: id of the mask piece.
        config: settings.
        session: how it is run.

    Raises:
        DatasetError: too few windows.
        InvalidOption: the checkpoint is of a run with other settings, or the loss is not finite.
    """
    if len(windows) < config.batch_size:
        raise DatasetError(
            f"{len(windows)} windows of text are fewer than the {config.batch_size} of one step.",
            advice="Add documents, or give a smaller --batch-size.",
        )
    torch.manual_seed(config.seed)
    device = session.device
    model = MaskedModel(encoder).to(device)
    per_epoch = len(windows) // config.batch_size
    total = config.steps or per_epoch * config.epochs
    vocabulary = encoder.words.num_embeddings

    def loss_of(step: int) -> Tensor:
        epoch, place = divmod(step, per_epoch)
        random = np.random.default_rng((config.seed, 1, step))
        shuffled = np.random.default_rng((config.seed, 2, epoch)).permutation(len(windows))
        picks = shuffled[place * config.batch_size : (place + 1) * config.batch_size]
        batch = _batch([windows[int(i)] for i in picks], random, mask_id, vocabulary)
        encoder.set_progress((step + 1) / total)
        with autocast(device, config.precision):
            loss: Tensor = model(batch.to(device))
        return loss

    train_steps(
        model,
        parameter_groups(model, config, waits=round(config.head_share * total)),
        loss_of,
        config=config,
        total=total,
        session=session,
    )
    return guess(model, held, mask_id, config, device)


@torch.inference_mode()
def guess(
    model: MaskedModel,
    documents: Mapping[str, Sequence[Window]],
    mask_id: int,
    config: MaskedConfig,
    device: str,
) -> dict[str, Guesses]:
    """Return how well a model guesses in each document, hidden by a fixed seed and its place."""
    model.eval()
    vocabulary = model.encoder.words.num_embeddings
    found = {}
    for place, (name, windows) in enumerate(documents.items()):
        random = np.random.default_rng((config.seed, 3, place))
        nats, pieces = 0.0, 0
        for start in range(0, len(windows), config.batch_size):
            batch = _batch(windows[start : start + config.batch_size], random, mask_id, vocabulary)
            assert batch.labels is not None
            count = int((batch.labels != IGNORED).sum())
            if count:
                nats += float(model(batch.to(device))) * count
                pieces += count
        found[name] = Guesses(nats, pieces)
    return found


def perplexity(guesses: Iterable[Guesses]) -> float:
    """Return exp of the mean cross-entropy of all pieces; 1 where there are none."""
    found = list(guesses)
    return math.exp(sum(g.nats for g in found) / max(sum(g.pieces for g in found), 1))


def _batch(
    windows: Sequence[Window], random: Generator, mask_id: int, vocabulary: int
) -> TaggerBatch:
    masked = [mask(window, random, mask_id, vocabulary) for window in windows]
    batch = collate([window for window, _ in masked])
    labels = torch.full_like(batch.input_ids, IGNORED)
    for row, (_, own) in enumerate(masked):
        labels[row, : len(own)] = own
    return dataclasses.replace(batch, labels=labels)
