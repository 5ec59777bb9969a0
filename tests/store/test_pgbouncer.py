"""The store behind a PgBouncer that pools transactions: no session outlives one."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from store.errors import StoreUnavailable
from store.jobs import Job
from store.sql.database import Database
from tests.servers import PgBouncerServer
from tests.stores import JobStore

_WORKERS, _JOBS = 12, 60  # far more workers than the three connections to the server


@pytest.fixture
def url(pgbouncer: PgBouncerServer, postgres_url: str) -> Iterator[str]:
    return pgbouncer.through(postgres_url)


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    database.migrate()
    yield database
    database.close()


def test_many_workers_share_few_connections_and_do_each_job_once(
    url: str, database: Database
) -> None:
    store = JobStore(database)
    for _ in range(_JOBS):
        store.jobs.add(Job(str(uuid.uuid4()), "receipts", "0" * 64, "a", "image/png", 10))
    done: list[str] = []

    def work(name: str) -> None:
        own = Database(url, connections=1)
        mine = JobStore(own)
        while job := mine.claims.claim(name, lease=60, max_attempts=3):
            mine.leases.renew(job, lease=60, pages_done=1)
            mine.leases.succeed(job, "{}")
            done.append(job.id)
        own.close()

    threads = [threading.Thread(target=work, args=(f"w{n}",)) for n in range(_WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == _JOBS
    assert set(Counter(done).values()) == {1}


def test_limits_are_those_of_a_transaction_and_end_with_it(database: Database) -> None:
    shown = text("SELECT current_setting('lock_timeout'), current_setting('synchronous_commit')")
    with database.writing(durable=False) as connection:
        assert tuple(connection.execute(shown).one()) == ("5s", "off")
    with database.writing() as connection:
        assert tuple(connection.execute(shown).one()) == ("5s", "on")
    with database.reading() as connection:
        assert tuple(connection.execute(shown).one()) == ("0", "on")


def test_statements_are_not_prepared_on_the_server(database: Database) -> None:
    prepared = text("SELECT count(*) FROM pg_prepared_statements")
    with database.reading() as connection:
        assert [connection.scalar(prepared) for _ in range(12)] == [0] * 12


def test_bouncer_that_is_gone_is_a_store_that_does_not_answer(
    pgbouncer: PgBouncerServer, database: Database
) -> None:
    pgbouncer.stop()
    with pytest.raises(StoreUnavailable), database.reading() as connection:
        connection.execute(text("SELECT 1"))
