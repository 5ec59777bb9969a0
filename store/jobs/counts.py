"""How many jobs there are of each kind, without a look at their rows.

Triggers note each move of a job in the transaction that makes it (migration 0010), in rows of
their own: nobody waits for a row that others have locked. `add_up` adds them up, and readers add
what is not added up yet.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, select, union_all

from store.sql.tables import JobCountRow, JobMoveRow, insert_where

_CHUNK = 5_000  # moves that one transaction adds up


class Kind(NamedTuple):
    """Jobs that are counted together; `owner` is empty where they have none, or have ended."""

    owner: str
    priority: int
    state: str
    stage: str


_COUNTED = [getattr(JobCountRow, name) for name in Kind._fields]
_MOVED = [getattr(JobMoveRow, name) for name in Kind._fields]


def read(connection: Connection, owner: str | None = None) -> Counter[Kind]:
    """Return the number of jobs of each kind; of one owner's unfinished ones if it is given."""
    counted = select(*_COUNTED, JobCountRow.number)
    moved = select(*_MOVED, func.sum(JobMoveRow.number)).group_by(*_MOVED)
    if owner is not None:
        counted = counted.where(JobCountRow.owner == owner)
        moved = moved.where(JobMoveRow.owner == owner)
    found: Counter[Kind] = Counter()
    # In one statement, which sees a move or what it was added to, never both.
    for *kind, number in connection.execute(union_all(counted, moved)):
        found[Kind(*kind)] += int(number)
    return +found


def add_up(connection: Connection) -> bool:
    """Add up some of the moves within a transaction; say whether there may be more."""
    some = select(JobMoveRow.id).order_by(JobMoveRow.id).limit(_CHUNK)
    gone = delete(JobMoveRow).where(JobMoveRow.id.in_(some))
    moves = connection.execute(gone.returning(*_MOVED, JobMoveRow.number)).all()
    moved: Counter[Kind] = Counter()
    for *kind, number in moves:
        moved[Kind(*kind)] += number
    rows = [  # always locked in the same order
        {**kind._asdict(), "number": number} for kind, number in sorted(moved.items()) if number
    ]
    if rows:
        new = insert_where(connection, JobCountRow)
        added = new.on_conflict_do_update(
            index_elements=_COUNTED, set_={"number": JobCountRow.number + new.excluded.number}
        )
        connection.execute(added, rows)
        connection.execute(delete(JobCountRow).where(JobCountRow.number == 0))
    return len(moves) == _CHUNK
