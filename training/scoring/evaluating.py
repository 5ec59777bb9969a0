"""How good a package is on the documents of a dataset: read, tagged, answered and scored."""

from __future__ import annotations

from collections.abc import Sequence

from models.packages.package import LoadedPackage
from pipeline.answers.arithmetic.checks import parse_checks
from pipeline.answers.confidence.calibration import Calibration
from pipeline.profile import Profile
from pipeline.values.schema import FieldSpec
from training.data import Corpus
from training.scoring.answers import oracle, resolve_each, said, tag_all, texts_of
from training.scoring.group_scores import score_rows
from training.scoring.report import Evaluation
from training.scoring.scores import score


def evaluated(
    package: LoadedPackage,
    calibration: Calibration,
    profile: Profile | None,
    corpus: Corpus,
    fields: Sequence[FieldSpec],
    ids: Sequence[str],
    *,
    title: str,
) -> Evaluation:
    """Return what a package answers to documents, with its scores beside the oracle's.

    Args:
        package: whose answers are scored.
        calibration: of it.
        profile: of it, where it has one.
        corpus: the documents, read and with their labels.
        fields: of the package.
        ids: of the documents that count, also those that cannot be read.
        title: of the report.
    """
    spans = tag_all(package.tagger, package.pieces, corpus.documents, calibration.doubtful)
    fits = {
        name: fit
        for name, document in corpus.documents.items()
        if profile and (fit := profile.fit(document)) is not None
    }
    checks = parse_checks(package.fields_toml, fields)
    resolved = resolve_each(corpus.documents, spans, fields, calibration, fits=fits, checks=checks)
    answers = said(resolved, fields)
    labels = corpus.labels(ids)
    best = texts_of(oracle(corpus, ids, calibration.styles), calibration.styles)
    return Evaluation(
        title=title,
        fields=fields,
        scores=score(texts_of(answers, calibration.styles), labels, fields),
        ceiling=score(best, labels, fields),
        answers=answers,
        labels=labels,
        unread={name: str(error) for name, error in corpus.unread.items()},
        groups=score_rows(corpus, ids, {name: found.groups for name, found in resolved.items()}),
    )
