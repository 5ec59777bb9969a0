"""A package as what tags documents: its tagger on the engine that suits the device."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from models.example import Example
from models.graph import has_graph
from models.labels import LabelSet
from models.packages import manifest
from models.packages.contents import Contents, weights_do_not_fit
from models.precision import Precision, autocast, is_float32

if TYPE_CHECKING:  # torch comes in with it
    from models.encoding import PieceEncoder
    from models.tagger import Tagger


class WordTagger(Protocol):
    """Tells the labels of words."""

    @property
    def labels(self) -> LabelSet:
        """The labels, in the order of the probabilities."""

    def probabilities_of(self, examples: Sequence[Example]) -> list[NDArray[np.float64]]:
        """Return the probabilities of the labels of the words of documents, (words, labels)."""


def load_word_tagger(
    folder: Path, contents: Contents, *, device: str, precision: Precision
) -> WordTagger:
    """Return the tagger of a package.

    In float32 on a processor ONNX Runtime runs it, which is loaded in a fraction of the time and
    the memory of PyTorch and is as fast; PyTorch runs what has no graph, other precisions and
    GPUs.

    Args:
        folder: of the package.
        contents: of the package, as `read_contents` returns them.
        device: ``cpu``, ``cuda``, or ``cuda:N``.
        precision: of the matrix products, see `models.precision`.

    Raises:
        ValueError: the weights do not fit the config.
        DependencyMissing: PyTorch finds no such device.
    """
    if device == "cpu" and has_graph(contents.config) and is_float32(device, precision):
        from models.graph_tagger import GraphTagger

        weights = load_file(folder / manifest.WEIGHTS)
        try:
            return GraphTagger(contents.config, contents.labels, weights, contents.pieces)
        except ValueError as error:
            raise weights_do_not_fit(folder, error) from error
    from models.packages.package import load_tagger

    tagger = load_tagger(folder, contents, device=device)
    return _TorchTagger(tagger, contents.pieces, device, precision)


class _TorchTagger:
    """A tagger on PyTorch, in a precision."""

    def __init__(
        self, tagger: Tagger, pieces: PieceEncoder, device: str, precision: Precision
    ) -> None:
        self.labels = tagger.labels
        self._tagger, self._pieces = tagger, pieces
        self._device, self._precision = device, precision

    def probabilities_of(self, examples: Sequence[Example]) -> list[NDArray[np.float64]]:
        """Return the probabilities of the labels of the words of documents, (words, labels)."""
        with autocast(self._device, self._precision):
            return self._tagger.probabilities_of(examples, self._pieces)
