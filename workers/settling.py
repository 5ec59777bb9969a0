"""What comes of a job in hand goes into the store, whatever it is and however long that takes."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from pipeline.errors import FieldwrightError, ModelPackageError, StorageFull
from store.blobs.blobs import FILE
from store.errors import JobCancelled, StoreUnavailable
from store.jobs.records import Job, LeaseLost
from store.jobs.rows import New
from workers.context import Desk

log = logging.getLogger(__name__)

_AWAY = (StoreUnavailable, StorageFull)

T = TypeVar("T")


@contextlib.contextmanager
def settling(desk: Desk, job: Job) -> Iterator[None]:
    """Put what comes of a job's work into the store, where it ends with an error; raises none.

    A fault of the installation (a damaged model, a full disk) never fails a job: it waits.
    """
    store, limit = desk.jobs.store, desk.jobs.settings.max_attempts
    try:
        try:
            yield
        except (ModelPackageError, *_AWAY) as error:
            log.error("job waits", extra={"job": job.id, "code": error.code})
            # Tried again as often as the rest of the installation is looked after.
            pause = desk.jobs.settings.sweep_seconds
            kept(desk, lambda: store.hand_back(job, delay=pause))
        except FieldwrightError as error:
            _end(desk, job, error)
        except LeaseLost:
            raise
        except Exception:  # a fault of ours: counted, tried again, and never the end of the worker
            log.exception("job stumbled", extra={"job": job.id, "attempt": job.attempts})
            if job.attempts < limit:
                kept(desk, lambda: store.hand_back(job, delay=float(job.attempts), spent=True))
            else:
                _end(desk, job, FieldwrightError("The document could not be processed."))
    except (LeaseLost, *_AWAY):
        # Another worker has it by now, or will have it: its files are theirs to keep or remove.
        log.warning("lease lost", extra={"job": job.id})


def renew(desk: Desk, job: Job, **progress: New) -> None:
    """Extend the lease of a job and note its progress; see `Claims.renew`."""
    lease = desk.jobs.settings.lease_seconds
    kept(desk, lambda: desk.jobs.store.renew(job, lease=lease, **progress))


def kept(desk: Desk, write: Callable[[], T]) -> T:
    """Write to the store; while it does not answer, keep what is in hand and try again.

    After the length of a lease the job may be another worker's, and the last error goes up.
    """
    deadline = time.monotonic() + desk.jobs.settings.lease_seconds
    while True:
        try:
            return write()
        except _AWAY:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def _end(desk: Desk, job: Job, error: FieldwrightError) -> None:
    kept(desk, lambda: desk.jobs.store.fail(job, error))
    desk.jobs.announcer.ended(job.id)
    if isinstance(error, JobCancelled):
        desk.jobs.blobs.remove(job.id)
    else:
        desk.jobs.blobs.keep_only(job.id, FILE)
    log.info("job ended", extra={"job": job.id, "code": error.code})
