"""Hooks that break a process on purpose: each action, how often, and never outside tests."""

from __future__ import annotations

import errno
import multiprocessing
import signal
from pathlib import Path

import pytest

from store.faults import PlannedFault, fault_at
from store.settings import Settings


def settings(home: Path, fault: str, env: str = "test") -> Settings:
    return Settings(home=home, fault=fault, env=env)


def test_no_hook_fires_outside_tests(tmp_path: Path) -> None:
    fault_at("in_read", settings(tmp_path, "in_read:raise", env="production"))
    with pytest.raises(PlannedFault):
        fault_at("in_read", settings(tmp_path, "in_read:raise"))


def test_hook_fires_at_its_point_for_its_document(tmp_path: Path) -> None:
    hooks = settings(tmp_path, "in_tag@abc:raise")
    fault_at("in_read", hooks, sha256="abcd")
    fault_at("in_tag", hooks, sha256="abd")
    fault_at("in_tag", hooks)
    with pytest.raises(PlannedFault):
        fault_at("in_tag", hooks, sha256="abcd")


def test_shots_are_counted_over_all_processes(tmp_path: Path) -> None:
    for _ in range(2):  # each with settings of its own, as two processes have
        with pytest.raises(PlannedFault):
            fault_at("in_tag", settings(tmp_path, "in_tag:raise:2"))
    fault_at("in_tag", settings(tmp_path, "in_tag:raise:2"))


def test_full_disk_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space") as caught:
        fault_at("write_file", settings(tmp_path, "write_file:enospc"))
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.parametrize(("action", "status"), [("kill9", -signal.SIGKILL), ("exit1", 1)])
def test_process_ends(tmp_path: Path, action: str, status: int) -> None:
    hooks = settings(tmp_path, f"in_read:{action}:1")
    process = multiprocessing.get_context("spawn").Process(target=fault_at, args=("in_read", hooks))
    process.start()
    process.join(60)
    assert process.exitcode == status
    fault_at("in_read", hooks)  # its only shot is gone


def test_nap_ends_by_itself(tmp_path: Path) -> None:
    fault_at("in_read", settings(tmp_path, "in_read:sleep:0.001:1"))
    assert len(list((tmp_path / "faults").iterdir())) == 1


def test_unknown_action_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such fault"):
        fault_at("in_read", settings(tmp_path, "in_read:explode"))
