"""Blobs are whole or absent, private, bounded, and never outside their folder."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
import uuid
from pathlib import Path

import pytest

from pipeline.errors import EmptyDocument, FileTooLarge, StorageFull
from workers.blobs import FILE, LocalBlobs

JOB = str(uuid.uuid4())


@pytest.fixture
def blobs(tmp_path: Path) -> LocalBlobs:
    return LocalBlobs(tmp_path / "blobs")


def files(blobs: LocalBlobs) -> list[Path]:
    return [path for path in blobs.root.rglob("*") if path.is_file()]


def test_document_is_stored_with_its_size_and_hash(blobs: LocalBlobs) -> None:
    data = bytes(range(256)) * 10
    size, digest = blobs.receive(JOB, io.BytesIO(data), limit=len(data))
    assert (size, digest) == (len(data), hashlib.sha256(data).hexdigest())
    assert blobs.get(JOB, FILE) == data


def test_blobs_are_for_their_owner_alone(blobs: LocalBlobs) -> None:
    blobs.put(JOB, "password", b"secret")
    (path,) = files(blobs)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("data", "error"),
    [pytest.param(b"x" * 11, FileTooLarge, id="long"), pytest.param(b"", EmptyDocument, id="none")],
)
def test_refused_document_leaves_nothing(
    blobs: LocalBlobs, data: bytes, error: type[Exception]
) -> None:
    with pytest.raises(error):
        blobs.receive(JOB, io.BytesIO(data), limit=10)
    assert files(blobs) == []


def test_full_disk_has_a_name_and_leaves_nothing(
    blobs: LocalBlobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageFull):
        blobs.receive(JOB, io.BytesIO(b"data"), limit=10)
    assert files(blobs) == []


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


def test_spool_is_cleared_of_old_files_alone(blobs: LocalBlobs) -> None:
    spool = blobs.root / "tmp"
    for name, age in (("old", 7200), ("young", 0)):
        path = spool / name
        path.touch()
        os.utime(path, (path.stat().st_atime, path.stat().st_mtime - age))
    blobs.clear_spool(older_than=3600)
    assert [path.name for path in spool.iterdir()] == ["young"]


def test_a_blob_that_gets_its_name_meanwhile_does_not_end_the_sweep(
    blobs: LocalBlobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = blobs.root / "tmp" / "old"
    old.touch()
    os.utime(old, (0, 0))
    monkeypatch.setattr(Path, "iterdir", lambda folder: iter([folder / "renamed", folder / "old"]))
    blobs.clear_spool(older_than=3600)
    assert not old.exists()
