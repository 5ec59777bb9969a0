"""Learns which words stand around a field's labels, and which around other texts of their kind."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from models.labels import Span
from pipeline.answers.confidence.surroundings import named_by
from pipeline.values.schema import FieldSpec
from training.data.autotag import Text
from training.data.autotag.places import rivals

_MOST_RIVALS = 60  # of a document, evenly over it
_MOST_KEPT = 60  # words of a field
_UNSEEN = 0.02  # share that a word counts as having besides: of few documents nothing is certain
_TELLING = 0.3  # logarithm below which a word says nothing


@dataclass(frozen=True, slots=True)
class Around:
    """The words around texts of one field's kind, in one document.

    Attributes:
        labels: of each place that says a label, see `named_by`.
        rivals: of each that does not.
        group: issuer or template of the document.
    """

    labels: tuple[frozenset[str], ...]
    rivals: tuple[frozenset[str], ...]
    group: str


def around_labels(
    text: Text, spans: Sequence[Span], fields: Mapping[str, FieldSpec], group: str
) -> dict[str, Around]:
    """Return the words around the labels of a document, and around what could have been one.

    Args:
        text: of the document.
        spans: where its labels are printed.
        fields: by name.
        group: issuer or template of the document.
    """
    found = {}
    for name in dict.fromkeys(span.field for span in spans):
        own = [span for span in spans if span.field == name]
        taken = {index for span in own for index in range(span.start, span.end)}
        others = sorted(
            start for start, end in rivals(text, fields[name]) if not taken & set(range(start, end))
        )
        every = max(1, -(-len(others) // _MOST_RIVALS))
        found[name] = Around(
            tuple(named_by(text.placed, span.start) for span in own),
            tuple(named_by(text.placed, start) for start in others[::every]),
            group,
        )
    return found


def names_of(documents: Iterable[Around]) -> dict[str, float]:
    """Return how much more often words stand around labels than around rivals, as logarithms.

    Each issuer or template counts once, however many documents it has.
    """
    groups: defaultdict[str, list[Around]] = defaultdict(list)
    for one in documents:
        if one.labels and one.rivals:
            groups[one.group].append(one)
    labels: defaultdict[str, float] = defaultdict(float)
    others: defaultdict[str, float] = defaultdict(float)
    for of_group in groups.values():
        for one in of_group:
            for places, shares in ((one.labels, labels), (one.rivals, others)):
                for words in places:
                    for word in words:
                        shares[word] += 1 / len(places) / len(of_group) / len(groups)
    found = {
        word: math.log((labels[word] + _UNSEEN) / (others[word] + _UNSEEN))
        for word in labels.keys() | others.keys()
    }
    telling = sorted(
        (word for word, odds in found.items() if abs(odds) > _TELLING),
        key=lambda word: (-abs(labels[word] - others[word]), word),
    )
    return {word: round(found[word], 4) for word in telling[:_MOST_KEPT]}
