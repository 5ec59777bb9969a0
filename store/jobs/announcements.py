"""Which jobs wait without any worker having been told of them lately."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, or_, select

from store.jobs.claim_queries import best, sources_of
from store.jobs.rows import Later, change
from store.sql.database import Database
from store.sql.tables import JobRow, db_now


class Announcements:
    """When the broker was last told of which job; errors as of `Database`.

    Args:
        database: of the job store.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self, stage: str, *, older_than: float, most: int) -> list[str]:
        """Return jobs that wait at a stage and were not announced for a while.

        Args:
            stage: at which they wait, or at which their worker died.
            older_than: seconds since the last announcement.
            most: how many, the best first.
        """
        lately = JobRow.announced_at.between(db_now() - older_than, db_now())  # by a clock set back
        silent = or_(JobRow.announced_at.is_(None), ~lately)
        found: list[str] = []
        with self._database.reading() as connection:
            for source in reversed(sources_of([stage])):  # those of dead workers first
                query = best(select(JobRow.id), and_(source.where(), silent), most=most)
                found += connection.scalars(query)
        return found[:most]

    def note(self, job_ids: Sequence[str]) -> None:
        """Note that the broker was told of these jobs just now."""
        with self._database.writing(durable=False) as connection:
            change(connection, JobRow.id.in_(job_ids), announced_at=Later())
