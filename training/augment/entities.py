"""Printed values of a field, and new ones mixed from them: names and addresses never seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import Generator

from models.example import Example

_OTHER_LINE = 0.4  # probability that a mixed value takes a line from another value
_OTHER_WORD = 0.5  # probability that one of its rare words is exchanged
_RARE = 0.02  # share of the values up to which a word is content, not form


@dataclass(frozen=True, slots=True)
class Entity:
    """The printed words of one field's value, line by line."""

    lines: tuple[tuple[str, ...], ...]


def entities_of(examples: Sequence[Example], field: str) -> list[Entity]:
    """Return the different printed values of a field."""
    found: dict[Entity, None] = {}
    for example in examples:
        for span in example.spans:
            if span.field == field:
                lines: dict[int, list[str]] = {}
                for index in range(span.start, span.end):
                    lines.setdefault(int(example.line[index]), []).append(example.words[index])
                found[Entity(tuple(map(tuple, lines.values())))] = None
    return list(found)


class Pool:
    """The printed values of one field in training, to draw from.

    A dataset has few issuers, and a tagger can learn their names by heart. A mixed value keeps the
    form of a real one (its lines, and the words that many values share, such as a legal form) and
    takes its content, the rare words, from others: "TEO HENG SDN BHD" may give "KEDAI HENG SDN
    BHD".

    Args:
        entities: different values, at least one.
    """

    def __init__(self, entities: Sequence[Entity]) -> None:
        if not entities:
            raise ValueError("a pool needs a value to draw")
        self.entities = tuple(entities)
        counts = Counter(
            word for entity in entities for word in {w for line in entity.lines for w in line}
        )
        most = max(2, int(_RARE * len(self.entities)))
        # A number stands in for a number alone, so that house numbers stay house numbers.
        self._rare = {
            digits: sorted(
                word for word, n in counts.items() if n <= most and _has_digit(word) == digits
            )
            for digits in (False, True)
        }
        self._is_rare = frozenset(self._rare[False] + self._rare[True])

    def draw(self, random: Generator, mixed: float) -> Entity:
        """Return one of the values, or with probability `mixed` a new one made of several."""
        entity = self._any(random)
        return self._mix(entity, random) if random.random() < mixed else entity

    def _any(self, random: Generator) -> Entity:
        return self.entities[random.integers(len(self.entities))]

    def _mix(self, entity: Entity, random: Generator) -> Entity:
        lines = []
        last = len(entity.lines) - 1
        for number, own in enumerate(entity.lines):
            line = own
            if last and random.random() < _OTHER_LINE:
                # First lines begin values and last lines end them, whatever lies between.
                other = self._any(random).lines
                line = other[-1] if number == last else other[min(number, len(other) - 1)]
            lines.append(tuple(self._word(word, random) for word in line))
        return Entity(tuple(lines))

    def _word(self, word: str, random: Generator) -> str:
        if word not in self._is_rare or random.random() >= _OTHER_WORD:
            return word
        alike = self._rare[_has_digit(word)]
        return alike[random.integers(len(alike))]


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)
