"""Ends of jobs, told over a real Redis: heard at once, and again when it has come back."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.settings import Settings
from tests.patience import until
from tests.servers import RedisServer
from workers.broker.publish import Listening, Publishing, pending
from workers.embedded.bell import Bell


@pytest.fixture
def settings(tmp_path: Path, redis: RedisServer) -> Settings:
    return Settings(home=tmp_path, broker_url=redis.url)


@pytest.fixture
def publishing(settings: Settings) -> Iterator[Publishing]:
    publishing = Publishing(settings)
    yield publishing
    publishing.close()


@pytest.fixture
def bell(settings: Settings) -> Iterator[Bell]:
    """A bell that rings for every end that is told."""
    bell = Bell.made()
    listening = Listening(settings, bell)
    listening.start()
    yield bell
    listening.stop()


def heard(publishing: Publishing, bell: Bell) -> bool:
    """Tell of an end, and say whether the bell rang for it."""
    publishing.ended(str(uuid.uuid4()))
    return bell.wait(0.2)


def test_end_is_heard(publishing: Publishing, bell: Bell) -> None:
    until(lambda: heard(publishing, bell), "the listener to listen")
    until(lambda: not bell.wait(0.5), "all that was told before")
    told, ended = set[str](), {str(uuid.uuid4()) for _ in range(20)}
    for job_id in ended:
        publishing.ended(job_id)

    def all_told() -> bool:
        told.update(asyncio.run(bell.heard(0.1)))
        return told == ended

    until(all_told, "all that ended to be named")


def test_listener_that_was_stopped_hears_no_more(
    publishing: Publishing, settings: Settings
) -> None:
    bell = Bell.made()
    listening = Listening(settings, bell)
    listening.start()
    until(lambda: heard(publishing, bell), "the listener to listen")
    listening.stop()
    until(lambda: not bell.wait(0.5), "all that was told before")
    assert not heard(publishing, bell)
    bell.close()


def test_broker_that_went_is_heard_again(
    publishing: Publishing, bell: Bell, redis: RedisServer
) -> None:
    until(lambda: heard(publishing, bell), "the listener to listen")
    redis.kill9()
    began = time.monotonic()
    publishing.ended(str(uuid.uuid4()))  # to nobody, and at once
    assert time.monotonic() - began < 0.5
    redis.start()
    until(lambda: heard(publishing, bell), "the listener to be back")


def test_no_more_is_announced_than_waits_to_be_heard(
    publishing: Publishing, settings: Settings
) -> None:
    def enough() -> bool:
        publishing.announce("tag", [str(uuid.uuid4())])
        return pending(settings, "tag") >= 8

    until(enough, "announcements that no worker takes")
    publishing.announce("resolve", [str(uuid.uuid4())])
    until(lambda: pending(settings, "resolve") == 1, "all that was announced before")
    waiting = pending(settings, "tag")
    publishing.announce("tag", [str(uuid.uuid4())])
    publishing.announce("resolve", [str(uuid.uuid4())])
    until(lambda: pending(settings, "resolve") == 2, "all that was announced before")
    assert pending(settings, "tag") == waiting
