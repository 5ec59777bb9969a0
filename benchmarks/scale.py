"""The queue in PostgreSQL with few jobs and with a million: what each act takes beside the others.

Usage: python -m benchmarks.scale [--queued 1000 1000000] [--workers 50] [--rate 20] [--seconds 45]

Each length of the queue has a database of its own in one server, filled before the first round;
the rounds take turns. In a round a process submits, polls and looks at the metrics as the API
does, another does the chores, and each worker is a process with its heartbeat: half of them read
and hand on, half tag and answer, in no time. As many jobs come as go, so that the queue keeps its
length. The server has its own defaults, with its log of slow statements: autovacuum runs, and
commits wait for the disk.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import os
import random
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from app.schemas.common import ANSWER
from benchmarks.machine import machine
from cli.measuring.load import percentile
from pipeline.errors import ServiceError
from pipeline.result import Extraction
from store.jobs import Job, Jobs, Submission
from store.settings import Settings
from store.sql import counters
from tests.servers import PostgresServer, running_postgres
from workers import sweeper as chores
from workers import worker
from workers.heartbeat import Heartbeat
from workers.sweeper import Sweeper, queue_chores

ACTS = ("submit", "claim", "hand on", "end", "poll", "metrics")
_MOST_TIMES = 2.0  # the p99 of submit and claim, of the longest queue over the shortest
_SLOW_MS = 50
_WARM = 8.0  # seconds of a round before it is measured
_FORK = multiprocessing.get_context("fork")  # what is imported is shared
_OWNERS = 20
_CONTENT = b"%PDF-1.4\n" + bytes(2_000)
_FILLING = f"""
INSERT INTO jobs (id, state, stage, attempts, cancel_requested, owner, model, model_version,
    options, sha256, filename, media_type, size, pages_done, created_at, priority, fingerprint,
    announced_at, turn)
SELECT gen_random_uuid(), 'queued', CASE WHEN i %% 2 = 0 THEN 'read' ELSE 'tag' END, 0, false,
    'owner-' || (i %% {_OWNERS}), 'receipts', '1.0.0', '{{}}', md5(i::text) || md5(i::text),
    'document-' || i || '.pdf', 'application/pdf', 2000, 1,
    extract(epoch from clock_timestamp()) - 3600 + i * 1e-4, 1, md5(i::text) || md5(i::text),
    extract(epoch from clock_timestamp()), i / {_OWNERS}
