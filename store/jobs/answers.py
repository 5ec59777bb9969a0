"""Answers given again: to the same document, model and options of the same owner."""

from __future__ import annotations

import json
from dataclasses import replace

from sqlalchemy import Connection, insert, select

from pipeline.result import Extraction
from store.access.ownership import owned
from store.jobs.records import Job
from store.jobs.rows import COLUMNS, insert_jobs
from store.reviews import need_of, open_review
from store.sql import counters
from store.sql.tables import JobRow, ResultRow, now
from store.webhooks import outbox


def find_answer(connection: Connection, job: Job, version: str | None) -> tuple[Job, str] | None:
    """Return the newest job of the same fingerprint and owner that was answered, and its answer.

    Args:
        connection: of the store.
        job: not stored yet.
        version: of the model that would answer it now; answers of others are not given. None
            where the fingerprint says what would.
    """
    if job.fingerprint is None:
        return None
    query = (
        select(*COLUMNS, ResultRow.body)
        .join(JobRow, JobRow.id == ResultRow.job_id)
        .where(
            JobRow.fingerprint == job.fingerprint,
            *([] if version is None else [JobRow.model_version == version]),
            JobRow.state == "succeeded",
            owned(JobRow.owner, job.owner),
        )
        .order_by(JobRow.finished_at.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return None if row is None else (Job(*row[:-1]), row[-1])


def give(connection: Connection, job: Job, answered: Job, body: str) -> Job:
    """Store a new job that ends at once with an earlier answer, within a transaction.

    The answer names the new job, and its timings say that nothing was read for it.

    Args:
        connection: of the transaction that stores the job.
        job: of the same document, model and options; not stored yet.
        answered: the earlier job, see `find_answer`.
        body: its answer as JSON text.
    """
    moment = now(connection)
    content = json.loads(body)
    done = replace(
        job,
        model=job.model if "@" in job.model else content["model"]["name"],  # which `auto` means
        state="succeeded",
        stage="done",
        model_version=answered.model_version,
        pages_done=answered.pages_done,
        pages_total=answered.pages_done,
        words=answered.words,
        started_at=moment,
        finished_at=moment,
    )
    content["id"] = job.id
    content["timings"] = dict.fromkeys(content["timings"], 0.0)
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    insert_jobs(connection, [done])
    connection.execute(insert(ResultRow).values(job_id=job.id, body=body, created_at=moment))
    need = need_of(Extraction.model_validate(content))
    open_review(connection, job.id, content["model"]["name"], need)
    outbox.job_ended(connection, job.id)
    counters.add(connection, counters.ended("succeeded"))
    return done
