"""Where jobs can be claimed from, and the queries that find the best of them.

Each source (the queue of a stage, or the expired leases) is looked at by itself, in the order of
an index: the queue may be of any length. Of one priority the lowest turn comes first, then the
oldest: so keys are served in turns, one document each (migration 0017). On PostgreSQL rows that
another worker claims at the moment are skipped; on SQLite there is one writer at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    and_,
    literal,
    literal_column,
    or_,
    select,
    union_all,
)

from store.jobs.rows import COLUMNS
from store.sql.tables import JobRow, db_now

LONGEST_DELAY = 600.0
"""Seconds; a job that is put off for longer was so before a clock was set back."""

QUEUED = JobRow.state == literal_column("'queued'")
"""SQL condition that a job waits; a literal, as indexes of such jobs alone have it."""

ORDER = (JobRow.priority, JobRow.turn, JobRow.created_at)
"""In which jobs are claimed."""

Query = TypeVar("Query", bound=Select[*tuple[Any, ...]])


class ClaimSource(NamedTuple):
    """The queue of one stage, or the `expired` leases of some stages but those `held` by tokens."""

    stages: tuple[str, ...]
    expired: bool = False
    held: tuple[str, ...] = ()

    def where(self, priority_at_most: int | None = None) -> ColumnElement[bool]:
        """Return the SQL condition that a job can be claimed from here."""
        conditions: list[ColumnElement[bool]] = [JobRow.stage.in_(self.stages)]
        if not self.expired:
            conditions = [JobRow.stage == self.stages[0]]
        if priority_at_most is not None:
            conditions.append(JobRow.priority <= priority_at_most)
        if self.expired:
            if self.held:
                conditions.append(JobRow.token.not_in(self.held))
            return and_(JobRow.state == "running", JobRow.lease_until < db_now(), *conditions)
        soon = JobRow.not_before <= db_now() + LONGEST_DELAY
        put_off = and_(JobRow.not_before > db_now(), soon)
        due = or_(JobRow.not_before.is_(None), ~put_off)
        return and_(QUEUED, due, *conditions)


def sources_of(stages: Sequence[str], held: Sequence[str] = ()) -> list[ClaimSource]:
    """Return where jobs of these stages can be claimed from, but for those `held` by tokens."""
    lost = ClaimSource(tuple(stages), expired=True, held=tuple(held))
    return [*(ClaimSource((stage,)) for stage in stages), lost]


def best(query: Query, where: ColumnElement[bool], most: int = 1) -> Query:
    """Return the query of the best jobs for which a condition holds, the best first."""
    return query.where(where).order_by(*ORDER).limit(most)


def heads(sources: Sequence[ClaimSource], priority_at_most: int | None) -> CompoundSelect[Any]:
    """Return the query of the number, and the best job's place in the order, of each source."""
    found = []
    for number, source in enumerate(sources):
        columns = select(literal(number).label("number"), *ORDER)
        found.append(select(best(columns, source.where(priority_at_most)).subquery()))
    return union_all(*found)


def lock_head(source: ClaimSource, priority_at_most: int | None) -> Select[*tuple[Any, ...]]:
    """Return the query that locks the best job of a source; the time stands behind its columns."""
    query = best(select(*COLUMNS, db_now()), source.where(priority_at_most))
    return query.with_for_update(skip_locked=True, of=JobRow)
