"""The pipes of the embedded service: they wake, once however often they were written to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.patience import PATIENCE
from workers.embedded.pipe import PipeAnnouncer, WakeupPipe


@pytest.fixture
def pipe() -> Iterator[WakeupPipe]:
    made = WakeupPipe()
    yield made
    made.close()


def test_pipe_wakes_who_waits(pipe: WakeupPipe) -> None:
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(pipe.wait, PATIENCE)
        pipe.send()
        assert waiting.result(PATIENCE)


def test_pipe_that_is_full_wakes_once(pipe: WakeupPipe) -> None:
    for _ in range(100_000):  # more than a pipe holds
        pipe.send()
    assert pipe.wait(PATIENCE)
    assert not pipe.wait(0)


def test_pipe_wakes_an_event_loop(pipe: WakeupPipe) -> None:
    async def hear() -> None:
        hearing = asyncio.create_task(pipe.heard(PATIENCE))
        await asyncio.sleep(0)
        pipe.send("first")
        pipe.send("second")
        pipe.send("first")
        told = await asyncio.wait_for(hearing, PATIENCE / 2)
        assert told | await pipe.heard(0) == {"first", "second"}
        assert await pipe.heard(0.01) == set()  # nothing was sent

    asyncio.run(hear())
    assert not pipe.wait(0)


def test_announcer_wakes_workers_for_jobs_and_tells_ends(pipe: WakeupPipe) -> None:
    ends = WakeupPipe()
    announcer = PipeAnnouncer(pipe, ends)
    announcer.announce("read", [])
    assert not pipe.wait(0)
    announcer.announce("read", ["a"])
    assert pipe.wait(0)
    announcer.ended("b")
    assert asyncio.run(ends.heard(PATIENCE)) == {"b"}
    ends.close()
