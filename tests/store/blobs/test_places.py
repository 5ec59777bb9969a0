"""A folder and an object store keep the same promises; the wrong one of them is recognised."""

from __future__ import annotations

import io
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import obstore
import pytest
from obstore.exceptions import AlreadyExistsError
from obstore.store import LocalStore

from pipeline.errors import InvalidOption
from store.blobs import FILE, PASSWORD, Blobs, LocalBlobs, ObjectBlobs
from store.blobs.objects import Bucket
from store.errors import NotReady, StoreUnavailable
from store.jobs import Jobs
from store.settings import Settings
from tests.patience import until
from tests.servers import ObjectStoreServer
from tests.stores import prepare

BIG = bytes(range(256)) * 50_000  # more than one part of an upload


def objects(folder: Path, prefix: str) -> ObjectBlobs:
    return ObjectBlobs(f"s3://tests/{prefix}", LocalBlobs(folder))


@pytest.fixture(params=["folder", "s3"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Blobs]:
    if request.param == "folder":
        yield LocalBlobs(tmp_path / "blobs")
    else:
        request.getfixturevalue("s3")
        yield objects(tmp_path / "blobs", uuid.uuid4().hex)


def test_bytes_and_files_come_back_as_they_were(blobs: Blobs) -> None:
    job = str(uuid.uuid4())
    blobs.put(job, FILE, io.BytesIO(BIG), durable=True)
    blobs.put(job, PASSWORD, b"geheim")
    blobs.put(job, PASSWORD, b"")
    assert blobs.get(job, FILE) == BIG
    assert blobs.get(job, PASSWORD) == b""
    assert blobs.holds(job, FILE)
    assert not list(blobs.spool.iterdir())


def test_what_is_not_there_is_none_and_needs_no_removal(blobs: Blobs) -> None:
    job = str(uuid.uuid4())
    assert blobs.get(job, FILE) is None
    assert not blobs.holds(job, FILE)
    blobs.keep_only(job, FILE)
    blobs.remove(job)


def test_all_but_some_are_removed_of_one_job_alone(blobs: Blobs) -> None:
    job, other = str(uuid.uuid4()), str(uuid.uuid4())
    for name in (FILE, PASSWORD, "1.png"):
        blobs.put(job, name, b"x")
        blobs.put(other, name, b"x")
    blobs.keep_only(job, FILE)
    assert [blobs.holds(job, name) for name in (FILE, PASSWORD, "1.png")] == [True, False, False]
    blobs.remove(job)
    assert not blobs.holds(job, FILE)
    assert blobs.holds(other, "1.png")


def test_those_of_a_batch_are_removed_several_at_a_time(
    s3: ObjectStoreServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody waits for it, and the store may be far away."""
    blobs, jobs = objects(tmp_path, uuid.uuid4().hex), [str(uuid.uuid4()) for _ in range(64)]
    for job in jobs:
        blobs.put(job, FILE, b"x")
    asked, far = obstore.list, 0.1

    def from_afar(*given: Any, **options: Any) -> Any:
        time.sleep(far)
        return asked(*given, **options)

    monkeypatch.setattr(obstore, "list", from_afar)
    began = time.monotonic()
    blobs.remove(*jobs)
    assert time.monotonic() - began < len(jobs) * far / 2
    assert not any(blobs.holds(job, FILE) for job in jobs)


def test_old_ones_are_found_and_young_ones_spared(blobs: Blobs) -> None:
    jobs = {str(uuid.uuid4()) for _ in range(5)}
    for job in jobs:
        blobs.put(job, FILE, b"x")
        blobs.put(job, PASSWORD, b"x")
    assert dict(blobs.found(older_than=-60)) == {job: {FILE, PASSWORD} for job in jobs}
    assert not list(blobs.found(older_than=3600))


def test_what_others_leave_there_is_no_job(blobs: Blobs, tmp_path: Path) -> None:
    job = str(uuid.uuid4())
    blobs.put(job, FILE, b"x")
    if isinstance(blobs, ObjectBlobs):
        blobs._bucket.put("ab/.DS_Store/x", b"x")
    else:
        (tmp_path / "blobs" / "ab" / "@eaDir").mkdir(parents=True)
    assert list(blobs.found(older_than=-60)) == [(job, {FILE})]


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "x" * 36])
def test_names_from_outside_become_no_keys(blobs: Blobs, name: str) -> None:
    with pytest.raises(ValueError, match="UUID"):
        blobs.get(name, FILE)


def test_a_place_keeps_the_name_it_gave_itself(blobs: Blobs, tmp_path: Path) -> None:
    name = blobs.identity()
    assert name == blobs.identity()
    assert 0 < len(name) <= 64
    assert LocalBlobs(tmp_path / "another").identity() != name
    assert not list(blobs.found(older_than=-60))


def test_a_store_that_is_away_has_a_name_and_loses_nothing(
    s3: ObjectStoreServer, tmp_path: Path
) -> None:
    blobs, job = objects(tmp_path, uuid.uuid4().hex), str(uuid.uuid4())
    blobs.put(job, FILE, BIG, durable=True)
    s3.kill9()
    try:
        with pytest.raises(StoreUnavailable):
            blobs.get(job, FILE)
        with pytest.raises(StoreUnavailable):
            blobs.put(job, PASSWORD, b"x")
        blobs.remove(job)  # the sweep's, later
    finally:
        s3.start()

    def answered() -> bytes | None:
        with suppress(StoreUnavailable):  # its parts find one another after a while
            return blobs.get(job, FILE)
        return None

    assert until(answered, "the document") == BIG


def test_what_was_not_stored_is_not_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The status 409 is that of a conflict too: of S3 where the bucket or a lock is in change."""
    blobs = objects(tmp_path, uuid.uuid4().hex)

    def conflict(*given: Any, **options: Any) -> None:
        raise AlreadyExistsError("409 Conflict: OperationAborted")

    monkeypatch.setattr(obstore, "put", conflict)
    with pytest.raises(StoreUnavailable):
        blobs.put(str(uuid.uuid4()), FILE, b"x", durable=True)
    assert blobs.fault


def test_an_object_that_is_gone_already_leaves_no_other(tmp_path: Path) -> None:
    """S3 does not tell that one was not there; others do, and stop."""
    bucket = Bucket("s3://tests/x")
    bucket._store = LocalStore(tmp_path)
    keys = [f"{number:02}" for number in range(64)]
    for key in keys[1:]:
        bucket.put(key, b"x")
    bucket.remove(keys)
    assert list(bucket.found("")) == []


def test_a_place_keeps_the_last_cleaning(blobs: Blobs) -> None:
    noted = [blobs.note_cleaning(token) for token in ("first", "second", "third")]
    assert noted == [None, "first", "second"]
    assert not list(blobs.found(older_than=-60))


@pytest.mark.parametrize("url", ["ftp://host/x", "s3://", "bucket", "https://example.com/x"])
def test_addresses_of_no_object_store_are_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="FIELDWRIGHT_BLOB_URL"):
        Jobs(Settings(home=tmp_path, blob_url=url))


def test_a_folder_that_is_not_shared_is_named(tmp_path: Path, postgres_url: str) -> None:
    first, second, stray = (
        Jobs(Settings(home=tmp_path / home, database_url=postgres_url))
        for home in ("shared", "shared", "stray")
    )
    prepare(first)
    first.check_blobs()
    second.check_blobs()
    with pytest.raises(NotReady, match="stray/blobs does not hold") as caught:
        stray.check_blobs()
    assert "FIELDWRIGHT_BLOB_URL" in caught.value.advice
    for jobs in (first, second, stray):
        jobs.close()
