"""Variations of one labelled document that keep its labels true; each draws what it changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.encoding import MASK
from models.example import Example
from models.labels import Span
from training.augment.entities import Entity

# Pairs that printing and OCR confuse, both ways.
_ALIKE = dict(zip("O0I1S5B8Z2G6DUVNHCLTEF", "0O1I5S8B2Z6GOVUHNGITFE", strict=True))


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


def hide_words(example: Example, share: float, random: Generator) -> Example:
    """Return the example with some of its words hidden behind the mask piece."""
    hidden = random.random(len(example.words)) < share
    words = zip(example.words, hidden, strict=True)
    return replace(example, words=tuple(MASK if h else w for w, h in words))


def drop_lines(example: Example, share: float, random: Generator) -> Example:
    """Return the example without some of its lines; lines that hold a label always stay."""
    labelled = {int(example.line[i]) for span in example.spans for i in range(span.start, span.end)}
    lines = np.unique(example.line)
    gone = {int(n) for n in lines[random.random(len(lines)) < share]} - labelled
    kept = np.flatnonzero([int(n) not in gone for n in example.line])
    if not len(kept):
        return example
    place = {index: at for at, index in enumerate(kept.tolist())}
    spans = (
        replace(span, start=place[span.start], end=place[span.end - 1] + 1)
        for span in example.spans
    )
    return example.taken(kept, spans)


def move_page(example: Example, shift: float, scale: float, random: Generator) -> Example:
    """Return the example with all boxes stretched about the middle, moved and clipped."""
    factors = 1.0 + random.uniform(-scale, scale, 2)
    moves = random.uniform(-shift, shift, 2)
    boxes = (example.boxes.reshape(-1, 2, 2) - 0.5) * factors + 0.5 + moves
    return replace(example, boxes=np.clip(boxes, 0, 1).reshape(-1, 4).astype(np.float32))


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
        _spliced(example.boxes, span, np.clip(np.array(boxes, np.float32), 0, 1)),
        _spliced(example.page, span, np.full(count, example.page[span.start])),
        np.concatenate([example.line[: span.start], first_line + np.array(lines, np.int64), after]),
        _spliced(example.aspect, span, np.full(count, example.aspect[span.start])),
        tuple(spans),
    )


def _spliced(values: NDArray[Any], span: Span, new: NDArray[Any]) -> NDArray[Any]:
    joined = np.concatenate([values[: span.start], new, values[span.end :]])
    return joined.astype(values.dtype)
