"""What the broker lost is announced again, but never a flood of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.announce import MOST
from store.jobs import Jobs
from store.settings import Settings
from tests import submitting
from tests.builders import receipt_pdf
from tests.packages import tiny_package
from tests.patience import until
from tests.servers import RedisServer
from tests.stores import prepare
from workers.broker.announcer import BrokerAnnouncer, announce_again, pending

PDF = receipt_pdf()


@pytest.fixture
def jobs(tmp_path: Path, redis: RedisServer) -> Iterator[Jobs]:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    tiny_package(tmp_path / "models" / "tiny" / "1.0.0")
    settings = Settings(
        home=tmp_path, model="tiny", broker_url=redis.url, announce_seconds=0.001, env="test"
    )
    queue = Jobs(settings, BrokerAnnouncer(settings))
    prepare(queue)
    yield queue
    queue.close()


def submit(jobs: Jobs, number: int) -> None:
    for _ in range(number):
        submitting.submit(jobs, PDF)


def announced(jobs: Jobs, number: int) -> bool:
    return pending(jobs.settings, "read") == number


def test_new_job_is_announced(jobs: Jobs) -> None:
    submit(jobs, 2)
    until(lambda: announced(jobs, 2), "both announcements")


def test_lost_announcements_come_back(jobs: Jobs, redis: RedisServer) -> None:
    submit(jobs, 3)
    until(lambda: announced(jobs, 3), "the announcements")
    assert announce_again(jobs) == 0  # nothing was lost
    redis.flush()
    assert announce_again(jobs) == 3
    until(lambda: announced(jobs, 3), "the announcements again")
    assert announce_again(jobs) == 0


def test_many_jobs_need_few_announcements(jobs: Jobs, redis: RedisServer) -> None:
    submit(jobs, MOST + 5)
    redis.flush()
    for _ in range(3):
        announce_again(jobs)
    until(lambda: pending(jobs.settings, "read") >= MOST, "the announcements")
    assert announce_again(jobs) == 0


def test_jobs_of_a_dead_worker_are_announced(jobs: Jobs, redis: RedisServer) -> None:
    submit(jobs, 1)
    until(lambda: announced(jobs, 1), "the announcement")
    redis.flush()
    assert jobs.claims.claim("dead", lease=-1.0, max_attempts=3) is not None
    assert announce_again(jobs) == 1


def test_documents_are_accepted_while_the_broker_hangs(jobs: Jobs, redis: RedisServer) -> None:
    redis.pause()
    submit(jobs, 3)
    with pytest.raises(ConnectionError):
        announce_again(jobs)
    redis.resume()
    until(lambda: announce_again(jobs) or announced(jobs, 3), "what was missed")
    until(lambda: pending(jobs.settings, "read") >= 3, "the announcements")
