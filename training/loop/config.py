"""Settings of a tagger's training loop."""

from __future__ import annotations

from dataclasses import dataclass

from models.precision import Precision


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """Settings of a training; a checkpoint is resumed with the same ones only.

    The rates suit MiniLM with 400 examples an epoch. Biases and head start from nothing and learn
    faster than the encoder; adapters learn slower, see docs/decisions/0030-slow-adapters.md.

    Attributes:
        epochs: the most; the model is scored after each.
        batch_size: windows in a step.
        rate: peak learning rate of the encoder.
        head_rate, bias_rate: of the head, and of the relative biases.
        adapter_rate: of the layout adapter: lower than the encoder's, because one step of it moves
            every piece of a page the same way.
        weight_decay: of matrices; norms and biases have none.
        warmup: share of the steps over which the rates rise; .06 as RoBERTa's (Liu et al., 2019).
        patience: epochs without a better score after which training stops; epochs before the first
            score above 0 do not count, because nothing has been learnt by then.
        stop_after: epochs after which training stops although its schedule runs on to `epochs`; 0
            for never.
        clip: largest norm of the gradient.
        per_group: most documents of one issuer in a pass; 0 takes all.
        passes: times that an epoch goes over the documents; each pass draws another window of a
            long document.
        labelled: share of the windows of long documents that are drawn among those with a label;
            the others are drawn among all.
        crop: most pieces of a document in a step; 0 for the tagger's window. A tagger that reads
            whole documents then learns from parts of them, in a fraction of the time.
        average: decay in each step of the moving average of weights that is scored and kept; 0 for
            no average.
        seed: of all random choices.
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
    seed: int = 0
    precision: Precision = "auto"