FROM generate_series(1, %s) AS i
"""


@dataclass(slots=True)
class Figures:
    """What was measured with one length of the queue, over all rounds.

    Attributes:
        since: `time.monotonic` from which on it counts: first statements are slower.
        seconds: of each act.
        connections: the most at a time that were open to the database.
        failed: acts that raised, by act and error.
    """

    since: float = 0.0
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    connections: int = 0
    failed: Counter[str] = field(default_factory=Counter)


class Round:
    """When a round is measured and when it ends, by `time.monotonic`, which processes share.

    Args:
        processes: that take part; it begins when all of them have started.
        seconds: that are measured.
    """

    def __init__(self, processes: int, seconds: float) -> None:
        self._started = _FORK.Barrier(processes)
        self._seconds = seconds
        self.since = self.stop = 0.0

    def begin(self) -> None:
        """Wait for the others."""
        self._started.wait()
        self.since = time.monotonic() + _WARM
        self.stop = self.since + self._seconds


class Level:
    """A database with a queue of one length."""

    def __init__(self, server: PostgresServer, queued: int, home: Path) -> None:
        self.queued = queued
        url = server.new_database()
        self.address = url.replace("+psycopg", "")
        self.settings = Settings(
            home=home,
            database_url=url,
            max_queue_seconds=1e9,
            max_batch_queue_seconds=1e9,
            max_queued=10**9,
            min_free_bytes=0,
        )
        self.figures = Figures()
        jobs = Jobs(self.settings)
        jobs.prepare()
        jobs.close()
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION pg_stat_statements")
            began = time.monotonic()
            connection.execute(_FILLING, (queued,))
            self.filled_in = time.monotonic() - began
            connection.execute("VACUUM ANALYZE")
            connection.execute("SELECT pg_stat_statements_reset()")
            self.ids = [
                str(row[0])
                for row in connection.execute(
                    "SELECT id FROM jobs TABLESAMPLE BERNOULLI (%s)", (min(100.0, 2e5 / queued),)
                )
            ]

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            return connection.execute(query.encode()).fetchall()


@contextmanager
def timed(figures: Figures, act: str) -> Iterator[None]:
    """Note what an act takes; one that the store cannot do is counted."""
    began = time.perf_counter()
    try:
        yield
    except ServiceError as error:
        cause = error.__cause__
        reason = str(getattr(cause, "orig", cause) or error.detail).splitlines()[0]
        figures.failed[f"{act}: {reason}"] += 1
    else:
        if time.monotonic() > figures.since:
            figures.seconds[act].append(time.perf_counter() - began)


def paced(stop: float, period: float, act: Callable[[], None]) -> None:
    """Do something every `period` seconds, from a random moment on, until `stop`."""
    due = time.monotonic() + random.random() * period
    while due < stop:
        time.sleep(max(0.0, due - time.monotonic()))
        act()
        due = max(due + period, time.monotonic() - period)


def work(settings: Settings, number: int, turn: Round, period: float, back: Connection) -> None:
    """Be a worker, of one of the two kinds, for a round."""
    random.seed(number)
    turn.begin()
    stages = ("read",) if number % 2 else ("tag", "resolve")
    jobs, figures = Jobs(settings, connections=worker.CONNECTIONS), Figures(turn.since)
    heartbeat = Heartbeat(f"worker-{number}", jobs, stages, lambda: (True, "", ["receipts@1.0.0"]))
    answer = Extraction.model_validate(ANSWER)
    body, counts = answer.model_dump_json(), counters.answered(answer, waited=1.0)

    def serve() -> None:
        job: Job | None = None
        with timed(figures, "claim"):
            job = jobs.claims.claim(
                f"worker-{number}", lease=30, max_attempts=3, stages=stages,
                version_of=lambda model: "1.0.0",
            )  # fmt: skip
        if job is None:
            return
        held = job
        with heartbeat.holding([held]):
            if held.stage == "read":
                with timed(figures, "hand on"):
                    jobs.leases.hand_on(held, "tag", words=132, pages_done=1, pages_total=1)
            else:
                with timed(figures, "end"):
                    jobs.leases.succeed(held, body, counts, None)
        jobs.blobs.remove(held.id)

    heartbeat.start()
    paced(turn.stop, period, serve)
    heartbeat.stop()
    jobs.close()
    back.send(figures)


def sweep(settings: Settings, turn: Round, back: Connection) -> None:
    """Do the chores of the installation for a round."""
    turn.begin()
    jobs = Jobs(settings, connections=chores.CONNECTIONS)
    sweeper = Sweeper(jobs, queue_chores(jobs))
    sweeper.start()
    time.sleep(max(0.0, turn.stop - time.monotonic()))
    sweeper.stop()
    jobs.close()
    back.send(Figures())


def serve_clients(
    settings: Settings, ids: list[str], turn: Round, rate: float, back: Connection
) -> None:
    """Submit and poll as the API does, for a round."""
    turn.begin()
    jobs, figures = Jobs(settings), Figures(turn.since)
    known = list(ids)

    def submit() -> None:
        number = random.getrandbits(256)
        job = Job(
            str(uuid4()), "receipts", f"{number:064x}", "a.pdf",
            "application/pdf", len(_CONTENT), owner=f"owner-{number % _OWNERS}", priority=1,
            fingerprint=f"{number:064x}",
        )  # fmt: skip
        with timed(figures, "submit"):
            jobs.submit(Submission(job, io.BytesIO(_CONTENT)), reuse=True)
        known.append(job.id)

    def poll() -> None:
        job_id = random.choice(known)
        with timed(figures, "poll"):
            jobs.repository.position(jobs.status(job_id))

    def look() -> None:
        with timed(figures, "metrics"):
            jobs.telemetry()

    threads = [
        threading.Thread(target=paced, args=(turn.stop, 2 / rate, submit)),
        threading.Thread(target=paced, args=(turn.stop, 2 / rate, submit)),
        threading.Thread(target=paced, args=(turn.stop, 1 / rate, poll)),
        threading.Thread(target=paced, args=(turn.stop, 1.0, look)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    jobs.close()
    back.send(figures)


def play(level: Level, workers: int, rate: float, seconds: float) -> None:
    """Do one round with a queue, and add what it shows to the level's figures."""
    turn = Round(workers + 3, seconds)
    ends: list[Connection] = []
    processes = []

    def start(target: Callable[..., None], *arguments: object) -> None:
        here, there = _FORK.Pipe(duplex=False)
        process = _FORK.Process(target=target, args=(*arguments, there))
        process.start()
        ends.append(here)
        processes.append(process)

    period = workers / 2 / rate  # half of the workers see each job
    for number in range(workers):
        start(work, level.settings, number, turn, period)
    start(sweep, level.settings, turn)
    start(serve_clients, level.settings, level.ids, turn, rate)
    figures = level.figures
    with psycopg.connect(level.address, autocommit=True) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        turn.begin()
        while time.monotonic() < turn.stop:
            row = connection.execute(query).fetchone()
            figures.connections = max(figures.connections, row[0] - 1 if row else 0)
            time.sleep(0.05)
    for end, process in zip(ends, processes, strict=True):
        found = end.recv()
        process.join()
        figures.failed += found.failed
        for act, times in found.seconds.items():
            figures.seconds[act] += times


