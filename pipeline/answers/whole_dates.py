"""Dates of which the tagger took a part: made whole by the words beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.labels import Span
from pipeline.answers.columns import column_begins
from pipeline.answers.evidence import Evidence
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.times.dates import precision_of

_MOST_BEFORE, _MOST_BEHIND = 2, 2  # words: "[24 November] 2017", "24 [Mar 18]"


def with_whole_dates(evidence: Evidence, fields: Sequence[FieldSpec]) -> Evidence:
    """Return the evidence with dates whole where the tagger left their day or year out.

    The words beside such a date, in its line and column and tagged as nothing, belong to it where
    it is a whole date with them and none without. They are scored as the date is.

    Args:
        evidence: the document as tagged.
        fields: of the model.
    """
    dates = {spec.name: spec for spec in fields if spec.kind is Kind.DATE}
    tagged = evidence.tagged()
    found: list[Span] = []
    for span in evidence.spans:
        spec = dates.get(span.field)
        if spec is not None and not _is_whole(_read(span, spec, evidence)):
            wider = _widened(span, tagged, evidence)
            span = next((one for one in wider if _is_whole(_read(one, spec, evidence))), span)
            tagged.update(range(span.start, span.end))
        found.append(span)
    return replace(evidence, spans=found)


def _widened(span: Span, tagged: set[int], evidence: Evidence) -> Iterator[Span]:
    """Yield a span with words before or behind it that it may go on in, the fewest first."""
    before = behind = 0
    while before < _MOST_BEFORE and _joins(span.start - before - 1, -1, tagged, evidence):
        before += 1
    while behind < _MOST_BEHIND and _joins(span.end + behind, 1, tagged, evidence):
        behind += 1
    sizes = [(back, on) for back in range(before + 1) for on in range(behind + 1) if back or on]
    for back, on in sorted(sizes, key=sum):
        start, end = span.start - back, span.end + on
        yield Span(span.field, start, end, (span.score,) * (end - start))


def _joins(index: int, step: int, tagged: set[int], evidence: Evidence) -> bool:
    """Return whether a word is free, and beside the one that is a step nearer to the date."""
    words = evidence.words
    nearer = index - step
    return (
        0 <= index < len(words)
        and index not in tagged
        and evidence.same_line(index, nearer)
        and not column_begins(max(index, nearer), words)
    )


def _read(span: Span, spec: FieldSpec, evidence: Evidence) -> Normalised:
    text = " ".join(token.text for _, token in evidence.words[span.start : span.end])
    return normalise(text, spec, evidence.context)


def _is_whole(reading: Normalised) -> bool:
    return reading.status != "failed" and precision_of(str(reading.value)) == "day"
