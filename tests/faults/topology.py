"""The production topology on this machine: API, workers of each queue, Redis, PostgreSQL.

Every process is the real one, started as an operator starts it, each in a group of its own; a
group is killed as a whole, as the end of a machine would.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
from sqlalchemy import select

from tests.faults.counts import Counts, Ledger
from tests.servers import RedisServer, free_port
from tests.service import (
    PATIENCE,
    ROOT,
    Api,
    address,
    digest,
    environment,
    events,
    install_model,
    until,
)
from workers.database import Database
from workers.records import TERMINAL
from workers.tables import JobRow, WorkerRow

QUEUES = ("read", "tag", "resolve")


class Group:
    """A command in a process group of its own, with its log.

    Args:
        name: of the log too.
        command: arguments of Python.
        environment: of the process.
        log: its standard error; kept over restarts.
    """

    def __init__(self, name: str, command: list[str], environment: dict[str, str], log: Path):
        self.name = name
        self.command = [sys.executable, *command]
        self.environment = environment
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self._mourned: list[psutil.Process] = []

    def start(self) -> int:
        """Start it; return where its log goes on."""
        with self.log.open("ab") as log:
            begin = log.tell()
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return begin

    @property
    def alive(self) -> bool:
        """Whether its first process runs."""
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        """Id of its first process, and of the group."""
        assert self.process is not None
        return self.process.pid

    def family(self) -> list[psutil.Process]:
        """Return its processes, the first one first, those in other groups too."""
        with contextlib.suppress(psutil.NoSuchProcess):
            first = psutil.Process(self.pid)
            return [first, *first.children(recursive=True)]
        return []

    def kill(self) -> None:
        """Kill the group with -9 and wait for its first process."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop it as an operator does; return its exit status."""
        return self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """Stop the whole group in its tracks."""
        os.killpg(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen group go on."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGCONT)

    def survivors(self) -> list[psutil.Process]:
        """Return what still runs of the families of ended groups."""
        self._mourned = [p for p in self._mourned if p.is_running() and not _is_zombie(p)]
        return self._mourned

    def _end(self, number: signal.Signals) -> int:
        if self.process is None:
            return 0
        self._mourned += self.family()
        if number == signal.SIGKILL:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)  # it tells its own children
        status = self.process.wait(timeout=PATIENCE)
        self.process = None
        return status


def _is_zombie(process: psutil.Process) -> bool:
    """Say whether a process is dead, and only its parent has not looked yet."""
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


class Topology(Api):
    """API and workers around one Redis and one database, and the ledger of what was sent.

    Args:
        home: folder of the service, shared by all processes.
        redis: the broker.
        database_url: the job store.
        copies: workers of each queue.
        settings: ``FIELDWRIGHT_`` settings in lower case.
    """

    def __init__(
        self,
        home: Path,
        redis: RedisServer,
        database_url: str,
        *,
        copies: int = 1,
        **settings: object,
    ) -> None:
        super().__init__()
        self.home = home
        self.redis = redis
        self.package = install_model(home)
        self.database = Database(database_url)
        self.ledger = Ledger()
        self._environment = environment(
            home, {**settings, "database_url": database_url, "broker_url": redis.url}
        )
        self.groups: dict[str, Group] = {}
        self._group("api", "serve", f"--port={free_port()}")
        for queue in QUEUES:
            for number in range(1, copies + 1):
                self._group(f"{queue}-{number}", "worker", f"--queues={queue}")

    def _group(self, name: str, *command: str) -> None:
        arguments = ["-m", "cli.main", *command]
        log = self.home / f"{name}.log"
        self.groups[name] = Group(name, arguments, self._environment, log)

    @property
    def workers(self) -> list[Group]:
        """All workers."""
        return [group for group in self.groups.values() if group.name != "api"]

    def start(self) -> Topology:
        """Start all that does not run, and wait until it is ready."""
        for name in self.groups:
            self.start_one(name, ready=False)
        for name in self.groups:
            self.ready(name)
        until(lambda: self.status("/readyz") == 200, "the service to be ready")
        return self

    def start_one(self, name: str, *, ready: bool = True, **variables: str) -> Group:
        """Start one group where it does not run, and wait until it is ready.

        Args:
            name: of the group.
            ready: wait.
            variables: added to its environment, this time alone.
        """
        group = self.groups[name]
        if not group.alive:
            group.environment = {**self._environment, **variables}
            begin = group.start()
            if name == "api":
                assert group.process is not None
                self.client.base_url = address(group.process, group.log, begin)
        if ready:
            self.ready(name)
        return group

    def ready(self, name: str) -> None:
        """Wait until a group does its work."""
        if name == "api":
            until(self.answers, "the API to answer")
        else:
            until(lambda: self._reported(self.groups[name]), f"{name} to report itself ready")

    def answers(self) -> bool:
        """Say whether the API answers."""
        with contextlib.suppress(httpx.HTTPError):
            return self.status("/livez") == 200
        return False

    def _reported(self, group: Group) -> bool:
        pids = {process.pid for process in group.family()}
        assert pids, f"{group.name} ended: {group.log.read_text()[-2000:]}"
        with self.database.reading() as connection:
            ready = connection.scalars(select(WorkerRow.pid).where(WorkerRow.ready))
            return bool(pids & set(ready))

    def stop(self) -> None:
        """Stop all groups as an operator does, the API last."""
        for group in reversed(self.groups.values()):
            group.thaw() if group.alive else None
            group.stop()
        self.client.close()
        self.database.close()

    def post(
        self,
        data: bytes,
        name: str = "a.pdf",
        headers: dict[str, str] | None = None,
        **form: object,
    ) -> httpx.Response:
        """Post a document, and note in the ledger what came of it."""
        self.ledger.attempt(digest(data))
        response = super().post(data, name, headers, **form)
        if response.status_code in (200, 202):
            self.ledger.acknowledge(digest(data), response.json()["id"])
        return response

    def rows(self) -> dict[str, str]:
        """Return the state of each job."""
        with self.database.reading() as connection:
            return dict(connection.execute(select(JobRow.id, JobRow.state)).tuples().all())

    def events(self, name: str) -> list[dict[str, Any]]:
        """Return the lines of one event in the logs of all groups."""
        logs = [group.log for group in self.groups.values() if group.log.exists()]
        return [event for log in logs for event in events(log, name)]

    def settle(self) -> Counts:
        """Wait until nothing is left to do; check that all is in order, and return the counts.

        Raises:
            AssertionError: something was lost, doubled or left behind.
        """
        until(lambda: set(self.rows().values()) <= set(TERMINAL), "the queue to be empty")
        counts = self.counts()
        assert counts.sound, str(counts)
        assert counts.ok + counts.set_aside == counts.acknowledged, str(counts)
        until(lambda: not any(g.survivors() for g in self.groups.values()), "the orphans to go")
        spool = self.home / "blobs" / "tmp"
        until(lambda: not list(spool.iterdir()), "the spool to be empty")
        return counts

    def counts(self) -> Counts:
        """Return what became of the documents of the ledger."""
        endings = Counter(event["job"] for event in self.events("job succeeded"))
        return self.ledger.count(self.database, endings)


@contextlib.contextmanager
def topology(
    home: Path, redis: RedisServer, database_url: str, *, copies: int = 1, **settings: object
) -> Iterator[Topology]:
    """Give a running topology, and end all of it afterwards whatever the test did to it."""
    running = Topology(home, redis, database_url, copies=copies, **settings)
    try:
        yield running.start()
        running.stop()
    finally:
        for group in running.groups.values():
            group.kill()
