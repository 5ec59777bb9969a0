"""Variations of a labelled document that keep its labels true: what a shop prints next may differ.

Each takes an example and a random generator and returns a new example; `Augmenter` draws which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.example import Example
from models.labels import Span
from training.entities import Entity, Pool
from training.reorder import shuffle_blocks, swap_neighbours


@dataclass(frozen=True, slots=True)
class AugmentConfig:
    """How often and how far documents are varied; probabilities 0 to 1.

    Attributes:
        digits: of permuting the ten digits throughout a document (equal amounts stay equal).
        swap: of giving a name or an address field the printed text of another document.
        mix: of mixing that text from several documents, see `training.entities.Pool`.
        drop_lines: highest share of unlabelled lines that are left out.
        mask: share of words that are hidden behind the mask piece.
        hide: share of the labelled values whose words are all hidden so: captions and places
            alone then tell what they are.
        noise: share of words in which one character is misread.
        shift, scale: most by which the page's content is moved (of the page) and stretched.
        warp: how unevenly the page is stretched, along and across: standard deviation of the
            logarithm of the stretch of each sixth of it; rows stay rows and columns columns.
        shuffle: of putting the lines of each page in a random order (LoPE, global shuffling).
        neighbours: standard deviation, in lines, of the distance at which lines change places
            (LoPE, neighbour swapping; 1 in the paper); 0 leaves them.
    """

    digits: float = 0.5
    swap: float = 0.5
    mix: float = 0.7
    drop_lines: float = 0.3
    mask: float = 0.03
    hide: float = 0.0
    noise: float = 0.01
    shift: float = 0.03
    scale: float = 0.08
    warp: float = 0.0
    shuffle: float = 0.0
    neighbours: float = 0.0


NONE = AugmentConfig(**{option.name: 0.0 for option in fields(AugmentConfig)})

_WARPED = 6  # parts of a page that are stretched differently
_MASK = "[MASK]"
# Pairs that printing and OCR confuse, both ways.
_ALIKE = dict(zip("O0I1S5B8Z2G6DUVNHCLTEF", "0O1I5S8B2Z6GOVUHNGITFE", strict=True))


class Augmenter:
    """Draws variations of examples.

    Args:
        config: how often and how far.
        values: for each field that may be swapped, the values to swap in (training split only).
    """

    def __init__(self, config: AugmentConfig, values: Mapping[str, Sequence[Entity]]) -> None:
        self.config = config
        self.pools = {name: Pool(found) for name, found in values.items() if len(found) > 1}

    def __call__(self, example: Example, random: Generator) -> Example:
        """Return a variation of `example`; with probabilities of 0, the example itself."""
        config = self.config
        for name, pool in self.pools.items():
            if random.random() < config.swap:
                example = swap_entity(example, name, pool.draw(random, config.mix))
        if config.drop_lines:
            example = drop_lines(example, random.uniform(0, config.drop_lines), random)
        if config.shuffle and random.random() < config.shuffle:
            example = shuffle_blocks(example, random)
        if config.neighbours:
            example = swap_neighbours(example, config.neighbours, random)
        if random.random() < config.digits:
            example = permute_digits(example, random)
        if config.noise:
            example = misread(example, config.noise, random)
        if config.mask:
            hidden = random.random(len(example.words)) < config.mask
            words = zip(example.words, hidden, strict=True)
            example = replace(example, words=tuple(_MASK if h else w for w, h in words))
        if config.hide:
            example = hide_values(example, config.hide, random)
        if config.warp:
            example = warp_page(example, config.warp, random)
        if config.shift or config.scale:
            example = move_page(example, config.shift, config.scale, random)
        return example


def permute_digits(example: Example, random: Generator) -> Example:
    """Return the example with its ten digits exchanged for one another."""
    table = str.maketrans("0123456789", "".join(map(str, random.permutation(10))))
    return replace(example, words=tuple(word.translate(table) for word in example.words))


def misread(example: Example, share: float, random: Generator) -> Example:
    """Return the example with one character of some words exchanged for one that looks alike."""
    words = list(example.words)
    for index in np.flatnonzero(random.random(len(words)) < share):
        places = [i for i, character in enumerate(words[index]) if character in _ALIKE]
        if places:
            at = places[random.integers(len(places))]
            word = words[index]
            words[index] = word[:at] + _ALIKE[word[at]] + word[at + 1 :]
    return replace(example, words=tuple(words))


def hide_values(example: Example, share: float, random: Generator) -> Example:
    """Return the example with the words of some labelled values hidden behind the mask piece."""
    words = list(example.words)
    for span in example.spans:
        if random.random() < share:
            words[span.start : span.end] = [_MASK] * (span.end - span.start)
    return replace(example, words=tuple(words))


def drop_lines(example: Example, share: float, random: Generator) -> Example:
    """Return the example without some of its lines; lines that hold a label always stay."""
    labelled = {int(example.line[i]) for span in example.spans for i in range(span.start, span.end)}
    lines = np.unique(example.line)
    gone = {int(n) for n in lines[random.random(len(lines)) < share]} - labelled
    kept = np.array([int(n) not in gone for n in example.line], dtype=bool)
    return _select(example, kept) if kept.any() else example


def move_page(example: Example, shift: float, scale: float, random: Generator) -> Example:
    """Return the example with all boxes stretched about the middle, moved and clipped."""
    factors = 1.0 + random.uniform(-scale, scale, 2)
    moves = random.uniform(-shift, shift, 2)
    boxes = (example.boxes.reshape(-1, 2, 2) - 0.5) * factors + 0.5 + moves
    return replace(example, boxes=np.clip(boxes, 0, 1).reshape(-1, 4).astype(np.float32))


def warp_page(example: Example, strength: float, random: Generator) -> Example:
    """Return the example with its page stretched unevenly, along and across, edges kept.

    Places that one template always has cannot be learnt then; what stands beside what, and above
    what, can.
    """
    knots = np.linspace(0, 1, _WARPED + 1)
    boxes = example.boxes.copy()
    for axis in (0, 1):
        stretches = np.exp(random.normal(0.0, strength, _WARPED))
        places = np.concatenate([[0.0], np.cumsum(stretches) / stretches.sum()])
        boxes[:, axis::2] = np.interp(boxes[:, axis::2], knots, places)
    return replace(example, boxes=boxes.astype(np.float32))


def swap_entity(example: Example, field: str, entity: Entity) -> Example:
    """Return the example with the first span of a field replaced by another value's words.

    The new lines share the old span's rectangle evenly; words take width by their characters.
    """
    for span in example.spans:
        if span.field == field:
            return _replace_span(example, span, entity)
    return example


def _replace_span(example: Example, span: Span, entity: Entity) -> Example:
    old = slice(span.start, span.end)
    x0, top = example.boxes[old, :2].min(axis=0)
    x1, bottom = example.boxes[old, 2:].max(axis=0)
    height = (bottom - top) / len(entity.lines)
    words: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    lines: list[int] = []
    longest = max(sum(map(len, line)) + len(line) - 1 for line in entity.lines)
    step = (x1 - x0) / max(longest, 1)
    for number, line in enumerate(entity.lines):
        left = x0 + (longest - sum(map(len, line)) - len(line) + 1) / 2 * step  # centred
        for word in line:
            right = min(left + len(word) * step, x1)
            at = top + number * height
            boxes.append((min(left, right), at, right, at + height))
            left = min(right + step, x1)
            words.append(word)
            lines.append(number)
    count = len(words)
    first_line = int(example.line[span.start])
    grown = len(entity.lines) - 1 - int(example.line[span.end - 1]) + first_line
    after = example.line[span.end :] + grown
    shift = count - (span.end - span.start)

    def moved(other: Span) -> Span:
        return replace(other, start=other.start + shift, end=other.end + shift)

    own = Span(span.field, span.start, span.start + count, (1.0,) * count)
    spans = [
        own if other is span else moved(other) if other.start >= span.end else other
        for other in example.spans
    ]
    return Example(
        example.id,
        (*example.words[: span.start], *words, *example.words[span.end :]),
        np.concatenate(
            [
                example.boxes[: span.start],
                np.clip(np.array(boxes, np.float32), 0, 1),
                example.boxes[span.end :],
            ]
        ),
        _spliced(example.page, span, np.full(count, example.page[span.start])),
        np.concatenate([example.line[: span.start], first_line + np.array(lines, np.int64), after]),
        _spliced(example.aspect, span, np.full(count, example.aspect[span.start])),
        tuple(spans),
    )


def _spliced(values: NDArray[Any], span: Span, new: NDArray[Any]) -> NDArray[Any]:
    joined = np.concatenate([values[: span.start], new, values[span.end :]])
    return joined.astype(values.dtype)


def _select(example: Example, kept: NDArray[Any]) -> Example:
    place = np.cumsum(kept) - 1
    return Example(
        example.id,
        tuple(word for word, keep in zip(example.words, kept, strict=True) if keep),
        example.boxes[kept],
        example.page[kept],
        example.line[kept],
        example.aspect[kept],
        tuple(
            replace(span, start=int(place[span.start]), end=int(place[span.end - 1]) + 1)
            for span in example.spans
        ),
    )
