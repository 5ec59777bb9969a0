"""Workers of the production mode: Celery brings the announcements, the job store has the jobs.

A node is one Celery worker with its processes (`prefork`): a process that dies takes only its own
job with it, and another takes its place. A message wakes a process, which then serves the best
jobs of the node's stages, one after the other, until none is left or its turn is over; then it
announces them again, for another process or another node.

A node that reads has one process more than documents at a time: it takes only jobs that somebody
waits for, so these never wait behind the long scans of a batch. A node that tags has one process,
with the models in its memory.

A document beyond its time fails, and its process ends with all it started; should the process be
too stuck to notice, Celery kills it a minute later, and the lease brings the job back. At a stop
(SIGTERM) nothing more is claimed; what is not finished within `drain_seconds` is handed back.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import signal
import socket
import sys
import threading
import time
import uuid
from collections.abc import Sequence
from typing import Any

from celery import Celery, signals
from celery.worker.request import Request

from pipeline.errors import FieldwrightError, ReadingTimeout, ServiceError
from store.jobs import Jobs, LeaseLost
from store.settings import Settings
from store.sql.database import Database
from workers.broker.announcer import BrokerAnnouncer
from workers.broker.celery_app import TURN_S, build_app, task_name
from workers.broker.launch import LATE_S
from workers.broker.semaphore import ProcessSemaphore
from workers.heartbeat import Held
from workers.logs import configure_logging
from workers.names import worker_name
from workers.worker import AWAITED, CONNECTIONS, Worker

log = logging.getLogger(__name__)


class CeleryNode:
    """One Celery worker and its processes.

    Args:
        settings: of the installation, with its broker.
        stages: that it works at.
        concurrency: documents at a time.
    """

    def __init__(self, settings: Settings, stages: Sequence[str], concurrency: int) -> None:
        cores = len(os.sched_getaffinity(0))
        pages = settings.read_processes or max(1, cores // concurrency)
        self._settings = settings.model_copy(update={"read_processes": pages})
        self._stages = tuple(stages)
        self._slots = ProcessSemaphore(concurrency)
        self._spare = "read" in stages and "tag" not in stages  # a process without a slot
        self._processes = concurrency + self._spare
        self._stopping, self._stop = os.pipe()
        # Of a process of the pool:
        self._worker: Worker | None = None
        self._draining_since: float | None = None

    def run(self) -> int:
        """Work until SIGTERM, or until the broker is no longer heard; return the exit status."""
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # Celery writes to standard output
        for noisy in ("celery.worker.strategy", "celery.app.trace"):  # a line for each message
            logging.getLogger(noisy).setLevel(logging.WARNING)
        with contextlib.closing(Database(self._settings.store_url)) as database:
            database.migrate_when_there()
        worker = self._app().Worker(
            queues=list(self._stages),
            pool="prefork",
            concurrency=self._processes,
            hostname=f"{'-'.join(self._stages)}-{uuid.uuid4().hex[:8]}@{socket.gethostname()}",
            optimization="fair",
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            quiet=True,
        )
        # The last resort of a drain: the processes of the pool die with this one.
        signal.signal(signal.SIGALRM, lambda number, frame: os._exit(0))
        worker.start()
        return int(worker.exitcode or 0)

    def _app(self) -> Celery:
        app = build_app(self._settings)
        for stage in self._stages:
            app.task(self._answer, name=task_name(stage), Request=AcknowledgedRequest)
        signals.setup_logging.connect(_keep_our_logging)
        signals.worker_process_init.connect(self._begin)
        signals.worker_process_shutdown.connect(self._leave)
        signals.worker_shutting_down.connect(self._drain)
        return app

    def _begin(self, **_: Any) -> None:
        """Become a worker: in a process that Celery has just forked."""
        jobs = Jobs(self._settings, BrokerAnnouncer(self._settings), connections=CONNECTIONS)
        name = worker_name("-".join(self._stages))
        self._worker = Worker(name, jobs, self._stages, watch=self._watch)
        self._worker.start()
        # The model is loaded meanwhile, and nobody waits for it longer than for the model.
        threading.Thread(target=self._worker.prepare, name="preparing", daemon=True).start()

    def _leave(self, **_: Any) -> None:
        """End in good order: in a process of the pool."""
        if self._worker is not None:
            self._worker.leave()

    def _answer(self, job_id: object = None) -> None:
        """Serve jobs until none is left or the turn is over: in a process of the pool.

        Args:
            job_id: of the job that was announced; another may be better.
        """
        assert self._worker is not None
        jobs, named = self._worker.jobs, str(job_id)[:40]
        over, served = time.monotonic() + TURN_S, False
        try:
            while time.monotonic() < over and not self._is_draining():
                if not self._serve(self._worker):
                    break
                served = True
            else:
                for stage in self._stages:
                    jobs.announcer.announce(stage, [named])
            if not served and not (isinstance(job_id, str) and jobs.repository.exists(job_id)):
                log.warning("unknown job announced", extra={"job": named})
        except ServiceError:  # the sweeper announces its jobs again
            log.warning("store unavailable")

    def _serve(self, worker: Worker) -> bool:
        """Serve the best job, where no slot is free one that somebody waits for.

        Returns:
            Whether there was one, or there is one now.
        """
        if not worker.prepare():
            return False
        with self._slots.acquired() as acquired:
            if worker.serve(None if acquired else AWAITED):
                return True
        # The spare process may have been told of a job after our look, and left it to our slot.
        return acquired and self._spare and worker.jobs.claims.waits(self._stages)

    def _watch(self, held: Held) -> None:
        """End this process where its job takes too long, or where the time to drain is over."""
        now, limit = time.monotonic(), self._settings.document_timeout_s
        if any(now - since > limit for _, since in held.values()):
            self._end_late(held)
        if self._is_draining():
            self._draining_since = self._draining_since or now
            if held and now - self._draining_since > self._settings.drain_seconds:
                self._end_unfinished(held)

    def _end_late(self, held: Held) -> None:
        assert self._worker is not None
        leases, limit = self._worker.jobs.leases, self._settings.document_timeout_s
        error = ReadingTimeout(f"The document took longer than {limit:g} seconds.")
        for job, _ in held.values():
            try:
                if len(held) == 1:
                    leases.fail(job, error)
                    log.warning("document too slow", extra={"job": job.id})
                else:  # one of those that went through the model together: each is run alone
                    leases.hand_back(job, spent=True)
            except LeaseLost:
                log.warning("lease lost", extra={"job": job.id})
            except FieldwrightError:  # the lease runs out instead
                continue
        os.kill(os.getpid(), signal.SIGKILL)

    def _end_unfinished(self, held: Held) -> None:
        assert self._worker is not None
        for job, _ in held.values():
            with contextlib.suppress(LeaseLost, FieldwrightError):
                self._worker.jobs.leases.hand_back(job)
                log.info("job handed back", extra={"job": job.id})
        os.kill(os.getpid(), signal.SIGKILL)

    def _is_draining(self) -> bool:
        return bool(select.select([self._stopping], [], [], 0)[0])

    def _drain(self, **_: Any) -> None:
        """Tell all processes to claim nothing more: in Celery's own process, in a signal."""
        with contextlib.suppress(OSError):
            os.write(self._stop, b"!")  # never read: it stays true for all of them
        # A thread would need locks that the interrupted code may hold.
        signal.setitimer(signal.ITIMER_REAL, self._settings.drain_seconds + LATE_S)


