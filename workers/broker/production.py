"""Workers of the production mode: Celery brings the announcements, the job store has the jobs.

One station is one Celery worker with its processes (`prefork`): a process that dies takes only
its own job with it, and another takes its place. A message wakes a process, which then does the
best jobs of its queues, one after the other, until its turn is over; then it hands the turn on by
a message of its own. Where there is no job it waits for a while: meanwhile whoever announces one
wakes it directly (`workers.broker.idle`).

A station that reads has one process more than documents at a time: it takes only jobs that
somebody waits for, so these never wait behind the long scans of a batch. A station that tags has
one process, with the models in its memory.

A document beyond its time fails, and its process ends with all it began; should the process be
too stuck to notice, Celery kills it a minute later, and the lease brings the job back. At a stop
(SIGTERM) nothing more is claimed; what is not finished within `drain_seconds` is handed back.

Run as a module (``python -m workers.broker.production STAGES CONCURRENCY DEVICE``) this file is one
station of several that `fieldwright worker` keeps running.
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

from pipeline.errors import FieldwrightError, ReadingTimeout, ServiceError
from pipeline.reading.isolation.parent import die_with_parent
from store.database import Database
from store.jobs.jobs import Jobs
from store.jobs.records import STAGES, LeaseLost
from store.settings import Settings
from workers.broker.celery_app import TURN_S, build_app, task_name
from workers.broker.hearing import Hearing
from workers.broker.idle import Idle
from workers.broker.slots import Slots
from workers.embedded.keeper import Child, Keeper
from workers.health import HOST_LENGTH
from workers.heartbeat import Held
from workers.logs import configure_logging
from workers.worker import Worker

log = logging.getLogger(__name__)

_AGAIN_S = 2.0  # seconds between two looks for a store that does not answer
_AWAKE_S = 3.0  # without a job, before a process sleeps until a message comes
_LATE_S = 5.0  # beyond the time to drain: then the station ends, whatever it waits for


class Station:
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
        self._slots = Slots(concurrency)
        self._processes = concurrency + ("read" in stages and "tag" not in stages)
        self._stopping, self._stop = os.pipe()
        # Of a process:
        self._worker: Worker | None = None
        self._idle: Idle | None = None
        self._told = ""  # the job that the last message named
        self._draining_since: float | None = None

    def run(self) -> int:
        """Work until SIGTERM; return the exit status."""
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # Celery speaks to standard output
        for noisy in ("celery.worker.strategy", "celery.app.trace"):  # a line for each message
            logging.getLogger(noisy).setLevel(logging.WARNING)
        _prepare_store(self._settings)
        app = self._app()
        worker = app.Worker(
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
        # At last: the processes of the pool die with this one.
        signal.signal(signal.SIGALRM, lambda number, frame: os._exit(0))
        worker.start()
        return int(worker.exitcode or 0)

    def _app(self) -> Celery:
        app = build_app(self._settings)
        for stage in self._stages:
            app.task(self._answer, name=task_name(stage))
        app.steps["consumer"].add(Hearing)
        signals.setup_logging.connect(_keep_our_logging)
        signals.worker_process_init.connect(self._begin)
        signals.worker_process_shutdown.connect(self._leave)
        signals.worker_shutting_down.connect(self._drain)
        return app

    def _begin(self, **_: Any) -> None:
        """Become a worker: in a process that Celery has just forked."""
        name = "-".join((*self._stages, socket.gethostname()[:HOST_LENGTH], str(os.getpid())))
        name = f"{name}-{uuid.uuid4().hex[:8]}"
        self._worker = Worker(name, self._settings, self._stages, watch=self._watch)
        self._worker.start()
        self._idle = Idle(self._settings, name, self._stages)
        # The model is loaded meanwhile, and nobody waits for it longer than for the model.
        threading.Thread(target=self._worker.prepare, name="preparing", daemon=True).start()

    def _leave(self, **_: Any) -> None:
        """End in good order: in a process of the pool."""
        if self._worker is not None and self._idle is not None:
            self._idle.close()
            self._worker.leave()

    def _answer(self, job_id: object = None) -> None:
        """Answer a message: do what there is to do, in a process of the pool."""
        worker, idle = self._worker, self._idle
        assert worker is not None
        assert idle is not None
        self._told = str(job_id)[:40]
        over = time.monotonic() + TURN_S
        told, at = True, None  # whether there should be a job, and the stage we were woken for
        found = served = False  # whether the last look found one, and whether any did
        try:
            while not self._is_draining() and (left := over - time.monotonic()) > 0:
                if at is None:  # before we look everywhere: of a later job we are told
                    idle.enter(_AWAKE_S)
                with self._slots.place() as free:
                    most = None if free else 0
                    # Jobs that come one by one, in front of a worker that waits, have no company.
                    found = worker.serve(most, self._take_up, told=told, at=at, together=found)
                served = served or found
                # A job that we were woken for mostly is the only one; what we find has others.
                told, woken, at = found and at is None, at is not None, None
                if found or woken:
                    continue
                at = idle.wait(min(_AWAKE_S, left), self._is_draining) if served else None
                if at is None:
                    break
            else:
                told = True
            if idle.leave() or told:
                self._pass_on()
            if not served and not _is_known(worker.jobs, job_id):
                log.warning("unknown job announced", extra={"job": self._told})
        except ServiceError:  # the sweeper announces its jobs again
            idle.leave()
            log.warning("store unavailable")

    def _take_up(self) -> None:
        """Be idle no more, with a job in hand."""
        assert self._idle is not None
        if self._idle.leave():  # it may have been for another job
            self._pass_on()

    def _pass_on(self) -> None:
        """Tell others what this process was told: another, or another station, goes on."""
        assert self._worker is not None
        for stage in self._stages:
            self._worker.jobs.announcer.announce(stage, [self._told])

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
        store, limit = self._worker.jobs.store, self._settings.document_timeout_s
        error = ReadingTimeout(f"The document took longer than {limit:g} seconds.")
        with contextlib.suppress(LeaseLost, FieldwrightError):  # the lease runs out instead
            for job, _ in held.values():
                if len(held) == 1:
                    store.fail(job, error)
                    log.warning("document too slow", extra={"job": job.id})
                else:  # one of those that went through the model together: each is run alone
                    store.hand_back(job, spent=True)
        os.kill(os.getpid(), signal.SIGKILL)

    def _end_unfinished(self, held: Held) -> None:
        assert self._worker is not None
        for job, _ in held.values():
            with contextlib.suppress(LeaseLost, FieldwrightError):
                self._worker.jobs.store.hand_back(job)
                log.info("job handed back", extra={"job": job.id})
        os.kill(os.getpid(), signal.SIGKILL)

    def _is_draining(self) -> bool:
        return bool(select.select([self._stopping], [], [], 0)[0])

    def _drain(self, **_: Any) -> None:
        """Tell all processes to claim nothing more: in Celery's own process, in a signal."""
        with contextlib.suppress(OSError):
            os.write(self._stop, b"!")  # never read: it stays true for all of them
        # A thread would want locks that the signal may have found closed.
        signal.setitimer(signal.ITIMER_REAL, self._settings.drain_seconds + _LATE_S)


