"""What processes and threads of a worker share: bells, slots, quarantine, a shelf, a heart."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from models.packages import PackageRef
from pipeline.errors import ModelPackageError
from tests.patience import PATIENCE, until
from workers.broker.slots import Slots
from workers.embedded.bell import Bell
from workers.model_cache import Shelf
from workers.quarantine import Quarantine


@pytest.fixture
def bell() -> Iterator[Bell]:
    made = Bell.made()
    yield made
    made.close()


def test_bell_wakes_who_waits(bell: Bell) -> None:
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(bell.wait, PATIENCE)
        bell.ring()
        assert waiting.result(PATIENCE)


def test_bell_rung_often_is_heard_once(bell: Bell) -> None:
    for _ in range(100_000):  # more than a pipe holds
        bell.ring()
    assert bell.wait(PATIENCE)
    assert not bell.wait(0)


def test_bell_wakes_an_event_loop(bell: Bell) -> None:
    async def hear() -> None:
        hearing = asyncio.create_task(bell.heard(PATIENCE))
        await asyncio.sleep(0)
        bell.ring("first")
        bell.ring("second")
        bell.ring("first")
        told = await asyncio.wait_for(hearing, PATIENCE / 2)
        assert told | await bell.heard(0) == {"first", "second"}
        assert await bell.heard(0.01) == set()  # nobody rings

    asyncio.run(hear())
    assert not bell.wait(0)


def test_bell_is_found_by_its_setting(bell: Bell) -> None:
    inherited = Bell.inherited(bell.setting)
    assert inherited is not None
    inherited.ring()
    assert bell.wait(PATIENCE)
    assert Bell.inherited("") is None


def _holds(slots: Slots, line: Connection) -> None:
    with slots.place() as free:
        line.send(free)
        line.recv()


def test_slot_of_a_dead_process_is_free() -> None:
    slots = Slots(2)
    fork = multiprocessing.get_context("fork")
    started = []
    for _ in range(3):
        ours, theirs = fork.Pipe()
        process = fork.Process(target=_holds, args=(slots, theirs))
        process.start()
        started.append((process, ours, ours.recv()))
    assert [free for _, _, free in started] == [True, True, False]
    os.kill(started[0][0].pid, signal.SIGKILL)
    started[0][0].join()
    with slots.place() as free:
        assert free
    with slots.place() as free:  # and it was given back
        assert free
    for process, line, _ in started[1:]:
        line.send(None)
        process.join()
    slots.close()


def test_suspect_is_alone() -> None:
    """It waits for those who are there, and who comes later waits for it."""
    quarantine, order = Quarantine(), list[str]()

    def suspect() -> None:
        with quarantine.alone():
            order.append("suspect")

    def late() -> None:
        with quarantine.shared():
            order.append("late")

    with ThreadPoolExecutor() as pool:
        with ExitStack() as early:
            early.enter_context(quarantine.shared())
            early.enter_context(quarantine.shared())
            waiting = pool.submit(suspect)
            until(lambda: quarantine._waiting, "the suspect to wait")
            later = pool.submit(late)
            order.append("early")
        waiting.result(PATIENCE)
        later.result(PATIENCE)
    assert order == ["early", "suspect", "late"]


def test_shelf_loads_once_and_keeps_the_last() -> None:
    loaded: list[str] = []

    def load(ref: PackageRef) -> str:
        loaded.append(str(ref))
        time.sleep(0.05)
        return str(ref)

    shelf = Shelf(load, room=2)
    a, b, c = (ref(name) for name in "abc")
    threads = [threading.Thread(target=shelf.get, args=(a,)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shelf.get(b)
    shelf.get(a)
    shelf.get(c)
    assert loaded == ["a@1", "b@1", "c@1"]
    assert shelf.names == ["a@1", "c@1"]


def test_shelf_names_what_is_damaged() -> None:
    def load(ref: PackageRef) -> str:
        raise OSError("no such file")

    with pytest.raises(ModelPackageError, match="a@1 is damaged"):
        Shelf(load, room=1).get(ref("a"))


def ref(name: str) -> PackageRef:
    return PackageRef(name, "1", Path("/nowhere"), current=True, bundled=False)