def report(levels: Sequence[Level]) -> list[str]:
    """Return the tables: what acts take, the database, slow statements; and the marks."""
    lines = ["| ms | p50 | p99 | times |", "|---|---|---|---|"]
    first = levels[0].figures.seconds
    marks = []
    for act in ACTS:
        for level in levels:
            times = level.figures.seconds[act]
            p50, p99 = (1000 * percentile(times, share) for share in (0.5, 0.99))
            ratio = p99 / (1000 * percentile(first[act], 0.99))
            lines.append(
                f"| {act}, {level.queued:,} queued | {p50:.1f} | {p99:.1f} | {ratio:.2f} |"
            )
            if act in ("submit", "claim") and level is not levels[0]:
                missed = "" if ratio <= _MOST_TIMES else ", MISSED"
                marks.append(
                    f"- p99 of {act}, times: {ratio:.2f} (at most {_MOST_TIMES:g}{missed})"
                )
    for level in levels:
        acts = sum(map(len, level.figures.seconds.values()))
        lines += ["", f"{level.queued:,} queued (filled in {level.filled_in:.0f} s):", ""]
        lines.append(f"- acts: {acts:,}, and {level.figures.failed.total()} that failed")
        lines += [f"- failed: {times} x {what}" for what, times in level.figures.failed.items()]
        lines.append(f"- connections, most at a time: {level.figures.connections}")
        lines += [f"- {text}" for text in _database(level)]
    return [*lines, "", *marks]


def _database(level: Level) -> list[str]:
    sizes = level.ask(
        "SELECT relname, pg_table_size(oid) / 1048576.0, pg_indexes_size(oid) / 1048576.0 "
        "FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace "
        "ORDER BY pg_total_relation_size(oid) DESC LIMIT 4"
    )
    vacuums = level.ask(
        "SELECT relname, n_tup_upd, n_tup_hot_upd, n_dead_tup, autovacuum_count "
        "FROM pg_stat_user_tables WHERE n_tup_upd + n_tup_del > 0 ORDER BY 2 DESC LIMIT 6"
    )
    slow = level.ask(
        "SELECT s.query, calls, mean_exec_time, max_exec_time FROM pg_stat_statements s "
        "JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database() "
        f"AND max_exec_time > {_SLOW_MS} ORDER BY max_exec_time DESC"
    )
    lines = [f"{name}: {rows:.1f} MiB of rows, {tree:.1f} of indexes" for name, rows, tree in sizes]
    lines += [
        f"{name}: {updated:,} updates ({hot:,} without a change of an index), {dead:,} dead rows, "
        f"vacuumed {times} times"
        for name, updated, hot, dead, times in vacuums
    ]
    lines += [
        f"over {_SLOW_MS} ms: {calls} x `{' '.join(query.split())[:300]}` "
        f"(mean {mean:.1f} ms, most {most:.0f})"
        for query, calls, mean, most in slow
    ]
    return lines


def main() -> None:
    """Print the machine and the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queued", type=int, nargs="+", default=[1_000, 1_000_000])
    parser.add_argument("--workers", type=int, default=50)
    parser.add_argument("--rate", type=float, default=20.0, help="jobs a second")
    parser.add_argument("--seconds", type=float, default=45.0, help="of each round")
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    os.environ.pop("FIELDWRIGHT_DATABASE_URL", None)
    options = {
        "fsync": "on",
        "shared_preload_libraries": "pg_stat_statements",
        "log_min_duration_statement": str(_SLOW_MS),
    }
    about = machine()
    with tempfile.TemporaryDirectory() as folder, running_postgres(**options) as server:
        levels = [Level(server, queued, Path(folder) / str(queued)) for queued in arguments.queued]
        for _ in range(arguments.rounds):
            for level in levels:
                play(level, arguments.workers, arguments.rate, arguments.seconds)
        print(f"{about}.\n")
        print("\n".join(report(levels)))


if __name__ == "__main__":
    main()
