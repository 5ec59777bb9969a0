"""Words to pieces, pieces to windows, windows to a padded batch, and votes back to words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from models.config import TaggerConfig
from models.example import Example
from models.word_shapes import NO_SHAPE, shape_row

if TYPE_CHECKING:  # what tags without PyTorch needs no batch, and pieces no tokenizer
    import torch
    from tokenizers import Tokenizer
    from torch import Tensor

IGNORED = -100  # label of pieces that carry no word: specials, separators, padding
NO_WORD = -1
MASK = "[MASK]"
"""A word that is hidden, whatever the tokenizer calls it."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of one document as pieces, at most `TaggerConfig.window` of them.

    Attributes:
        input_ids: (l,) ids of the pieces.
        boxes: (l, 4) their boxes, fractions of the page.
        page: (l,) index of their page.
        aspect: (l,) width / height of their page.
        word: (l,) index of the word each piece belongs to; -1 for specials and separators.
        word_shape: (l,) row of that word's shape, see `models.word_shapes`; 0 where there is none
            or the config has no such rows.
    """

    input_ids: NDArray[np.int64]
    boxes: NDArray[np.float32]
    page: NDArray[np.int64]
    aspect: NDArray[np.float32]
    word: NDArray[np.int64]
    word_shape: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.input_ids)


@dataclass(frozen=True, slots=True)
class TaggerBatch:
    """The input of a tagger.

    Attributes:
        input_ids: (B, L) int64 ids of pieces; 0 where padded.
        boxes: (B, L, 4) float32, fractions of the page as delivered, 0 to 1.
        page_index: (B, L) int64, page of each piece, from 0.
        aspect: (B, L) float32, width / height of each piece's page.
        keep: (B, L) bool, True on real pieces, False on padding.
        word_shape: (B, L) int64, row of the shape of each piece's word; 0 for none.
        labels: (B, L) int64, -100 where no loss is taken; None when not training.
    """

    input_ids: Tensor
    boxes: Tensor
    page_index: Tensor
    aspect: Tensor
    keep: Tensor
    word_shape: Tensor
    labels: Tensor | None = None

    def to(self, device: torch.device | str) -> TaggerBatch:
        """Return the batch on another device."""
        parts = ((part.name, getattr(self, part.name)) for part in fields(self))
        return TaggerBatch(**{name: v.to(device) for name, v in parts if v is not None})


Special = Literal["first", "last", "unknown", "mask"]
# As BERT writes them, and as RoBERTa does.
_SPECIALS: dict[Special, tuple[str, str]] = {
    "first": ("[CLS]", "<s>"),
    "last": ("[SEP]", "</s>"),
    "unknown": ("[UNK]", "<unk>"),
    "mask": (MASK, "<mask>"),
}


def special_id(tokenizer: Tokenizer, special: Special) -> int:
    """Return the id of a piece that is no text.

    Raises:
        ValueError: the tokenizer has it neither as BERT writes it nor as RoBERTa does.
    """
    for piece in _SPECIALS[special]:
        found: int | None = tokenizer.token_to_id(piece)
        if found is not None:
            return found
    raise ValueError(f"the tokenizer has no piece {' or '.join(_SPECIALS[special])}")


class PieceEncoder:
    """Turns examples into windows of pieces for one tokenizer and one config.

    Args:
        tokenizer: WordPiece or BPE; must know the pieces that open and close a window (the last
            one also separates lines), and that stand for a word that it gives no pieces for.
        config: window, overlap and separator settings are read.

    Raises:
        ValueError: the tokenizer lacks one of these pieces, see `special_id`.
    """

    def __init__(self, tokenizer: Tokenizer, config: TaggerConfig) -> None:
        self.tokenizer = tokenizer
        self.config = config
        self._first = special_id(tokenizer, "first")
        self._last = special_id(tokenizer, "last")
        self._unknown = special_id(tokenizer, "unknown")
        # A package's tokenizer must never cut or pad: windows do that, visibly.
        tokenizer.no_truncation()
        tokenizer.no_padding()

    def windows(self, example: Example) -> list[Window]:
        """Return the windows of an example: one where it fits, else overlapping ones.

        Words are never cut; every word is in at least one window. Pieces of a word share its box
        in proportion to their characters. An example without words has no windows. Where the
        config splits pages, no window holds pieces of two.
        """
        pieces = self._pieces(example)
        edges = [0, len(pieces)]
        if self.config.split_pages:
            edges[1:1] = (np.flatnonzero(np.diff(pieces.page)) + 1).tolist()
        room = self.config.window - 2
        return [
            self._framed(pieces, begin + start, begin + stop)
            for begin, end in pairwise(edges)
            for start, stop in self._cuts(pieces.word[begin:end], room)
        ]

    def count(self, example: Example) -> int:
        """Return the number of pieces of an example, its line separators among them."""
        return len(self._pieces(example))

    def _pieces(self, example: Example) -> Window:
        # Half a surrogate pair is no text that a tokenizer takes; it counts as one character.
        texts = [word.encode("utf-8", "replace").decode() for word in example.words]
        if MASK in texts and self.tokenizer.token_to_id(MASK) is None:
            texts = [_SPECIALS["mask"][1] if text == MASK else text for text in texts]
        encodings = self.tokenizer.encode_batch(texts, add_special_tokens=False)
        ids: list[int] = []
        words: list[int] = []
        shares: list[tuple[float, float]] = []
        n = len(example.words)
        for index, encoding in enumerate(encodings):
            length = max(len(example.words[index]), 1)
            found = encoding.ids or [self._unknown]
            offsets = encoding.offsets or [(0, length)]
            ids += found
            words += [index] * len(found)
            shares += [(start / length, stop / length) for start, stop in offsets]
            ends_line = index + 1 == n or example.line[index + 1] != example.line[index]
            if self.config.line_separator and ends_line:
                ids.append(self._last)
                words.append(NO_WORD)
                shares.append((1.0, 1.0))
        # A separator stands at the right end of the line's last word.
        words_of_pieces = np.asarray(words, dtype=np.int64)
        owner = np.maximum.accumulate(words_of_pieces)
        boxes = example.boxes[owner].copy() if n else np.zeros((0, 4), np.float32)
        share = np.asarray(shares, dtype=np.float32).reshape(-1, 2)
        left, width = boxes[:, 0].copy(), boxes[:, 2] - boxes[:, 0]
        boxes[:, 0] = left + share[:, 0] * width
        boxes[:, 2] = left + share[:, 1] * width
        return Window(
            np.asarray(ids, dtype=np.int64),
            np.clip(boxes, 0.0, 1.0),
            example.page[owner],
            example.aspect[owner],
            words_of_pieces,
            self._shapes(texts, words_of_pieces),
        )

    def _shapes(self, texts: Sequence[str], word: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of the shape of each piece's word, (l,)."""
        rows = self.config.word_shapes
        if not rows:
            return np.full(len(word), NO_SHAPE, dtype=np.int64)
        hidden = (MASK, _SPECIALS["mask"][1])
        found = [NO_SHAPE if text in hidden else shape_row(text, rows) for text in texts]
        return np.asarray([*found, NO_SHAPE], dtype=np.int64)[word]  # NO_WORD takes the last

    def _cuts(self, word: NDArray[np.int64], room: int) -> Iterator[tuple[int, int]]:
        """Yield [start, stop) of overlapping stretches of whole words; all at once if they fit.

        None is of separators alone, as the one behind a word that fills a window.

        Args:
            word: of each piece, its word or NO_WORD.
            room: most pieces in a stretch.
        """
        if not len(word):
            return
        starts_word = np.ones(len(word), dtype=bool)
        starts_word[1:] = (word[1:] != word[:-1]) | (word[1:] == NO_WORD)
        start = 0
        while True:
            stop = start + room
            if stop >= len(word):
                if (word[start:] != NO_WORD).any():
                    yield start, len(word)
                return
            while stop > start + 1 and not starts_word[stop]:
                stop -= 1
            if not starts_word[stop]:  # one word fills the window: cut it rather than stop
                stop = start + room
            if (word[start:stop] != NO_WORD).any():
                yield start, stop
            following = stop - self.config.overlap
            if following <= start:  # too long a word is next to stand beside these: it stands apart
                following = stop
            while following < stop and not starts_word[following]:
                following += 1
            start = following

    def _framed(self, pieces: Window, start: int, stop: int) -> Window:
        """Return pieces [start, stop) between the opening and the closing special.

        Specials carry the box of the neighbouring piece, shrunk to its outer corner.
        """
        cut = slice(start, stop)
        head, tail = pieces.boxes[start], pieces.boxes[stop - 1]
        return Window(
            np.concatenate([[self._first], pieces.input_ids[cut], [self._last]]).astype(np.int64),
            np.concatenate([[head[[0, 1, 0, 1]]], pieces.boxes[cut], [tail[[2, 3, 2, 3]]]]).astype(
                np.float32
            ),
            np.concatenate([[pieces.page[start]], pieces.page[cut], [pieces.page[stop - 1]]]),
            np.concatenate([[pieces.aspect[start]], pieces.aspect[cut], [pieces.aspect[stop - 1]]]),
            np.concatenate([[NO_WORD], pieces.word[cut], [NO_WORD]]),
            np.concatenate([[NO_SHAPE], pieces.word_shape[cut], [NO_SHAPE]]),
        )


