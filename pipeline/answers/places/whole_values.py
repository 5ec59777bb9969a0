"""Dates, IBANs and tax numbers taken in part: made whole by the words beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.labels import Span
from pipeline.answers.places.columns import column_begins
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.places.ranges import date_behind
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.normalised import ASSUMED
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.times.dates import precision_of

# Words that a part may lack before and behind it: "[24 November] 2017", "24 [Mar 18]", and of an
# IBAN's nine groups all but one.
_MOST_MORE = {Kind.DATE: 2, Kind.IBAN: 8, Kind.TAX_ID: 2}


def with_whole_values(evidence: Evidence, fields: Sequence[FieldSpec]) -> Evidence:
    """Return the evidence with dates, IBANs and tax numbers whole where the tagger left a part out.

    The words beside such a part, in its line and column and tagged as nothing, belong to it where
    it is a whole date with them, or an IBAN or a tax number with the right check digits, and none
    without. They are scored as the part is. A part that a dash or "to" joins to a whole date begins
    a range, and takes none of its words (`pipeline.answers.places.half_dates`).

    Args:
        evidence: the document as tagged.
        fields: of the model.
    """
    specs = {spec.name: spec for spec in fields if spec.kind in _MOST_MORE}
    tagged = evidence.tagged()
    found: list[Span] = []
    for span in evidence.spans:
        spec = specs.get(span.field)
        if (
            spec is not None
            and not _is_whole(_read(span, spec, evidence), spec)
            and date_behind(Mention((span,)), spec, evidence) is None
        ):
            others = _widened(span, _MOST_MORE[spec.kind], tagged, evidence)
            whole = (one for one in others if _is_whole(_read(one, spec, evidence), spec))
            span = next(whole, span)
        tagged.update(range(span.start, span.end))
        found.append(span)
    return replace(evidence, spans=found)


def _widened(span: Span, most: int, tagged: set[int], evidence: Evidence) -> Iterator[Span]:
    """Yield a span with words before or behind it that it may go on in, the fewest first."""
    before = behind = 0
    while before < most and _joins(span.start - before - 1, -1, tagged, evidence):
        before += 1
    while behind < most and _joins(span.end + behind, 1, tagged, evidence):
        behind += 1
    sizes = [(back, on) for back in range(before + 1) for on in range(behind + 1) if back or on]
    for back, on in sorted(sizes, key=sum):
        start, end = span.start - back, span.end + on
        yield Span(span.field, start, end, (span.score,) * (end - start))


def _joins(index: int, step: int, tagged: set[int], evidence: Evidence) -> bool:
    """Return whether a word is free, and beside the one that is a step nearer to the part."""
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


def _is_whole(reading: Normalised, spec: FieldSpec) -> bool:
    if spec.kind is Kind.TAX_ID:  # its check digits tell, where something tells the country
        return reading.status == "ok" or (reading.reason or "").startswith(ASSUMED)
    if spec.kind is Kind.IBAN:
        return reading.status != "failed"
    return reading.status != "failed" and precision_of(str(reading.value)) == "day"
