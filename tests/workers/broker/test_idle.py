"""Idle workers are woken directly, each for one job, and no wake-up is lost."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from redis import Redis

from store.settings import Settings
from tests.servers import RedisServer
from workers.broker import idle
from workers.broker.idle import Idle, Waking

Hire = Callable[..., Idle]


@pytest.fixture
def settings(tmp_path: Path, redis: RedisServer) -> Settings:
    return Settings(home=tmp_path, broker_url=redis.url)


@pytest.fixture
def waking(redis: RedisServer) -> Iterator[Waking]:
    with Redis.from_url(redis.url) as client:
        yield Waking(client)


@pytest.fixture
def hire(settings: Settings) -> Iterator[Hire]:
    """Makes workers of some stages."""
    with ExitStack() as stack:

        def made(*stages: str) -> Idle:
            return stack.enter_context(closing(Idle(settings, uuid.uuid4().hex, stages)))

        yield made


def never() -> bool:
    return False


def test_idle_worker_is_woken_once(hire: Hire, waking: Waking) -> None:
    reader = hire("read")
    assert waking.wake("read", 1) == 0
    reader.enter(60)
    assert waking.wake("tag", 1) == 0
    assert waking.wake("read", 5) == 1
    assert waking.wake("read", 1) == 0
    assert reader.wait(60, never) == "read"
    assert not reader.wait(0.01, never)


def test_worker_of_two_stages_is_taken_for_one(hire: Hire, waking: Waking) -> None:
    tagger = hire("tag", "resolve")
    tagger.enter(60)
    assert waking.wake("resolve", 1) == 1
    assert waking.wake("tag", 1) == 0
    assert tagger.wait(60, never) == "resolve"


def test_as_many_are_woken_as_there_are_jobs(hire: Hire, waking: Waking) -> None:
    readers = [hire("read") for _ in range(3)]
    for reader in readers:
        reader.enter(60)
    assert waking.wake("read", 2) == 2
    assert [reader.leave() for reader in readers].count(True) == 2


def test_worker_that_has_left_is_not_woken(hire: Hire, waking: Waking) -> None:
    reader = hire("read")
    reader.enter(60)
    assert not reader.leave()
    assert waking.wake("read", 1) == 0


def test_worker_hears_that_it_was_woken_while_it_left(hire: Hire, waking: Waking) -> None:
    reader = hire("read")
    reader.enter(60)
    assert waking.wake("read", 1) == 1
    assert reader.leave()
    assert not reader.leave()
    reader.enter(60)  # what it was woken for before is done with
    assert not reader.wait(0.01, never)
    assert waking.wake("read", 1) == 1


def test_waiting_ends_when_it_is_to_stop(hire: Hire) -> None:
    reader = hire("read")
    reader.enter(60)
    asked = []

    def stopped() -> bool:
        asked.append(True)
        return len(asked) > 1

    assert not reader.wait(3600, stopped)
    assert len(asked) == 2


def test_worker_that_died_is_woken_in_vain_only_for_a_while(
    hire: Hire, waking: Waking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idle, "_BEYOND_MS", 0)
    dead = hire("read")
    dead.enter(0.0)
    living = hire("read")
    living.enter(60)
    assert waking.wake("read", 2) == 1
    assert living.leave()
    assert not dead.wait(0.01, never)


def test_without_the_broker_nobody_waits(hire: Hire, waking: Waking, redis: RedisServer) -> None:
    reader = hire("read")
    reader.enter(60)
    redis.kill9()
    assert not reader.wait(3600, never)
    reader.enter(60)
    assert not reader.leave()
    redis.start()
    reader.enter(60)
    assert waking.wake("read", 1) == 1
