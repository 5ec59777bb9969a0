"""Files without a job: removed where they are one's own, spared wherever that is not sure."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import delete

from store.blobs import FILE
from store.errors import NotReady
from store.jobs import Jobs
from store.settings import Settings
from store.sql.tables import JobRow, LockRow
from tests.packages import tiny_package
from tests.servers import PostgresServer
from tests.stores import prepare
from tests.submitting import PDFS, submit

Opener = Callable[[str, str], Jobs]


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Open the queue of a home and a database, each by its name, with tables."""
    queues: list[Jobs] = []
    urls: dict[str, str] = {}
    server: PostgresServer | None = None
    if request.param == "postgresql":
        server = request.getfixturevalue("postgres")

    def opened(home: str, database: str) -> Jobs:
        if database not in urls:
            own = f"sqlite:///{tmp_path / database}.db"
            urls[database] = server.new_database() if server else own
        if not (tmp_path / home / "models").exists():
            tiny_package(tmp_path / home / "models" / "tiny" / "1.0.0")
        settings = Settings(home=tmp_path / home, model="tiny", database_url=urls[database])
        queue = Jobs(settings)
        prepare(queue)
        queues.append(queue)
        return queue

    yield opened
    for queue in queues:
        queue.close()
    if server:
        for url in urls.values():
            server.drop(url)


def old(jobs: Jobs, *job_ids: str) -> None:
    """Have documents be hours old, all where no job is named."""
    ids = job_ids or [job_id for job_id, _ in jobs.blobs.found(older_than=-60)]
    for job_id in ids:
        os.utime(jobs.blobs.spool.parent / job_id[:2] / job_id, (0, 0))


def orphan(jobs: Jobs) -> str:
    """Return the id of an old document that a crash left without a job."""
    jobs.check_blobs()
    job_id = str(uuid.uuid4())
    jobs.blobs.put(job_id, FILE, b"x")
    old(jobs, job_id)
    return job_id


def test_orphans_of_ones_own_are_removed(opened: Opener, caplog: pytest.LogCaptureFixture) -> None:
    jobs = opened("home", "own")
    kept = submit(jobs, PDFS[0])
    for _ in range(2):
        lost = orphan(jobs)
        old(jobs)
        with caplog.at_level("INFO"):
            jobs.clean(deep=True)
        assert jobs.blobs.get(kept.id, FILE) == PDFS[0]
        assert jobs.blobs.get(lost, FILE) is None
    assert "documents without a job removed" in caplog.messages


@pytest.mark.parametrize("named", [True, False], ids=["named", "of an earlier release"])
def test_empty_database_takes_no_folder_of_another(opened: Opener, named: bool) -> None:
    """The address of the database was forgotten, or its backup is not restored yet."""
    jobs = opened("home", "own")
    job = submit(jobs, PDFS[0])
    old(jobs)
    if not named:
        (jobs.blobs.spool.parent / "installation").unlink()
    empty = opened("home", "empty")
    for _ in range(2):
        with pytest.raises(NotReady, match="documents of another job store"):
            empty.clean(deep=True)
        with pytest.raises(NotReady, match="FIELDWRIGHT_DATABASE_URL"):
            submit(empty, PDFS[1])
    assert jobs.blobs.get(job.id, FILE) == PDFS[0]


def test_folder_of_another_installation_is_left_alone(opened: Opener) -> None:
    jobs, other = opened("home", "own"), opened("elsewhere", "other")
    job = submit(jobs, PDFS[0])
    old(jobs)
    submit(other, PDFS[1])
    mistaken = opened("home", "other")
    with pytest.raises(NotReady, match="does not hold the documents"):
        mistaken.clean(deep=True)
    assert jobs.blobs.get(job.id, FILE) == PDFS[0]


def test_installation_of_an_earlier_release_knows_its_folder(opened: Opener) -> None:
    jobs = opened("home", "own")
    job, lost = submit(jobs, PDFS[0]), orphan(jobs)
    (jobs.blobs.spool.parent / "installation").unlink()  # with SQLite there was none
    with jobs.database.writing() as connection:
        connection.execute(delete(LockRow).where(LockRow.name == "blobs"))
    newer = opened("home", "own")
    newer.clean(deep=True)
    assert newer.blobs.get(job.id, FILE) == PDFS[0]
    assert newer.blobs.get(lost, FILE) is None


def test_database_restored_from_an_old_copy_spares_what_came_after_it(
    opened: Opener, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = opened("home", "own")
    jobs.check_blobs()
    jobs.clean(deep=True)
    with jobs.database.reading() as connection:  # the copy is made
        copy = connection.execute(LockRow.__table__.select()).mappings().all()
    job = submit(jobs, PDFS[0])
    old(jobs)
    jobs.clean(deep=True)
    with jobs.database.writing() as connection:
        connection.execute(delete(JobRow))
        connection.execute(delete(LockRow))
        connection.execute(LockRow.__table__.insert(), [dict(row) for row in copy])
    restored = opened("home", "own")
    restored.clean(deep=True)
    assert restored.blobs.get(job.id, FILE) == PDFS[0]
    assert "documents without a job spared" in caplog.messages
    restored.clean(deep=True)  # an hour later, where nobody stopped it
    assert restored.blobs.get(job.id, FILE) is None


def test_copy_of_a_database_beside_its_original_removes_nothing(opened: Opener) -> None:
    jobs, copy = opened("home", "own"), opened("home", "copy")
    jobs.check_blobs()
    name = jobs.turns.holder("blobs")
    assert name is not None
    copy.turns.hold("blobs", name)
    jobs.clean(deep=True)
    job = submit(jobs, PDFS[0])
    old(jobs)
    for _ in range(3):
        copy.clean(deep=True)
        jobs.clean(deep=True)
    assert jobs.blobs.get(job.id, FILE) == PDFS[0]
