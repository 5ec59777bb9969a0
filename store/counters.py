"""Counters that only grow, kept in the job store: no restart and no removal of jobs lowers them.

They are increased in the transaction that ends a job, so each job counts exactly once, whatever
runs twice. A counter has a name and a label; the parts of a label are joined by ``|``. No label
names a job, a document, a field's value or a caller.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import Connection, select

from pipeline.result import Extraction
from store.tables import CounterRow, insert_where

ENDED = "jobs_ended"  # state|error code
PAGES = "pages_read"
WORDS = "words_read"
SECONDS = "seconds"  # stage|upper bound, and stage|sum
CONFIDENCE = "confidence"  # model|upper bound, and model|sum

SECONDS_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 600.0)
CONFIDENCE_BOUNDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
BEYOND = "+Inf"
SUM = "sum"
_MODEL_LENGTH = 100  # of a label's 120 characters

Amounts = Mapping[tuple[str, str], float]


def add(connection: Connection, amounts: Amounts) -> None:
    """Add to counters within the transaction of `connection`; best as its last statement.

    Their rows stay locked until the transaction ends; they are always locked in the same order.

    Args:
        connection: of a writing transaction.
        amounts: what to add by (name, label).
    """
    if not amounts:
        return
    new = insert_where(connection, CounterRow)
    added = new.on_conflict_do_update(
        index_elements=[CounterRow.name, CounterRow.label],
        set_={"value": CounterRow.value + new.excluded.value},
    )
    rows = [
        {"name": name, "label": label, "value": value}
        for (name, label), value in sorted(amounts.items())
    ]
    connection.execute(added, rows)


def ended(state: str, code: str | None = None) -> Amounts:
    """Return what a job adds that ends as `state`, with the `code` of its error if it has one."""
    return {(ENDED, f"{state}|{code or ''}"): 1.0}


def answered(answer: Extraction, *, waited: float) -> Amounts:
    """Return what an answer adds: its pages and words, its times, its confidences.

    Args:
        answer: to a job.
        waited: seconds that the job waited for its first worker; counted as the stage ``wait``.
    """
    amounts: defaultdict[tuple[str, str], float] = defaultdict(float)
    amounts[PAGES, ""] = len(answer.document.pages)
    amounts[WORDS, ""] = answer.document.word_count
    for stage, seconds in {"wait": waited, **answer.timings}.items():
        _observe(amounts, SECONDS, stage, seconds, SECONDS_BOUNDS)
    model = f"{answer.model.name}@{answer.model.version}"[:_MODEL_LENGTH]
    for value in answer.fields.values():
        for found in value if isinstance(value, list) else [value]:
            if found is not None:
                _observe(amounts, CONFIDENCE, model, found.confidence, CONFIDENCE_BOUNDS)
    return amounts


def read(connection: Connection) -> dict[tuple[str, str], float]:
    """Return all counters by (name, label)."""
    rows = connection.execute(select(CounterRow.name, CounterRow.label, CounterRow.value))
    return {(name, label): value for name, label, value in rows}


def _observe(
    amounts: defaultdict[tuple[str, str], float],
    name: str,
    label: str,
    value: float,
    bounds: tuple[float, ...],
) -> None:
    index = bisect_left(bounds, value)
    bound = f"{bounds[index]:g}" if index < len(bounds) else BEYOND
    amounts[name, f"{label}|{bound}"] += 1
    amounts[name, f"{label}|{SUM}"] += value
