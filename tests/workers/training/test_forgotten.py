"""What deleted datasets leave with a trainer goes; what is another job store's stays."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from store.datasets import Datasets
from store.jobs import Jobs
from store.settings import Settings
from store.sql.database import Database
from store.sql.tables import LockRow
from store.trainings import Training, Trainings
from tests.stores import prepare
from workers.training.forgotten import mark, remove_forgotten
from workers.training.process import TrainerProcess


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    jobs = Jobs(Settings(home=tmp_path))
    prepare(jobs)
    yield jobs
    jobs.close()


def folder_of(jobs: Jobs, training_id: str) -> Path:
    folder = jobs.settings.home / "trainings" / training_id
    mark(jobs, folder)
    (folder / "letter.pdf").write_bytes(b"of a patient")
    return folder


def test_folders_of_deleted_trainings_go(jobs: Jobs) -> None:
    dataset = Datasets(jobs).create("Letters", "letters", None)
    training = Training(str(uuid.uuid4()), dataset.id, None, "letters", "1.0.0", {}, documents=10)
    Trainings(jobs.database).start(training)
    kept, gone = folder_of(jobs, training.id), folder_of(jobs, str(uuid.uuid4()))
    unmarked = jobs.settings.home / "trainings" / str(uuid.uuid4())
    unmarked.mkdir()
    remove_forgotten(jobs)
    assert (kept / "letter.pdf").exists()
    assert not gone.exists()
    assert unmarked.exists()


def test_folders_of_another_job_store_stay(jobs: Jobs) -> None:
    folder = folder_of(jobs, str(uuid.uuid4()))
    with jobs.database.writing() as connection:  # as if another database had been given
        connection.execute(update(LockRow).values(holder="another"))
    remove_forgotten(jobs)
    assert folder.exists()


def test_a_trainer_starts_once_for_what_may_be_forgotten(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.training.process._LOOK", 0.0)
    database = Database(jobs.settings.store_url)

    def wanted() -> list[bool]:
        child = TrainerProcess(jobs.settings, database).child
        assert child.wanted is not None
        return [child.wanted(), child.wanted()]

    assert wanted() == [False, False]
    folder_of(jobs, str(uuid.uuid4()))
    assert wanted() == [True, False]
    database.close()
