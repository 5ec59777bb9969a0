"""What is asked again and again finds its rows by an index, however many rows there are.

The statements are those that the code itself executes: they are recorded, and explained by the
database on tables of some thousand rows, of which few are due.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, text

from store.access import ANY_OWNER
from store.backoff import Schedule
from store.blobs import LocalBlobs
from store.idempotency import Idempotency, Once
from store.jobs import State
from store.jobs.retention import expire
from store.jobs.telemetry import _oldest
from store.networks import Policy
from store.reviews import Reviews
from store.secrets import SecretCipher, new_key
from store.sql.cursors import cursor
from store.sql.database import Database
from store.webhooks import EVENTS, Deliveries, Webhooks, outbox
from tests.servers import PostgresServer
from tests.stores import JobStore, install_tables

ROWS = 20_000
ID = "00000000-0000-0000-0000-"
JOB = f"{ID}100000000077"
WAITING = f"{ID}100000000051"
LARGE = ("jobs", "results", "idempotency_keys", "deliveries", "delivery_attempts", "batch_items")
CIPHER = SecretCipher(new_key(), Path("/nowhere"))
OLD = "CASE WHEN i % 1000 = 0 THEN 1e6 ELSE 4e9 END"  # few of the rows are out of date
FILLING = f"""
INSERT INTO jobs (id, state, stage, attempts, cancel_requested, owner, model, options, sha256,
    filename, media_type, size, pages_done, created_at, finished_at, priority, expired_at)
SELECT '{ID}' || (100000000000 + i),
    CASE WHEN i % 50 = 1 THEN 'queued' WHEN i % 50 = 2 THEN 'failed' ELSE 'succeeded' END,
    'read', 0, false, 'owner-' || (i % 40), 'm', '{{}}', 'x', 'x', 'x', 1, 1, i,
    CASE WHEN i % 50 = 1 THEN NULL ELSE {OLD} END, 0,
    CASE WHEN i % 50 = 3 THEN 4e9 ELSE NULL END FROM n;
INSERT INTO reviews (job_id, model, doubts, worth, skipped, note, reviewer, created_at, done_at)
SELECT '{ID}' || (100000000000 + i), 'm', 1, i % 997, 0, '', '', i,
    CASE WHEN i % 2 = 0 THEN i ELSE NULL END FROM n;
INSERT INTO results (job_id, body, created_at)
SELECT '{ID}' || (100000000000 + i), '{{}}', i FROM n;
INSERT INTO idempotency_keys (owner, route, key, fingerprint, job_id, created_at)
SELECT 'o', 'extract', 'key-' || i, 'x', '{ID}' || (100000000000 + i), {OLD} FROM n;
INSERT INTO deliveries (id, webhook_id, subject, event, payload, state, attempts, next_at,
    created_at)
SELECT 'd-' || i, 
    CASE WHEN i % 1000 = 5 THEN (SELECT min(id) FROM webhooks)
        ELSE (SELECT max(id) FROM webhooks) END,
    '{ID}' || (100000000000 + i),
    'job.succeeded', '{{}}', CASE WHEN i % 1000 = 7 THEN 'pending' ELSE 'delivered' END, 0,
    CASE WHEN i % 1000 = 7 THEN 1 ELSE NULL END, {OLD} FROM n;
INSERT INTO delivery_attempts (delivery_id, number, at, seconds) SELECT 'd-' || i, 1, 0, 0 FROM n;
INSERT INTO batches (id, name, model, options, skipped, created_at)
SELECT '{ID}' || (200000000000 + i), '', 'm', '{{}}', '[]', i FROM n WHERE i % 40 = 0;
INSERT INTO batch_items (batch_id, number, filename, job_id)
SELECT '{ID}' || (200000000000 + i / 40 * 40), i % 40, 'x',
    '{ID}' || (100000000000 + i) FROM n WHERE i >= 40;
"""


def batch(number: int) -> str:
    return f"{ID}{200000000000 + number}"


NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :rows) "


async def public(host: str, port: int) -> list[str]:
    return ["93.184.215.14"]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def original(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Address of a database of some thousand rows a table, and statistics of them."""
    server: PostgresServer | None = None
    if request.param == "sqlite":
        home = Path(tmp_path_factory.mktemp("original"))
        install_tables(home)
        url = f"sqlite:///{home / 'jobs.db'}"
    else:
        server = request.getfixturevalue("postgres")
        url = server.new_database()
    database = Database(url)
    webhooks = webhooks_of(database)
    for number in range(2):
        asyncio.run(webhooks.register(f"https://a.example/{number}", EVENTS, None))
    with database.writing() as connection:
        for statement in FILLING.split(";\n")[:-1]:
            target, _, source = statement.partition("SELECT")
            with_numbers = f"{target} {NUMBERS} SELECT {source}"
            connection.execute(text(with_numbers), {"rows": ROWS})
        connection.execute(text("ANALYZE"))
    database.close()
    yield url
    if server is not None:
        server.drop(url)