def collate(
    windows: Sequence[Window], word_labels: Sequence[NDArray[np.int64]] | None = None
) -> TaggerBatch:
    """Return windows as one batch, padded to the longest of them.

    Args:
        windows: B of them, at least one.
        word_labels: for each window, the labels of its document's words; every piece takes its
            word's label.
    """
    import torch

    shape = (len(windows), max(len(window) for window in windows))
    ids = torch.zeros(shape, dtype=torch.int64)
    boxes = torch.zeros((*shape, 4), dtype=torch.float32)
    page = torch.zeros(shape, dtype=torch.int64)
    aspect = torch.ones(shape, dtype=torch.float32)
    keep = torch.zeros(shape, dtype=torch.bool)
    word_shape = torch.full(shape, NO_SHAPE, dtype=torch.int64)
    labels = torch.full(shape, IGNORED, dtype=torch.int64)
    for row, window in enumerate(windows):
        length = len(window)
        ids[row, :length] = torch.from_numpy(window.input_ids)
        boxes[row, :length] = torch.from_numpy(window.boxes)
        page[row, :length] = torch.from_numpy(window.page)
        aspect[row, :length] = torch.from_numpy(window.aspect)
        keep[row, :length] = True
        word_shape[row, :length] = torch.from_numpy(window.word_shape)
        if word_labels is not None:
            taken = np.where(
                window.word == NO_WORD, IGNORED, word_labels[row][np.maximum(window.word, 0)]
            )
            labels[row, :length] = torch.from_numpy(taken)
    return TaggerBatch(
        ids, boxes, page, aspect, keep, word_shape, None if word_labels is None else labels
    )


