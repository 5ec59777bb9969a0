"""Labelled spans to the answer: one value a field, its confidence, its place, its alternatives."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial

from models.geometry import union
from models.labels import Span
from pipeline.answers.calibration import Calibration, raw_confidence
from pipeline.answers.columns import (
    Mention,
    by_column,
    finished,
    said_again,
    stitch,
    without_caption,
)
from pipeline.answers.ranges import ends_of, is_sure, with_untagged_end
from pipeline.answers.spans import Value, join_runs, rank_values
from pipeline.document import Document, Page, Token
from pipeline.reading.layout import glued
from pipeline.result import Candidate, FieldValue, Normalisation
from pipeline.tagging import line_texts
from pipeline.values.normalise import DocumentContext, infer_context
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.surface import BY_VALUE, FORM, LINE_END, restyle, written_value

_MOST_CANDIDATES = 5
_IN_COLUMNS = (Kind.NAME, Kind.ADDRESS, Kind.TEXT)
_SHOWN_AS_PRINTED = (Kind.DATE, Kind.AMOUNT, Kind.DURATION, Kind.IDENTIFIER)

Answer = FieldValue | list[FieldValue] | None


def resolve(
    document: Document,
    spans: Sequence[Span],
    fields: Sequence[FieldSpec],
    calibration: Calibration,
) -> dict[str, Answer]:
    """Return every field's value; null, or an empty list, where the document has none.

    The evidence of a value is that of all places that say it, on whichever page. Values below the
    field's answer threshold, learnt on documents that have it and that have it not, are not given.

    Args:
        document: as read.
        spans: the tagger's spans over the document's words.
        fields: the model's fields, in the order of the answer.
        calibration: of the same model.
    """
    words = list(document.words())
    texts = [token.text for _, token in words]
    taken = {index for span in spans for index in _words_of(span)}
    context = infer_context(line_texts(document))
    answer: dict[str, Answer] = {}
    first: dict[str, Value[Mention]] = {}  # the most credible, given or not
    for spec in fields:
        own = [span for span in spans if span.field == spec.name]
        if spec.many:  # many values may stand side by side or below each other
            mentions = [Mention((span,)) for span in own]
        elif spec.kind in _IN_COLUMNS:
            joined = join_runs(own, partial(_are_two, spec=spec, words=words))
            runs = [part for run in joined for part in by_column(run, words)]
            if spec.kind is Kind.NAME:
                runs = [without_caption(run, words) for run in runs]
            mentions = stitch(runs, words)
            if spec.kind is Kind.NAME:
                mentions = [finished(mention, words, taken) for mention in mentions]
        else:
            mentions = [Mention((span,)) for span in join_runs(own)]
        values = _ranked(mentions, words, spec, context)
        if spec.range_start is not None and (start := first.get(spec.range_start)) is not None:
            values = ends_of(values, start)
            if not is_sure(values):
                foreign = {i for span in spans if span.field != spec.name for i in _words_of(span)}
                mentions = with_untagged_end(mentions, start, texts, foreign, spec, context)
                values = ends_of(_ranked(mentions, words, spec, context), start)
        if values:
            first[spec.name] = values[0]
        rendered = [_render(value, values, spec, words, calibration) for value in values]
        least = calibration.of(spec.name).answer_threshold
        if spec.many:
            given = [value for value in rendered if value.confidence >= least]
            answer[spec.name] = sorted(given, key=lambda value: value.words[0])
        elif rendered and rendered[0].confidence >= least:
            left = 1.0 - rendered[0].confidence  # one value is right: the others share the rest
            others = [_candidate(value, left) for value in rendered[1 : 1 + _MOST_CANDIDATES]]
            answer[spec.name] = rendered[0].model_copy(update={"candidates": others})
        else:
            answer[spec.name] = None
    return answer


def _words_of(span: Span) -> range:
    return range(span.start, span.end)


def _ranked(
    mentions: Sequence[Mention],
    words: Sequence[tuple[Page, Token]],
    spec: FieldSpec,
    context: DocumentContext,
) -> list[Value[Mention]]:
    texts = [_printed([words[index] for index in mention.words]) for mention in mentions]
    return rank_values(mentions, texts, spec, context)


def _are_two(one: Span, other: Span, spec: FieldSpec, words: Sequence[tuple[Page, Token]]) -> bool:
    """Return whether two spans that touch are two values.

    A name that the tagger begins anew in another line is another name, such as a brand above the
    company; an address goes on there.
    """
    (page, above), (next_page, below) = words[other.start - 1], words[other.start]
    anew = page is not next_page or above.line != below.line
    return (spec.kind is Kind.NAME and anew) or said_again([one], other, words)


def _render(
    value: Value[Mention],
    values: Sequence[Value[Mention]],
    spec: FieldSpec,
    words: Sequence[tuple[Page, Token]],
    calibration: Calibration,
) -> FieldValue:
    normalised = value.normalised
    covered = [words[index] for index in value.best.words]
    page = covered[0][0]
    tuned = calibration.of(spec.name)
    reading = min(token.confidence for _, token in covered)
    if spec.many:  # each stands for itself, by all places that say it
        raw = raw_confidence(value.any, 1.0, 1.0, reading)
    else:
        of_all = sum(other.total for other in values)
        raw = raw_confidence(value.best.score, value.total, of_all, reading)
    confidence = tuned.probability(raw)
    style = calibration.styles.get(spec.name, {})
    text = normalised.text
    if spec.kind not in _SHOWN_AS_PRINTED or normalised.status == "failed":
        text = restyle(_printed(covered), style)
    elif style.get(FORM) == BY_VALUE:
        text = written_value(normalised.value, spec.kind)
    return FieldValue(
        kind=spec.kind.value,
        text=text,
        value=normalised.value,
        confidence=confidence,
        page=page.number,
        # A span that runs over a page's end shows its part on the first page.
        box=union(token.box for at, token in covered if at is page).as_list(),
        words=value.best.words,
        normalisation=Normalisation(
            status=normalised.status,
            reason=normalised.reason,
            alternatives=list(normalised.alternatives),
        ),
        needs_review=confidence < tuned.review_threshold or normalised.status != "ok",
    )


def _candidate(value: FieldValue, most: float) -> Candidate:
    return Candidate(
        text=value.text,
        value=value.value,
        confidence=min(value.confidence, most),
        page=value.page,
        box=value.box,
    )


def _printed(words: Sequence[tuple[Page, Token]]) -> str:
    """Return the text of words, a LINE_END where the next one stands in another line."""
    parts = [words[0][1].text]
    for (page, token), (next_page, following) in itertools.pairwise(words):
        same = page is next_page and token.line == following.line
        between = LINE_END if not same else "" if glued(token, following) else " "
        parts += [between, following.text]
    return "".join(parts)
