"""How good a package is on the documents of a dataset: what a user is answered, scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.extract import Extractor
from training.data import Corpus
from training.scoring.answers import oracle, said, texts_of
from training.scoring.group_scores import score_rows
from training.scoring.report import Evaluation
from training.scoring.scores import score


def evaluated(
    extractor: Extractor, corpus: Corpus, ids: Sequence[str], *, title: str
) -> Evaluation:
    """Return what a package answers to documents, with its scores beside the oracle's.

    The answers are those of the service, with all that marks a value for review: thresholds, checks
    that fail, documents that the package does not take for its own. The XML of an e-invoice is left
    out: what it says is no merit of the package.

    Args:
        extractor: of the package.
        corpus: the documents, read and with their labels.
        ids: of the documents that count, also those that cannot be read.
        title: of the report.
    """
    fields, styles = extractor.fields, extractor.styles
    given = {
        name: extractor.resolve(
            replace(document, embedded=None), extractor.tag(document), job_id=name, timings={}
        )
        for name, document in corpus.documents.items()
    }
    answers = {name: said(answer, fields) for name, answer in given.items()}
    labels, contexts = corpus.labels(ids), corpus.contexts(ids)
    return Evaluation(
        title=title,
        fields=fields,
        scores=score(texts_of(answers, styles), labels, fields, contexts),
        ceiling=score(texts_of(oracle(corpus, ids, styles), styles), labels, fields, contexts),
        answers=answers,
        labels=labels,
        contexts=contexts,
        unread={name: str(error) for name, error in corpus.unread.items()},
        groups=score_rows(corpus, ids, {name: answer.groups for name, answer in given.items()}),
    )
