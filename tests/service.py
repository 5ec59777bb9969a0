"""Starts the real service in its own processes, for tests; kills it as roughly as asked."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.launch import Launched, launch
from tests.packages import tiny_package
from tests.patience import PATIENCE, until
from tests.stores import install_tables
from workers.process_supervisor import process_name

ROOT = Path(__file__).resolve().parents[1]
# What a night of an hour takes in production, a test sees in seconds.
QUICK: dict[str, object] = {
    "model": "tiny",
    "env": "test",
    "lease_seconds": 3,
    "heartbeat_seconds": 1,
    "sweep_seconds": 2,
    "announce_seconds": 2,
    "drain_seconds": 10,
}
# Of services that many tests share and none kills: they have nothing to hurry for.
CALM: dict[str, Any] = {
    "lease_seconds": 30,
    "heartbeat_seconds": 10,
    "sweep_seconds": 5,
    "announce_seconds": 15,
}


def digest(data: bytes) -> str:
    """Return the hash by which fault hooks name a document."""
    return hashlib.sha256(data).hexdigest()


def install_model(home: Path) -> Path:
    """Put the tiny model into a home where it is not there yet; return its package."""
    package = home / "models" / "tiny" / "0.0.1"
    if not package.exists():
        package.parent.mkdir(parents=True)
        tiny_package(package)
    return package


def environment(home: Path, settings: Mapping[str, object]) -> dict[str, str]:
    """Return the environment of a service: this one's, without settings but those given.

    Args:
        home: folder of the service.
        settings: ``FIELDWRIGHT_`` settings in lower case; they go before the quick ones of tests.
    """
    known = {f"FIELDWRIGHT_{name.upper()}": str(v) for name, v in {**QUICK, **settings}.items()}
    clean = {k: v for k, v in os.environ.items() if not k.startswith("FIELDWRIGHT_")}
    return {**clean, **known, "FIELDWRIGHT_HOME": str(home), "OMP_NUM_THREADS": "1"}


def events(log: Path, name: str) -> list[dict[str, Any]]:
    """Return the lines of one event in a log."""
    lines = log.read_text(encoding="utf-8").splitlines()
    # A process that was killed may have left half a line, and the next one begins behind it.
    found = [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]
    return [line for line in found if line["event"] == name]


class Api:
    """A client of a running service.

    Args:
        home: folder of the service.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        # A kept connection may be closed by the service while the next request is on its way.
        self.client = httpx.Client(
            timeout=PATIENCE, limits=httpx.Limits(max_keepalive_connections=0)
        )

    def status(self, path: str) -> int:
        """Return the status of a GET."""
        return self.client.get(path).status_code

    def post(
        self,
        data: bytes,
        name: str = "a.pdf",
        headers: dict[str, str] | None = None,
        **form: object,
    ) -> httpx.Response:
        """Post a document to /extract."""
        fields = {key: str(value) for key, value in form.items()}
        files = {"file": (name, data)}
        return self.client.post("/extract", files=files, data=fields, headers=headers)

    def submit(self, data: bytes, **form: object) -> str:
        """Post a document without waiting and return its job's id."""
        response = self.post(data, **{"wait": 0, **form})  # type: ignore[arg-type]
        assert response.status_code == 202, response.text
        return str(response.json()["id"])

    def job(self, job_id: str) -> dict[str, Any]:
        """Return a job as it stands."""
        response = self.client.get(f"/jobs/{job_id}")
        assert response.status_code == 200, response.text
        value: dict[str, Any] = response.json()
        return value

    def ended(self, job_id: str) -> dict[str, Any]:
        """Return a job once it has ended."""
        done = ("succeeded", "failed", "cancelled")
        job: dict[str, Any] = until(
            lambda: job if (job := self.job(job_id))["state"] in done else None, "the job's end"
        )
        return job

    def at_fault(self, point: str, data: bytes = b"") -> None:
        """Wait until a fault that has a number of times was met, by a document where one is given.

        That a job runs says less: whoever has it may not have come to the fault yet, and where it
        is killed before, the next attempt meets it.
        """
        pattern = f"{point}@{digest(data)}-*" if data else f"{point}-*"
        until(lambda: list((self.home / "faults").glob(pattern)), f"the fault {pattern}")


