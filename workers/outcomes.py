"""The outcome of a claimed job is recorded, with retries while the store is down."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from pipeline.errors import (
    FieldwrightError,
    ModelPackageError,
    ReaderCrashed,
    ReaderLost,
    StorageFull,
)
from store.errors import JobCancelled, NotReady, StoreUnavailable
from store.jobs import Job, Jobs, LeaseLost, New

log = logging.getLogger(__name__)

_AWAY = (StoreUnavailable, StorageFull)

T = TypeVar("T")


@contextlib.contextmanager
def recorded_outcome(jobs: Jobs, job: Job) -> Iterator[None]:
    """Record how the work on a job ended, where that was with an error; raises none.

    A fault of the installation (a damaged model, a disk that is full or gone) never fails a job:
    it waits.
    """
    leases = jobs.leases
    try:
        try:
            yield
        except (ModelPackageError, NotReady, *_AWAY) as error:
            told = {"job": job.id, "code": error.code, "reason": error.detail}
            log.error("job waits", extra=told)
            jobs.hindrance = time.monotonic(), error.detail
            # Tried again as often as the rest of the installation is looked after.
            pause = jobs.settings.sweep_seconds
            retry_until_stored(jobs, lambda: leases.hand_back(job, delay=pause))
        except FieldwrightError as error:
            _fail(jobs, job, error)
        except LeaseLost:
            raise
        except ReaderLost as error:
            log.warning("reader lost", extra={"job": job.id, "attempt": job.attempts})
            _retry(jobs, job, ReaderCrashed(f"{error}, at the last of {job.attempts} attempts."))
        except Exception:  # a fault of ours: counted, tried again, and never the end of the worker
            log.exception("job stumbled", extra={"job": job.id, "attempt": job.attempts})
            _retry(jobs, job, FieldwrightError("The document could not be processed."))
    except (LeaseLost, *_AWAY):
        # Another worker has it by now, or will have it: its files are theirs to keep or remove.
        log.warning("lease lost", extra={"job": job.id})


def renew(jobs: Jobs, job: Job, **progress: New) -> None:
    """Extend the lease of a job and note its progress; see `Leases.renew`."""
    lease = jobs.settings.lease_seconds
    retry_until_stored(jobs, lambda: jobs.leases.renew(job, lease=lease, **progress))


def retry_until_stored(jobs: Jobs, write: Callable[[], T]) -> T:
    """Write to the store, again and again while it does not answer; return what `write` does.

    Raises:
        StoreUnavailable, StorageFull: after the length of a lease; another worker may have the
            job by then.
    """
    deadline = time.monotonic() + jobs.settings.lease_seconds
    while True:
        try:
            return write()
        except _AWAY:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def _retry(jobs: Jobs, job: Job, final: FieldwrightError) -> None:
    """Have a job tried again, a little later; fail it with `final` after its last attempt."""
    if job.attempts < jobs.settings.max_attempts:
        pause = float(job.attempts)
        retry_until_stored(jobs, lambda: jobs.leases.hand_back(job, delay=pause, spent=True))
    else:
        _fail(jobs, job, final)


def _fail(jobs: Jobs, job: Job, error: FieldwrightError) -> None:
    retry_until_stored(jobs, lambda: jobs.leases.fail(job, error))
    jobs.announcer.ended(job.id)
    state = "cancelled" if isinstance(error, JobCancelled) else "failed"
    known = {"state": state, "error.type": error.code, "attempt": job.attempts}
    jobs.traces.ended(job.id, job.created_at, **known)
    jobs.tidy(job.id)
    log.info("job ended", extra={"job": job.id, "code": error.code})
