"""What goes wrong in a night, one misfortune after another, and is put right again."""

from __future__ import annotations

import contextlib
import logging
import random
import signal
import time
from collections import Counter
from collections.abc import Callable

import psutil

from store.jobs import STAGES
from tests.faults.groups import Group
from tests.faults.messages import announce
from tests.faults.topology import Topology

log = logging.getLogger("soak")


class Chaos:
    """Does one misfortune after the other to a topology.

    Each lasts a moment and is put right by an operator who only starts again what is gone; what
    was lost with it is for the service to find.

    Args:
        topology: running.
        seed: of the choice and the pauses.
        pause: shortest and longest time in seconds from one misfortune to the next.
    """

    def __init__(self, topology: Topology, *, seed: int, pause: tuple[float, float]) -> None:
        self.topology = topology
        self.done: Counter[str] = Counter()
        self._chance = random.Random(seed)
        self._pause = pause
        self._deeds: dict[str, Callable[[], None]] = {
            "worker killed": self._kill_worker,
            "child of a worker killed": self._kill_child,
            "worker stopped and started": self._restart_worker,
            "worker frozen beyond its lease": self._freeze_worker,
            "API killed": self._kill_api,
            "Redis killed": self._kill_redis,
            "Redis emptied": topology.redis.flush,
            "Redis frozen": self._freeze_redis,
            "messages doubled": self._double_messages,
        }

    def reign(self, seconds: float) -> None:
        """Go on for so long; then put everything right, and wait until all is ready.

        Only for the main thread: Redis dies with the thread that started it.
        """
        end = time.monotonic() + seconds
        order: list[str] = []
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, self._chance.uniform(*self._pause)))
            if not order:  # each of them comes once before any comes again
                order = sorted(self._deeds)
                self._chance.shuffle(order)
            name = order.pop()
            log.info("now: %s", name)
            self._deeds[name]()
            self.done[name] += 1
            self._revive()
        self.topology.start()

    def _revive(self) -> None:
        for name in self.topology.groups:
            self.topology.start_one(name, ready=False)

    def _worker(self, *queues: str) -> Group:
        names = [name for name in self.topology.groups if name.partition("-")[0] in queues]
        return self.topology.groups[self._chance.choice(names)]

    def _kill_worker(self) -> None:
        self._worker(*STAGES).kill()

    def _kill_child(self) -> None:
        """Kill one process below a worker, wherever it is: a pool's child, or a reader."""
        children = self._worker("read", "resolve").family()[1:]
        if children:
            with contextlib.suppress(psutil.NoSuchProcess):
                self._chance.choice(children).send_signal(signal.SIGKILL)

    def _restart_worker(self) -> None:
        self._worker(*STAGES).stop()

    def _freeze_worker(self) -> None:
        group = self._worker(*STAGES)
        if group.alive:
            group.freeze()
            time.sleep(self.topology.lease + 2.0)
            group.thaw()

    def _kill_api(self) -> None:
        self.topology.groups["api"].kill()

    def _kill_redis(self) -> None:
        self.topology.redis.kill9()
        time.sleep(1.0)
        self.topology.redis.start()

    def _freeze_redis(self) -> None:
        self.topology.redis.pause()
        time.sleep(4.0)
        self.topology.redis.resume()

    def _double_messages(self) -> None:
        jobs = list(self.topology.rows())
        for queue in STAGES:
            announce(self.topology.redis, queue, self._chance.choices(jobs, k=5) if jobs else [])
