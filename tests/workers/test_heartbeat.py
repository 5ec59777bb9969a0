"""The heartbeat: it goes on through faults, the worker's own among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.jobs import Jobs
from store.settings import Settings
from tests.patience import until
from workers.heartbeat import Heartbeat


def test_heartbeat_goes_on_after_a_fault_of_ours(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = Jobs(Settings(home=tmp_path, heartbeat_seconds=0.1))
    jobs.prepare()
    looks: list[int] = []

    def state() -> tuple[bool, str, list[str]]:
        looks.append(1)
        if len(looks) == 1:
            raise RuntimeError("a fault of ours")
        return True, "", ["tiny@1.0.0"]

    heartbeat = Heartbeat("w", jobs, ("read",), state)
    heartbeat.start()
    try:
        until(jobs.workers.list, "the worker to be seen")
    finally:
        heartbeat.stop()
        jobs.close()
    assert len(looks) >= 2
    assert "heartbeat failed" in caplog.text
