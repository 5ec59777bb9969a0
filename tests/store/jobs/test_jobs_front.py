"""The queue's front without a server: what is stored, what is cleaned away."""

from __future__ import annotations

import json
import logging
import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from pydantic import ValidationError

from pipeline.errors import StorageFull, WrongPassword, error_from
from store.blobs import FILE, PASSWORD
from store.errors import JobCancelled, StoreUnavailable
from store.jobs import Jobs, Later
from store.jobs.rows import change
from store.settings import Settings
from store.sql.tables import JobRow
from tests.builders import receipt_pdf
from tests.packages import tiny_package
from tests.stores import opened
from tests.submitting import submit
from workers.logs import JsonFormatter

PDF = receipt_pdf()


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    with opened(Settings(home=tmp_path, model="tiny"), tiny="1.0.0") as queue:
        yield queue


def documents(jobs: Jobs) -> list[Path]:
    return [path for path in jobs.blobs.root.glob("??/*/*") if path.is_file()]


def age(jobs: Jobs, job_id: str, seconds: float) -> None:
    folder = jobs.blobs.root / job_id[:2] / job_id
    moment = folder.stat().st_mtime - seconds
    os.utime(folder, (moment, moment))


def test_document_that_the_store_did_not_take_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    tiny_package(tmp_path / "models" / "tiny" / "1.0.0")
    queue = Jobs(Settings(home=tmp_path, model="tiny", database_url=f"sqlite:///{tmp_path}"))
    with pytest.raises(StoreUnavailable):  # a folder is no database
        submit(queue, PDF)
    assert documents(queue) == []
    queue.close()


def test_cleaning_spares_living_jobs(jobs: Jobs) -> None:
    job = submit(jobs, PDF, password="geheim")
    age(jobs, job.id, 7200)
    jobs.clean(deep=True)
    assert jobs.blobs.get(job.id, PASSWORD) == b"geheim"


def test_cleaning_removes_what_crashes_left(jobs: Jobs) -> None:
    orphan, young = str(uuid.uuid4()), str(uuid.uuid4())
    jobs.check_blobs()
    jobs.blobs.put(orphan, FILE, b"x")
    jobs.blobs.put(young, FILE, b"x")
    age(jobs, orphan, 7200)
    failed = submit(jobs, PDF, password="geheim")
    claimed = jobs.claims.claim("w", lease=60, max_attempts=3)
    assert claimed is not None
    jobs.leases.fail(claimed, WrongPassword("It does not open."))
    cancelled = submit(jobs, PDF)
    claimed = jobs.claims.claim("w", lease=60, max_attempts=3)
    assert claimed is not None
    jobs.leases.fail(claimed, JobCancelled("It was cancelled."))
    jobs.clean(deep=True)
    assert {path.parent.name for path in documents(jobs)} == {young, failed.id}
    assert jobs.blobs.get(failed.id, PASSWORD) is None
    assert jobs.blobs.get(cancelled.id, FILE) is None


