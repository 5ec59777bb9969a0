"""The training loop of a tagger: epochs, each of them scored, until the score no longer rises.

Deterministic by seed and epoch, so that a resumed run draws what the uninterrupted one would have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.encoding import IGNORED, PieceEncoder, Window, collate
from models.example import Example
from models.precision import Precision, autocast
from models.tagger import Tagger, pass_size, passes
from training.augment import Augmenter
from training.loop.config import LoopConfig
from training.loop.drawing import Drawing, cropped
from training.loop.run import Outcome, Run
from training.loop.session import Progress, Session


def train(
    tagger: Tagger,
    pieces: PieceEncoder,
    examples: Sequence[Example],
    *,
    groups: Sequence[str],
    evaluate: Callable[[Tagger], float] | None,
    augment: Augmenter,
    config: LoopConfig,
    session: Session,
) -> Outcome:
    """Train a tagger in place; it ends with the weights of the best epoch.

    Args:
        tagger: with the weights to start from.
        pieces: for the tagger's config.
        examples: labelled training documents.
        groups: issuer of each example.
        evaluate: validation score of a tagger, 0 to 1, higher is better; None where no document
            is held out: then the last epoch is kept, and scores are the share of epochs done.
        augment: varies the examples anew each epoch.
        config: settings.
        session: how it is run.

    Raises:
        ValueError: no examples.
        InvalidOption: the checkpoint is of a run with other settings, fields, documents or
            architecture, or the loss is not finite.
    """
    if not examples:
        raise ValueError("no training documents")
    tagger.to(session.device)
    shown = cropped(pieces, config.crop)
    drawing = Drawing(examples, groups, shown, tagger.labels, augment, config)
    run = Run(tagger, config, session, steps=drawing.steps)
    while run.continues():
        fit_epoch(run, drawing, session.progress)
        with run.averaged() as scored:
            measured = evaluate(scored) if evaluate else (run.epoch + 1) / config.epochs
        best = run.record(measured)
        session.progress.epoch(run.epoch, measured if evaluate else None, best)
    return run.finish()


def fit_epoch(run: Run, drawing: Drawing, progress: Progress) -> None:
    """Train on the batches of a run's next epoch.

    Raises:
        InvalidOption: the loss is not finite.
    """
    tagger, done = run.tagger, run.epoch * run.steps
    torch.manual_seed(run.config.seed * 1000 + run.epoch)
    for number, (windows, labels) in enumerate(drawing.batches(run.epoch), start=1):
        tagger.train()
        tagger.set_progress((done + number) / run.total)
        losses = losses_of(tagger, windows, labels, run.config.precision)
        progress.step(done + number, run.steps * run.last, run.step(losses, number))


def losses_of(
    tagger: Tagger,
    windows: Sequence[Window],
    labels: Sequence[NDArray[np.int64]],
    precision: Precision,
) -> Iterator[Tensor]:
    """Yield the parts of the mean loss over all labelled pieces of some windows, pass by pass.

    Args:
        tagger: on its device.
        windows: of a step.
        labels: of the words of each window's document, as `collate` takes them.
        precision: of the matrix products.
    """
    device = tagger.head.weight.device.type
    parts = passes(windows, pass_size(device))
    batches = [collate(windows[part], labels[part]) for part in parts]
    found = [batch.labels for batch in batches if batch.labels is not None]
    labelled = sum(int((each != IGNORED).sum()) for each in found)
    for batch, expected in zip(batches, found, strict=True):
        with autocast(device, precision):
            logits = tagger(batch.to(device))
        loss = nn.functional.cross_entropy(
            logits.float().flatten(0, 1),
            expected.to(device).flatten(),
            ignore_index=IGNORED,
            reduction="sum",
        )
        yield loss / max(labelled, 1)
