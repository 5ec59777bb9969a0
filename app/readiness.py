"""Whether documents can be processed now, and what is missing where not."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from models.packages import Registry
from models.packages.manifest import REQUIRED, SUMS, verify
from pipeline.errors import FieldwrightError, StorageFull
from store.errors import StoreUnavailable
from store.jobs import STAGES, Jobs, WorkerInfo

log = logging.getLogger(__name__)

_PATIENCE = 1.0  # seconds that the broker may take to answer
_ASKED_EVERY = 2.0  # seconds; a probe that comes every second must not become the broker's work


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether documents can be processed now.

    Attributes:
        ready: documents that are sent now are answered soon.
        missing: what stands in the way; where `ready`, what an operator should see to.
        workers: processes that are ready.
        models: in their memory.
        confinement: of the processes that read documents, each kind once; see `WorkerInfo`.
    """

    ready: bool
    missing: tuple[str, ...]
    workers: int
    models: tuple[str, ...]
    confinement: tuple[str, ...] = ()


class Inspector:
    """Looks at all that a document needs on its way; one for each process."""

    def __init__(self, jobs: Jobs, registry: Registry) -> None:
        self._jobs = jobs
        self._registry = registry
        self._broker_url = jobs.settings.broker_url
        self._lock = threading.Lock()
        self._asked: tuple[float, bool] | None = None
        self._verified: tuple[object, str] | None = None
        self._told = Readiness(True, (), 0, ())

    def readiness(self) -> Readiness:
        """Return whether each stage has a worker that can do it, and what is missing.

        Where that has changed since it was last asked, it is logged.
        """
        found = self._looked()
        with self._lock:
            before, self._told = self._told, found
        if (found.ready, found.missing) != (before.ready, before.missing):
            lacking = {"missing": " ".join(found.missing)}
            if not found.ready:
                log.warning("service not ready", extra=lacking)
            elif found.missing:
                log.warning("service degraded", extra=lacking)
            else:
                log.info("service ready")
        return found

    def _looked(self) -> Readiness:
        try:
            workers = self._jobs.workers.list()
            self._jobs.database.check_writable()
        except StoreUnavailable as error:
            return Readiness(False, (error.detail,), 0, ())
        alive = [worker for worker in workers if worker.age < self._jobs.settings.lease_seconds]
        ready = [worker for worker in alive if worker.ready]
        models = tuple(sorted({model for worker in ready for model in worker.models}))
        lacking = list(_lacking(alive, ready))
        notes = sorted({worker.detail for worker in ready if worker.detail})
        default, fault = self._default_model()
        if fault:
            # Workers that have it in memory go on with it; to the others it is lost.
            (notes if default in models else lacking).append(fault)
        try:
            self._jobs.check_room()
        except StorageFull as error:
            notes.append(f"{error.detail} No documents are accepted.")
        # Not asked: one that hangs would have whoever watches the service wait.
        if documents := self._jobs.blobs.fault:
            notes.append(f"{documents} Documents may be refused until it does; the log says why.")
        if self._broker_url and not self._broker_answers():
            notes.append("The broker takes nothing: documents are accepted, and wait for it.")
        missing = tuple(dict.fromkeys([*lacking, *notes]))
        confinement = tuple(sorted({worker.confinement for worker in ready} - {""}))
        return Readiness(not lacking, missing, len(ready), models, confinement)

    def _default_model(self) -> tuple[str, str]:
        """Return the package that answers where none is named, and what is wrong with it."""
        try:
            ref = self._registry.resolve(None)
        except FieldwrightError as error:
            return "", error.detail
        with self._lock:
            seen = (ref.path, _signature(ref.path))
            if self._verified is None or self._verified[0] != seen:
                try:
                    verify(ref.path)
                    fault = ""
                except (OSError, ValueError):
                    fault = f"The model package {ref} is damaged or incomplete."
                self._verified = seen, fault
            return str(ref), self._verified[1]

    def _broker_answers(self) -> bool:
        with self._lock:
            if self._asked is None or time.monotonic() - self._asked[0] > _ASKED_EVERY:
                self._asked = time.monotonic(), _answers(self._broker_url)
            return self._asked[1]


def _lacking(alive: list[WorkerInfo], ready: list[WorkerInfo]) -> Iterable[str]:
    """Yield why a stage cannot be done, each reason once."""
    if not alive:
        yield "No worker process is running."
        return
    for stage in STAGES:
        if any(stage in worker.stages for worker in ready):
            continue
        details = [worker.detail for worker in alive if stage in worker.stages and worker.detail]
        yield from details or [f"No worker serves the queue {stage}."]


def _signature(package: Path) -> tuple[object, ...]:
    """Return what changes when a file of a package does; reads none of them."""
    found: list[object] = []
    for name in (*REQUIRED, SUMS):
        try:
            stat = (package / name).stat()
            found.append((stat.st_ino, stat.st_size, stat.st_mtime_ns))
        except OSError:
            found.append(None)
    return tuple(found)


def _answers(url: str) -> bool:
    from redis import Redis, RedisError  # a service without a broker does not load it

    client = Redis.from_url(url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE)
    try:
        # A full one answers, but takes no announcement.
        return bool(client.set("fieldwright:asked", 1, ex=60))
    except (RedisError, OSError):
        return False
    finally:
        client.close()
