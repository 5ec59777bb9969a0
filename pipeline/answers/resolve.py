"""Tagged spans to the answer, in two passes: rank what a document offers, then say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.labels import Span
from pipeline.answers.calibration import Calibration
from pipeline.answers.evidence import Evidence
from pipeline.answers.groups import rows_of
from pipeline.answers.mentions import Mention
from pipeline.answers.ranges import ends_of, is_sure, with_untagged_end
from pipeline.answers.ranking import Value, rank_values
from pipeline.answers.rendering import Answer, answer_for, cell_for
from pipeline.document import Document
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec

__all__ = ["Answer", "Groups", "rank", "resolve", "resolve_groups"]

Groups = dict[str, list[dict[str, FieldValue | None]]]
"""Rows by group, and in each row a value, or None, for every column."""


def resolve(
    document: Document,
    spans: Sequence[Span],
    fields: Sequence[FieldSpec],
    calibration: Calibration,
) -> dict[str, Answer]:
    """Return every field's value; null, or an empty list, where the document has none.

    All places that say a value count as its evidence, on all pages.

    Args:
        document: as read.
        spans: the tagger's spans over the document's words.
        fields: the model's fields, in the order of the answer; the field that begins a range
            stands before the one that ends it.
        calibration: of the same model.
    """
    evidence = Evidence.of(document, spans)
    ranked: dict[str, list[Value]] = {}
    for spec in fields:
        ranked[spec.name] = rank(spec, evidence, ranked)
    return {
        spec.name: answer_for(spec, ranked[spec.name], evidence, calibration) for spec in fields
    }


def resolve_groups(
    document: Document,
    spans: Sequence[Span],
    fields: Sequence[FieldSpec],
    calibration: Calibration,
) -> Groups:
    """Return the rows of every group that the model has, in reading order over all pages.

    Args:
        document: as read.
        spans: the tagger's spans over the document's words.
        fields: the model's fields; those that are columns count.
        calibration: of the same model.
    """
    columns: dict[str, list[FieldSpec]] = {}
    for spec in fields:
        if spec.group:
            columns.setdefault(spec.group, []).append(spec)
    if not columns:
        return {}
    evidence = Evidence.of(document, spans)
    found: Groups = {}
    for group, specs in columns.items():
        rows = []
        for mentions in rows_of(specs, spans, evidence.words):
            cells = {
                spec.column: cell_for(spec, mentions[spec.column], evidence, calibration)
                if spec.column in mentions
                else None
                for spec in specs
            }
            if any(cells.values()):
                rows.append(cells)
        found[group] = rows
    return found


def rank(spec: FieldSpec, evidence: Evidence, ranked: Mapping[str, Sequence[Value]]) -> list[Value]:
    """Return all values that a document offers for a field, the most credible first.

    Args:
        spec: the field.
        evidence: the document as tagged.
        ranked: values of the fields before it, which decide on the end of a range, given or not.
    """
    mentions = evidence.mentions(spec)
    values = _by_credibility(mentions, spec, evidence)
    starts = ranked.get(spec.range_start or "")
    if not starts:
        return values
    values = ends_of(values, starts[0])
    if is_sure(values):
        return values
    mentions = with_untagged_end(mentions, starts[0], spec, evidence)
    return ends_of(_by_credibility(mentions, spec, evidence), starts[0])


def _by_credibility(
    mentions: Sequence[Mention], spec: FieldSpec, evidence: Evidence
) -> list[Value]:
    return rank_values(mentions, list(map(evidence.text, mentions)), spec, evidence.context)
