"""Processes end with the one that started them, whenever it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

CODE = (
    "import sys; from pipeline.reading.isolation.parent import die_with_parent as tie; "
    "tie(parent=int(sys.argv[1]) if sys.argv[1:] else None); print('on')"
)
DEAD = 2**22 + 1  # higher than any process has


def _run(*parent: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CODE, *map(str, parent)], capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux tells of parents")
def test_a_process_whose_parent_died_at_its_start_ends() -> None:
    done = _run(DEAD)
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, "")


@pytest.mark.parametrize("parent", [(os.getpid(),), ()], ids=["named", "not_named"])
def test_a_process_whose_parent_lives_goes_on(parent: tuple[int, ...]) -> None:
    done = _run(*parent)
    assert (done.returncode, done.stdout) == (0, "on\n"), done.stderr
