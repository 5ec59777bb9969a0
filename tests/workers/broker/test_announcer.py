"""Announcements and ends over a real Redis: heard at once, and again when it has come back."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.settings import Settings
from tests.patience import PATIENCE, until
from tests.servers import RedisServer
from workers.broker.announcer import BrokerAnnouncer, pending
from workers.broker.ends import EndListener
from workers.embedded.pipe import WakeupPipe


@pytest.fixture
def settings(tmp_path: Path, redis: RedisServer) -> Settings:
    return Settings(home=tmp_path, broker_url=redis.url)


@pytest.fixture
def announcer(settings: Settings) -> Iterator[BrokerAnnouncer]:
    announcer = BrokerAnnouncer(settings)
    yield announcer
    announcer.close()


@pytest.fixture
def pipe(settings: Settings) -> Iterator[WakeupPipe]:
    """A pipe into which every end goes that is told."""
    pipe = WakeupPipe()
    listener = EndListener(settings, pipe.send)
    listener.start()
    yield pipe
    listener.stop()


def heard(announcer: BrokerAnnouncer, pipe: WakeupPipe) -> bool:
    """Tell of an end, and say whether the pipe woke."""
    announcer.ended(str(uuid.uuid4()))
    return pipe.wait(0.2)


def test_end_is_heard(announcer: BrokerAnnouncer, pipe: WakeupPipe) -> None:
    until(lambda: heard(announcer, pipe), "the listener to listen")
    until(lambda: not pipe.wait(0.5), "all that was told before")
    told, ended = set[str](), {str(uuid.uuid4()) for _ in range(20)}
    for job_id in ended:
        announcer.ended(job_id)

    def all_told() -> bool:
        told.update(asyncio.run(pipe.heard(0.1)))
        return told == ended

    until(all_told, "all that ended to be named")


def test_listener_that_was_stopped_hears_no_more(
    announcer: BrokerAnnouncer, settings: Settings
) -> None:
    pipe = WakeupPipe()
    listener = EndListener(settings, pipe.send)
    listener.start()
    until(lambda: heard(announcer, pipe), "the listener to listen")
    listener.stop()
    until(lambda: not pipe.wait(0.5), "all that was told before")
    assert not heard(announcer, pipe)
    pipe.close()


def test_broker_that_went_is_heard_again(
    announcer: BrokerAnnouncer, pipe: WakeupPipe, redis: RedisServer
) -> None:
    until(lambda: heard(announcer, pipe), "the listener to listen")
    redis.kill9()
    announcer.ended(str(uuid.uuid4()))  # to nobody
    redis.start()
    until(lambda: heard(announcer, pipe), "the listener to be back")


def test_fault_of_ours_ends_no_announcements(
    announcer: BrokerAnnouncer, pipe: WakeupPipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    until(lambda: heard(announcer, pipe), "the listener to listen")
    stumbled = threading.Event()

    def stumble(*given: object) -> None:
        monkeypatch.undo()
        stumbled.set()
        raise RuntimeError("nobody expects this")

    monkeypatch.setattr("workers.broker.announcer._send", stumble)
    announcer.announce("tag", [str(uuid.uuid4())])
    assert stumbled.wait(PATIENCE)
    until(lambda: not pipe.wait(0.5), "all that was told before")
    until(lambda: heard(announcer, pipe), "the announcer to go on")


def test_no_more_is_announced_than_waits_to_be_heard(
    announcer: BrokerAnnouncer, settings: Settings
) -> None:
    def enough() -> bool:
        announcer.announce("tag", [str(uuid.uuid4())])
        return pending(settings, "tag") >= 8

    until(enough, "announcements that no worker takes")
    announcer.announce("resolve", [str(uuid.uuid4())])
    until(lambda: pending(settings, "resolve") == 1, "all that was announced before")
    waiting = pending(settings, "tag")
    announcer.announce("tag", [str(uuid.uuid4())])
    announcer.announce("resolve", [str(uuid.uuid4())])
    until(lambda: pending(settings, "resolve") == 2, "all that was announced before")
    assert pending(settings, "tag") == waiting