def test_what_is_tidied_is_not_tidied_again(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        submit(jobs, PDF)
        claimed = jobs.claims.claim("w", lease=60, max_attempts=3)
        assert claimed is not None
        jobs.leases.fail(claimed, WrongPassword("It does not open."))
    jobs.tidy(claimed.id)  # by its worker; those of the others died
    keep_only, tidied = jobs.blobs.keep_only, list[str]()

    def noted(job_id: str, *names: str) -> None:
        tidied.append(job_id)
        keep_only(job_id, *names)

    monkeypatch.setattr(jobs.blobs, "keep_only", noted)
    for _ in range(2):
        jobs.clean()
    assert len(tidied) == len({*tidied} - {claimed.id}) == 2
    for job_id in {*tidied, claimed.id}:
        age(jobs, job_id, 7200)
    jobs.clean(deep=True)
    assert len(tidied) == 2


@pytest.mark.parametrize("state", ["succeeded", "failed", "cancelled"])
def test_deep_cleaning_makes_up_for_a_removal_that_was_refused(
    jobs: Jobs, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And asks about no other job: where an object store has the files each is a request."""
    ended = [submit(jobs, PDF) for _ in range(3)]
    for _ in ended:
        job = jobs.claims.claim("w", lease=60, max_attempts=3)
        assert job is not None
        if state == "succeeded":
            jobs.leases.succeed(job, "{}")
        else:
            error = JobCancelled("x") if state == "cancelled" else WrongPassword("x")
            jobs.leases.fail(job, error)
    jobs.clean()
    left = ended[1].id
    jobs.blobs.put(left, PASSWORD, b"x")
    for each in ended:
        if (jobs.blobs.root / each.id[:2] / each.id).exists():
            age(jobs, each.id, 7200)
    asked = list[str]()
    for name in ("keep_only", "remove"):
        act = getattr(jobs.blobs, name)
        noting = lambda *given, act=act: (asked.append(given[0]) if given else None, act(*given))  # noqa: E731
        monkeypatch.setattr(jobs.blobs, name, noting)
    jobs.clean(deep=True)
    assert not jobs.blobs.holds(left, PASSWORD)
    assert asked == [left]
    assert jobs.blobs.holds(left, FILE) == (state != "cancelled")


def test_files_are_tidied_again_where_that_broke_off(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = submit(jobs, PDF, password="falsch")
    claimed = jobs.claims.claim("w", lease=60, max_attempts=3)
    assert claimed is not None
    jobs.leases.fail(claimed, WrongPassword("It does not open."))
    with monkeypatch.context() as patch:
        patch.setattr(jobs.blobs, "keep_only", Mock(side_effect=OSError("gone")))
        with pytest.raises(OSError, match="gone"):
            jobs.tidy(job.id)
    with jobs.repository.holding([job.id]) as hold:
        assert hold.states == {job.id: "failed"}
        jobs.clean()  # while somebody has its files in hand, nobody else does anything to them
        assert jobs.blobs.holds(job.id, PASSWORD)
        with jobs.database.writing() as connection:  # but for ever: its holder died
            change(connection, JobRow.id == job.id, lease_until=Later())
        jobs.clean()
    assert not jobs.blobs.holds(job.id, PASSWORD)


def test_stored_errors_come_back_as_they_were() -> None:
    error = WrongPassword("It does not open.", advice="Ask the sender.")
    again = error_from(error.code, error.detail, error.advice)
    assert type(again) is WrongPassword
    assert (again.detail, again.advice) == (error.detail, error.advice)
    assert error_from("code_of_another_version", "Something.").code == "internal"


def test_heartbeat_must_fit_into_the_lease() -> None:
    with pytest.raises(ValidationError, match="HEARTBEAT"):
        Settings(lease_seconds=10, heartbeat_seconds=6)


def test_log_lines_cannot_be_forged_and_quote_no_document() -> None:
    try:
        raise ValueError("words of the document")
    except ValueError:
        record = logging.LogRecord(
            "x", logging.ERROR, "f.py", 1, "line\n{}", None, exc_info=sys.exc_info()
        )
    record.job = "1"
    line = JsonFormatter().format(record)
    assert "\n" not in line
    assert "words of the document" not in line
    event = json.loads(line)
    assert (event["event"], event["job"], event["error"]) == ("line\n{}", "1", "ValueError")


def test_store_of_documents_that_hangs_is_not_asked_once_more(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed = Mock()
    monkeypatch.setattr(jobs.blobs, "remove", removed)
    for error, times in ((StoreUnavailable("It hangs."), 0), (StorageFull("It is full."), 1)):
        monkeypatch.setattr(jobs.blobs, "put", Mock(side_effect=error))
        with pytest.raises(type(error)):
            submit(jobs, PDF)
        assert removed.call_count == times
