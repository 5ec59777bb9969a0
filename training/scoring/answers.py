"""What a tagger answers about documents, and what a perfect one would."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from models.encoding import PieceEncoder
from models.labels import Span
from models.tagger import Tagger
from pipeline.answers.arithmetic.checks import Check
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import Answer, Resolved, resolve_all
from pipeline.document import Document
from pipeline.result import Extraction, listed
from pipeline.tagging import example_of
from pipeline.upright import upright
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.surface import Style
from training.data import Corpus
from training.scoring.scores import Scores, score
from training.scoring.written import Written, written


def oracle(
    corpus: Corpus, ids: Sequence[str], styles: dict[str, dict[str, str]]
) -> dict[str, dict[str, Answer]]:
    """Return what a perfect tagger would answer: post-processing run on the auto-tags."""
    tags = {name: corpus.tags[name].spans for name in ids if name in corpus.documents}
    return answers_of(corpus.documents, tags, corpus.fields, Calibration(styles=styles))


Spans = Mapping[str, Sequence[Span]]


def tag_all(
    tagger: Tagger,
    pieces: PieceEncoder,
    documents: Mapping[str, Document],
    doubtful: Collection[str] = (),
) -> dict[str, list[Span]]:
    """Return the spans that a tagger labels in each document; see `LabelSet.spans`."""
    return {
        name: tagger.tag(example_of(document, name), pieces, doubtful)
        for name, document in documents.items()
    }


def answers_of(
    documents: Mapping[str, Document],
    spans: Spans,
    fields: Sequence[FieldSpec],
    calibration: Calibration,
    *,
    fits: Mapping[str, float] | None = None,
    checks: Sequence[Check] = (),
    expected: Collection[str] = (),
) -> dict[str, dict[str, Answer]]:
    """Return what the spans of each document spell, see `said`.

    Args:
        documents: by id.
        spans: by id, of some of them.
        fields: of the model.
        calibration: of the model.
        fits: how well documents fit the model, where it can tell.
        checks: of the model, which may choose among values.
        expected: fields that all documents of the model have.
    """
    answers = {}
    for name, of_document in spans.items():
        fit = (fits or {}).get(name)
        document = upright(documents[name])
        found = resolve_all(document, of_document, fields, calibration, checks, fit, expected)
        answers[name] = said(found, fields)
    return answers


def said(found: Resolved | Extraction, fields: Sequence[FieldSpec]) -> dict[str, Answer]:
    """Return what the fields of an answer say; of columns, the cells of all rows."""
    return {
        spec.name: [cell for row in found.groups[spec.group] if (cell := row[spec.column])]
        if spec.group
        else found.fields[spec.name]
        for spec in fields
    }


def texts_of(
    answers: Mapping[str, Mapping[str, Answer]], styles: Mapping[str, Style]
) -> dict[str, dict[str, list[Written]]]:
    """Return the answers as labels write them, document -> field -> texts, for `score`."""

    def texts(field: str, answer: Answer) -> list[Written]:
        style = styles.get(field, {})
        return [written(item, style) for item in listed(answer)]

    return {
        name: {field: texts(field, answer) for field, answer in answer_of.items()}
        for name, answer_of in answers.items()
    }


def evaluate(
    tagger: Tagger,
    pieces: PieceEncoder,
    corpus: Corpus,
    ids: Sequence[str],
    calibration: Calibration,
) -> Scores:
    """Return a tagger's scores on some documents of a corpus; unread ones count as not found."""
    documents = {name: corpus.documents[name] for name in ids if name in corpus.documents}
    spans = tag_all(tagger, pieces, documents, calibration.doubtful)
    answers = answers_of(documents, spans, corpus.fields, calibration)
    texts = texts_of(answers, calibration.styles)
    return score(texts, corpus.labels(ids), corpus.fields, corpus.contexts(ids))
