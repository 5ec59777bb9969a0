"""What an epoch shows: documents drawn by issuer, varied, cut into windows, put into batches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.encoding import NO_WORD, PieceEncoder, Window
from models.example import Example
from models.labels import LabelSet
from pipeline.errors import InvalidOption
from training.augment import Augmenter
from training.loop.config import LoopConfig

_SHORTEST = 32  # pieces: a line or two of a document, the least that has a caption beside a value
_ALIKE = 16  # batches' worth of windows that are sorted by length, so that little is padded

Batch = tuple[list[Window], list[NDArray[np.int64]]]
"""Windows, and the label of each word of the document that each window is from."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Draws the batches of each epoch, from the seed and the epoch's number alone.

    Attributes:
        examples: labelled training documents.
        groups: issuer of each example.
        pieces: cuts documents into windows.
        labels: of the tagger.
        augment: varies the examples anew each time.
        config: settings of the training.
    """

    examples: Sequence[Example]
    groups: Sequence[str]
    pieces: PieceEncoder
    labels: LabelSet
    augment: Augmenter
    config: LoopConfig

    @property
    def steps(self) -> int:
        """Number of batches in an epoch."""
        return math.ceil(len(self.indices(0)) / self.config.batch_size)

    def indices(self, epoch: int) -> list[int]:
        """Return an epoch's examples in random order, at most `per_group` of an issuer in a pass.

        Every epoch draws the same number.
        """
        random = np.random.default_rng((self.config.seed, epoch))
        chosen = []
        for _ in range(self.config.passes):
            taken: dict[str, int] = {}
            for index in random.permutation(len(self.groups)).tolist():
                group = self.groups[index]
                taken[group] = taken.get(group, 0) + 1
                if not self.config.per_group or taken[group] <= self.config.per_group:
                    chosen.append(index)
        return chosen

    def batches(self, epoch: int) -> Iterator[Batch]:
        """Yield an epoch's batches: windows of like length together, the batches in random order.

        A document of several windows gives one of them in each pass.
        """
        random = np.random.default_rng((self.config.seed, epoch, 1))
        items = []
        for index in self.indices(epoch):
            example = self.augment(self.examples[index], random)
            windows = self.pieces.windows(example)
            if windows:
                labels = self.labels.encode(example.spans, len(example.words))
                if len(windows) > 1 and random.random() < self.config.labelled:
                    windows = [w for w in windows if _is_labelled(w, example)] or windows
                items.append((windows[random.integers(len(windows))], labels))
        size = self.config.batch_size
        batches = []
        for start in range(0, len(items), _ALIKE * size):
            alike = sorted(items[start : start + _ALIKE * size], key=lambda item: len(item[0]))
            batches += [alike[i : i + size] for i in range(0, len(alike), size)]
        for place in random.permutation(len(batches)):
            batch = batches[int(place)]
            yield [window for window, _ in batch], [labels for _, labels in batch]


def _is_labelled(window: Window, example: Example) -> bool:
    """Return whether a window holds a word of a labelled span."""
    first, last = window.word[window.word != NO_WORD][[0, -1]]
    return any(span.start <= last and span.end > first for span in example.spans)


def cropped(pieces: PieceEncoder, most: int) -> PieceEncoder:
    """Return an encoder whose windows have at most `most` pieces; 0 leaves it as it is.

    Raises:
        InvalidOption: windows of so few pieces would teach nothing.
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
