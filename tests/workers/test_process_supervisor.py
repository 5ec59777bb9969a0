"""Children are forks that hold no more than is theirs, and end with their supervisor."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.patience import PATIENCE, until
from tests.service import ROOT, over

# A supervisor of one child, which tells what it is and then does as the argument says.
CODE = """
import json, os, signal, sys, time
from pathlib import Path
from workers.logs import configure_logging
from workers.process_supervisor import Child, ProcessSupervisor

configure_logging()
told, deed = Path(sys.argv[1]), sys.argv[2]
kept, other = os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_RDONLY)


def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def act():
    about = {
        "pid": os.getpid(), "group": os.getpgrp(), "loaded": "colorsys" in sys.modules,
        "kept": is_open(kept), "other": is_open(other),
        "oom": int(Path("/proc/self/oom_score_adj").read_text()),
        "default": signal.getsignal(signal.SIGTERM) is signal.SIG_DFL,
    }
    with told.open("a") as file:
        file.write(json.dumps(about) + "\\n")
    if deed == "fail":
        raise ValueError("words of a document")
    if deed == "stay":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)


child = Child("some-long-label", act, (kept,), preload=("colorsys", "there.is.no.such.module"))
child.on_kill = lambda: print("killed", flush=True)
supervisor = ProcessSupervisor(
    [child], drain_seconds=0.5, before_fork=lambda: print("forks", flush=True)
)
supervisor.run()
"""


class Supervised:
    """A supervisor in a process of its own."""

    def __init__(self, folder: Path, deed: str) -> None:
        self.told = folder / "told"
        with (folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", CODE, str(self.told), deed],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def starts(self, number: int) -> list[dict[str, object]]:
        """Return what the child told at each start, once there are so many."""

        def lines() -> list[dict[str, object]] | None:
            text = self.told.read_text() if self.told.exists() else ""
            found = [json.loads(line) for line in text.splitlines()]
            return found if len(found) >= number else None

        found: list[dict[str, object]] = until(lines, "the child to start")
        return found

    def end(self) -> str:
        """Stop it as an operator does; return what it printed."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.communicate(timeout=PATIENCE)[0]


def test_a_child_has_what_is_loaded_and_no_descriptor_of_others(tmp_path: Path) -> None:
    supervised = Supervised(tmp_path, "wait")
    (about,) = supervised.starts(1)
    assert about["loaded"]
    assert about["group"] == about["pid"]
    assert (about["kept"], about["other"], about["default"]) == (True, False, True)
    assert psutil.Process(int(str(about["pid"]))).name() == "fw-some-long-la"
    ours = int(Path(f"/proc/{supervised.process.pid}/oom_score_adj").read_text())
    assert about["oom"] == min(1000, ours + 300)
    assert supervised.end() == "forks\n"  # it ended by itself; what it printed would be here
    assert supervised.process.returncode == 0


def test_a_child_that_is_killed_is_started_again(tmp_path: Path) -> None:
    supervised = Supervised(tmp_path, "wait")
    (first,) = supervised.starts(1)
    os.kill(int(str(first["pid"])), signal.SIGKILL)
    assert supervised.starts(2)[1]["pid"] != first["pid"]
    supervised.end()


def test_a_child_that_fails_says_where_and_not_what(tmp_path: Path) -> None:
    supervised = Supervised(tmp_path, "fail")
    supervised.starts(2)
    supervised.end()
    log = (tmp_path / "log").read_text()
    assert "process stumbled" in log
    assert "process died" in log
    assert "words of a document" not in log


def test_a_child_that_does_not_end_in_time_is_killed(tmp_path: Path) -> None:
    supervised = Supervised(tmp_path, "stay")
    (about,) = supervised.starts(1)
    assert supervised.end() == "forks\nkilled\n"
    assert not psutil.pid_exists(int(str(about["pid"])))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux tells of parents")
def test_a_child_ends_with_its_supervisor(tmp_path: Path) -> None:
    supervised = Supervised(tmp_path, "wait")
    (about,) = supervised.starts(1)
    child = psutil.Process(int(str(about["pid"])))
    supervised.process.kill()
    supervised.process.communicate()
    until(lambda: over(child), "the child's end")


def test_what_supervisors_load_starts_no_threads() -> None:
    """A fork would copy the locks that they hold."""
    code = (
        "import importlib, psutil, sys, workers.process_supervisor as s; "
        "import cli.service.serve, workers.embedded.supervisor, workers.broker.launch; "
        "[importlib.import_module(name) for name in (*s.TAGGING, 'workers.broker.node')]; "
        "sys.exit(psutil.Process().num_threads() != 1)"
    )
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # as `ProcessSupervisor.run` has it
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=False)
    assert done.returncode == 0
