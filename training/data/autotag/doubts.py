"""Labels that look wrong: typed otherwise than printed, cut short, or no value of their kind.

They are listed for correction and stay in the data: even a mistyped label shows the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.document import Document
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import fold_space, lenient
from training.data.autotag.align import Tagged
from training.data.autotag.occurrences import Match
from training.data.autotag.text import Text
from training.data.dataset import Row

_READ = (Kind.DATE, Kind.AMOUNT, Kind.DURATION)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A label that looks wrong.

    Attributes:
        id: of the document.
        field: the field labelled.
        value: as typed.
        reason: what is odd about it, with the text that is printed in its place where one is.
    """

    id: str
    field: str
    value: str
    reason: str


def doubtful_labels(
    rows: Iterable[Row],
    documents: Mapping[str, Document],
    tags: Mapping[str, Tagged],
    fields: Sequence[FieldSpec],
) -> list[Doubt]:
    """Return the labels that look wrong, in the order of the rows; one reason a label.

    Args:
        rows: labelled documents.
        documents: by row id, as read.
        tags: by row id, what auto-tagging found in them.
        fields: the fields.
    """
    found: list[Doubt] = []
    for row in rows:
        text = Text(documents[row.id]) if row.id in documents else None
        for spec in fields:
            for value in row.fields.get(spec.name, ()):
                reason = _unreadable(value, spec)
                if reason is None and text is not None:
                    reason = _printed_otherwise(text, tags[row.id], spec, value)
                if reason is not None:
                    found.append(Doubt(row.id, spec.name, value, reason))
    return found


def _unreadable(value: str, spec: FieldSpec) -> str | None:
    if spec.kind in _READ and normalise(value, spec, DocumentContext()).status == "failed":
        return f"is no {spec.kind}"
    return None


def _printed_otherwise(text: Text, tagged: Tagged, spec: FieldSpec, value: str) -> str | None:
    matches = [m for m in tagged.matches if (m.field, m.value) == (spec.name, value)]
    inexact = [match for match in matches if match.similarity < 1.0]
    if not inexact or len(inexact) < len(matches):
        return _signed_otherwise(text, matches, spec, value)
    best = max(inexact, key=lambda match: match.similarity)
    printed = fold_space(text.printed(best.start, best.end))
    if lenient(printed).startswith(lenient(value)):
        return f"is cut short: printed is {printed!r}"
    return f"is typed otherwise than printed: {printed!r} ({best.similarity:.2f} alike)"


def _signed_otherwise(
    text: Text, matches: Sequence[Match], spec: FieldSpec, value: str
) -> str | None:
    """Return what is odd where an amount is found, but each time with the other sign."""
    if spec.kind is not Kind.AMOUNT or not matches:
        return None
    label = normalise(value, spec, DocumentContext()).key
    printed = [fold_space(text.printed(match.start, match.end)) for match in matches]
    keys = [normalise(one, spec, text.context).key for one in printed]
    other = label.removeprefix("-") if label.startswith("-") else f"-{label}"
    if any(key != other for key in keys):
        return None
    return f"has another sign than printed: {printed[0]!r}"
