"""Waiting for jobs to move on or to end: one query for all who wait in a process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from store.announce import EndSignals
from store.errors import StoreUnavailable
from store.jobs.records import Progress
from store.jobs.repository import JobRepository

Condition = Callable[[Progress | None], bool]
"""Whether a wait is over, by a job's progress; None stands for a job that is gone."""


@dataclass(eq=False, slots=True)
class _Waiter:
    """One who waits; `for_end` if the end of the job is all that they wait for."""

    wanted: Condition
    for_end: bool
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    progress: Progress | None = None


class Watcher:
    """Wakes those who wait for a job; asks the store for all of their jobs together.

    Long polls and streams of events wait here alike. What happens between two looks is seen as
    one change; nothing is told before it is in the store.

    Args:
        jobs: asked for their progress.
        interval: seconds between two looks; none is taken while nobody waits.
        ends: names jobs that have ended, so that nobody need wait for the next look.
    """

    def __init__(
        self, jobs: JobRepository, *, interval: float = 0.04, ends: EndSignals | None = None
    ) -> None:
        self._jobs = jobs
        self._interval = interval
        self._ends = ends
        self._waiting: dict[str, set[_Waiter]] = {}
        self._task: asyncio.Task[None] | None = None
        self.stopped = False

    async def ended(self, job_id: str, seconds: float) -> bool:
        """Return True when the job has ended or is gone, False after `seconds` or at a `stop`."""
        waiter = await self._until(job_id, lambda now: now is None or now.ended, seconds, True)
        return waiter is not None

    async def changed(
        self, job_id: str, seen: Progress, seconds: float
    ) -> tuple[bool, Progress | None]:
        """Return how far the job is as soon as that is something else than `seen`.

        Returns:
            Whether it changed in time, and its progress then, None for a job that is gone.
        """
        waiter = await self._until(job_id, lambda now: now != seen, seconds)
        return (True, waiter.progress) if waiter else (False, seen)

    def stop(self) -> None:
        """Wake everybody, now and from now on: the server is about to stop."""
        self.stopped = True
        for waiters in self._waiting.values():
            for waiter in waiters:
                waiter.woken.set()

    async def _until(
        self, job_id: str, wanted: Condition, seconds: float, for_end: bool = False
    ) -> _Waiter | None:
        """Return the waiter whose condition came true, or None after `seconds` or at a stop."""
        if self.stopped or seconds <= 0:
            return None
        waiter = _Waiter(wanted, for_end)
        self._waiting.setdefault(job_id, set()).add(waiter)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())
        try:
            await asyncio.wait_for(waiter.woken.wait(), seconds)
        except TimeoutError:
            return None
        finally:
            waiters = self._waiting[job_id]
            waiters.discard(waiter)
            if not waiters:
                del self._waiting[job_id]
        return None if self.stopped else waiter

    async def _look(self) -> None:
        looked = time.monotonic()
        while True:
            # The store was just looked at; an end that is signalled meanwhile is kept for us.
            ended = set[str]()
            if self._ends is None:
                await asyncio.sleep(self._interval)
            else:
                ended = await self._ends.heard(self._interval)
            if not self._waiting:
                return
            for waiter in self._waiters(ended):
                if waiter.for_end:  # an end is signalled once it is stored
                    waiter.woken.set()
            job_ids = [
                job_id
                for job_id, waiters in self._waiting.items()
                if not all(waiter.woken.is_set() for waiter in waiters)
            ]
            if time.monotonic() < looked + self._interval:
                job_ids = [job_id for job_id in job_ids if job_id in ended]
            else:
                looked = time.monotonic()
            if not job_ids:
                continue
            try:
                found = await asyncio.to_thread(self._jobs.progress, job_ids)
            except StoreUnavailable:
                pass  # it may be back at the next look
            else:
                for job_id in job_ids:
                    now = found.get(job_id)
                    for waiter in self._waiters((job_id,)):
                        if waiter.wanted(now):
                            waiter.progress = now
                            waiter.woken.set()

    def _waiters(self, job_ids: Iterable[str]) -> Iterator[_Waiter]:
        """Yield the waiters of these jobs."""
        for job_id in job_ids:
            yield from self._waiting.get(job_id, ())
