"""Waiting for jobs to end: one look at the store for all who wait in a process."""

from __future__ import annotations

import asyncio

from pipeline.errors import StoreUnavailable
from workers.store import Store


class Watcher:
    """Wakes those who wait for a job; asks the store for all of their jobs together.

    Args:
        store: the job store.
        interval: seconds between two looks; none is taken while nobody waits.
    """

    def __init__(self, store: Store, *, interval: float = 0.04) -> None:
        self._store = store
        self._interval = interval
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    async def ended(self, job_id: str, seconds: float) -> None:
        """Return when the job has ended or is gone, after `seconds`, or when `stop` is called."""
        if self._stopped or seconds <= 0:
            return
        future = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(job_id, set()).add(future)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())
        try:
            await asyncio.wait([future], timeout=seconds)
        finally:
            futures = self._waiting[job_id]
            futures.discard(future)
            if not futures:
                del self._waiting[job_id]

    def stop(self) -> None:
        """Wake everybody, now and from now on: the server is about to stop."""
        self._stopped = True
        for job_id in self._waiting:
            self._wake(job_id)

    async def _look(self) -> None:
        while self._waiting:
            job_ids = list(self._waiting)
            try:
                ended = await asyncio.to_thread(self._store.known, job_ids)
            except StoreUnavailable:
                ended = dict.fromkeys(job_ids, False)  # it may be back at the next look
            for job_id in job_ids:
                if ended.get(job_id, True):
                    self._wake(job_id)
            await asyncio.sleep(self._interval)

    def _wake(self, job_id: str) -> None:
        for future in self._waiting.get(job_id, ()):
            if not future.done():
                future.set_result(None)
