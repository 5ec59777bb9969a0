"""The health check of a host judges the workers of that host, by the whole of its name."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from store.jobs import WorkerInfo
from workers.health import complaint, main
from workers.names import worker_name


def reported(host: str, *, ready: bool = True, age: float = 3.0) -> WorkerInfo:
    with patch("socket.gethostname", return_value=host):
        name = worker_name("read-tag-resolve")
    assert len(name) <= 64  # what the store keeps
    return WorkerInfo(name, 1, ready, "" if ready else "The model is being loaded.", (), age)


@pytest.mark.parametrize("host", ["reader", "a-machine-with-a-rather-long-name-" + "x" * 30])
def test_workers_of_a_host_are_found_by_its_name(host: str) -> None:
    well, ill, gone = reported(host), reported(host, ready=False), reported(host, age=300.0)
    others = [reported(f"{host}2"), reported(host[:-1]), reported(f"tag-{host}")]
    assert complaint([well, ill], host, 60.0) == ""
    assert complaint([ill, gone, *others], host, 60.0) == "The model is being loaded."
    assert host in complaint([gone, *others], host, 60.0)


def test_a_host_without_the_workers_settings_is_told_and_gets_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "none"
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(home))
    monkeypatch.delenv("FIELDWRIGHT_DATABASE_URL", raising=False)
    assert main() == 1
    assert "settings" in capsys.readouterr().err
    assert not home.exists()
