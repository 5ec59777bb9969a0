"""Retention: what was kept for long enough is removed, in two steps.

`retention_hours` after a job ended, its document, its answer and its document's name are removed;
its row stays and says that it expired. The names in a batch go with its last answer. After ten
times as long the row goes too, and a batch with the last of its rows.
"""

from __future__ import annotations

import logging

from sqlalchemy import (
    ColumnElement,
    Connection,
    Text,
    cast,
    exists,
    or_,
    select,
    update,
)

from store.blobs import Blobs
from store.jobs.rows import forget_jobs, remove_batches, remove_jobs
from store.sql.database import Database
from store.sql.tables import BatchItemRow, BatchRow, DatasetDocumentRow, JobRow, now

log = logging.getLogger(__name__)

_REMEMBERED = 10  # times the retention, for which an expired job is remembered
_CHUNK = 500  # jobs in one transaction
_ROUNDS = 20  # transactions in one call; the next call goes on


def expire(database: Database, blobs: Blobs, *, hours: float) -> int:
    """Remove what belongs to jobs that ended long ago, and those that expired long ago.

    Args:
        database: the job store.
        blobs: the files of the jobs.
        hours: after which an ended job expires; 0 keeps all for ever.

    Returns:
        The number of jobs that expired.

    Raises:
        StoreUnavailable: the rest is done at the next call.
    """
    if not hours:
        return 0
    expired = 0
    for _ in range(_ROUNDS):
        with database.writing() as connection:
            moment = now(connection)
            ended = JobRow.finished_at < moment - 3600 * hours
            kept = exists().where(DatasetDocumentRow.job_id == JobRow.id)  # while the dataset is
            job_ids = _some(connection, JobRow.expired_at.is_(None), ended, ~kept)
            if job_ids:
                forget_jobs(connection, job_ids)
                change = update(JobRow).where(JobRow.id.in_(job_ids))
                connection.execute(change.values(expired_at=moment, filename=""))
        # What a crash at this very place leaves behind, the next deep cleaning finds.
        blobs.remove(*job_ids)
        expired += len(job_ids)
        if len(job_ids) < _CHUNK:
            break
    if expired:
        log.info("jobs expired", extra={"jobs": expired})
    for _ in range(_ROUNDS):
        with database.writing() as connection:
            limit = now(connection) - 3600 * hours * _REMEMBERED
            # A job expires after one part of ten, or later where no sweep came by.
            old = JobRow.expired_at < limit + 3600 * hours
            job_ids = _some(connection, old, JobRow.finished_at < limit)
            if job_ids:
                remove_jobs(connection, job_ids)
            if len(job_ids) < _CHUNK:
                _remove_batches(connection, limit)
                break
    return expired


def forget_batches(database: Database, *, hours: float) -> None:
    """Remove the names in batches from before the retention of which no job has an answer.

    Their own, and those of documents that were refused or skipped, which never had a job.

    Args:
        database: the job store.
        hours: as of `expire`.

    Raises:
        StoreUnavailable: the rest is done at the next call.
    """
    if not hours:
        return
    has_answers = exists().where(JobRow.batch_id == BatchRow.id, JobRow.expired_at.is_(None))
    refused = exists().where(
        BatchItemRow.batch_id == BatchRow.id,
        BatchItemRow.job_id.is_(None),
        BatchItemRow.filename != "",
    )
    named = or_(BatchRow.name != "", cast(BatchRow.skipped, Text) != "[]", refused)
    for _ in range(_ROUNDS):
        # Looked for without the write lock: that takes seconds where many documents are remembered.
        with database.reading() as connection:
            old = BatchRow.created_at < now(connection) - 3600 * hours
            query = select(BatchRow.id).where(old, ~has_answers, named).limit(_CHUNK)
            batch_ids = list(connection.scalars(query))
        if not batch_ids:
            return
        with database.writing() as connection:
            batches = update(BatchRow).where(BatchRow.id.in_(batch_ids))
            connection.execute(batches.values(name="", skipped=[]))
            of_them = BatchItemRow.batch_id.in_(batch_ids), BatchItemRow.filename != ""
            connection.execute(update(BatchItemRow).where(*of_them).values(filename=""))
        if len(batch_ids) < _CHUNK:
            return


def _some(connection: Connection, *where: ColumnElement[bool]) -> list[str]:
    """Return some of the jobs, held until the transaction ends: none of them is tried again."""
    query = select(JobRow.id).where(*where).limit(_CHUNK)
    # Weakly: who decides on an answer has its review, and adds to its job.
    return list(connection.scalars(query.with_for_update(skip_locked=True, key_share=True)))


def _remove_batches(connection: Connection, limit: float) -> None:
    """Remove the batches from before `limit` that have no job any more."""
    has_jobs = exists().where(JobRow.batch_id == BatchRow.id)
    query = select(BatchRow.id).where(BatchRow.created_at < limit, ~has_jobs).limit(_CHUNK)
    if batch_ids := list(connection.scalars(query)):
        remove_batches(connection, batch_ids)
