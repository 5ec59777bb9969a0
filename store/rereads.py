"""Documents of a kind that their model was not made for, read again by a model that a person chose.

The second reading is a job with the purpose ``reread``. Its answer takes the first one's place by a
decision, as everything that people say of an answer; the job goes then, or when nobody took it.
"""

from __future__ import annotations

import io
import json
from typing import Any

from sqlalchemy import select, update

from pipeline.errors import InvalidOption
from store.access import ANY_OWNER, OwnerScope, audit
from store.blobs import FILE
from store.errors import JobExpired, JobNotFinished
from store.jobs import Job, Jobs, Submission
from store.sql.cursors import plain_id
from store.sql.tables import JobRow, ReviewRow


class Rereads:
    """The second readings of one installation; methods raise only `FieldwrightError`, and block."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._database = jobs.database

    def start(
        self,
        job_id: str,
        model: str,
        *,
        claimant: str,
        reviewer: str,
        password: str | None = None,
        max_queued: int | None = None,
        scope: OwnerScope = ANY_OWNER,
    ) -> Job:
        """Have a document read by another model; the same one again gives the job that is there.

        Args:
            job_id: of the document.
            model: ``NAME`` or ``NAME@VERSION``, which there is.
            claimant: who has the review in hand.
            reviewer: their name, for people.
            password: of an encrypted PDF: none is kept longer than a job needs it.
            max_queued: most unfinished jobs of the owner; None for the installation's number.
            scope: of the caller.

        Raises:
            JobUnknown, JobNotFinished, ReviewClaimed: as `Reviews.claim`.
            JobExpired: its document was removed for its age.
            Overloaded, TooManyJobs, StorageFull: as of any document.
        """
        job_id = plain_id(job_id)
        self._jobs.reviews.claim(job_id, claimant, reviewer, scope)
        earlier = self._asked(job_id)
        if earlier is not None and earlier.model == model and earlier.error_code is None:
            return earlier
        first = self._jobs.status(job_id, scope)
        data = self._jobs.blobs.get(job_id, FILE)
        if data is None:
            raise JobExpired("The document was removed for its age.")
        second = first.with_another_model(model, "reread")
        document = Submission(second, io.BytesIO(data), password)
        made = self._jobs.submit(document, max_queued=max_queued)
        # Only now: where it is refused, the second reading before it stays. It is unwanted until
        # then, which nobody notices before it has ended.
        with self._database.writing() as connection:
            change = update(ReviewRow).where(ReviewRow.job_id == job_id)
            connection.execute(change.values(again=second.id))
            audit.record(connection, "review.reread", job_id, model=model)
        return made

    def answer(self, job_id: str) -> dict[str, Any]:
        """Return the answer of the second reading, as one of the first job.

        Raises:
            InvalidOption: nobody asked for one, or its answer was taken already.
            JobNotFinished: it is under way.
            FieldwrightError: the error that it ended with.
        """
        second = self._asked(plain_id(job_id))
        if second is None:
            raise InvalidOption(
                "No other model has read this document.",
                advice="Send POST /reviews/{job_id}/again first.",
            )
        if not second.ended:
            raise JobNotFinished("The document is still being read.", retry_after=1.0)
        answer: dict[str, Any] = json.loads(self._jobs.result(second.id))
        return {**answer, "id": plain_id(job_id)}

    def collect(self) -> int:
        """Remove second readings that nobody waits for any more; return their number."""
        wanted = select(ReviewRow.again).where(ReviewRow.again.is_not(None))
        removed = self._jobs.repository.remove_unwanted("reread", wanted)
        self._jobs.blobs.remove(*removed)
        return len(removed)

    def _asked(self, job_id: str) -> Job | None:
        """Return the second reading that was asked for last and not taken yet."""
        query = select(JobRow.id).join(ReviewRow, ReviewRow.again == JobRow.id)
        with self._database.reading() as connection:
            second = connection.scalar(query.where(ReviewRow.job_id == job_id))
        return None if second is None else self._jobs.status(second)
