"""Processes that a supervisor started end with it, whenever it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from pipeline.reading.isolation.parent import SUPERVISOR

CODE = (
    "from pipeline.reading.isolation.parent import die_with_supervisor as tie; tie(); print('on')"
)
DEAD = 2**22 + 1  # higher than any process has


def _run(supervisor: int | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != SUPERVISOR}
    if supervisor is not None:
        environment[SUPERVISOR] = str(supervisor)
    return subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux tells of parents")
def test_a_process_whose_supervisor_died_at_its_start_ends() -> None:
    done = _run(DEAD)
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, "")


@pytest.mark.parametrize("supervisor", [os.getpid(), None], ids=["named", "not_named"])
def test_a_process_whose_supervisor_lives_goes_on(supervisor: int | None) -> None:
    done = _run(supervisor)
    assert (done.returncode, done.stdout) == (0, "on\n"), done.stderr
