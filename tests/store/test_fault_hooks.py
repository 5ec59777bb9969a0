"""Hooks that break a process on purpose: each action, how often, and never outside tests."""

from __future__ import annotations

import errno
import multiprocessing
import signal
from pathlib import Path

import pytest

from store.faults import Faults, PlannedFault
from store.settings import Settings


def hooks_of(home: Path, fault: str, env: str = "test") -> Faults:
    return Settings(home=home, fault=fault, env=env).faults


def test_no_hook_fires_outside_tests(tmp_path: Path) -> None:
    hooks_of(tmp_path, "in_read:raise", env="production").at("in_read")
    with pytest.raises(PlannedFault):
        hooks_of(tmp_path, "in_read:raise").at("in_read")


def test_hook_fires_at_its_point_for_its_document(tmp_path: Path) -> None:
    hooks = hooks_of(tmp_path, "in_tag@abc:raise")
    hooks.at("in_read", sha256="abcd")
    hooks.at("in_tag", sha256="abd")
    hooks.at("in_tag")
    with pytest.raises(PlannedFault):
        hooks.at("in_tag", sha256="abcd")


def test_shots_are_counted_over_all_processes(tmp_path: Path) -> None:
    for _ in range(2):  # each with settings of its own, as two processes have
        with pytest.raises(PlannedFault):
            hooks_of(tmp_path, "in_tag:raise:2").at("in_tag")
    hooks_of(tmp_path, "in_tag:raise:2").at("in_tag")


def test_full_disk_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space") as caught:
        hooks_of(tmp_path, "write_file:enospc").at("write_file")
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.parametrize(("action", "status"), [("kill9", -signal.SIGKILL), ("exit1", 1)])
def test_process_ends(tmp_path: Path, action: str, status: int) -> None:
    hooks = hooks_of(tmp_path, f"in_read:{action}:1")
    process = multiprocessing.get_context("spawn").Process(target=hooks.at, args=("in_read",))
    process.start()
    process.join(60)
    assert process.exitcode == status
    hooks.at("in_read")  # its only shot is gone


def test_nap_ends_by_itself(tmp_path: Path) -> None:
    hooks_of(tmp_path, "in_read:sleep:0.001:1").at("in_read")
    assert len(list((tmp_path / "faults").iterdir())) == 1


def test_unknown_action_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such fault"):
        hooks_of(tmp_path, "in_read:explode").at("in_read")
