"""Temporary folders: gone at their end, and after a killed owner's."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.reading.isolation.folder import sweep, temporary_folder

ROOT = Path(__file__).resolve().parents[4]
OWNER = """
from pipeline.reading.isolation.folder import temporary_folder

with temporary_folder() as folder:
    (folder / "document").write_text("SECRET")
    print(folder, flush=True)
    input()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def owner(place: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that holds a folder with a document, and the folder."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER],
        env={**os.environ, "TMPDIR": str(place), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def test_a_folder_is_private_and_goes_with_all_in_it(place: Path) -> None:
    with temporary_folder() as folder:
        assert folder.parent == place
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "below").mkdir()
        (folder / "below" / "document").write_text("SECRET")
    assert list(place.iterdir()) == []


def test_a_folder_goes_where_the_work_fails(place: Path) -> None:
    with pytest.raises(ValueError, match="work"), temporary_folder():
        raise ValueError("work")
    assert list(place.iterdir()) == []


def test_the_living_keep_theirs(owner: tuple[subprocess.Popen[str], Path]) -> None:
    _, folder = owner
    with temporary_folder() as mine:
        sweep()
        assert mine.is_dir()
    assert (folder / "document").read_text() == "SECRET"


def test_what_the_killed_left_is_swept(owner: tuple[subprocess.Popen[str], Path]) -> None:
    process, folder = owner
    process.kill()
    process.wait()
    assert (folder / "document").exists()
    sweep()
    assert not folder.exists()


def test_what_others_put_there_stays(place: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "file").write_text("kept")
    (place / "fieldwright-postgres-1").mkdir()
    (place / "fieldwright-reading-file").write_text("no folder")
    (place / "fieldwright-reading-link").symlink_to(elsewhere)
    before = sorted(place.iterdir())
    sweep()
    assert sorted(place.iterdir()) == before
    assert (elsewhere / "file").read_text() == "kept"


def test_a_folder_swept_before_it_was_locked_is_replaced(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = tempfile.mkdtemp
    made: list[str] = []

    def make_and_sweep(prefix: str) -> str:
        made.append(make(prefix=prefix))
        if len(made) == 1:
            sweep()
        return made[-1]

    monkeypatch.setattr("tempfile.mkdtemp", make_and_sweep)
    with temporary_folder() as folder:
        assert str(folder) == made[1]
        assert folder.is_dir()


def test_folders_are_made_while_others_sweep(place: Path) -> None:
    done = threading.Event()

    def sweep_on() -> None:
        while not done.is_set():
            sweep()

    sweeper = threading.Thread(target=sweep_on)
    sweeper.start()
    try:
        for _ in range(300):
            with temporary_folder() as folder:
                (folder / "document").write_text("SECRET")
                assert (folder / "document").exists()
    finally:
        done.set()
        sweeper.join()
    assert list(place.iterdir()) == []
