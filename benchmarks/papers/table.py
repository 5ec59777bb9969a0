"""Finished runs as Markdown: means over seeds, intervals over documents, the papers' own figures.

For each set-up (everything but system, way of training and seed) a table; for each row

    mean     over the seeds, of the measure over all documents; in brackets the least and the most
    interval 95%, bootstrap over documents: the same drawn documents for every seed
    against  mean less that of the baseline, the first system, trained and scored the same way,
             with the interval of the difference on the same drawn documents
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.runs import Measure, Record, Summands

_DRAWS = 2000
_LOAD = re.compile(r", load [\d.]+ at the start")
_OF_A_RUN = ("experiment", "system", "trained", "seed")


@dataclass(frozen=True, slots=True)
class Experiment:
    """How an experiment's results are shown.

    Attributes:
        name: its command.
        title: what it is about.
        systems: in the order of rows, the baseline first.
        paper: the paper's figure for (system, way of training, way of scoring); what is not
            there the paper does not have.
        source: what those figures are of.
    """

    name: str
    title: str
    systems: tuple[str, ...]
    paper: Mapping[tuple[str, str, str], str]
    source: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: numbers as described at the head of this module."""

    system: str
    trained: str
    scored: str
    seeds: int
    documents: int
    mean: float
    least: float
    most: float
    interval: tuple[float, float]
    against: tuple[float, float, float] | None


def tables(experiment: Experiment, records: Iterable[Record]) -> list[str]:
    """Return the lines of an experiment's tables, one for each set-up; none without runs."""
    set_ups: dict[str, list[Record]] = {}
    for record in records:
        if record.settings["experiment"] == experiment.name:
            shared = {k: v for k, v in record.settings.items() if k not in _OF_A_RUN}
            set_ups.setdefault(json.dumps(shared), []).append(record)
    lines: list[str] = []
    for shared_text, found in set_ups.items():
        lines += [f"### {experiment.title}", "", *_about(json.loads(shared_text), found), ""]
        measure = found[0].result.measure
        rows = rows_of(experiment.systems, found)
        lines += [
            f"| system | trained | scored | seeds | {_HEADS[measure]} (seeds) | 95% | "
            f"against {experiment.systems[0]} (95%) | paper |",
            "|---|---|---|---|---|---|---|---|",
            *(_line(row, measure, experiment) for row in rows),
            "",
            f"Paper: {experiment.source}",
            "",
        ]
    return lines


def rows_of(systems: Sequence[str], records: Sequence[Record]) -> list[Row]:
    """Return the rows of one set-up: scored ways and ways of training in turn, systems in order.

    Raises:
        ValueError: the runs of one row are of different documents.
    """
    measure = records[0].result.measure
    scores: dict[tuple[str, str, str], list[Summands]] = {}
    for record in records:
        for scored, summands in record.result.scores.items():
            key = (scored, record.settings["trained"], record.settings["system"])
            scores.setdefault(key, []).append(summands)
    ways = list(dict.fromkeys((scored, trained) for scored, trained, _ in scores))
    rows = []
    for scored, trained in ways:
        baseline = scores.get((scored, trained, systems[0]))
        for system in systems:
            if (own := scores.get((scored, trained, system))) is None:
                continue
            difference = baseline if baseline is not None and system != systems[0] else None
            rows.append(_row(measure, system, trained, scored, own, difference))
    return rows


def _row(
    measure: Measure,
    system: str,
    trained: str,
    scored: str,
    own: Sequence[Summands],
    baseline: Sequence[Summands] | None,
) -> Row:
    names = list(own[0])
    array = _array(own, names)  # (seeds, documents, summands)
    picks = np.random.default_rng(0).integers(0, len(names), (_DRAWS, len(names)))
    seeds = value(measure, array.sum(1))
    drawn = _drawn(measure, array, picks)
    against = None
    if baseline is not None:
        other = _array(baseline, names)
        gap = drawn - _drawn(measure, other, picks)
        difference = seeds.mean() - value(measure, other.sum(1)).mean()
        against = (float(difference), *_ends(gap))
    return Row(
        system,
        trained,
        scored,
        len(own),
        len(names),
        float(seeds.mean()),
        float(seeds.min()),
        float(seeds.max()),
        _ends(drawn),
        against,
    )


def value(measure: Measure, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the measure of summed numbers.

    Args:
        measure: f1, the mean over triples, or perplexity.
        sums: (..., 3 n) for f1, (..., 2) for perplexity.

    Returns:
        (...): a number for each of the sums.
    """
    if measure == "perplexity":
        nats, pieces = sums[..., 0], sums[..., 1]
        return np.asarray(np.exp(nats / np.maximum(pieces, 1)))
    tp, fp, fn = (sums[..., index::3] for index in range(3))
    total = 2 * tp + fp + fn
    of_each = np.where(total, 2 * tp / np.maximum(total, 1), 1.0)  # as `Counts.f1`
    return np.asarray(of_each.mean(-1))


def _array(runs: Sequence[Summands], names: Sequence[str]) -> NDArray[np.float64]:
    if any(run.keys() != set(names) for run in runs):
        raise ValueError("runs that stand beside each other are scored on different documents")
    return np.array([[run[name] for name in names] for run in runs], dtype=np.float64)


def _drawn(
    measure: Measure, array: NDArray[np.float64], picks: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the mean over seeds for each draw of documents, (draws,)."""
    sums = np.stack([array[:, pick].sum(1) for pick in picks])  # (draws, seeds, summands)
    return np.asarray(value(measure, sums).mean(1))


def _ends(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


_HEADS: dict[Measure, str] = {"f1": "F1", "perplexity": "perplexity"}


def _about(shared: Mapping[str, Any], records: Sequence[Record]) -> list[str]:
    """Return the line that says what was done: data, split, sizes, seeds, time, machine."""
    told = "; ".join(f"{name} {_text(item)}" for name, item in shared.items() if item != {})
    minutes = [record.seconds / 60 for record in records]
    # The load of a moment says nothing about runs of hours.
    machines = " / ".join(dict.fromkeys(_LOAD.sub("", record.machine) for record in records))
    trained_on = " or ".join(dict.fromkeys(record.result.trained_on for record in records))
    return [
        f"{told}. Trained on {trained_on}. {len(records)} runs of {min(minutes):.1f} to "
        f"{max(minutes):.1f} minutes, {sum(minutes):.0f} in all. {machines}."
    ]


def _text(item: Any) -> str:
    if isinstance(item, dict):
        return ", ".join(f"{name}={value}" for name, value in item.items())
    return str(item)


def _line(row: Row, measure: Measure, experiment: Experiment) -> str:
    def show(number: float, sign: str = "") -> str:
        if measure == "f1":
            return f"{number:{sign}.3f}".replace("0.", ".", 1)
        return f"{number:{sign}.1f}"

    mean = show(row.mean)
    if row.seeds > 1:
        mean += f" ({show(row.least)} to {show(row.most)})"
    against = "" if row.against is None else show(row.against[0], "+")
    if row.against is not None:
        against += f" ({show(row.against[1], '+')} to {show(row.against[2], '+')})"
    paper = experiment.paper.get((row.system, row.trained, row.scored), "")
    interval = f"{show(row.interval[0])} to {show(row.interval[1])}"
    return (
        f"| {row.system} | {row.trained} | {row.scored} | {row.seeds} | {mean} | {interval} | "
        f"{against} | {paper} |"
    )
