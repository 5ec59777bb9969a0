"""What an evaluation says, as Markdown: scores, confidence, and the worst documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pipeline.answers.resolve import Answer
from pipeline.values.context import DocumentContext
from pipeline.values.schema import FieldSpec
from training.scoring.answers import texts_of
from training.scoring.confidence import (
    Judged,
    RiskCurve,
    auroc,
    brier,
    expected_error,
    judge,
    judged_of,
    pooled,
    risk_curve,
)
from training.scoring.group_scores import GroupScores
from training.scoring.scores import METRICS, Counts, Scores, Values

_WORST = 20
_ERRORS = (0.01, 0.02, 0.05)  # shares of unread values that a user may accept as wrong


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation, ready to be shown.

    Attributes:
        title: model, data, split and transcription, in words.
        fields: scored.
        scores: of the model.
        ceiling: of a perfect tagger on the same documents, or None.
        answers: of the model.
        labels: as typed.
        unread: document -> why it could not be read.
        groups: what is right of the rows of repeated groups; empty where the model has none.
        contexts: what the documents show, see `training.scoring.scores.score`.
    """

    title: str
    fields: Sequence[FieldSpec]
    scores: Scores
    ceiling: Scores | None
    answers: Mapping[str, Mapping[str, Answer]]
    labels: Mapping[str, Values]
    unread: Mapping[str, str]
    groups: GroupScores = field(default_factory=GroupScores)
    contexts: Mapping[str, DocumentContext] = field(default_factory=dict)

    def judged(self) -> dict[str, Judged]:
        """Return the answers of each field with whether they are right."""
        return {
            spec.name: self.groups.cells.get(spec.name, judged_of(()))
            if spec.group
            else judge(self.answers, self.labels, spec, contexts=self.contexts)
            for spec in self.fields
        }

    def risk_curves(self) -> dict[str, RiskCurve]:
        """Return what goes through unread, and how much of it is wrong, by field and in all."""
        parts = self.judged()
        named = parts | {"all": pooled(parts.values())}
        return {name: risk_curve(part) for name, part in named.items() if len(part.right)}


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def scores_table(scores: Scores, fields: Sequence[FieldSpec]) -> str:
    """Return precision, recall and F1 of every field and of all together (micro)."""
    rows = []
    for name in [spec.name for spec in fields] + [None]:
        cells = [name or "**all (micro)**"]
        for metric in METRICS:
            precision, recall, f1 = _shares(scores.total(metric, name))
            cells += [precision, recall, f"**{f1}**"]
        rows.append(cells)
    header = ["field"] + [f"{metric} {part}" for metric in METRICS for part in ("P", "R", "F1")]
    return table(header, rows)


def _shares(counts: Counts) -> list[str]:
    """Return precision, recall and F1; of nothing found, or nothing labelled, they would say 1."""
    return [
        f"{share:.3f}" if of_any else "-"
        for share, of_any in (
            (counts.precision, counts.tp + counts.fp),
            (counts.recall, counts.tp + counts.fn),
            (counts.f1, counts != Counts()),
        )
    ]


def short_table(named: Mapping[str, Scores], fields: Sequence[FieldSpec]) -> str:
    """Return F1 of several runs side by side: micro by metric, then by value of each field."""
    rows = [
        [
            name,
            *_f1s(scores),
            "{:.3f} to {:.3f}".format(*scores.interval("normalised")),
            *(_of_field(scores.total("normalised", spec.name)) for spec in fields),
        ]
        for name, scores in named.items()
    ]
    header = ["", *METRICS, "normalised, 95%", *(spec.name for spec in fields)]
    return table(header, rows)


def _of_field(counts: Counts) -> str:
    """Return F1 of a field; of one without any value, labelled or given, it would say 1."""
    return "none held out" if counts == Counts() else f"{counts.f1:.3f}"


def metrics_row(title: str, scores: Scores) -> list[str]:
    """Return a row of a table of F1: what is scored, how many documents, and each metric."""
    return [title, str(len(scores.ids)), *_f1s(scores)]


