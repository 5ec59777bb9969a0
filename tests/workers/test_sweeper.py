"""Chores are done in turns, whatever fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import StoreUnavailable
from store.jobs import Claims, Jobs
from store.settings import Settings
from tests.patience import until
from tests.stores import prepare
from workers.sweeper import Chore, Sweeper, queue_chores


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    queue = Jobs(Settings(home=tmp_path))
    prepare(queue)
    yield queue
    queue.close()


def test_chore_that_fails_is_tried_again(jobs: Jobs) -> None:
    failures: list[Exception] = [StoreUnavailable("away"), RuntimeError("a fault of ours")]
    done = threading.Event()

    def act() -> None:
        if failures:
            raise failures.pop()
        done.set()

    sweeper = Sweeper(jobs, [Chore("test", act, every=0.05)])
    sweeper.start()
    assert done.wait(60)
    sweeper.stop()


def test_two_sweepers_take_turns(jobs: Jobs) -> None:
    turns: list[str] = []
    first, second = (
        Sweeper(jobs, [Chore("test", lambda name=name: turns.append(name), every=3600)])  # type: ignore[misc]
        for name in "ab"
    )
    first.start()
    until(lambda: turns == ["a"], "the first turn")
    second.start()
    second.stop()
    first.stop()
    assert turns == ["a"]


def test_leases_are_measured_by_the_setting(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    leases: list[float] = []
    monkeypatch.setattr(Claims, "cut_leases", lambda self, *, lease: leases.append(lease))
    for chore in queue_chores(jobs):
        chore.act()
    assert leases == [jobs.settings.lease_seconds]