@pytest.fixture
def url(original: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Address of a copy of it."""
    if original.startswith("sqlite"):
        shutil.copy(original.removeprefix("sqlite:///"), tmp_path / "jobs.db")
        yield f"sqlite:///{tmp_path / 'jobs.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    copy = server.new_database(like=original)
    yield copy
    server.drop(copy)


def webhooks_of(database: Database) -> Webhooks:
    return Webhooks(database, CIPHER, policy=Policy(), most=9, resolve=public)


def small_webhook(database: Database) -> str:
    return min(webhook.id for webhook in webhooks_of(database).page()[0])


ACTS: dict[str, Callable[[JobStore, Path], object]] = {
    "old Idempotency-Keys are removed": lambda store, home: Idempotency(
        store.database, hours=24
    ).forget(),
    "an Idempotency-Key is looked up": lambda store, home: Once(
        Idempotency(store.database, hours=24), "o", "extract", "key-77", "x"
    ).made(),
    "old deliveries are removed": lambda store, home: sender(store).prune(older_than=3600),
    "deliveries put off too long are made due": lambda store, home: sender(store).hasten(),
    "deliveries are claimed": lambda store, home: sender(store).claim(8, lease=60),
    "the log of a webhook is shown": lambda store, home: webhooks_of(store.database).deliveries(
        small_webhook(store.database)
    ),
    "a webhook is removed": lambda store, home: webhooks_of(store.database).delete(
        small_webhook(store.database)
    ),
    "old jobs expire": lambda store, home: expire(store.database, LocalBlobs(home), hours=24),
    "a job is claimed": lambda store, home: store.claims.claim("w", lease=60, max_attempts=3),
    "a job's place is counted": lambda store, home: store.jobs.position(store.jobs.get(WAITING)),
    "the oldest job that waits is found": lambda store, home: oldest(store.database),
    "jobs of dead workers are ended": lambda store, home: store.claims.end_hopeless(max_attempts=3),
    "waiting jobs are announced": lambda store, home: store.claims.unannounced(
        "read", older_than=15, most=8
    ),
    "ended jobs are cleaned up": lambda store, home: store.jobs.fruitless(),
    "jobs are listed": lambda store, home: store.jobs.page(None, 50, "owner-7"),
    "a job is removed": lambda store, home: store.jobs.delete(JOB),
    "a batch is shown": lambda store, home: store.batches.get(batch(80)),
    "batches are listed": lambda store, home: store.batches.page(None, 20, ANY_OWNER),
    "items of a batch in a state": lambda store, home: store.batches.items(
        batch(80), scope=None, state="failed"
    ),
    "a batch is removed": lambda store, home: store.batches.delete(batch(80), None),
}


def oldest(database: Database) -> None:
    with database.reading() as connection:
        assert _oldest(connection, [("read", 0), ("tag", 0)])


def sender(store: JobStore) -> Deliveries:
    return Deliveries(store.database, Schedule.of("0"), CIPHER)


@contextmanager
def recorded() -> Iterator[list[tuple[str, Any]]]:
    """Give the statements that are executed within the context, with their parameters."""
    seen: list[tuple[str, Any]] = []

    def note(
        connection: Connection, cursor: Any, statement: str, values: Any, context: Any, many: bool
    ) -> None:
        if re.match(r"\s*(SELECT|UPDATE|DELETE|WITH)", statement):
            seen.append((statement, values[0] if many else values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def plan_of(connection: Connection, statement: str, values: Any) -> list[str]:
    """Return the lines of a statement's plan."""
    explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
    plan = connection.exec_driver_sql(f"{explain} {statement}", values)
    return [str(row[-1]) for row in plan]


def walks(connection: Connection, statement: str, values: Any) -> list[str]:
    """Return the lines of a statement's plan that look at every row of a large table."""
    if connection.dialect.name == "sqlite":
        bad = re.compile(rf"SCAN ({'|'.join(LARGE)})\b(?!.*USING)")
    else:
        bad = re.compile(rf"Seq Scan on ({'|'.join(LARGE)})\b")
    return [line for line in plan_of(connection, statement, values) if bad.search(line)]


def test_every_statement_uses_an_index(store: JobStore, tmp_path: Path) -> None:
    found = []
    for name, act in ACTS.items():
        with recorded() as statements:
            act(store, tmp_path)
        assert statements, name
        with store.database.reading() as connection:
            for statement, values in statements:
                if lines := walks(connection, statement, values):
                    found.append("\n".join([name, statement, *lines]))
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize("state", ["failed", "cancelled"])
@pytest.mark.parametrize("after", [None, cursor(1e9, JOB)])
def test_jobs_of_a_rare_state_are_found_without_the_others(
    store: JobStore, state: State, after: str | None
) -> None:
    with recorded() as statements:
        store.jobs.page(after, 50, state=state)
    ((statement, values),) = statements
    with store.database.reading() as connection:
        plan = "\n".join(plan_of(connection, statement, values))
    assert "ix_jobs_state" in plan, plan
    assert "sort" not in plan.lower(), plan
    assert "TEMP B-TREE" not in plan, plan


def test_queue_is_read_in_its_order(store: JobStore) -> None:
    with recorded() as statements:
        store.jobs.position(store.jobs.get(WAITING))
        assert store.claims.claim("w", lease=60, max_attempts=3)
        store.claims.unannounced("read", older_than=15, most=8)
    found = [one for one in statements if "state = 'queued'" in one[0] and "UNION" not in one[0]]
    assert len(found) == 3
    with store.database.reading() as connection:
        for statement, values in found:
            plan = "\n".join(plan_of(connection, statement, values))
            assert "ix_jobs_turn" in plan, plan
            assert "sort" not in plan.lower(), plan
            assert "TEMP B-TREE" not in plan, plan


def test_turn_of_a_new_job_stands_in_indexes(store: JobStore) -> None:
    turns = import_module("store.migrations.versions.0017_turns")
    row = {"NEW.owner": "'owner-7'", "NEW.priority": "0", "NEW.id": f"'{JOB}'"}
    found = {"ix_jobs_turn_served": turns._SERVED, "ix_jobs_turn_last": turns._LAST}
    with store.database.reading() as connection:
        for index, value in found.items():
            asked = re.sub(r"NEW\.\w+", lambda name: row[name.group()], f"SELECT {value}")
            plan = "\n".join(plan_of(connection, asked, ()))
            assert index in plan, plan


@pytest.mark.parametrize(
    "look",
    [
        lambda reviews: reviews.claim_next("anna", "Anna", ANY_OWNER),
        lambda reviews: reviews.claim_next("anna", "Anna", "owner-7"),
        lambda reviews: reviews.queue(ANY_OWNER),
    ],
)
def test_reviews_that_come_next_are_found_without_the_others(
    store: JobStore, look: Callable[[Reviews], object]
) -> None:
    with recorded() as statements:
        assert look(Reviews(store.database))
    (found,) = [one for one in statements if "ORDER BY reviews.skipped" in one[0]]
    with store.database.reading() as connection:
        plan = "\n".join(plan_of(connection, *found))
    assert "ix_reviews_waiting" in plan, plan
    assert "sort" not in plan.lower(), plan
    assert "TEMP B-TREE" not in plan, plan


@pytest.mark.parametrize(
    ("look", "index", "least"),
    [
        (
            lambda store: store.batches.page(None, 100, ANY_OWNER),
            "ix_jobs_batch",
            1,
        ),
        (lambda store: Reviews(store.database).queue(ANY_OWNER), "ix_reviews_counted", 2),
        (lambda store: Reviews(store.database).queue("owner-7"), "ix_reviews_counted", 2),
    ],
)
def test_what_is_counted_stands_in_an_index(
    store: JobStore, look: Callable[[JobStore], object], index: str, least: int
) -> None:
    if store.database.remote:  # whose indexes do not say of new rows who sees them
        with store.database.reading() as connection:
            connection.execute(text("VACUUM ANALYZE jobs, reviews"))
    with recorded() as statements:
        assert look(store)
    counting = [one for one in statements if re.search(r"count\(", one[0])]
    assert len(counting) == least
    alone = re.compile(rf"Index Only Scan using {index}|USING COVERING INDEX {index}")
    with store.database.reading() as connection:
        for found in counting:
            plan = "\n".join(plan_of(connection, *found))
            assert alone.search(plan), plan


def test_a_batch_is_not_counted_while_a_job_of_it_waits(store: JobStore) -> None:
    for batch_id, counts in ((batch(40), False), (batch(160), True)):  # jobs 51, 101 and 151 wait
        with recorded() as statements, store.database.writing() as connection:
            outbox.batch_finished(connection, batch_id)
        assert any("count(" in sql for sql, _ in statements) is counts, batch_id


def test_any_number_of_rows_is_removed_a_few_at_a_time(store: JobStore) -> None:
    with recorded() as statements:
        sender(store).prune(older_than=-1e10)
    chunks = [sql for sql, _ in statements if sql.startswith("DELETE FROM deliveries")]
    assert len(chunks) == ROWS // 500 + 1
    assert all("LIMIT" in sql for sql in chunks)
    assert webhooks_of(store.database).deliveries(small_webhook(store.database))[0] == []
