"""What every attack needs: a service to aim at, and measures of what it does to it and to others.

An attack is a function that takes a `Place` and returns `Measure`s, and a line in `table.ATTACKS`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

import psutil

from tests.patience import until
from tests.servers import PostgresServer, RedisServer, running_postgres
from tests.service import ROOT, Service

Mode: TypeAlias = Literal["embedded", "production"]

MEMORY_MB = 32.0  # by which the API may grow
HELD_S = 30.0  # for which a connection may be held
_FLOOR_MS = 20.0  # what a machine that the attacker shares adds to any answer, by itself
_SAMPLE_S = 0.02
_IDLE_S = 2.0


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of an attack; it holds where it is at most `bound`."""

    what: str
    value: float
    bound: float

    @property
    def held(self) -> bool:
        """Whether the service kept the bound."""
        return self.value <= self.bound


@dataclass(slots=True)
class Place:
    """Where attacks happen: services of one code base in one mode, started when first asked for.

    Args:
        folder: for the homes of services.
        mode: with SQLite alone, or with Redis and PostgreSQL; then no worker runs.
        root: of the code base.
        full: the volume and the limits of an installation; smaller ones otherwise.
    """

    folder: Path
    mode: Mode = "embedded"
    root: Path = ROOT
    full: bool = False
    _stack: ExitStack = field(default_factory=ExitStack)
    _broker: RedisServer | None = None
    _postgres: PostgresServer | None = None
    _services: dict[str, Service] = field(default_factory=dict)

    def __enter__(self) -> Place:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def service(self, **settings: object) -> Service:
        """Return a running service with these settings, the same one for the same settings."""
        # A test waits a second where an operator's service waits ten.
        short = ("slow_head_s", "slow_upload_s", "slow_reader_s")
        patience = {} if self.full else dict.fromkeys(short, 1) | {"slow_upload_pressed_s": 0.5}
        wanted = {**patience, **settings}
        name = repr(sorted(wanted.items()))
        if name not in self._services:
            home = Path(tempfile.mkdtemp(dir=self.folder))
            service = Service(home, **self._stores(), **wanted)
            service.root = self.root
            self._stack.callback(service.stop)
            # No worker runs in the other mode.
            service.start(ready=self.mode == "embedded", installed=True)
            until(lambda: service.status("/livez") == 200, "the service to answer")
            self._services[name] = service
        return self._services[name]

    def _stores(self) -> dict[str, object]:
        if self.mode == "embedded":
            return {}
        if self._broker is None:
            self._broker = RedisServer(self.folder / "redis").start()
            self._stack.callback(self._broker.stop)
        if self._postgres is None:
            self._postgres = self._stack.enter_context(running_postgres())
        return {"broker_url": self._broker.url, "database_url": self._postgres.new_database()}


Attack: TypeAlias = Callable[[Place], list[Measure]]


class Watch:
    """Measures of an attack while it lasts."""

    def __init__(self, service: Service, full: bool) -> None:
        self.measures: list[Measure] = []
        self._full = full
        self._api = service.child("api")
        self._before = self._peak = self._api.memory_info().rss
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self._thread.start()

    def note(self, what: str, value: float, bound: float) -> None:
        """Add a figure of the attack itself."""
        self.measures.append(Measure(what, value, bound))

    def end(self, waits: list[tuple[float, float, int]], begun: float, longest: float) -> None:
        """Add the figures of memory and of another client.

        Args:
            waits: start, seconds and status of each of its requests.
            begun: when the attack began.
            longest: seconds that one of its requests may take.
        """
        self._over.set()
        self._thread.join()
        self.note("memory of the API, MB more", (self._peak - self._before) / 1e6, MEMORY_MB)
        idle = [seconds for start, seconds, _ in waits if start + seconds < begun]
        during = [seconds for start, seconds, _ in waits if start + seconds >= begun]
        assert idle, "the other client was not heard of before the attack"
        assert during, "the attack was over before another client could notice"
        failed = sum(status >= 400 for *_, status in waits)
        self.note("refused requests of another client", failed, 0)
        self.note("longest wait of another client, s", max(during), longest)
        if self._full and longest < 5:  # tests judge no length of time as short as this
            bound = max(2 * _p95(idle) * 1000, _FLOOR_MS)
            self.note("p95 of another client, ms", _p95(during) * 1000, bound)

    def _sample(self) -> None:
        while not self._over.wait(_SAMPLE_S):
            self._peak = max(self._peak, self._api.memory_info().rss)


@contextmanager
def watched(
    place: Place, service: Service, *, upload: bool = False, longest: float = 0.0
) -> Iterator[Watch]:
    """Watch the memory of a service's API, and what another client experiences.

    Args:
        place: of the attack.
        service: that is attacked.
        upload: the other client sends documents, every half second; it asks for ``/livez`` else.
        longest: seconds that one of its requests may take; by default a second, and in tests
            what they grant anything on a busy machine.
    """
    longest = longest or (1.0 if place.full else 30.0)
    watch = Watch(service, place.full)
    command = [sys.executable, "-m", "tests.attacks.bystander", str(service.client.base_url)]
    process = subprocess.Popen(
        [*command, *(["--upload"] if upload else [])],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(_IDLE_S if place.full else 0.3)
        begun = time.monotonic()
        yield watch
        time.sleep(0.2)
    finally:
        said, _ = process.communicate()  # the end of its input ends it
        watch._over.set()
    waits = []
    for line in (first + said).splitlines():
        start, seconds, status = line.split()
        waits.append((float(start), float(seconds), int(status)))
    watch.end(waits, begun, longest)


def spooled_mb(service: Service) -> float:
    """Return the size of the nameless files that the API has open, in MB."""
    total = 0
    for link in Path(f"/proc/{service.child('api').pid}/fd").iterdir():
        try:
            if str(link.readlink()).endswith(" (deleted)"):
                total += link.stat().st_size
        except OSError:  # it was closed meanwhile
            continue
    return total / 1e6


def api_of(service: Service) -> psutil.Process:
    """Return the process of the API."""
    return service.child("api")


def _p95(values: list[float]) -> float:
    return values[0] if len(values) == 1 else statistics.quantiles(values, n=20)[-1]