def probabilities_by_word(
    examples: Sequence[Example],
    pieces: PieceEncoder,
    labels: int,
    tagged: Callable[[Sequence[Window]], Sequence[NDArray[np.float64]]],
) -> list[NDArray[np.float64]]:
    """Return the probabilities of the labels of the words of documents, each (words, labels).

    Args:
        examples: documents of any length.
        pieces: cuts them into windows.
        labels: how many there are.
        tagged: returns the log-probabilities of each window, (l, labels).
    """
    windows = [pieces.windows(example) for example in examples]
    votes = iter(tagged([window for own in windows for window in own]))
    return [
        join_votes(own, list(islice(votes, len(own))), len(example.words))
        if example.words
        else np.zeros((0, labels))
        for example, own in zip(examples, windows, strict=True)
    ]


def join_votes(
    windows: Sequence[Window], log_probabilities: Sequence[NDArray[np.float64]], words: int
) -> NDArray[np.float64]:
    """Return the probabilities of the labels of each word, (words, labels).

    A word's pieces, in every window that holds it, vote with equal weight: the mean of their
    log-probabilities, normalised again.

    Args:
        windows: the windows of one document.
        log_probabilities: for each window, (l, labels).
        words: number of words of the document.

    Raises:
        ValueError: a word is in no window.
    """
    total = np.zeros((words, log_probabilities[0].shape[-1]), dtype=np.float64)
    votes = np.zeros(words, dtype=np.int64)
    for window, values in zip(windows, log_probabilities, strict=True):
        real = window.word != NO_WORD
        np.add.at(total, window.word[real], values[: len(window)][real])
        np.add.at(votes, window.word[real], 1)
    if (votes == 0).any():
        raise ValueError(f"{int((votes == 0).sum())} words are in no window")
    mean = total / votes[:, None]
    mean -= mean.max(axis=1, keepdims=True)
    joined = np.exp(mean)
    result: NDArray[np.float64] = joined / joined.sum(axis=1, keepdims=True)
    return result
