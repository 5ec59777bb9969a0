"""Blobs are whole or absent, private, bounded, and never outside their folder."""

from __future__ import annotations

import errno
import io
import os
import signal
import stat
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from pipeline.errors import StorageFull
from store.blobs import FILE, LocalBlobs
from store.errors import StoreUnavailable

JOB = str(uuid.uuid4())
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def blobs(tmp_path: Path) -> LocalBlobs:
    return LocalBlobs(tmp_path / "blobs")


def files(blobs: LocalBlobs) -> list[Path]:
    return [path for path in blobs.root.rglob("*") if path.is_file()]


def test_files_are_stored_as_they_are(blobs: LocalBlobs) -> None:
    data = bytes(range(256)) * 1000
    blobs.put(JOB, FILE, io.BytesIO(data), durable=True)
    assert blobs.get(JOB, FILE) == data


def test_a_nearly_full_disk_takes_no_documents(tmp_path: Path) -> None:
    LocalBlobs(tmp_path).check_room()
    with pytest.raises(StorageFull):
        LocalBlobs(tmp_path, min_free_bytes=1 << 60).check_room()


def test_blobs_are_for_their_owner_alone(blobs: LocalBlobs) -> None:
    blobs.put(JOB, "password", b"secret")
    (path,) = files(blobs)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_full_disk_has_a_name_and_leaves_nothing(
    blobs: LocalBlobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageFull):
        blobs.put(JOB, FILE, b"data", durable=True)
    assert files(blobs) == []


def test_folder_that_is_gone_has_a_name(blobs: LocalBlobs) -> None:
    blobs.put(JOB, FILE, b"data")
    blobs.root.rename(blobs.root.with_name("away"))
    for use in (
        blobs.check_room,
        blobs.identity,
        lambda: blobs.put(JOB, FILE, b"data"),
        lambda: blobs.note_cleaning("token"),
    ):
        with pytest.raises(StoreUnavailable, match="folder of documents"):
            use()
    blobs.keep_only(JOB)
    blobs.root.with_name("away").rename(blobs.root)
    path = blobs.root / JOB[:2] / JOB / FILE
    path.unlink()
    path.mkdir()  # what cannot be read is not what is not there
    with pytest.raises(StoreUnavailable, match="Is a directory"):
        blobs.get(JOB, FILE)


def test_names_from_outside_never_become_paths(blobs: LocalBlobs) -> None:
    with pytest.raises(ValueError, match="badly formed"):
        blobs.get("../../etc/passwd", FILE)


def test_keep_only_and_remove(blobs: LocalBlobs) -> None:
    for name in (FILE, "password", "spans.json"):
        blobs.put(JOB, name, b"x")
    blobs.keep_only(JOB, FILE)
    assert [path.name for path in files(blobs)] == [FILE]
    blobs.remove(JOB)
    blobs.remove(JOB)
    assert blobs.get(JOB, FILE) is None


KILLED = """
import os, signal, sys
from pathlib import Path
from store.blobs import FILE, LocalBlobs

def kill(name):
    os.kill(os.getpid(), signal.SIGKILL)

LocalBlobs(Path(sys.argv[1]), before_close=kill).put(sys.argv[2], FILE, b"SECRET")
"""


def test_what_a_killed_writer_left_is_cleared(blobs: LocalBlobs) -> None:
    arguments = [sys.executable, "-c", KILLED, str(blobs.root), JOB]
    ended = subprocess.run(arguments, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert len(files(blobs)) == 1
    blobs.clear_spool()
    assert files(blobs) == []


def test_what_is_being_written_is_spared(tmp_path: Path) -> None:
    blobs = LocalBlobs(
        tmp_path / "blobs", before_close=lambda name: LocalBlobs(tmp_path / "blobs").clear_spool()
    )
    blobs.put(JOB, FILE, b"words")
    assert blobs.get(JOB, FILE) == b"words"


def test_a_file_cleared_before_it_was_locked_is_begun_anew(
    blobs: LocalBlobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_, made = os.open, 0

    def open_and_clear(path: Path, flags: int, mode: int = 0o777) -> int:
        nonlocal made
        descriptor = open_(path, flags, mode)
        if flags & os.O_EXCL:
            made += 1
            if made == 1:
                blobs.clear_spool()
        return descriptor

    monkeypatch.setattr("os.open", open_and_clear)
    blobs.put(JOB, FILE, b"words")
    assert made == 2
    assert blobs.get(JOB, FILE) == b"words"
    assert len(files(blobs)) == 1


def test_a_blob_that_gets_its_name_meanwhile_does_not_end_the_sweep(
    blobs: LocalBlobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = blobs.root / "tmp" / "old.part"
    old.touch()
    found = [old.with_name("renamed.part"), old]
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: iter(found))
    blobs.clear_spool()
    assert not old.exists()


def test_uploads_without_a_name_yet_are_not_cleared(blobs: LocalBlobs) -> None:
    (blobs.root / "tmp" / "tmpabc").touch()
    blobs.clear_spool()
    assert len(files(blobs)) == 1
