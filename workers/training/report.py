"""What a training says for itself: scores with intervals, the curve, the worst, the comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from models.packages import PackageRef
from models.packages.package import training_of
from pipeline.answers.resolve import Answer
from pipeline.errors import ModelPackageError
from pipeline.extract import Extractor
from pipeline.reading.reader import REVISION
from pipeline.values.schema import FieldSpec
from training.data import Corpus
from training.data.seen import document_mark, marks_of
from training.errors import DatasetError
from training.field_model.prepared import Prepared
from training.field_model.run import Result
from training.scoring import Scores, Spans, said, score, texts_of
from training.scoring.held_out import HeldOut
from training.scoring.scores import Metric

METRIC: Metric = "normalised"
_WORST = 10
_MORE = 30  # documents that the learning curve is asked about
_MOST_GAIN = 0.3
_FINAL = "Scores and thresholds were measured before it learnt from the documents held out, too."
_NOT_COMPARED = (
    "It is not compared with {}, which has learnt from all documents held out, or has none of the "
    "fields."
)
_NOTHING = (
    "It found no value in the documents held out, and would answer with none: correct the labels "
    "that are marked doubtful, or label more documents, and train again."
)


def report_of(
    result: Result, current: PackageRef | None, notes: Sequence[str], before: Path | None = None
) -> dict[str, Any]:
    """Return the report of a training as JSON values.

    Args:
        result: of the training.
        current: the version in service before, to be compared on the same documents; None for none.
        notes: what a reader should know.
        before: what that version found in documents held out, before it learnt from them; a file
            as of `HeldOut`, which need not be there.
    """
    trained, prepared = result.trained, result.prepared
    scores = trained.scores["own"]
    curve = [
        {"documents": size, "f1": round(of_size["own"].total(METRIC).f1, 4)}
        for size, of_size in result.curve.items()
    ]
    gain = gain_of([(int(one["documents"]), float(one["f1"])) for one in curve])
    against = None if current is None else compared(current, prepared, scores, before)
    notes = [*notes, *([_FINAL] if prepared.final else ())]
    if against is None and before is not None:
        notes.append(_NOT_COMPARED.format(current))
    return {
        "held_out": len(prepared.validation),
        "trained_on": len(set(prepared.train) - set(prepared.validation)),
        "metric": "normalised F1",
        "all": {
            **_numbers(scores),
            "ceiling": round(trained.ceiling["own"].total(METRIC).f1, 4),
        },
        "fields": [_field(scores, spec) for spec in prepared.fields],
        "curve": curve,
        "gain": None if gain is None else {"more": _MORE, "f1": gain},
        "sentence": _sentence(gain),
        "worst": _worst(scores, trained.answers["own"], prepared),
        "against": against,
        "notes": [*notes, *([_NOTHING] if result.found_nothing else ())],
    }


def gain_of(curve: Sequence[tuple[int, float]]) -> float | None:
    """Return what `_MORE` documents more would add to F1; None where the curve does not tell.

    Errors fall as a power of the number of documents: a straight line through the logarithms of the
    last two points. What is held out is small, so that is a hint and no more.

    Args:
        curve: number of documents in training, and F1, the largest last.
    """
    if len(curve) < 2:
        return None
    (before, f1_before), (now, f1_now) = curve[-2:]
    errors = max(1e-3, 1 - f1_before), max(1e-3, 1 - f1_now)
    slope = math.log(errors[0] / errors[1]) / math.log(now / before)
    later = errors[1] * math.pow((now + _MORE) / now, -max(0.0, slope))
    return round(min(_MOST_GAIN, max(0.0, errors[1] - later)), 3)


def compared(
    current: PackageRef, prepared: Prepared, scores: Scores, before: Path | None = None
) -> dict[str, Any] | None:
    """Return how the version in service does on the documents held out; None where it cannot.

    Only documents that neither had learnt from when it answered them count, and fields that both
    have, on both sides; and values in the same way: by what they were read as, which a date's text
    alone does not say.

    Args:
        current: the version in service.
        prepared: has the documents held out, and their labels.
        scores: of the new model.
        before: what the version in service found in documents held out, see `report_of`.
    """
    try:
        extractor = Extractor(current.path)
    except ModelPackageError:
        return None
    shared = [spec for spec in prepared.fields if spec.name in {f.name for f in extractor.fields}]
    corpus = prepared.corpus
    known, spans = marks_of(training_of(current.path)), _spans(before, corpus)
    held_out = set(prepared.validation)
    ids = [
        row.id
        for row in corpus.rows
        if row.id in held_out and (row.id in spans or document_mark(row.document) not in known)
    ]
    if not shared or not ids:
        return None
    answers = {}
    for name in ids:
        if document := corpus.documents.get(name):
            found = list(spans[name]) if name in spans else extractor.tag(document)
            answer = extractor.resolve(document, found, job_id=name, timings={})
            answers[name] = said(answer, shared)
    theirs = score(
        texts_of(answers, extractor.styles), corpus.labels(ids), shared, corpus.contexts(ids)
    )
    ours = scores.only(ids).of(spec.name for spec in shared)
    low, high = theirs.interval(METRIC)
    f1 = theirs.total(METRIC).f1
    left_out = len(held_out) - len(ids)
    return {
        "model": str(current),
        "f1": round(f1, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "difference": round(ours.total(METRIC).f1 - f1, 4),
        "interval": [round(end, 4) for end in ours.lead(theirs, METRIC)],
        "documents": len(ids),
        "seen": left_out,
        # Beside scores of all documents held out, those of a part would say nothing.
        "fields": [
            {"key": spec.name, "f1": round(theirs.total(METRIC, spec.name).f1, 4)}
            for spec in ([] if left_out else shared)
        ],
    }


def _spans(before: Path | None, corpus: Corpus) -> Spans:
    """Return what a file has of documents; nothing where they are read otherwise by now."""
    try:
        kept = HeldOut.load(before) if before else None
    except DatasetError:  # it is not there, or damaged: what is known of the rest is compared
        return {}
    if kept is None or kept.revision != REVISION:
        return {}
    spans = kept.spans().get("own", {})
    return {name: spans[name] for name in spans if name in corpus.documents}


def _numbers(scores: Scores) -> dict[str, float]:
    counts = scores.total(METRIC)
    low, high = scores.interval(METRIC)
    return {
        "f1": round(counts.f1, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "precision": round(counts.precision, 4),
        "recall": round(counts.recall, 4),
    }


def _field(scores: Scores, spec: FieldSpec) -> dict[str, Any]:
    alone = scores.of([spec.name])
    counts = alone.total(METRIC)
    return {
        "key": spec.name,
        "kind": spec.kind.value,
        **_numbers(alone),
        "support": counts.tp + counts.fn,
    }


def _worst(
    scores: Scores, answers: Mapping[str, Mapping[str, Answer]], prepared: Prepared
) -> list[dict[str, Any]]:
    texts = texts_of(answers, prepared.styles())
    labels = prepared.corpus.labels(scores.ids)
    found = []
    for name, faults in scores.faults(METRIC)[:_WORST]:
        if not faults:
            break
        place = scores.ids.index(name)
        wrong = []
        for spec in prepared.fields:
            counts = scores.counts[METRIC][spec.name][place]
            if counts.fp or counts.fn:
                expected = list(labels[name].get(spec.name, ()))
                given = texts.get(name, {}).get(spec.name, [])
                wrong.append({"key": spec.name, "expected": expected, "found": given})
        found.append({"document": name, "filename": "", "faults": faults, "fields": wrong})
    return found


def _sentence(gain: float | None) -> str:
    if gain is None:
        return "The learning curve was not measured."
    if gain < 0.005:
        return f"{_MORE} documents more would hardly change anything."
    return f"{_MORE} documents more would give about +{gain:.2f}".replace("+0.", "+.")
