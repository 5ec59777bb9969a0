"""Chores that are done every few seconds: jobs of dead workers, and what crashes left behind.

Each chore is done in turns by the processes that share a store (`Turns.take`): one does it,
once in its time, and where that one dies another takes the next turn. All chores may be done
twice, or at the same time, without harm.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.errors import ServiceError
from store.jobs import Jobs
from store.rereads import Rereads
from store.shadows import Shadows
from workers.logs import configure_logging
from workers.names import worker_name

log = logging.getLogger(__name__)

CONNECTIONS = 3  # to the database: chores wait for each other, if they must
_DEEP_S = 3600.0  # seconds between two looks at every file
_EARLY = 0.9  # of a chore's time, after which it may be done: clocks do not tick in step


@dataclass(frozen=True, slots=True)
class Chore:
    """Something that is done again and again.

    Attributes:
        name: of its turn, at most 32 characters.
        act: does it; what it raises is logged, and it is tried again in its next turn.
        every: seconds from one turn to the next.
    """

    name: str
    act: Callable[[], object]
    every: float


class Sweeper:
    """Does the chores of an installation, each in a thread of its own."""

    def __init__(self, jobs: Jobs, chores: Sequence[Chore]) -> None:
        self._jobs = jobs
        self._name = worker_name("sweeper")
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._do, args=(chore,), name=chore.name, daemon=True)
            for chore in chores
        ]

    def start(self) -> None:
        """Begin; every chore has its first turn at once where it is due."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End; waits for what is being done."""
        self._stopping.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def _do(self, chore: Chore) -> None:
        turns = self._jobs.turns
        while True:
            try:
                if turns.take(chore.name, self._name, every=_EARLY * chore.every):
                    began = time.monotonic()
                    chore.act()
                    seconds = round(time.monotonic() - began, 2)
                    log.debug("chore done", extra={"chore": chore.name, "seconds": seconds})
            except (ServiceError, OSError) as error:
                log.warning(
                    "chore put off", extra={"chore": chore.name, "reason": type(error).__name__}
                )
            except Exception:  # a fault of ours must not end all chores to come
                log.exception("chore stumbled", extra={"chore": chore.name})
            if self._stopping.wait(chore.every):
                return


def sweep(jobs: Jobs, chores: Sequence[Chore]) -> None:
    """Do chores in this process until SIGTERM or SIGINT.

    Args:
        jobs: the queue; closed by the caller.
        chores: to be done.
    """
    configure_logging()
    ends = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)  # in the threads, too
    sweeper = Sweeper(jobs, chores)
    sweeper.start()
    signal.sigwait(ends)
    sweeper.stop()


def queue_chores(jobs: Jobs) -> list[Chore]:
    """Return what a queue needs, with a broker or without."""
    settings = jobs.settings
    every, most = settings.sweep_seconds, settings.max_attempts
    return [
        Chore("sweep-lost", lambda: jobs.claims.end_hopeless(max_attempts=most), every),
        Chore("sweep-leases", lambda: jobs.claims.cut_leases(lease=settings.lease_seconds), every),
        Chore("sweep-clean", jobs.clean, every),
        Chore("sweep-counts", jobs.add_up, every),
        Chore("sweep-shadows", Shadows(jobs).collect, every),
        Chore("sweep-rereads", Rereads(jobs).collect, every),
        Chore("sweep-deep", lambda: jobs.clean(deep=True), _DEEP_S),
    ]
