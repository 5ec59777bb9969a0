"""The production topology on this machine: API, workers of each queue, Redis, PostgreSQL.

Every process is the real one, started as an operator starts it, each in a group of its own; a
group is killed as a whole, as the end of a machine would.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select

from store.jobs import STAGES, TERMINAL
from store.sql.database import Database
from store.sql.tables import JobRow, ResultRow, WorkerRow
from tests.faults.counts import Counts, Ledger
from tests.faults.groups import Group
from tests.patience import PATIENCE, until
from tests.receiver import Receiver, receiving
from tests.servers import RedisServer, free_port
from tests.service import Api, address, digest, environment, events, install_model


class Topology(Api):
    """API and workers around one Redis and one database, and the ledger of what was sent.

    Args:
        home: folder of the service, shared by all processes.
        redis: the broker; without it the API has its workers embedded.
        database_url: the job store.
        receiver: of a webhook that is told of every end of a job.
        copies: workers of each queue.
        queues: of each kind of worker; several with commas.
        settings: ``FIELDWRIGHT_`` settings in lower case.
    """

    def __init__(
        self,
        home: Path,
        redis: RedisServer | None,
        database_url: str,
        receiver: Receiver,
        *,
        copies: int = 1,
        queues: Sequence[str] = STAGES,
        **settings: object,
    ) -> None:
        super().__init__(home)
        self.redis = redis
        self.receiver = receiver
        self.package = install_model(home)
        self.database = Database(database_url)
        self.ledger = Ledger()
        self._environment = environment(
            home,
            {
                "database_url": database_url,
                **({"broker_url": redis.url} if redis else {}),
                "webhook_http": 1,
                "webhook_allow": "127.0.0.1",
                "webhook_ports": receiver.port,
                "webhook_schedule": "0" + ",1" * 30,
                **settings,
            },
        )
        self.lease = float(self._environment["FIELDWRIGHT_LEASE_SECONDS"])
        self.groups: dict[str, Group] = {}
        self._add("api", "serve", f"--port={free_port()}")
        for chosen in queues:
            for number in range(1, copies + 1 if redis else 1):
                self.add_worker(chosen, number)

    def add_worker(self, queues: str, number: int) -> str:
        """Add a worker that is not started yet; return its name."""
        name = f"{queues.replace(',', '-')}-{number}"
        return self._add(name, "worker", f"--queues={queues}", "--concurrency=1")

    def _add(self, name: str, *command: str) -> str:
        log = self.home / f"{name}.log"
        self.groups[name] = Group(name, list(command), self._environment, log)
        return name

    @property
    def workers(self) -> list[Group]:
        """All workers."""
        return [group for group in self.groups.values() if group.name != "api"]

    def start(self) -> Topology:
        """Start all that does not run, and wait until it is ready; register the webhook once."""
        for name in self.groups:
            self.start_one(name, ready=False)
        for name in self.groups:
            self.ready(name)
        until(lambda: self.status("/readyz") == 200, "the service to be ready")
        if not self.client.get("/webhooks").json()["webhooks"]:
            hook = {"url": self.receiver.url, "events": ["job.succeeded", "job.failed"]}
            assert self.client.post("/webhooks", json=hook).status_code == 201
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
            until(lambda: not group.survivors(), f"the last of {name} to go")  # and free its port
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
            return {
                row.id: row.state for row in connection.execute(select(JobRow.id, JobRow.state))
            }

    def answers_stored(self) -> dict[str, str]:
        """Return the answer to each document by its hash, without what belongs to its reading."""
        query = select(JobRow.sha256, ResultRow.body).join(ResultRow, ResultRow.job_id == JobRow.id)
        with self.database.reading() as connection:
            bodies = {sha256: json.loads(body) for sha256, body in connection.execute(query)}
        own = "id", "timings"
        return {
            sha256: json.dumps({name: body[name] for name in body if name not in own})
            for sha256, body in bodies.items()
        }

    def unfinished(self) -> list[dict[str, Any]]:
        """Return the rows of the jobs that have not ended."""
        query = select(JobRow.__table__).where(JobRow.state.not_in(TERMINAL))
        with self.database.reading() as connection:
            return [dict(row._mapping) for row in connection.execute(query)]

    def events(self, name: str) -> list[dict[str, Any]]:
        """Return the lines of one event in the logs of all groups."""
        logs = [group.log for group in self.groups.values() if group.log.exists()]
        return [event for log in logs for event in events(log, name)]

    def settle(self, patience: float = PATIENCE) -> Counts:
        """Wait until nothing is left to do; check that all is in order, and return the counts.

        Args:
            patience: seconds to wait for the queue.

        Raises:
            AssertionError: something was lost, doubled or left behind.
        """
        self.drain(patience)
        counts = self.counts()
        assert counts.sound, str(counts)
        assert counts.ok + counts.set_aside == counts.acknowledged, str(counts)
        until(lambda: not any(g.survivors() for g in self.groups.values()), "the orphans to go")
        spool = self.home / "blobs" / "tmp"
        until(lambda: not list(spool.iterdir()), "the spool to be empty")
        return counts

    def drain(self, patience: float = PATIENCE) -> None:
        """Wait until every job has ended, and its webhook was told."""
        ended = lambda: set(self.rows().values()) <= set(TERMINAL)  # noqa: E731
        until(ended, "the queue to be empty", patience)
        until(lambda: set(self.rows()) <= set(self.told()), "the webhook to be told", patience)

    def told(self) -> Counter[str]:
        """Return by how many ids the receiver was told of the end of each job."""
        return Counter(
            subject for subject, _ in {(r.data["id"], r.id) for r in list(self.receiver.requests)}
        )

    def counts(self) -> Counts:
        """Return what became of the documents of the ledger."""
        succeeded = Counter(event["job"] for event in self.events("job succeeded"))
        return self.ledger.count(self.database, succeeded | self.told())  # the larger of each


@contextlib.contextmanager
def topology(
    home: Path,
    redis: RedisServer | None,
    database_url: str,
    *,
    copies: int = 1,
    queues: Sequence[str] = STAGES,
    **settings: object,
) -> Iterator[Topology]:
    """Give a running topology, and end all of it afterwards whatever the test did to it."""
    with receiving() as receiver:
        running = Topology(
            home, redis, database_url, receiver, copies=copies, queues=queues, **settings
        )
        try:
            yield running.start()
            running.stop()
        finally:
            for group in running.groups.values():
                group.kill()
