"""Variations of a labelled document that keep its labels true: what a shop prints next may differ.

Each takes an example and a random generator and returns a new example; `Augmenter` draws which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from numpy.random import Generator

from models.example import Example
from training.augment.entities import Entity, Pool
from training.augment.reorder import shuffle_blocks, swap_neighbours
from training.augment.variations import (
    drop_lines,
    hide_words,
    misread,
    move_page,
    permute_digits,
    swap_entity,
)


@dataclass(frozen=True, slots=True)
class AugmentConfig:
    """How often and how far documents are varied; probabilities 0 to 1.

    Attributes:
        digits: of permuting the ten digits throughout a document (equal amounts stay equal).
        swap: of giving a name or an address field the printed text of another document.
        mix: of mixing that text from several documents, see `training.augment.entities.Pool`.
        drop_lines: highest share of unlabelled lines that are left out.
        mask: share of words that are hidden behind the mask piece.
        noise: share of words in which one character is misread.
        shift, scale: most by which the page's content is moved (of the page) and stretched.
        shuffle: of putting the lines of each page in a random order (LoPE, global shuffling).
        neighbours: standard deviation, in lines, of the distance at which lines change places
            (LoPE, neighbour swapping; 1 in the paper); 0 leaves them.
    """

    digits: float = 0.5
    swap: float = 0.5
    mix: float = 0.7
    drop_lines: float = 0.3
    mask: float = 0.03
    noise: float = 0.01
    shift: float = 0.03
    scale: float = 0.08
    shuffle: float = 0.0
    neighbours: float = 0.0


NONE = AugmentConfig(**{option.name: 0.0 for option in fields(AugmentConfig)})


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
            example = hide_words(example, config.mask, random)
        if config.shift or config.scale:
            example = move_page(example, config.shift, config.scale, random)
        return example
