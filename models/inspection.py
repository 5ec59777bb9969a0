"""What a word of a document attends to, read from the attention matrices of a tagger."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from models.encoding import NO_WORD, PieceEncoder, Window, collate
from models.example import Example
from models.tagger import Tagger


@dataclass(frozen=True, slots=True)
class WordAttention:
    """Where one word looks.

    Attributes:
        shares: (n,) what each word of the document gets, summed over its pieces; 0 outside the
            window. A softmax gives 1 in all, words and specials together.
        specials: share of the pieces that are not words: line separators, the window's ends.
        seen: (n,) bool, True for words within the window.
    """

    shares: NDArray[np.float64]
    specials: float
    seen: NDArray[np.bool_]


@torch.inference_mode()
def word_attention(
    tagger: Tagger,
    example: Example,
    pieces: PieceEncoder,
    word: int,
    *,
    layer: int | None = None,
    head: int | None = None,
) -> WordAttention:
    """Return what a word attends to: the mean over its pieces, layers and heads.

    Args:
        tagger: of a preset whose attention has a matrix.
        example: a document.
        pieces: encoder of words, for this tagger's config.
        word: index of the word in the document. In a long document, the window is the one in
            which the word is furthest from the ends.
        layer: only this one, counted from 1; None for the mean of all.
        head: only this one, counted from 1; None for the mean of all.

    Raises:
        IndexError: the document has no such word, or the tagger no such layer or head.
        ValueError: the attention has no matrix.
    """
    for name, value, most in (
        ("layer", layer, tagger.config.layers),
        ("head", head, tagger.config.heads),
    ):
        if value is not None and not 1 <= value <= most:
            raise IndexError(f"there is no {name} {value}: the model has {name}s 1 to {most}")
    if not 0 <= word < len(example.words):
        raise IndexError(f"there is no word {word}: the document has {len(example.words)}")
    window = max(pieces.windows(example), key=lambda candidate: _depth(candidate, word))
    was_training = tagger.training
    tagger.eval()
    own = torch.from_numpy(window.word == word)
    found = []
    maps = tagger.encoder.attention_maps(collate([window]).to(tagger.head.weight.device))
    for number, weights in enumerate(maps, 1):
        if layer in (None, number):
            heads = weights[0].float().cpu()  # (H, L, L), or (1, L, L) where all heads share one
            chosen = heads if head is None or len(heads) == 1 else heads[head - 1 : head]
            found.append(chosen[:, own].mean((0, 1)))  # (L,)
    tagger.train(was_training)
    row = torch.stack(found).mean(0).numpy().astype(np.float64)
    real = window.word != NO_WORD
    shares = np.zeros(len(example.words))
    np.add.at(shares, window.word[real], row[real])
    seen = np.isin(np.arange(len(example.words)), window.word)
    return WordAttention(shares, float(row[~real].sum()), seen)


def _depth(window: Window, word: int) -> int:
    """Return how far from the nearer end of a window a word is, in pieces; -1 if it is not in."""
    places = np.flatnonzero(window.word == word)
    return int(min(places[0], len(window) - 1 - places[-1])) if len(places) else -1
