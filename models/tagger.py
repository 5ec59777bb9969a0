"""The tagger: an encoder by preset and a linear head over BIESO labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.build import build_encoder
from models.config import TaggerConfig
from models.encoding import PieceEncoder, TaggerBatch, Window, collate, probabilities_by_word
from models.example import Example
from models.labels import LabelSet, Span
from models.roles import Role


@dataclass(frozen=True, slots=True)
class Head:
    """The weights of a head, for another head to start from.

    Attributes:
        names: of its labels, one a row.
        weight, bias: (labels, hidden) and (labels,).
    """

    names: tuple[str, ...]
    weight: Tensor
    bias: Tensor


class Tagger(nn.Module):
    """Encoder and head of one field model.

    Args:
        config: what the encoder is made of.
        labels: the labels, in the order of the head's rows.
    """

    roles: ClassVar[dict[str, Role]] = {"head": Role.HEAD}

    def __init__(self, config: TaggerConfig, labels: LabelSet) -> None:
        super().__init__()
        self.config = config
        self.labels = labels
        self.encoder = build_encoder(config)
        self.dropout = nn.Dropout(config.dropout)
        self.head = nn.Linear(config.hidden_size, len(labels))
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return logits (B, L, labels)."""
        logits: Tensor = self.head(self.dropout(self.encoder(batch)))
        return logits

    @torch.no_grad()
    def take_over(self, head: Head) -> None:
        """Copy the rows of the fields that both heads know.

        Where they share none nothing is copied, not even the row of "no field": a word that is no
        field in one kind of document may well be one in another.

        Raises:
            ValueError: the heads differ in width.
        """
        if head.weight.shape[1:] != self.head.weight.shape[1:]:
            raise ValueError(f"a head of width {head.weight.shape[1]} does not fit")
        if any(f"B-{name}" in head.names for name in self.labels.fields):
            for row, label in enumerate(self.labels.names):
                if label in head.names:
                    place = head.names.index(label)
                    self.head.weight[row] = head.weight[place]
                    self.head.bias[row] = head.bias[place]

    def set_progress(self, progress: float) -> None:
        """Tell the parts that follow a schedule how much of the training is done, 0 to 1."""
        self.encoder.set_progress(progress)

    def probabilities(self, example: Example, pieces: PieceEncoder) -> NDArray[np.float64]:
        """Return the probability of each label for each word, (words, labels).

        Args:
            example: a document of any length.
            pieces: encoder of words, for this tagger's config.
        """
        return self.probabilities_of([example], pieces)[0]

    @torch.inference_mode()
    def probabilities_of(
        self, examples: Sequence[Example], pieces: PieceEncoder
    ) -> list[NDArray[np.float64]]:
        """Return the `probabilities` of several documents, whose windows share passes."""
        was_training = self.training
        if was_training:  # eval() visits every module, which takes two milliseconds
            self.eval()
        found = probabilities_by_word(examples, pieces, len(self.labels), self._tagged)
        if was_training:
            self.train()
        return found

    def _tagged(self, windows: Sequence[Window]) -> list[NDArray[np.float64]]:
        """Return the log-probabilities of each window, (l, labels)."""
        device = self.head.weight.device
        found: list[NDArray[np.float64]] = []
        for part in passes(windows, pass_size(device.type)):
            logits = self(collate(windows[part]).to(device))
            values = logits.float().log_softmax(-1).cpu().numpy().astype(np.float64)
            found += [row[: len(own)] for row, own in zip(values, windows[part], strict=True)]
        return found

    def tag(
        self, example: Example, pieces: PieceEncoder, doubtful: Collection[str] = ()
    ) -> list[Span]:
        """Return the labelled spans of a document, left to right; see `LabelSet.spans`."""
        return self.labels.spans(self.probabilities(example, pieces), doubtful)


def pass_size(device: str) -> int:
    """Return the pieces of one pass that suit a kind of device, padding counted.

    On a CPU no more than a window of most presets: its caches hold the states of one, and several
    are slower together than one by one and take more memory.
    """
    return 512 if device == "cpu" else 4096


def passes(windows: Sequence[Window], pieces: int) -> Iterator[slice]:
    """Yield runs of windows whose padded size stays within `pieces`, at least one each."""
    start = longest = 0
    for number, window in enumerate(windows):
        longest = max(longest, len(window))
        if number > start and longest * (number + 1 - start) > pieces:
            yield slice(start, number)
            start, longest = number, len(window)
    if windows:
        yield slice(start, len(windows))
