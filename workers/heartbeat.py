"""The heartbeat of a worker: reports that it lives, and renews the leases of the jobs it holds."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from pipeline.errors import ServiceError
from store.jobs import Job, Jobs, LeaseLost

log = logging.getLogger(__name__)

_TICK = 0.25  # seconds between two looks at the time

Held = dict[str, tuple[Job, float]]
"""Jobs that a worker holds, by the token of the claim, each with the `time.monotonic` since when.

Not by their id: one that was lost may come back to the same worker before it has let go of it.
"""


class Heartbeat:
    """Reports and renews in a thread of its own, whatever the worker does.

    Args:
        name: of the worker.
        jobs: the queue.
        stages: that the worker works at.
        state: gives what is missing for it to be ready, what it lacks all the same, and the
            models in its memory.
        watch: called often with the jobs held, to stop what takes too long.
        confinement: as `WorkerInfo.confinement`.
    """

    def __init__(
        self,
        name: str,
        jobs: Jobs,
        stages: Sequence[str],
        state: Callable[[], tuple[bool, str, list[str]]],
        watch: Callable[[Held], None] = lambda held: None,
        confinement: str = "",
    ) -> None:
        self._name = name
        self._jobs = jobs
        self._stages = stages
        self._state = state
        self._watch = watch
        self._confinement = confinement
        self._held: Held = {}
        self._lost = set[str]()  # tokens of jobs held that are another worker's by now
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stopped.set()
        self._thread.join()

    @contextlib.contextmanager
    def holding(self, jobs: Sequence[Job]) -> Iterator[None]:
        """Renew the leases of these jobs meanwhile."""
        with self._lock:
            self._held |= {job.token or "": (job, time.monotonic()) for job in jobs}
        try:
            yield
        finally:
            with self._lock:
                for token in (job.token or "" for job in jobs):
                    self._held.pop(token, None)
                    self._lost.discard(token)

    @property
    def tokens(self) -> list[str]:
        """Of the claims that the worker holds."""
        with self._lock:
            return list(self._held)

    def check(self, job: Job) -> None:
        """Raise LeaseLost where a job that is held was found to be another worker's by now."""
        if job.token in self._lost:
            raise LeaseLost(job.id)

    def report(self) -> None:
        """Tell the store that the worker lives, and how it is."""
        ready, detail, models = self._state()
        try:
            self._jobs.workers.report(
                self._name,
                pid=os.getpid(),
                ready=ready,
                detail=detail,
                models=models,
                stages=self._stages,
                confinement=self._confinement,
            )
        except ServiceError:
            log.warning("heartbeat missed", extra={"worker": self._name})

    def _beat(self) -> None:
        # A daemon: it goes on as long as the process lives, through the drain too.
        due = 0.0
        while not self._stopped.wait(_TICK):
            with self._lock:
                held = dict(self._held)
            self._watch(held)
            if time.monotonic() < due:
                continue
            due = time.monotonic() + self._jobs.settings.heartbeat_seconds
            try:
                self._renew([job for job, _ in held.values()])
                self.report()
            except Exception:  # a fault of ours: without a heartbeat the worker would work in vain
                log.exception("heartbeat failed", extra={"worker": self._name})

    def _renew(self, jobs: Sequence[Job]) -> None:
        if not jobs:
            return
        try:
            lost = self._jobs.leases.renew_all(jobs, lease=self._jobs.settings.lease_seconds)
            with self._lock:
                self._lost |= {job.token or "" for job in lost} & set(self._held)
        except ServiceError:
            log.warning("heartbeat missed", extra={"jobs": [job.id for job in jobs]})
