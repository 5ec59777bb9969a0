"""The worker processes that share a store, as they report themselves."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select

from store.jobs.records import STAGES, WorkerInfo
from store.sql.database import Database
from store.sql.tables import WorkerRow, insert_where, now


class WorkerRegistry:
    """All workers that reported lately; errors as of `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def report(
        self,
        name: str,
        *,
        pid: int,
        ready: bool,
        detail: str,
        models: list[str],
        stages: Sequence[str] = STAGES,
        confinement: str = "",
    ) -> None:
        """Note that a worker lives; what is reported is as of `WorkerInfo`."""
        with self._database.writing(durable=False) as connection:
            values = {"pid": pid, "ready": ready, "detail": detail, "models": models}
            values |= {"stages": list(stages), "confinement": confinement}
            values |= {"seen_at": now(connection)}
            # In one statement: two threads of a worker may both report it for the first time.
            new = insert_where(connection, WorkerRow).values(name=name, **values)
            connection.execute(new.on_conflict_do_update(index_elements=["name"], set_=values))

    def list(self) -> list[WorkerInfo]:
        """Return all workers that have reported, dead ones too until they are forgotten."""
        with self._database.reading() as connection:
            moment = now(connection)
            return [
                WorkerInfo(
                    *(row.name, row.pid, row.ready, row.detail, tuple(row.models)),
                    *(moment - row.seen_at, tuple(row.stages), row.confinement),
                )
                for row in connection.execute(select(WorkerRow))
            ]

    def forget(self, *, silent_for: float) -> None:
        """Remove the workers that did not report for so many seconds."""
        with self._database.writing() as connection:
            limit = now(connection) - silent_for
            connection.execute(delete(WorkerRow).where(WorkerRow.seen_at < limit))
