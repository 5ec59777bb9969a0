"""Answers given again: the same document, model and options of the same owner, without reading."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from sqlalchemy import Connection, insert, select

from store import counters
from store.access.ownership import owned
from store.database import Database
from store.jobs.records import Job
from store.jobs.store import insert_jobs
from store.tables import JobRow, ResultRow, now
from store.webhooks import outbox as notices


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that lies in the store: the JSON text, and what its job knew of the document."""

    body: str
    model_version: str
    pages: int
    words: int | None


class Answers:
    """The answers of one installation, by the fingerprints of their jobs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, fingerprint: str, version: str, owner: str | None) -> Answer | None:
        """Return the newest answer, or None where there is none.

        Args:
            fingerprint: see `store.jobs.fingerprints.answer_print`.
            version: of the model that would answer now; answers of others are not given.
            owner: answers of other owners are never given.
        """
        query = (
            select(ResultRow.body, JobRow.pages_done, JobRow.words)
            .join(JobRow, JobRow.id == ResultRow.job_id)
            .where(
                JobRow.fingerprint == fingerprint,
                JobRow.model_version == version,
                JobRow.state == "succeeded",
                owned(JobRow.owner, owner),
            )
            .order_by(JobRow.finished_at.desc())
            .limit(1)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).first()
            return None if row is None else Answer(row.body, version, row.pages_done, row.words)


def give(connection: Connection, job: Job, answer: Answer) -> Job:
    """Store a new job that ends at once with an earlier answer, within a transaction.

    The answer names the new job, and in its timings that nothing was read for it.

    Args:
        connection: of the transaction that stores the job.
        job: of the same document, model and options; not stored yet.
        answer: see `Answers.find`.
    """
    moment = now(connection)
    done = replace(
        job,
        state="succeeded",
        stage="done",
        model_version=answer.model_version,
        pages_done=answer.pages,
        pages_total=answer.pages,
        words=answer.words,
        started_at=moment,
        finished_at=moment,
    )
    content = json.loads(answer.body)
    content["id"] = job.id
    content["timings"] = dict.fromkeys(content["timings"], 0.0)
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    insert_jobs(connection, [done])
    connection.execute(insert(ResultRow).values(job_id=job.id, body=body, created_at=moment))
    notices.job_ended(connection, job.id)
    counters.add(connection, counters.ended("succeeded"))
    return done
