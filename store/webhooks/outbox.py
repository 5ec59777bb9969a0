"""The outbox of webhooks: deliveries are stored in the transaction that makes an event true.

So each webhook is told of an event once, if and only if it happened, whichever process dies; the
sender (`workers.sender`) works off the rows. A payload names the job and its outcome, never a
value, a word or a file name: the receiver fetches the answer with its own key.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from sqlalchemy import Connection, bindparam, case, delete, func, literal, select, union_all

from store.sql.tables import (
    BatchItemRow,
    BatchRow,
    DeliveryRow,
    JobRow,
    WebhookRow,
    insert_where,
    now,
)

Event = Literal["job.succeeded", "job.failed", "job.cancelled", "job.reviewed", "batch.finished"]
EVENTS: tuple[Event, ...] = get_args(Event)
TEST = "webhook.test"

_FINISHED: Event = "batch.finished"
_REVIEWED: Event = "job.reviewed"


def job_ended(connection: Connection, job_id: str) -> None:
    """Store what webhooks are told of the end of a job, and of its batch if that is finished.

    Args:
        connection: of the transaction that ends the job, after the job's row was written.
        job_id: of the job.
    """
    listeners = connection.execute(_LISTENERS, {"job_id": job_id}).all()
    if not listeners:
        return
    data = _job(job_id, listeners[0])
    _tell(connection, listeners, f"job.{data['state']}", job_id, data)
    batch_id = data["batch"]
    if batch_id is not None and any(_FINISHED in listener.events for listener in listeners):
        batch_finished(connection, batch_id)


def job_reviewed(connection: Connection, job_id: str) -> None:
    """Store what webhooks are told of the end of an answer's review."""
    listeners = connection.execute(_LISTENERS, {"job_id": job_id}).all()
    if listeners:
        # One that was told of before changed since: as `reopened` does for jobs.
        told = DeliveryRow.subject == job_id, DeliveryRow.event == _REVIEWED
        connection.execute(delete(DeliveryRow).where(*told))
        data = _job(job_id, listeners[0])
        _tell(connection, listeners, _REVIEWED, job_id, data)


def _job(job_id: str, job: Any) -> dict[str, Any]:
    """Return what webhooks are told of a job."""
    name = job.model.partition("@")[0]
    return {
        "id": job_id,
        "state": job.state,
        "model": f"{name}@{job.model_version}" if job.model_version else job.model,
        "error_code": job.error_code,
        "batch": job.batch_id,
        "url": f"/v1/jobs/{job_id}",
        "result_url": f"/v1/jobs/{job_id}/result",
    }


_OF_THE_OWNER = JobRow.owner.is_not_distinct_from(WebhookRow.owner)
_LISTENERS = (
    select(
        *(WebhookRow.id, WebhookRow.events),
        *(JobRow.state, JobRow.model, JobRow.model_version, JobRow.error_code, JobRow.batch_id),
    )
    .join(JobRow, _OF_THE_OWNER)
    .where(JobRow.id == bindparam("job_id"), JobRow.purpose.is_(None), WebhookRow.active.is_(True))
    # A webhook that is deleted at this moment waits for the end of this transaction.
    .with_for_update(read=True, key_share=True, of=WebhookRow)
)


def batch_finished(connection: Connection, batch_id: str) -> None:
    """Store what webhooks are told of the end of a batch, if it is finished.

    Args:
        connection: of a transaction after which the batch may be finished.
        batch_id: of the batch.
    """
    query = (
        select(WebhookRow.id, WebhookRow.events)
        .join(BatchRow, BatchRow.owner.is_not_distinct_from(WebhookRow.owner))
        .where(BatchRow.id == batch_id, WebhookRow.active.is_(True))
        .with_for_update(read=True, key_share=True, of=WebhookRow)
    )
    listeners = connection.execute(query).all()
    if not any(_FINISHED in listener.events for listener in listeners):
        return
    # Of two transactions that end the last two jobs, the second one sees what the first one did.
    _lock(connection, [batch_id])
    unfinished = JobRow.batch_id == batch_id, JobRow.state.in_(("queued", "running"))
    if connection.scalar(select(JobRow.id).where(*unfinished).limit(1)) is not None:
        return
    jobless = case((BatchItemRow.error_code.is_not(None), literal("refused")), else_="removed")
    counted = union_all(
        select(JobRow.state, func.count())
        .where(JobRow.batch_id == batch_id)
        .group_by(JobRow.state),
        select(jobless, func.count())
        .where(BatchItemRow.batch_id == batch_id, BatchItemRow.job_id.is_(None))
        .group_by(jobless),
    )
    counts: dict[str, int] = {state: number for state, number in connection.execute(counted)}
    data = {
        "id": batch_id,
        "state": "finished",
        "items": dict(sorted(counts.items())),
        "url": f"/v1/batches/{batch_id}",
        "result_url": f"/v1/batches/{batch_id}/results",
    }
    _tell(connection, listeners, _FINISHED, batch_id, data)


def tested(connection: Connection, webhook_id: str) -> str:
    """Store a test delivery for a webhook; return its id."""
    moment, subject = now(connection), str(uuid.uuid4())
    row = _row(webhook_id, TEST, subject, {"id": webhook_id}, moment)
    connection.execute(insert_where(connection, DeliveryRow).values(row))
    return str(row["id"])


def batches_of(connection: Connection, job_ids: Sequence[str]) -> list[str]:
    """Return the batches that jobs belong to."""
    query = select(JobRow.batch_id).where(JobRow.id.in_(job_ids), JobRow.batch_id.is_not(None))
    return [batch_id for batch_id in connection.scalars(query.distinct()) if batch_id]


def forget(connection: Connection, subjects: Sequence[str]) -> None:
    """Remove the deliveries about jobs or batches, sent or not."""
    connection.execute(delete(DeliveryRow).where(DeliveryRow.subject.in_(subjects)))


def reopened(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove the deliveries about jobs that are tried again and their batches: new ones follow."""
    batches = batches_of(connection, job_ids)
    _lock(connection, batches)  # whoever ends another of its jobs sees that it is not finished
    forget(connection, [*job_ids, *batches])


def _lock(connection: Connection, batch_ids: Sequence[str]) -> None:
    query = select(BatchRow.id).where(BatchRow.id.in_(batch_ids)).order_by(BatchRow.id)
    connection.execute(query.with_for_update(key_share=True))


def _tell(
    connection: Connection,
    listeners: Iterable[Any],
    event: str,
    subject: str,
    data: Mapping[str, Any],
) -> None:
    moment = now(connection)
    rows = [
        _row(listener.id, event, subject, data, moment)
        for listener in listeners
        if event in listener.events
    ]
    if rows:
        connection.execute(insert_where(connection, DeliveryRow).on_conflict_do_nothing(), rows)


def _row(
    webhook_id: str, event: str, subject: str, data: Mapping[str, Any], moment: float
) -> dict[str, Any]:
    said = datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
    payload = {"type": event, "timestamp": said.replace("+00:00", "Z"), "data": data}
    return {
        "id": str(uuid.uuid4()),
        "webhook_id": webhook_id,
        "subject": subject,
        "event": event,
        # The body as it is sent, byte for byte, however often.
        "payload": json.dumps(payload, separators=(",", ":")),
        "state": "pending",
        "attempts": 0,
        "next_at": moment,
        "created_at": moment,
    }
