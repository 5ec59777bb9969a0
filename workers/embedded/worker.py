"""The worker process of the embedded service: a model in memory, and two lanes of jobs.

The first lane takes any job; while it has one, or draws pictures of pages, the second takes those
that somebody waits for: such a job never waits behind the long scan of a batch. Documents are read
in confined processes of their own, so the lanes seldom wait for each other.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

from pipeline.errors import ServiceError
from store.jobs import Jobs
from store.settings import Settings
from workers.embedded.pipe import PipeAnnouncer, WakeupPipe
from workers.embedded.pulse import Pulse
from workers.logs import configure_logging
from workers.worker import AWAITED, CONNECTIONS, Worker

log = logging.getLogger(__name__)

_GRACE = 5.0  # seconds that the supervisor has to end a worker before it ends itself
_TICK = 0.25  # seconds between two looks at whether the end has come


class Lanes:
    """The lanes of an embedded worker."""

    def __init__(self, worker: Worker, wakeup: WakeupPipe, pulse: Pulse) -> None:
        self._worker = worker
        self._wakeup = wakeup
        self._pulse = pulse
        self._at_work = threading.Event()  # the first lane
        self._stopping = False

    def stop(self) -> None:
        """Claim nothing more; `work` returns when the running jobs have ended."""
        # Not an Event: the code that a signal interrupted may hold its lock.
        self._stopping = True

    def work(self) -> None:
        """Run jobs until `stop` is called."""
        self._worker.start()
        # Neither is the main thread: that one is free for signals.
        lanes = [
            threading.Thread(target=lane, name=lane.__name__.strip("_"))
            for lane in (self._first, self._second)
        ]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            # With a limit: a signal that another thread was given ends no wait of this one.
            while lane.is_alive():
                self._pulse.beat()
                lane.join(_TICK)
        log.info("worker stopped")

    def _first(self) -> None:
        """Run jobs."""
        while not self._stopping:
            if not self._serve(None, self._at_work.set):
                self._pause()
            self._at_work.clear()

    def _second(self) -> None:
        """Run jobs that somebody waits for, while the first lane is at work."""
        while not self._stopping:
            if not self._at_work.wait(_TICK):
                continue
            woken = self._pause()
            if self._at_work.is_set():
                while not self._stopping and self._in_a_thread():
                    pass
            elif woken:
                self._wakeup.send()  # it was for the first lane

    def _in_a_thread(self) -> bool:
        """Run such a job in a thread of its own; say whether there was one.

        Threads that PyTorch computes with belong to the one that asked for them. While two have
        some, all wait for each other instead of for work: with the thread, its own go.
        """
        served: list[bool] = []
        thread = threading.Thread(target=lambda: served.append(self._serve(AWAITED)))
        thread.start()
        thread.join()
        return any(served)

    def _serve(
        self, priority_at_most: int | None, on_claim: Callable[[], None] = lambda: None
    ) -> bool:
        try:
            return self._worker.serve(priority_at_most, on_claim)
        except ServiceError:
            log.warning("store unavailable")
        except Exception:  # a fault of ours: without its lane the worker would live and do nothing
            log.exception("lane stumbled")
        time.sleep(1.0)
        return False

    def _pause(self) -> bool:
        """Wait until woken, stopped, or due to look at the store; say whether it was woken."""
        until = time.monotonic() + self._worker.settings.poll_seconds
        while (left := until - time.monotonic()) > 0 and not self._stopping:
            if self._wakeup.wait(min(left, _TICK)):
                return True
        return False


def main(settings: Settings, wakeup: WakeupPipe, ends: WakeupPipe, name: str, pulse: Pulse) -> None:
    """Run a worker in this process until SIGTERM or SIGINT.

    Args:
        settings: of the installation.
        wakeup: wakes it when a job waits.
        ends: tells the API that a job has ended.
        name: of the worker.
        pulse: of this process, by which the supervisor sees that it does not hang.
    """
    configure_logging()
    lanes: Lanes | None = None

    def on_signal(number: int, frame: FrameType | None) -> None:
        if lanes is None:  # nothing claimed yet
            sys.exit(0)
        lanes.stop()
        # The supervisor hands back what takes too long; where it has died, the leases run out.
        timer = threading.Timer(settings.drain_seconds + _GRACE, os._exit, (1,))
        timer.daemon = True
        timer.start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    jobs = Jobs(settings, PipeAnnouncer(wakeup, ends), connections=2 * CONNECTIONS)  # lanes
    lanes = Lanes(Worker(name, jobs), wakeup, pulse)
    lanes.work()
