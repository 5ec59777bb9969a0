"""A worker: claims jobs, runs them, and reports to the store that it lives; in both modes."""

from __future__ import annotations

import contextlib
import logging
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from models.packages import PackageRef, Registry
from pipeline.answers.answerer import Answerer
from pipeline.errors import FieldwrightError, ServiceError
from pipeline.loading import loading
from pipeline.reading.isolation.programs import PROGRAMS
from pipeline.reading.isolation.sandbox import in_force, lacking, require
from store.blobs import open_packages
from store.errors import JobCancelled
from store.jobs import STAGES, Job, Jobs, Later, LeaseLost
from store.pictures import AT_ONCE
from workers.batching import run_together, words_at_once
from workers.context import StageDependencies
from workers.heartbeat import Heartbeat, Held
from workers.model_cache import ModelCache
from workers.outcomes import renew
from workers.pictures import draw_next
from workers.quarantine import Quarantine
from workers.stages import run_job

if TYPE_CHECKING:
    from pipeline.extract import Extractor

log = logging.getLogger(__name__)

CONNECTIONS = 1  # to the database, for a lane of jobs; the heartbeat takes its turn among them
AWAITED = 0  # highest priority number of jobs that somebody waits for
_TOLD_S = 60.0  # that readiness tells what a document waited for; probes come seldom


