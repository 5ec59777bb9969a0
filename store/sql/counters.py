"""Counters that only grow, kept in the job store: no restart and no removal of jobs lowers them.

They are increased in the transaction that ends a job, so each job counts exactly once, whatever
runs twice. That transaction only notes what it adds, in a row of its own: nobody waits for a row
that others have locked. `fold` adds the notes up, and readers add what is not added up yet.

A counter has a name and a label; the parts of a label are joined by ``|``. No label
names a job, a document, a field's value or a caller.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import CompoundSelect, Connection, delete, insert, null, select, union_all

from pipeline.result import Extraction, listed
from store.sql.database import Database
from store.sql.tables import CounterNoteRow, CounterRow, JobMoveRow, insert_where

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

_CHUNK = 500  # notes that one transaction adds up

Amounts = Mapping[tuple[str, str], float]


def add(connection: Connection, amounts: Amounts) -> None:
    """Add to counters within the transaction of `connection`.

    Args:
        connection: of a writing transaction.
        amounts: what to add by (name, label).
    """
    if amounts:
        noted = [[name, label, value] for (name, label), value in amounts.items()]
        connection.execute(insert(CounterNoteRow).values(amounts=json.dumps(noted)))


def fold(
    database: Database,
    notes: type[CounterNoteRow | JobMoveRow],
    add_up: Callable[[Connection], bool],
) -> None:
    """Add up what was noted; safe to repeat and to race, for a note is removed with its adding.

    Args:
        database: of the job store.
        notes: the table of what was noted.
        add_up: adds up some of it within a transaction; says whether there may be more.

    Raises:
        StoreUnavailable: the rest is done at the next call.
    """
    with database.reading() as connection:  # the write lock is taken only where needed
        more = connection.execute(select(notes.id).limit(1)).first() is not None
    while more:
        with database.writing(durable=False) as connection:  # both are undone, or neither
            more = add_up(connection)


def add_up(connection: Connection) -> bool:
    """Add up some of the notes within a transaction; say whether there may be more."""
    some = select(CounterNoteRow.id).order_by(CounterNoteRow.id).limit(_CHUNK)
    gone = delete(CounterNoteRow).where(CounterNoteRow.id.in_(some))
    notes = list(connection.scalars(gone.returning(CounterNoteRow.amounts)))
    total = _total(notes)
    if total:
        new = insert_where(connection, CounterRow)
        added = new.on_conflict_do_update(
            index_elements=[CounterRow.name, CounterRow.label],
            set_={"value": CounterRow.value + new.excluded.value},
        )
        rows = [  # always locked in the same order
            {"name": name, "label": label, "value": value}
            for (name, label), value in sorted(total.items())
        ]
        connection.execute(added, rows)
    return len(notes) == _CHUNK


def _total(notes: Iterable[str]) -> dict[tuple[str, str], float]:
    total: defaultdict[tuple[str, str], float] = defaultdict(float)
    for note in notes:
        for name, label, value in json.loads(note):
            total[name, label] += value
    return total


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
        for found in listed(value):
            _observe(amounts, CONFIDENCE, model, found.confidence, CONFIDENCE_BOUNDS)
    return amounts


def read(connection: Connection) -> dict[tuple[str, str], float]:
    """Return all counters by (name, label)."""
    # In one statement, which sees a note or what it was added to, never both.
    both: CompoundSelect[Any] = union_all(
        select(CounterRow.name, CounterRow.label, CounterRow.value, null().label("amounts")),
        select(null(), null(), null(), CounterNoteRow.amounts),
    )
    found: dict[tuple[str, str], float] = {}
    notes = []
    for name, label, value, amounts in connection.execute(both):
        if amounts is None:
            found[name, label] = value
        else:
            notes.append(amounts)
    for key, value in _total(notes).items():
        found[key] = found.get(key, 0.0) + value
    return found


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
