"""Field-level scores: exact, lenient and normalised F1, per field and micro, with intervals.

A predicted value that equals a label is a true positive; one that equals none is a false positive;
a label that no prediction equals is a false negative. F1 = 2 TP / (2 TP + FP + FN).

    exact       the text, white space folded
    lenient     upper case, letters and digits only; amounts, numbers and rates as decimals
    normalised  the value: dates as ISO dates, amounts as decimals, other kinds as lenient

What compares by value takes the value that was answered, where the prediction has one
(`training.scoring.written`): texts such as 03/04/2020 do not say it by themselves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pipeline.values.context import DocumentContext
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import fold_space, lenient
from training.scoring.written import NOTHING, key_as_given, key_of_label

Metric = Literal["exact", "lenient", "normalised"]
METRICS: tuple[Metric, ...] = ("exact", "lenient", "normalised")
_JEFFREYS = 0.5  # of the prior of a share, Beta(1/2, 1/2)
_FIGURES = (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT)

Values = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives; adds up."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """TP / (TP + FP); 1 where nothing was predicted."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 1.0

    @property
    def recall(self) -> float:
        """TP / (TP + FN); 1 where nothing was labelled."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 1.0

    @property
    def f1(self) -> float:
        """2 TP / (2 TP + FP + FN); 1 where there was nothing to find and nothing was found."""
        total = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / total if total else 1.0


def form_of(text: str, spec: FieldSpec, metric: Metric) -> str:
    """Return the form of a text in which two values are compared under a metric."""
    if metric == "exact":
        return fold_space(text)
    if metric == "lenient" and spec.kind not in _FIGURES:
        return lenient(text)
    return key_as_given(text, spec)


def forms_of(
    labels: Iterable[str],
    spec: FieldSpec,
    metric: Metric,
    given: Sequence[str],
    context: DocumentContext = NOTHING,
) -> set[str]:
    """Return the forms of a field's labels, beside the answers that they are compared with.

    Args:
        labels: of one document.
        spec: the field.
        metric: what makes two values equal.
        given: the answers.
        context: what the document shows, if it was read.
    """
    by_text = metric == "exact" or (metric == "lenient" and spec.kind not in _FIGURES)
    return {
        form_of(label, spec, metric) if by_text else key_of_label(label, spec, given, context)
        for label in labels
    }


def counts_of(found: set[str], wanted: set[str]) -> Counts:
    """Return the counts of one field of one document: of forms that were found, and labelled."""
    hits = len(found & wanted)
    return Counts(hits, len(found) - hits, len(wanted) - hits)


@dataclass(frozen=True, slots=True)
class Scores:
    """Counts of every document, by metric and field.

    Attributes:
        ids: the documents.
        counts: metric -> field -> one Counts a document, in the order of `ids`.
    """

    ids: tuple[str, ...]
    counts: dict[Metric, dict[str, tuple[Counts, ...]]]

    def total(self, metric: Metric, field: str | None = None) -> Counts:
        """Return the summed counts of a field, or of all of them (micro)."""
        chosen = self.counts[metric].items()
        return sum(
            (item for name, items in chosen if field in (None, name) for item in items), Counts()
        )

    def of(self, fields: Iterable[str]) -> Scores:
        """Return the scores of some of the fields."""
        names = tuple(fields)
        counts = {
            metric: {name: of_all[name] for name in names} for metric, of_all in self.counts.items()
        }
        return Scores(self.ids, counts)

    def only(self, ids: Iterable[str]) -> Scores:
        """Return the scores of some of the documents."""
        wanted = set(ids)
        places = [place for place, name in enumerate(self.ids) if name in wanted]
        counts = {
            metric: {
                name: tuple(items[place] for place in places) for name, items in fields.items()
            }
            for metric, fields in self.counts.items()
        }
        return Scores(tuple(self.ids[place] for place in places), counts)

    def interval(self, metric: Metric, *, draws: int = 1000) -> tuple[float, float]:
        """Return the 95% interval of micro F1, from 0 to 1 where there is nothing to find.

        F1 is the share of right values, one of 2 TP among 2 TP + FP + FN, over documents that are
        right or wrong as wholes more often than chance has it: documents are drawn, not values. A
        bootstrap over a few of them, or over perfect ones, is too narrow, down to nothing. So their
        weights are a Bayesian bootstrap's (Rubin 1981), beside a document that is right and one
        that is wrong, each half a document by Jeffreys' prior: for documents of one value this is
        the Jeffreys interval of a share.
        """
        drawn = _drawn([self], metric, draws)
        if drawn is None:
            return 0.0, 1.0
        low, high = np.quantile(drawn[0], [0.025, 0.975])
        f1 = self.total(metric).f1
        return float(0.0 if f1 == 0 else min(low, f1)), float(1.0 if f1 == 1 else max(high, f1))

    def lead(self, other: Scores, metric: Metric, *, draws: int = 1000) -> tuple[float, float]:
        """Return the 95% interval of how much higher micro F1 is than another's.

        Both are of the same documents, drawn together: what is hard for one is hard for the other.
        The prior is a document that one has right and the other wrong, half a one each way, of as
        many values as the root of a document's: two models hardly ever differ in all of them.
        """
        drawn = _drawn([self, other], metric, draws)
        if drawn is None:
            return -1.0, 1.0
        low, high = np.quantile(drawn[0] - drawn[1], [0.025, 0.975])
        return float(low), float(high)

    def faults(self, metric: Metric) -> list[tuple[str, int]]:
        """Return (id, wrong and missing values) of each document, the worst first."""
        counts = zip(self.ids, self.of_documents(metric), strict=True)
        return sorted(((name, c.fp + c.fn) for name, c in counts), key=lambda item: -item[1])

    def of_documents(self, metric: Metric) -> list[Counts]:
        """Return the counts of each document, all fields together."""
        return [sum(items, Counts()) for items in zip(*self.counts[metric].values(), strict=True)]


def _drawn(scores: Sequence[Scores], metric: Metric, draws: int) -> NDArray[np.float64] | None:
    """Return micro F1 of one model or of two as it might be, (models, draws).

    None where there is nothing to find.

    Args:
        scores: of a model, or of two on the same documents.
        metric: what makes two values equal.
        draws: how many weights of documents.
    """
    alike = Counter(
        tuple(part for c in document for part in (2.0 * c.tp, float(c.fp + c.fn)))
        for document in zip(*(one.of_documents(metric) for one in scores), strict=True)
    )
    del alike[(0.0, 0.0) * len(scores)]  # they say nothing
    if not alike:
        return None
    parts = np.array(sorted(alike))  # (sorts of documents, 2 x models)
    documents = np.array([alike[sort] for sort in sorted(alike)])
    size = documents @ parts.sum(axis=1) / (documents.sum() * len(scores))  # twice the values
    prior = np.array([[1, 0], [0, 1]]) * size
    if len(scores) > 1:
        prior = np.array([[1, 0, 0, 1], [0, 1, 1, 0]]) * math.sqrt(2 * size)
    drawn = np.random.default_rng(0)
    weights = drawn.standard_gamma(documents, (draws, len(documents)))  # sums of Exp(1)
    sums = weights @ parts + drawn.standard_gamma(_JEFFREYS, (2, draws)).T @ prior
    right, wrong = sums[:, ::2].T, sums[:, 1::2].T
    shares: NDArray[np.float64] = right / (right + wrong)
    return shares


def score(
    predictions: Mapping[str, Values],
    labels: Mapping[str, Values],
    fields: Sequence[FieldSpec],
    contexts: Mapping[str, DocumentContext] | None = None,
) -> Scores:
    """Return the scores of predictions against labels.

    Args:
        predictions: document -> field -> texts; a document without an entry predicts nothing.
        labels: document -> field -> values as typed.
        fields: the fields to score.
        contexts: what the documents show about their values, of those that were read: a label that
            can be read in more ways than one may be written as its document prints it.
    """
    ids = tuple(labels)

    def counted(name: str, spec: FieldSpec, metric: Metric) -> Counts:
        given = predictions.get(name, {}).get(spec.name, ())
        wanted = labels[name].get(spec.name, ())
        context = (contexts or {}).get(name, NOTHING)
        return counts_of(
            {form_of(text, spec, metric) for text in given},
            forms_of(wanted, spec, metric, given, context),
        )

    counts: dict[Metric, dict[str, tuple[Counts, ...]]] = {
        metric: {spec.name: tuple(counted(name, spec, metric) for name in ids) for spec in fields}
        for metric in METRICS
    }
    return Scores(ids, counts)