class Worker:
    """Claims jobs of any model and runs them; may be called from several threads at once.

    Only a worker that tags loads what runs models; only one that reads, the parsers of documents.

    Args:
        name: unique among all workers of the store; see `workers.names`.
        jobs: the queue; closed by `leave`.
        stages: that it works at.
        watch: see `Heartbeat`.
    """

    def __init__(
        self,
        name: str,
        jobs: Jobs,
        stages: Sequence[str] = STAGES,
        *,
        watch: Callable[[Held], None] = lambda held: None,
    ) -> None:
        self.name = name
        self.jobs = jobs
        self.settings = settings = jobs.settings
        self.stages = tuple(stages)
        self.registry = Registry(
            settings.home / "models",
            default=settings.model,
            source=open_packages(settings.blob_url),
        )
        if "read" in stages:
            from pipeline.reading.reader import prepare_reading, read_ahead

            prepare_reading()  # while the model is being loaded
            read_ahead()
        self._models: ModelCache[Extractor] = ModelCache(self._load, room=settings.loaded_models)
        self._answerers = ModelCache(
            lambda ref: Answerer.load(ref.path), room=settings.loaded_models
        )
        self._confinement = in_force(settings.confinement) if "read" in self.stages else ""
        self._heartbeat = Heartbeat(name, jobs, self.stages, self._state, watch, self._confinement)
        tags = "tag" in stages
        resolver = self._models.get if tags else self._answerers.get
        self._deps = StageDependencies(
            jobs,
            self.registry,
            self._models.get,
            resolver,
            self._heartbeat.check,
            self.stages,
        )
        self._quarantine = Quarantine()
        self._drawing = threading.Lock()
        self._preparing = threading.Lock()
        self._prepared_at: float | None = None
        self._ready = False
        self._missing = "The model is being loaded."

    def start(self) -> None:
        """Begin to report that it lives; the default model is loaded at the first `serve`."""
        self._heartbeat.start()
        if self.registry.mirror is not None:
            self.registry.mirror.start()

    def leave(self) -> None:
        """Stop reporting, and leave the store; it must hold no job."""
        self._heartbeat.stop()
        if self.registry.mirror is not None:
            self.registry.mirror.stop()
        with contextlib.suppress(ServiceError):
            self.jobs.claims.release(self.name)
        self.jobs.close()

    def prepare(self) -> bool:
        """Load the default model, where there is work for it here; say whether that went well.

        What fails is tried again with the next heartbeat. A missing program does not stop the
        worker: documents with a text layer need none. A confinement of readers that is missing
        does where it is required.
        """
        if self._ready:
            return True
        with self._preparing:
            now, pause = time.monotonic(), self.settings.heartbeat_seconds
            if self._ready or (self._prepared_at is not None and now < self._prepared_at + pause):
                return self._ready
            try:
                self.jobs.check_blobs()
                if self.registry.mirror is not None:  # what is in service, before the first job
                    self.registry.mirror.sync()
                if "read" in self.stages:
                    require(self.settings.confinement)
                ref = self.registry.resolve(None)
                if {"tag", "resolve"} & set(self.stages):
                    self._deps.resolver(ref)
                self._missing, self._ready = self._lacking(), True
            except FieldwrightError as error:
                self._missing = error.detail
            self._prepared_at = time.monotonic()
        (log.warning if self._missing else log.info)(
            "worker not ready" if self._missing else "worker ready",
            extra={
                "worker": self.name,
                "missing": self._missing,
                "confinement": self._confinement,
            },
        )
        self._heartbeat.report()
        return self._ready

    def serve(
        self,
        priority_at_most: int | None = None,
        on_claim: Callable[[], None] = lambda: None,
    ) -> bool:
        """Draw a picture, claim the best job, and run it; say whether there was either.

        A picture of a page goes first: it takes a moment, and somebody looks at an empty frame.
        More of them are drawn only where no job waits, so that pictures hold up no job for long.
        Of jobs that wait to be tagged, several may be taken together. A job that was in trouble
        before is run while no other thread of this worker runs one.

        Args:
            priority_at_most: leave jobs of higher numbers to others.
            on_claim: called when there is something to do, before it is done.

        Raises:
            StoreUnavailable: the store does not answer; nothing was claimed.
        """
        if not self.prepare():
            return False
        drew = self._draw(1, on_claim)
        if self._serve_job(priority_at_most, on_claim):
            return True
        if drew:
            self._draw(AT_ONCE, on_claim)
        return drew

    def _draw(self, most: int, on_begin: Callable[[], None]) -> bool:
        """Draw pictures, unless another thread does: one of them is free for jobs."""
        if "read" not in self.stages or not self._drawing.acquire(blocking=False):
            return False
        try:
            return draw_next(self.jobs, most, on_begin)
        finally:
            self._drawing.release()

    def _serve_job(self, priority_at_most: int | None, on_claim: Callable[[], None]) -> bool:
        with self._quarantine.shared():
            job = self._claim(priority_at_most)
            if job is None:
                return False
            on_claim()
            if job.attempts == 1:
                self._run([job, *self._companions(job)])
                return True
        with self._heartbeat.holding([job]), self._quarantine.alone():
            # It may have waited for the others: its time runs from now.
            with contextlib.suppress(
                ServiceError, JobCancelled, LeaseLost
            ):  # `run_job` meets it again
                renew(self.jobs, job, claimed_at=Later())
            self._run([job])
        return True

    def _claim(self, priority_at_most: int | None) -> Job | None:
        return self.jobs.claims.claim(
            self.name,
            lease=self.settings.lease_seconds,
            max_attempts=self.settings.max_attempts,
            stages=self.stages,
            priority_at_most=priority_at_most,
            version_of=self._version_of,
            held=self._heartbeat.tokens,
        )

    def _companions(self, job: Job) -> list[Job]:
        """Claim jobs that may go through the model together with one that waits to be tagged."""
        if job.stage != "tag":
            return []
        words = words_at_once(self.settings.device, self.settings.tag_words)
        lease = self.settings.lease_seconds
        try:
            return self.jobs.claims.claim_more(self.name, job, lease=lease, words=words)
        except ServiceError:  # the job in hand comes first
            return []

    def _run(self, jobs: list[Job]) -> None:
        with self._heartbeat.holding(jobs):
            if len(jobs) == 1:
                run_job(self._deps, jobs[0])
            else:
                run_together(self._deps, jobs)

    def _version_of(self, model: str) -> str | None:
        # Asked while a row is locked: what is not here is looked for, or missed, when the job runs.
        ref = self.registry.here(model)
        return None if ref is None else ref.version

    def _load(self, ref: PackageRef) -> Extractor:
        with loading("onnx"):
            from pipeline.extract import Extractor

        return Extractor(
            ref.path, device=self.settings.device, precision=self.settings.precision or None
        )

    def _lacking(self) -> str:
        if "read" not in self.stages:
            return ""
        absent = [program for program in PROGRAMS if shutil.which(program) is None]
        sentence = f"Not installed: {', '.join(absent)}." if absent else ""
        return f"{sentence} {lacking(self.settings.confinement)}".strip()

    def _state(self) -> tuple[bool, str, list[str]]:
        detail, (since, reason) = self._missing, self.jobs.hindrance
        if self._ready and time.monotonic() - since < _TOLD_S:
            detail = f"{detail} Documents wait: {reason}".strip()
        return self._ready, detail, self._models.names or self._answerers.names
