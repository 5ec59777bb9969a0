"""A tagger on ONNX Runtime: what tags on a processor, without PyTorch."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.config import TaggerConfig
from models.encoding import PieceEncoder, Window, probabilities_by_word
from models.example import Example
from models.graph import OUTPUT, Weights, build_graph
from models.labels import LabelSet


class GraphTagger:
    """Computes what `models.tagger.Tagger` does of a finished model, in float32.

    Windows are spread over threads, as many as OMP_NUM_THREADS says or the process has cores. Each
    runs on one, so that nothing of a session is left behind by a fork.

    Args:
        config: one that `models.graph.has_graph`.
        labels: the labels, in the order of the head's rows.
        weights: by the names in the tagger's state.
        pieces: encoder of words, for this config.

    Raises:
        ValueError: the weights do not fit the config.
    """

    def __init__(
        self, config: TaggerConfig, labels: LabelSet, weights: Weights, pieces: PieceEncoder
    ) -> None:
        self.labels = labels
        self._page_unit = config.page_unit
        self._pieces = pieces
        model, constants = build_graph(config, len(labels), weights)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # A worker holds several models: weights laid out once more, and memory kept for the
        # longest window, took twice as much of it and no less time.
        options.add_session_config_entry("session.disable_prepacking", "1")
        options.enable_cpu_mem_arena = False
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(value) for value in constants.values()]
        options.add_external_initializers(list(constants), values)
        self._session = onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )

    def probabilities_of(self, examples: Sequence[Example]) -> list[NDArray[np.float64]]:
        """Return the probabilities of the labels of the words of documents, (words, labels)."""
        return probabilities_by_word(examples, self._pieces, len(self.labels), self._tagged)

    def _tagged(self, windows: Sequence[Window]) -> list[NDArray[np.float64]]:
        """Return the log-probabilities of each window, (l, labels)."""
        threads = min(len(windows), _threads())
        if threads < 2:
            return [self._run(window) for window in windows]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(self._run, windows))

    def _run(self, window: Window) -> NDArray[np.float64]:
        inputs = {
            "ids": window.input_ids,
            "boxes": self._in_page_units(window),
            "page": window.page,
            "word_shape": window.word_shape,
        }
        [found] = self._session.run([OUTPUT], inputs)
        result: NDArray[np.float64] = found.astype(np.float64)
        return result

    def _in_page_units(self, window: Window) -> NDArray[np.float32]:
        """Return the boxes as `models.position.winding.page_units` does, (l, 4)."""
        scale = np.stack([window.aspect, np.ones_like(window.aspect)] * 2, axis=-1)
        if self._page_unit == "longer_side":
            scale /= np.maximum(window.aspect, 1.0)[:, None]
        result: NDArray[np.float32] = window.boxes * scale
        return result


def _threads() -> int:
    """Return how many windows run at once in this process."""
    said = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()  # "4,2" where nested
    return int(said) if said.isdecimal() else len(os.sched_getaffinity(0))
