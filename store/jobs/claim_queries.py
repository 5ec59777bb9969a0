"""Where jobs wait to be claimed, and the queries that find the best of them.

Each place (a stage, or the expired leases) is looked at by itself, in the order of an index: the
queue may be of any length. On PostgreSQL rows that another worker takes at the moment are
skipped; on SQLite one writes at a time.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    and_,
    bindparam,
    literal,
    or_,
    select,
    union_all,
)

from store.jobs.rows import COLUMNS
from store.tables import JobRow, db_now

Query = TypeVar("Query", bound=Select[*tuple[Any, ...]])


class Place(NamedTuple):
    """Where jobs wait: a stage, or `expired` leases of some stages."""

    stages: tuple[str, ...]
    expired: bool

    def where(self, *, limited: bool = False) -> ColumnElement[bool]:
        """Return the SQL condition that a job waits here.

        Args:
            limited: up to the priority number that the parameter `most` gives.
        """
        conditions: list[ColumnElement[bool]] = [JobRow.stage.in_(self.stages)]
        if not self.expired:
            conditions = [JobRow.stage == self.stages[0]]
        if limited:
            conditions.append(JobRow.priority <= bindparam("most"))
        if self.expired:
            return and_(JobRow.state == "running", JobRow.lease_until < db_now(), *conditions)
        due = or_(JobRow.not_before.is_(None), JobRow.not_before <= db_now())
        return and_(JobRow.state == "queued", due, *conditions)


def best(query: Query, where: ColumnElement[bool], most: int = 1) -> Query:
    """Return the query of the best jobs for which a condition holds, the best first."""
    return query.where(where).order_by(JobRow.priority, JobRow.created_at).limit(most)


# Statements take longer to put together than to execute: these are made once.


@cache
def every_place(stages: tuple[str, ...]) -> tuple[Place, ...]:
    """Return the places where jobs of these stages wait."""
    return (*(Place((stage,), False) for stage in stages), Place(stages, True))


@cache
def best_at_each(places: tuple[Place, ...], limited: bool) -> CompoundSelect[Any]:
    """Return the query of the best job's priority and age at each place, by the place's number."""
    heads = []
    for number, place in enumerate(places):
        columns = select(literal(number).label("number"), JobRow.priority, JobRow.created_at)
        heads.append(select(best(columns, place.where(limited=limited)).subquery()))
    return union_all(*heads)


@cache
def lock_best(place: Place, limited: bool) -> Select[*tuple[Any, ...]]:
    """Return the query that locks the best job of a place; the time stands behind its columns."""
    query = best(select(*COLUMNS, db_now()), place.where(limited=limited))
    return query.with_for_update(skip_locked=True, of=JobRow)