def over(process: psutil.Process) -> bool:
    """Say whether a process has ended, even where nobody has asked for its end yet."""
    try:
        return process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return True


class Service(Api):
    """One `fieldwright serve` with a tiny model, on a free port, in its own home.

    Args:
        home: folder of the service; kept over restarts.
        settings: ``FIELDWRIGHT_`` settings in lower case.

    Attributes:
        root: of the code that an `installed` service runs, with what is installed there; to be
            changed before the start.
    """

    root = ROOT

    def __init__(self, home: Path, **settings: object) -> None:
        super().__init__(home)
        self.settings = settings
        self.package = install_model(home)
        self.log = home / "log"
        self.process: Launched | subprocess.Popen[bytes] | None = None

    def start(
        self, *, ready: bool = True, workers: int = 1, port: int = 0, installed: bool = False
    ) -> Service:
        """Start it, on a free port where none is given; wait until it listens, and is ready.

        Args:
            ready: wait until it is ready, and not only until it listens.
            workers: number of its workers.
            port: to listen on.
            installed: start the command that is installed, as users do; see `launch`.
        """
        command = ["serve", f"--port={port}", f"--workers={workers}"]
        variables = environment(self.home, self.settings)
        if self.root == ROOT and "database_url" not in self.settings:
            install_tables(self.home)
        with self.log.open("ab") as log:
            begin = log.tell()
            if installed:
                own = sys.executable if self.root == ROOT else self.root / ".venv/bin/python"
                self.process = subprocess.Popen(
                    [own, "-m", "cli.main", *command],
                    cwd=self.root,
                    env={**variables, "PYTHONPATH": str(self.root)},
                    stderr=log,
                )
            else:
                self.process = launch(command, variables, self.log)
        self.client.base_url = address(self.process, self.log, begin)
        if ready:
            until(lambda: self.status("/readyz") == 200, "the service to be ready")
        return self

    def stop(self) -> float:
        """Stop it as an operator does; return the seconds that took."""
        started = time.monotonic()
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=PATIENCE) == 0
        return time.monotonic() - started

    def kill(self) -> None:
        """Kill the supervisor with -9 and wait until its children are gone."""
        assert self.process is not None
        children = psutil.Process(self.process.pid).children(recursive=True)
        self.process.kill()
        self.process.wait()
        until(lambda: all(map(over, children)), "the children to end")

    def child(self, label: str) -> psutil.Process:
        """Return the process of the service with a label: api, worker-0, sweeper, trainer."""
        assert self.process is not None
        name = process_name(label)
        return next(
            child for child in psutil.Process(self.process.pid).children() if child.name() == name
        )

    def results(self, job_id: str) -> int:
        """Return how many results the store holds of a job."""
        connection = sqlite3.connect(self.home / "jobs.db")
        try:
            query = "SELECT count(*) FROM results WHERE job_id = ?"
            return int(connection.execute(query, (job_id,)).fetchone()[0])
        finally:
            connection.close()

    def events(self, name: str) -> list[dict[str, Any]]:
        """Return the log's lines of one event."""
        return events(self.log, name)


def address(process: Launched | subprocess.Popen[bytes], log: Path, begin: int) -> str:
    """Return where a service listens, as it says in its log after byte `begin`."""
    serving = re.compile(rb"Serving on (http://\S+)")

    def said() -> re.Match[bytes] | None:
        ended = process.poll() is not None
        found = serving.search(text := log.read_bytes(), begin)
        assert found or not ended, text[begin:][-2000:].decode()
        return found

    return str(until(said, "the address")[1].decode())


@contextmanager
def serving(
    home: Path,
    *,
    ready: bool = True,
    workers: int = 1,
    installed: bool = False,
    **settings: object,
) -> Iterator[Service]:
    """Give a running service and stop it at the end, whatever the test did to it."""
    service = Service(home, **settings)
    try:
        yield service.start(ready=ready, workers=workers, installed=installed)
    finally:
        service.client.close()
        if service.process is not None and service.process.poll() is None:
            service.stop()
