"""Redis dies, forgets, hangs, and says everything twice: a delay, and nothing else."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from store.jobs import STAGES
from tests.faults.documents import UNHEARD, fresh
from tests.faults.messages import announce
from tests.faults.topology import Topology
from tests.patience import until
from tests.servers import RedisServer

pytestmark = pytest.mark.slow


def killed(redis: RedisServer) -> None:
    redis.kill9()
    redis.start()


def kept_and_killed(redis: RedisServer) -> None:
    redis.durable = True
    killed(redis)


MISFORTUNES = [
    pytest.param(killed, id="without_persistence"),
    pytest.param(kept_and_killed, id="with_persistence"),
    pytest.param(RedisServer.flush, id="emptied"),
]


@pytest.mark.parametrize("misfortune", MISFORTUNES)
def test_queued_jobs_outlive_redis(
    production: Topology, misfortune: Callable[[RedisServer], None]
) -> None:
    """Rows 7 and 8: whatever was in it when it died."""
    for group in production.workers:
        group.freeze()
    jobs = [production.submit(fresh()) for _ in range(10)]
    misfortune(production.redis)
    for group in production.workers:
        group.thaw()
    ended = [production.ended(job_id) for job_id in jobs]
    assert [(job["state"], job["attempts"]) for job in ended] == [("succeeded", 1)] * 10


@pytest.mark.parametrize(
    ("away", "back"),
    [
        pytest.param(RedisServer.stop, RedisServer.start, id="down"),
        pytest.param(RedisServer.pause, RedisServer.resume, id="hanging"),
    ],
)
def test_documents_are_accepted_without_redis(
    production: Topology,
    away: Callable[[RedisServer], None],
    back: Callable[[RedisServer], object],
) -> None:
    """Rows 9 and 10: a POST that waited for Redis would never be answered here."""
    away(production.redis)
    try:
        jobs = [production.submit(fresh()) for _ in range(5)]
        assert production.status("/livez") == 200
        until(lambda: "broker" in production.client.get("/readyz").text, "the absence to be seen")
    finally:
        back(production.redis)
    assert [production.ended(job_id)["state"] for job_id in jobs] == ["succeeded"] * 5


def test_what_is_delivered_twice_is_done_once(production: Topology) -> None:
    """Row 14: to a worker of each queue, before, while and after the job is done."""
    job_id = production.submit(fresh())
    for queue in STAGES:
        announce(production.redis, queue, [job_id] * 10)
    job = production.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 1)
    for queue in STAGES:
        announce(production.redis, queue, [job_id] * 10)
    assert production.ended(production.submit(fresh()))["state"] == "succeeded"
    assert production.job(job_id) == job


class Burglar:
    """Touches a file where it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self._trace = trace

    def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
        return Path.touch, (self._trace,)


def test_forged_messages_start_nothing(production: Topology, tmp_path: Path) -> None:
    """Whoever reaches Redis can waste the workers' time, and nothing else."""
    before = production.rows()
    for queue in STAGES:
        announce(production.redis, queue, [str(uuid.uuid4()), "../../jobs", 7, None, {"a": [1]}])
        announce(production.redis, queue, [Burglar(tmp_path / queue)], serializer="pickle")
    seen = lambda: len(production.events("unknown job announced")) >= 5 * len(STAGES)  # noqa: E731
    until(seen, "the messages to be seen")
    assert production.ended(production.submit(fresh()))["state"] == "succeeded"
    assert len(production.rows()) == len(before) + 1
    assert list(tmp_path.iterdir()) == []


def test_node_that_lost_an_acknowledgement_hears_again(production: Topology) -> None:
    """A message that was at work while Redis was away would count as being worked at for ever."""
    before = len(production.events("broker not heard"))
    job_id = production.submit(UNHEARD.data)
    production.at_fault("in_tag", UNHEARD.data)
    production.redis.stop()
    try:
        lost = lambda: len(production.events("broker not heard")) > before  # noqa: E731
        until(lost, "the acknowledgement to be lost")
    finally:
        production.redis.start()
    jobs = [job_id, *(production.submit(fresh()) for _ in range(3))]
    assert [production.ended(one)["state"] for one in jobs] == ["succeeded"] * 4
