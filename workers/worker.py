"""One worker process: loads the model once, then claims and runs jobs until it is told to stop."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sys
import threading
import time
from collections import OrderedDict
from types import FrameType

from pipeline.errors import FieldwrightError, JobCancelled, ModelPackageError, ServiceError
from pipeline.isolation.parent import die_with_parent
from pipeline.registry import PackageRef
from workers.jobs import Jobs
from workers.logs import configure_logging
from workers.records import Job, LeaseLost
from workers.settings import Settings
from workers.tasks import Desk, Model, run

log = logging.getLogger(__name__)

_PROGRAMS = ("tesseract", "pdftoppm", "pdfinfo")


class Worker:
    """Claims jobs of any model, one at a time.

    A second thread tells the store that the process lives and renews the lease of its job.

    Args:
        name: unique among all workers of the store.
        settings: of the installation.
    """

    def __init__(self, name: str, settings: Settings) -> None:
        # Torch comes in with these, and takes seconds: only a worker pays for it.
        from pipeline.ocr.reader import prepare_reading, read_document

        prepare_reading()  # while the model is being loaded
        self.name = name
        self.settings = settings
        self.jobs = Jobs(settings)
        self._desk = Desk(self.jobs, read_document, self._model)
        self._models: OrderedDict[str, Model] = OrderedDict()  # the last one used stands last
        self._job: Job | None = None
        self._missing = "The model is being loaded."
        self._stopping = threading.Event()

    def stop(self) -> None:
        """Claim nothing more; `work` returns when the running job has ended."""
        self._stopping.set()

    def work(self) -> None:
        """Load the default model, then run jobs until `stop` is called."""
        beating = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
        beating.start()
        while not self._stopping.is_set():
            if not self._models and not self._prepare():
                self._stopping.wait(self.settings.heartbeat_seconds)
                continue
            try:
                job = self.jobs.store.claim(
                    self.name,
                    lease=self.settings.lease_seconds,
                    max_attempts=self.settings.max_attempts,
                )
            except ServiceError:
                log.warning("store unavailable")
                self._stopping.wait(1.0)
                continue
            if job is None:
                self._stopping.wait(self.settings.poll_seconds)
                continue
            self._job = job
            run(self._desk, job)
            self._job = None
        log.info("worker stopped")

    def _prepare(self) -> bool:
        """Load the default model and say whether that went well; report what is missing.

        A missing program does not stop the worker: documents with a text layer need none.
        """
        absent = [program for program in _PROGRAMS if shutil.which(program) is None]
        try:
            ref = self.jobs.registry.resolve(None)
            self._model(ref)
            self._missing = f"Not installed: {', '.join(absent)}." if absent else ""
        except FieldwrightError as error:
            self._missing = error.detail
        (log.warning if self._missing else log.info)(
            "worker ready" if not self._missing else "worker not ready",
            extra={"worker": self.name, "missing": self._missing},
        )
        self._report()
        return bool(self._models)

    def _model(self, ref: PackageRef) -> Model:
        """Return the model of a package, from memory where it is there.

        Raises:
            ModelPackageError: the package is damaged.
        """
        from pipeline.extract import Extractor

        key = str(ref)
        if key not in self._models:
            started = time.monotonic()
            try:
                model = Extractor(ref.path, device=self.settings.device)
            except (OSError, ModelPackageError) as error:
                log.exception("model damaged", extra={"model": key, "reason": str(error)[:500]})
                raise ModelPackageError(
                    f"The model package {key} is damaged or incomplete."
                ) from error
            while len(self._models) >= self.settings.loaded_models:
                self._models.popitem(last=False)
            self._models[key] = model
            seconds = round(time.monotonic() - started, 2)
            log.info("model loaded", extra={"model": key, "seconds": seconds})
        self._models.move_to_end(key)
        return self._models[key]

    def _beat(self) -> None:
        # Daemon thread: it lives as long as the process, through the drain too.
        while True:
            self._report()
            job = self._job
            if job is not None:
                try:
                    self.jobs.store.renew(job, lease=self.settings.lease_seconds)
                except (LeaseLost, JobCancelled):
                    pass  # the job finds out itself at its next page
                except ServiceError:
                    log.warning("heartbeat missed", extra={"job": job.id})
            time.sleep(self.settings.heartbeat_seconds)

    def _report(self) -> None:
        try:
            self.jobs.store.report(
                self.name,
                pid=os.getpid(),
                ready=not self._missing,
                detail=self._missing,
                models=list(self._models),
            )
        except ServiceError:
            log.warning("heartbeat missed", extra={"worker": self.name})


def main(name: str) -> None:
    """Run the worker `name` in this process until SIGTERM or SIGINT."""
    configure_logging()
    worker: Worker | None = None

    def on_signal(number: int, frame: FrameType | None) -> None:
        if worker is None:  # nothing claimed yet
            sys.exit(0)
        worker.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    die_with_parent()
    worker = Worker(name, Settings.load())
    worker.work()


if __name__ == "__main__":
    main(sys.argv[1])