def _f1s(scores: Scores) -> list[str]:
    return [f"{scores.total(metric).f1:.3f}" for metric in METRICS]


def judged_table(parts: Mapping[str, Judged]) -> str:
    """Return how far confidences can be relied on, field by field and in all.

    The last columns say how much goes through unread: as the model's thresholds have it, with the
    share of it that is wrong, and at most, were the threshold chosen on these very documents.
    """
    rows = [_confidence_row(name, judged) for name, judged in parts.items()]
    rows.append(_confidence_row("**all**", pooled(parts.values())))
    errors = (f"at {error:.0%} errors" for error in _ERRORS)
    header = ["field", "answers", "right", "mean confidence", "ECE", "Brier", "AUROC", "unmarked"]
    return table([*header, *errors], rows)


def _confidence_row(name: str, judged: Judged) -> list[str]:
    count = len(judged.right)
    if not count:
        return [name, "0", *["-"] * (6 + len(_ERRORS))]
    ranked, curve = auroc(judged), risk_curve(judged)
    passed = judged.right[~judged.marked]
    wrong = f" ({np.mean(~passed):.1%} wrong)" if len(passed) else ""
    return [
        name,
        str(count),
        f"{judged.right.mean():.3f}",
        f"{judged.confidence.mean():.3f}",
        f"{expected_error(judged):.3f}",
        f"{brier(judged):.3f}",
        "-" if ranked is None else f"{ranked:.3f}",
        f"{len(passed) / count:.1%}{wrong}",
        *(f"{curve.through_at(error):.1%}" for error in _ERRORS),
    ]


def render(evaluation: Evaluation) -> str:
    """Return the whole report."""
    low, high = evaluation.scores.interval("normalised")
    parts = [
        f"# {evaluation.title}",
        f"{len(evaluation.scores.ids)} documents. Exact: as the labels that the model learnt from "
        "write it, white space folded. Lenient: upper case, letters and digits only, amounts as "
        "decimals. Normalised: by value. Of equal values of a field in a document one counts.",
        scores_table(evaluation.scores, evaluation.fields),
        f"Normalised micro F1, 95% interval over documents: {low:.3f} to {high:.3f}.",
    ]
    if evaluation.ceiling is not None:
        parts += [
            "## Oracle: post-processing on the auto-tags, the ceiling of any tagger",
            scores_table(evaluation.ceiling, evaluation.fields),
        ]
    if evaluation.groups.rows:
        shown = [
            [name, str(found.tp + found.fn), *_shares(found)]
            for name, found in evaluation.groups.rows.items()
        ]
        parts += [
            "## Rows that are right in every figure, or in all where they have none",
            table(["group", "rows", "precision", "recall", "F1"], shown),
        ]
    parts += ["## Confidence (right by value)", judged_table(evaluation.judged())]
    if evaluation.unread:
        parts += [
            "## Documents that could not be read",
            "\n".join(f"- {name}: {why}" for name, why in evaluation.unread.items()),
        ]
    parts += [f"## The {_WORST} worst documents (by value)", *_worst(evaluation)]
    return "\n\n".join(parts) + "\n"


def _worst(evaluation: Evaluation) -> list[str]:
    texts = texts_of(evaluation.answers, {})
    shown = []
    for name, faults in evaluation.scores.faults("normalised")[:_WORST]:
        if not faults:
            break
        place = evaluation.scores.ids.index(name)
        lines = [f"**{name}**: {faults} wrong or missing values"]
        for spec in evaluation.fields:
            counts = evaluation.scores.counts["normalised"][spec.name][place]
            if counts.fp or counts.fn:
                expected = _listed(evaluation.labels[name].get(spec.name, ()))
                found = _listed(texts.get(name, {}).get(spec.name, ()))
                lines.append(f"- {spec.name}: expected {expected}, found {found}")
        shown.append("\n".join(lines))
    return shown or ["None: every value is right."]


def _listed(values: Sequence[str]) -> str:
    return "; ".join(f"`{' '.join(value.split())}`" for value in values) or "nothing"