class AcknowledgedRequest(Request):  # type: ignore[misc]  # Celery has no types
    """A request that ends its node where its acknowledgement is lost.

    While all processes have a message nothing is received, so a connection that breaks is noticed
    by the acknowledgements alone. Celery would log that they failed, and kombu go on counting
    their messages as being worked at: with the last place of the prefetch the node would never ask
    for a message again. A new node has a new connection; `workers.broker.launch` starts it.
    """

    acknowledged: bool

    def acknowledge(self) -> None:
        """Acknowledge the message; where that fails on the connection in use, stop the node."""
        if self.acknowledged:
            return
        self.acknowledged = True
        try:
            self.message.ack()
        except self.connection_errors as error:
            if not self.message.channel.closed:  # else Celery has connected anew already
                log.warning("broker not heard", extra={"reason": type(error).__name__})
                os.kill(os.getpid(), signal.SIGTERM)


def main(settings: Settings, stages: Sequence[str], concurrency: int) -> int:
    """Be one node in this process, until SIGTERM; return the exit status.

    Args:
        settings: of the installation, with its broker.
        stages: that it works at.
        concurrency: documents at a time.
    """
    configure_logging()
    return CeleryNode(settings, stages, concurrency).run()


def _keep_our_logging(**_: Any) -> None:
    """Stand where Celery would set up its own logging."""
