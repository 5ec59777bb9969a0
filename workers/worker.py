"""A worker: claims jobs, runs them, and tells the store that it lives.

`Worker` is the same in both modes. Run as a module (``python -m workers.worker NAME``) this file
is the worker process of the embedded service: one process with the models in memory and two
lanes, each with a job in hand. The first lane takes any job; while it is at one, the second takes
those that somebody waits for: such a job never waits behind the long scan of a batch. Documents
are read in confined processes of their own, so the lanes seldom wait for each other.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType

from models.packages import PackageRef
from pipeline.answers.answerer import Answerer
from pipeline.document import Document
from pipeline.errors import DependencyMissing, FieldwrightError, ServiceError
from pipeline.loading import loading
from pipeline.reading.isolation.parent import die_with_parent
from pipeline.reading.options import ReadOptions
from store.errors import JobCancelled
from store.jobs.jobs import Jobs
from store.jobs.records import STAGES, Job, LeaseLost
from store.jobs.rows import Later
from store.settings import Settings
from workers.announcing import announcer_for
from workers.batching import run_together, words_at_once
from workers.context import Desk, Model
from workers.embedded.bell import Bell
from workers.heartbeat import Heart, Held
from workers.logs import configure_logging
from workers.model_cache import Shelf
from workers.quarantine import Quarantine
from workers.settling import renew
from workers.stages import run

log = logging.getLogger(__name__)

_PROGRAMS = ("tesseract", "pdftoppm", "pdfinfo")
_GRACE = 5.0  # seconds that the supervisor has to end a worker before it ends itself
_TICK = 0.25  # seconds between two looks at whether the end has come
_AWAITED = 0  # highest priority number of jobs that somebody waits for


class Worker:
    """Claims jobs of any model and runs them; may be called from several threads at once.

    Only a worker that tags loads torch, and only one that reads the parsers of documents.

    Args:
        name: unique among all workers of the store.
        settings: of the installation.
        stages: that it works at.
        watch: see `Heart`.
    """

    def __init__(
        self,
        name: str,
        settings: Settings,
        stages: Sequence[str] = STAGES,
        *,
        watch: Callable[[Held], None] = lambda held: None,
    ) -> None:
        self.name = name
        self.settings = settings
        self.stages = tuple(stages)
        self.jobs = Jobs(settings, announcer_for(settings))
        if "read" in stages:
            from pipeline.reading.reader import prepare_reading, read_ahead

            prepare_reading()  # while the model is being loaded
            read_ahead()
        self._models: Shelf[Model] = Shelf(self._load, room=settings.loaded_models)
        self._answerers = Shelf(lambda ref: Answerer.load(ref.path), room=settings.loaded_models)
        tags = "tag" in stages
        resolver = self._models.get if tags else self._answerers.get
        self._desk = Desk(self.jobs, _read, self._models.get, resolver, self.stages)
        self._quarantine = Quarantine()
        self._preparing = threading.Lock()
        self._prepared_at: float | None = None
        self._ready = False
        self._missing = "The model is being loaded."
        self._heart = Heart(name, self.jobs, self.stages, self._state, watch)

    def start(self) -> None:
        """Begin to tell that it lives; the default model is loaded at the first `serve`."""
        self._heart.start()

    def leave(self) -> None:
        """Stop telling that it lives, and leave the store: it holds no job."""
        self._heart.stop()
        with contextlib.suppress(ServiceError):
            self.jobs.store.release(self.name)
        self.jobs.close()

    def prepare(self) -> bool:
        """Load the default model, where there is work for it here; say whether that went well.

        What fails is tried again with the next heartbeat. A missing program does not stop the
        worker: documents with a text layer need none.
        """
        if self._ready:
            return True
        with self._preparing:
            now, pause = time.monotonic(), self.settings.heartbeat_seconds
            if self._ready or (self._prepared_at is not None and now < self._prepared_at + pause):
                return self._ready
            try:
                ref = self.jobs.registry.resolve(None)
                if {"tag", "resolve"} & set(self.stages):
                    self._desk.resolver(ref)
                self._missing, self._ready = self._lacking(), True
            except FieldwrightError as error:
                self._missing = error.detail
            self._prepared_at = time.monotonic()
        (log.warning if self._missing else log.info)(
            "worker not ready" if self._missing else "worker ready",
            extra={"worker": self.name, "missing": self._missing},
        )
        self._heart.report()
        return self._ready

    def serve(
        self,
        priority_at_most: int | None = None,
        on_claim: Callable[[], None] = lambda: None,
        *,
        told: bool = False,
        at: str | None = None,
        together: bool = True,
    ) -> bool:
        """Claim the best job, and run it; say whether there was one.

        Of jobs that wait to be tagged, several may be taken together. A job that was in trouble
        before is run while no other thread of this worker has one in hand.

        Args:
            priority_at_most: leave jobs of higher numbers to others.
            on_claim: called when there is one, before it is run.
            told: somebody said that there is one.
            at: look at this stage alone, as `Claims.take`.
            together: whether to look for further ones to be tagged with it.

        Raises:
            StoreUnavailable: the store does not answer; nothing was claimed.
        """
        if not self.prepare():
            return False
        with self._quarantine.shared():
            job = self._claim(priority_at_most, told, at)
            if job is None:
                return False
            on_claim()
            if job.attempts == 1:
                self._run([job, *(self._companions(job) if together else ())])
                return True
        with self._heart.holding([job]), self._quarantine.alone():
            # It may have waited for the others: its time runs from now.
            with contextlib.suppress(ServiceError, JobCancelled, LeaseLost):  # `run` meets it again
                renew(self._desk, job, claimed_at=Later())
            self._run([job])
        return True

    def _claim(self, priority_at_most: int | None, told: bool, at: str | None) -> Job | None:
        claims, settings = self.jobs.store, self.settings
        lease, most = settings.lease_seconds, settings.max_attempts
        if at is not None:
            return claims.take(
                self.name,
                at,
                lease=lease,
                max_attempts=most,
                priority_at_most=priority_at_most,
            )
        return claims.claim(
            self.name,
            lease=lease,
            max_attempts=most,
            stages=self.stages,
            priority_at_most=priority_at_most,
            version_of=self._version_of,
            told=told,
        )

    def _companions(self, job: Job) -> list[Job]:
        """Claim jobs that may go through the model together with one that waits to be tagged."""
        if job.stage != "tag":
            return []
        words = words_at_once(self.settings.device, self.settings.tag_words)
        lease = self.settings.lease_seconds
        try:
            return self.jobs.store.claim_more(self.name, job, lease=lease, words=words)
        except ServiceError:  # the job in hand comes first
            return []

    def _run(self, jobs: list[Job]) -> None:
        with self._heart.holding(jobs):
            if len(jobs) == 1:
                run(self._desk, jobs[0])
            else:
                run_together(self._desk, jobs)

    def _version_of(self, model: str) -> str | None:
        try:
            return self.jobs.registry.resolve(model).version
        except FieldwrightError:  # said of the job when it runs
            return None

    def _load(self, ref: PackageRef) -> Model:
        with loading("torch"):
            import torch  # takes seconds

            from pipeline.extract import Extractor

        if self.settings.device.startswith("cuda") and not torch.cuda.is_available():
            raise DependencyMissing("PyTorch finds no GPU here.", advice="Choose the device cpu.")
        return Extractor(
            ref.path, device=self.settings.device, precision=self.settings.precision or None
        )

    def _lacking(self) -> str:
        absent = [program for program in _PROGRAMS if shutil.which(program) is None]
        return f"Not installed: {', '.join(absent)}." if absent and "read" in self.stages else ""

    def _state(self) -> tuple[bool, str, list[str]]:
        return self._ready, self._missing, self._models.names or self._answerers.names


def _read(data: bytes, options: ReadOptions, on_page: Callable[[int, int], None]) -> Document:
    from pipeline.reading.reader import read_ahead, read_document

    try:
        return read_document(data, options, on_page)
    finally:
        read_ahead()


class Lanes:
    """The lanes of an embedded worker.

    Args:
        worker: that they share.
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._bell = Bell.inherited(worker.settings.bell)
        self._at_work = threading.Event()  # the first lane
        self._stopping = False

    def stop(self) -> None:
        """Claim nothing more; `work` returns when the running jobs have ended."""
        # Not an Event: its lock may be held by the very code that a signal interrupted.
        self._stopping = True

    def work(self) -> None:
        """Run jobs until `stop` is called."""
        self._worker.start()
        # Neither is the main thread: that one is free to hear signals.
        lanes = [
            threading.Thread(target=lane, name=lane.__name__.strip("_"))
            for lane in (self._first, self._second)
        ]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        log.info("worker stopped")

    def _first(self) -> None:
        """Run jobs."""
        told = False
        while not self._stopping:
            # After one job there often is another.
            told = self._serve(None, self._at_work.set, told=told) or self._pause()
            self._at_work.clear()

    def _second(self) -> None:
        """Run jobs that somebody waits for, while the first lane is at work."""
        while not self._stopping:
            if not self._at_work.wait(_TICK):
                continue
            rung = self._pause()
            if self._at_work.is_set():
                while not self._stopping and self._in_a_thread():
                    pass
            elif rung and self._bell is not None:
                self._bell.ring()  # it rang for the first lane

    def _in_a_thread(self) -> bool:
        """Run such a job in a thread of its own; say whether there was one.

        Threads that PyTorch computes with belong to the one that asked for them. While two have
        some, all wait for each other instead of for work: with the thread, its own go.
        """
        served: list[bool] = []
        thread = threading.Thread(target=lambda: served.append(self._serve(_AWAITED)))
        thread.start()
        thread.join()
        return any(served)

    def _serve(
        self,
        priority_at_most: int | None,
        on_claim: Callable[[], None] = lambda: None,
        *,
        told: bool = False,
    ) -> bool:
        try:
            return self._worker.serve(priority_at_most, on_claim, told=told)
        except ServiceError:
            log.warning("store unavailable")
        except Exception:  # a fault of ours: without its lane the worker would live and do nothing
            log.exception("lane stumbled")
        time.sleep(1.0)
        return False

    def _pause(self) -> bool:
        """Wait for the bell, for the end, or until it is time to look; say whether it rang."""
        until = time.monotonic() + self._worker.settings.poll_seconds
        while (left := until - time.monotonic()) > 0 and not self._stopping:
            if self._bell is None:
                time.sleep(min(left, _TICK))
            elif self._bell.wait(min(left, _TICK)):
                return True
        return False


def main(name: str) -> None:
    """Run the worker `name` in this process until SIGTERM or SIGINT."""
    configure_logging()
    settings = Settings.load()
    lanes: Lanes | None = None

    def on_signal(number: int, frame: FrameType | None) -> None:
        if lanes is None:  # nothing claimed yet
            sys.exit(0)
        lanes.stop()
        # The supervisor hands back what takes too long; where it has died, the leases do.
        timer = threading.Timer(settings.drain_seconds + _GRACE, os._exit, (1,))
        timer.daemon = True
        timer.start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    die_with_parent()
    lanes = Lanes(Worker(name, settings))
    lanes.work()


if __name__ == "__main__":
    main(sys.argv[1])
