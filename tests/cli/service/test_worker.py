"""`fieldwright worker`: what it refuses, and which queues share a process."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.commands import run
from workers.broker.launch import nodes_for


def worker(
    home: Path, *options: str, code: int, **settings: str
) -> subprocess.CompletedProcess[str]:
    named = {f"FIELDWRIGHT_{name.upper()}": value for name, value in settings.items()}
    return run("worker", *options, code=code, FIELDWRIGHT_HOME=home, **named)


def test_without_a_broker_it_says_what_to_do(tmp_path: Path) -> None:
    done = worker(tmp_path, code=2)
    assert "fieldwright serve" in done.stderr
    assert "FIELDWRIGHT_BROKER_URL" in done.stderr
    assert not done.stdout


@pytest.mark.parametrize("option", ["--queues=read,write", "--device=abacus"])
def test_unknown_option_is_named(tmp_path: Path, option: str) -> None:
    done = worker(tmp_path, option, broker_url="redis://127.0.0.1:1/0", code=2)
    assert option.rpartition("=")[2].split(",")[-1] in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("queues", "nodes"),
    [
        pytest.param(["read", "tag", "resolve"], [("read",), ("tag", "resolve")], id="all"),
        pytest.param(["resolve", "read"], [("read", "resolve")], id="without_a_model"),
        pytest.param(["tag", "read"], [("read",), ("tag",)], id="reading_by_itself"),
        pytest.param(["tag"], [("tag",)], id="one"),
        pytest.param(["resolve", "tag"], [("tag", "resolve")], id="in_the_order_of_a_job"),
    ],
)
def test_queues_that_share_a_node(queues: list[str], nodes: list[tuple[str, ...]]) -> None:
    assert nodes_for(queues) == nodes


@pytest.mark.parametrize("queues", [[], ["read", "write"]])
def test_queues_that_are_none(queues: list[str]) -> None:
    with pytest.raises(ValueError, match="no such queue"):
        nodes_for(queues)
