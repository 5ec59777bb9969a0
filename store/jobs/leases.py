"""What the holder of a claim writes to its job: progress, hand-over, answer, error.

Each write names the token of the claim. Where that is no longer the job's, nothing is written and
`LeaseLost` is raised. A power cut may undo what is noted of a job in hand, but no job's end.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, insert, select

from pipeline.errors import FieldwrightError
from store.errors import JobCancelled
from store.jobs.claim_queries import LONGEST_DELAY
from store.jobs.records import Job, LeaseLost, Stage, State
from store.jobs.rows import Later, New, change_held, end, is_held
from store.reviews import Need, open_review
from store.sql import counters
from store.sql.database import Database
from store.sql.tables import JobRow, ResultRow, db_now
from store.webhooks import outbox

_FREE: dict[str, New] = {"state": "queued", "token": None, "worker": None, "lease_until": None}


class Leases:
    """The jobs in the hands of workers; errors as of `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def renew(self, job: Job, *, lease: float, **progress: New) -> None:
        """Extend the lease of a claimed job and note its progress.

        Args:
            job: as claimed.
            lease: seconds from now.
            progress: new values of ``stage``, ``pages_done``, ``pages_total``, ``words``,
                ``model``, ``model_version``, ``claimed_at``.

        Raises:
            LeaseLost: the job is no longer this worker's.
            JobCancelled: the user wants it stopped.
        """
        with self._database.writing(durable=False) as connection:
            stop = change_held(connection, job, {**progress, "lease_until": Later(lease)})
        if stop is None:
            raise LeaseLost(job.id)
        if stop:
            raise JobCancelled("The job was cancelled while it ran.")

    def renew_all(self, jobs: Iterable[Job], *, lease: float) -> list[Job]:
        """Extend the leases of claimed jobs; return those that are no longer the claimant's."""
        given: dict[str, New] = {"lease_until": Later(lease)}
        in_order = sorted(jobs, key=lambda job: job.id)  # as all lock them who lock several
        with self._database.writing(durable=False) as connection:
            return [job for job in in_order if change_held(connection, job, given) is None]

    def hand_on(self, job: Job, stage: Stage, **progress: New) -> None:
        """Put a claimed job into the queue of its next stage; the attempt is not spent.

        Args:
            job: as claimed.
            stage: what is to be done next.
            progress: as of `renew`.

        Raises:
            LeaseLost: it is no longer this worker's.
            JobCancelled: the user wants it stopped.
        """
        waiting: dict[str, New] = {**_FREE, **progress, "stage": stage}
        waiting |= {"announced_at": Later(), "attempts": job.attempts - 1}
        with self._database.writing(durable=False) as connection:
            _change_uncancelled(connection, job, waiting)

    def hand_back(self, job: Job, *, delay: float = 0.0, spent: bool = False) -> None:
        """Put a claimed job back into the queue of its stage.

        Args:
            job: as claimed.
            delay: seconds before it may be claimed again, `LONGEST_DELAY` at most.
            spent: True where the attempt counts.

        Raises:
            LeaseLost: it is no longer this worker's.
        """
        attempts = job.attempts if spent else job.attempts - 1
        waiting: dict[str, New] = {**_FREE, "attempts": attempts, "announced_at": None}
        waiting["not_before"] = Later(min(delay, LONGEST_DELAY))
        with self._database.writing(durable=False) as connection:
            if change_held(connection, job, waiting) is None:
                raise LeaseLost(job.id)

    def succeed(
        self,
        job: Job,
        body: str,
        counts: counters.Amounts | None = None,
        need: Need | None = None,
        **progress: New,
    ) -> None:
        """End a claimed job with its answer, both or neither: whatever runs twice, there is one.

        Args:
            job: as claimed.
            body: the answer as JSON text.
            counts: what the answer adds to the counters; see `counters.answered`.
            need: why a person should see the answer, None where nobody needs to.
            progress: as of `renew`.

        Raises:
            LeaseLost: it is no longer this worker's.
            JobCancelled: the user wants it stopped.
        """
        done: dict[str, New] = {**progress, "state": "succeeded", "stage": "done"}
        done |= {"worker": None, "lease_until": None, "finished_at": Later()}
        with self._database.writing() as connection:
            _change_uncancelled(connection, job, done)
            result = insert(ResultRow).values(job_id=job.id, body=body, created_at=db_now())
            connection.execute(result)
            open_review(connection, job.id, job.model, need)
            outbox.job_ended(connection, job.id)
            counters.add(connection, {**counters.ended("succeeded"), **(counts or {})})

    def fail(self, job: Job, error: FieldwrightError) -> None:
        """End a claimed job with its error, as cancelled for JobCancelled; raises LeaseLost."""
        state: State = "cancelled" if isinstance(error, JobCancelled) else "failed"
        with self._database.writing() as connection:
            if not end(connection, state, error, job.id, is_held(job)):
                raise LeaseLost(job.id)


def _change_uncancelled(connection: Connection, job: Job, values: dict[str, New]) -> None:
    """Change the row of a claimed job that may go on; raises LeaseLost, JobCancelled."""
    if change_held(connection, job, values, uncancelled=True) is not None:
        return
    if connection.scalar(select(JobRow.id).where(is_held(job))) is None:
        raise LeaseLost(job.id)
    raise JobCancelled("It was cancelled.")
