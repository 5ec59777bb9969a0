"""What went in must come out: what became of every document that was sent, counted.

The counts are those of Jepsen's queue checker. A document is known by its hash, so each one that
is sent must be a document of its own.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from store.jobs import TERMINAL
from store.sql.database import Database
from store.sql.tables import JobRow, ResultRow


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the documents; only good where `sound`.

    Attributes:
        attempted: documents that were sent, however often.
        acknowledged: of those, the ones whose job was named in an answer.
        ok: acknowledged, and their job succeeded with one answer, which is of that document.
        set_aside: acknowledged, and their job failed with a reason, or was cancelled.
        lost: acknowledged, and their job is gone, never ended, or has no answer of theirs.
        duplicated: more than one job, or a job that ended or was told of more than once.
        recovered: the answer to the client was lost, but the job ended all the same.
        unexpected: jobs of documents that nobody sent.
    """

    attempted: int
    acknowledged: int
    ok: int
    set_aside: int
    lost: int
    duplicated: int
    recovered: int
    unexpected: int

    @property
    def sound(self) -> bool:
        """Whether nothing was lost, doubled or invented."""
        return self.lost == self.duplicated == self.unexpected == 0

    def __str__(self) -> str:
        names = self.__slots__
        return ", ".join(f"{name.replace('_', ' ')} {getattr(self, name)}" for name in names)


@dataclass(slots=True)
class Ledger:
    """What the clients know: which documents they sent, and which jobs they were told of."""

    attempted: set[str] = field(default_factory=set)
    acknowledged: dict[str, set[str]] = field(default_factory=dict)

    def attempt(self, sha256: str) -> None:
        """Note that a document is about to be sent."""
        self.attempted.add(sha256)

    def acknowledge(self, sha256: str, job_id: str) -> None:
        """Note that the service named the job of a document."""
        self.acknowledged.setdefault(sha256, set()).add(job_id)

    def count(self, database: Database, endings: Mapping[str, int]) -> Counts:
        """Compare what the clients know with the job store.

        Args:
            database: the job store.
            endings: by job, the most times that anybody was told of its end.
        """
        with database.reading() as connection:
            query = select(JobRow.id, JobRow.sha256, JobRow.state, JobRow.error_code)
            jobs = connection.execute(query).all()
            results = select(ResultRow.job_id, ResultRow.body)
            bodies = {job_id: json.loads(body) for job_id, body in connection.execute(results)}
        held = Counter(sha256 for _, sha256, _, _ in jobs)
        ok, aside, ended = set(), set(), set()
        for job_id, sha256, state, code in jobs:
            body = bodies.get(job_id)
            if body is not None:
                if state == "succeeded" and _is_answer(body, job_id, sha256):
                    ok.add(job_id)
            elif state in TERMINAL and code:
                aside.add(job_id)
            if state in TERMINAL:
                ended.add(sha256)
        good = ok | aside
        told = self.acknowledged
        return Counts(
            attempted=len(self.attempted),
            acknowledged=len(told),
            ok=sum(ids <= ok for ids in told.values()),
            set_aside=sum(ids <= aside for ids in told.values()),
            lost=sum(not ids <= good for ids in told.values()),
            duplicated=sum(
                held[sha256] > 1 or len(told.get(sha256, ())) > 1 for sha256 in self.attempted
            )
            + sum(endings.get(job_id, 0) > 1 for job_id, *_ in jobs),
            recovered=len((self.attempted - set(told)) & ended),
            unexpected=sum(sha256 not in self.attempted for _, sha256, _, _ in jobs),
        )


def _is_answer(body: dict[str, Any], job_id: str, sha256: str) -> bool:
    return bool(body["id"] == job_id and body["document"]["sha256"] == sha256)
