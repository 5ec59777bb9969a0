"""What is abandoned: what nobody who lives has locked."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pipeline.reading.isolation.owner import abandoned, own


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "file"
    made.touch()
    return made


def is_abandoned(path: Path) -> bool:
    with abandoned(path) as free:
        return free


def test_ours_until_it_is_closed(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    assert is_abandoned(path)
    assert own(descriptor, path)
    assert not is_abandoned(path)
    os.close(descriptor)
    assert is_abandoned(path)


def test_what_is_taken_for_abandoned_is_not_ours(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    with abandoned(path) as free:
        assert free
        assert not own(descriptor, path)
        path.unlink()
    assert not own(descriptor, path)
    os.close(descriptor)


def test_links_pipes_and_what_is_gone(path: Path, tmp_path: Path) -> None:
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(path)
    os.mkfifo(pipe)
    assert not is_abandoned(link)
    assert not is_abandoned(tmp_path / "gone")
    with abandoned(pipe):  # returns at once
        pass


def test_without_locks_ours_and_never_abandoned(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr("fcntl.flock", refuse)
    descriptor = os.open(path, os.O_RDONLY)
    assert own(descriptor, path)
    assert not is_abandoned(path)
    os.close(descriptor)