def groups(queues: Sequence[str]) -> list[tuple[str, ...]]:
    """Return which queues share a station: reading goes by itself, the model has one process.

    Raises:
        ValueError: there is no such queue.
    """
    if not queues or not set(queues) <= set(STAGES):
        raise ValueError(f"no such queue among {queues}")
    chosen = tuple(stage for stage in STAGES if stage in queues)
    if chosen[:2] == ("read", "tag"):
        return [("read",), chosen[1:]]
    return [chosen]


def work(settings: Settings, queues: Sequence[str], concurrency: int) -> int:
    """Work at queues until SIGTERM; return the exit status.

    Args:
        settings: of the installation, with its broker.
        queues: among ``read``, ``tag``, ``resolve``.
        concurrency: documents that are read at a time.
    """
    stations = groups(queues)
    if len(stations) == 1:
        return _station(settings, stations[0], concurrency)
    children = [
        Child(
            [
                *(sys.executable, "-m", "workers.broker.production"),
                *(",".join(stages), str(concurrency), settings.device),
            ],
            "-".join(stages),
        )
        for stages in stations
    ]
    Keeper(children, drain_seconds=settings.drain_seconds + 2 * _LATE_S).run()
    return 0


def main(stages: str, concurrency: str, device: str) -> int:
    """Be one station of several, until SIGTERM or the end of the one who started it."""
    configure_logging()
    die_with_parent()
    settings = Settings.load().model_copy(update={"device": device})
    return _station(settings, stages.split(","), int(concurrency))


def _station(settings: Settings, stages: Sequence[str], concurrency: int) -> int:
    return Station(settings, stages, 1 if "tag" in stages else concurrency).run()


def _is_known(jobs: Jobs, job_id: object) -> bool:
    return isinstance(job_id, str) and jobs.store.exists(job_id)


def _prepare_store(settings: Settings) -> None:
    """Bring the store up to date; wait where it does not answer yet."""
    while True:
        database = Database(settings.store_url)
        try:
            database.migrate()
            return
        except ServiceError as error:
            log.warning("store unavailable", extra={"reason": error.detail})
            time.sleep(_AGAIN_S)
        finally:
            database.close()


def _keep_our_logging(**_: Any) -> None:
    """Stand where Celery would set up its own logging."""


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
