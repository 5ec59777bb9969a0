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
from tests.servers import ObjectStoreServer, PostgresServer, RedisServer
from workers.process_supervisor import process_name

log = logging.getLogger("soak")


class Chaos:
    """Does one misfortune after the other to a topology.

    Each lasts a moment and is put right by an operator who only starts again what is gone; what
    was lost with it is for the service to find.

    Args:
        topology: running.
        seed: of the choice and the pauses.
        pause: shortest and longest time in seconds from one misfortune to the next.
        postgres: the server of the job store, which breaks down, too, where it is given.
        objects: the store of the documents, likewise.
    """

    def __init__(
        self,
        topology: Topology,
        *,
        seed: int,
        pause: tuple[float, float],
        postgres: PostgresServer | None = None,
        objects: ObjectStoreServer | None = None,
    ) -> None:
        self.topology = topology
        self.postgres = postgres
        self.objects = objects
        self.done: Counter[str] = Counter()
        self._chance = random.Random(seed)
        self._pause = pause
        self._deeds: dict[str, Callable[[], None]] = {
            "service killed": topology.groups["api"].kill,
            "API killed": lambda: self._kill_part(process_name("api")),
            "worker killed": lambda: self._kill_part(process_name("worker-0")),
            "reader killed": lambda: self._kill_part("pipeline.reading.isolation.forkserver"),
        }
        if topology.redis is not None:
            self._deeds = self._production(topology.redis)
        if postgres is not None:
            self._deeds["PostgreSQL killed"] = lambda: self._kill_postgres(postgres)
        if objects is not None:
            self._deeds["object store killed"] = lambda: self._kill_objects(objects)

    def _production(self, redis: RedisServer) -> dict[str, Callable[[], None]]:
        return {
            "worker killed": self._kill_worker,
            "child of a worker killed": self._kill_child,
            "worker stopped and started": self._restart_worker,
            "worker frozen beyond its lease": self._freeze_worker,
            "API killed": self.topology.groups["api"].kill,
            "Redis killed": lambda: self._kill_redis(redis),
            "Redis emptied": redis.flush,
            "Redis frozen": lambda: self._freeze_redis(redis),
            "messages doubled": lambda: self._double_messages(redis),
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

    def cut_power(self, times: int) -> None:
        """Kill everything at once so often, and start it again as a machine does that comes back.

        What the system had taken over from the processes stays on the disk: that of a real power
        cut is up to `fsync`, which the servers are told to wait for.

        Only for the main thread, as `reign`.
        """
        redis, postgres, objects = self.topology.redis, self.postgres, self.objects
        assert redis is not None
        assert postgres is not None
        for number in range(1, times + 1):
            time.sleep(self._chance.uniform(*self._pause))
            log.info("now: power cut %d", number)
            for group in self.topology.groups.values():
                group.kill()
            redis.kill9()
            postgres.stop(immediate=True)
            if objects is not None:
                objects.kill9()
                objects.start()
            postgres.start()
            redis.start()
            self.done["power cut"] += 1
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

    def _kill_redis(self, redis: RedisServer) -> None:
        redis.kill9()
        time.sleep(1.0)
        redis.start()

    def _freeze_redis(self, redis: RedisServer) -> None:
        redis.pause()
        time.sleep(4.0)
        redis.resume()

    def _kill_postgres(self, postgres: PostgresServer) -> None:
        postgres.stop(immediate=True)
        time.sleep(1.0)
        postgres.start()

    def _kill_objects(self, objects: ObjectStoreServer) -> None:
        objects.kill9()
        time.sleep(1.0)
        objects.start()

    def _kill_part(self, name: str) -> None:
        """Kill a process of an embedded service of that name, or that runs a module of that name.

        Readers are children of a fork server, which a worker has for them.
        """
        with contextlib.suppress(psutil.NoSuchProcess):
            family = self.topology.groups["api"].family()[1:]
            found = [one for one in family if name in {one.name(), *one.cmdline()}]
            if found:
                self._chance.choice(found).send_signal(signal.SIGKILL)

    def _double_messages(self, redis: RedisServer) -> None:
        jobs = list(self.topology.rows())
        for queue in STAGES:
            announce(redis, queue, self._chance.choices(jobs, k=5) if jobs else [])
