"""Requests for pictures of pages: drawn once, by one worker, and forgotten when nobody waits."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import update

from pipeline.errors import CorruptDocument
from store.errors import JobUnknown
from store.jobs import Job
from store.pictures import Picture, Pictures
from store.sql.tables import PictureRow
from tests.stores import JobStore


@pytest.fixture
def job(store: JobStore) -> Job:
    """A job whose pages are wanted."""
    named = {"model": "tiny", "sha256": "0" * 64, "filename": "a.pdf"}
    return store.jobs.add(
        Job("8b1f1a3e-2a8c-4d83-8ab5-0b6c4f0b6a01", **named, media_type="", size=1)
    )


def of_owner(owner: str | None) -> Job:
    named = {"model": "tiny", "sha256": "0" * 64, "filename": "a.pdf"}
    return Job(str(uuid.uuid4()), **named, media_type="", size=1, owner=owner)


def test_picture_is_drawn_by_one_worker_until_its_lease_ends(store: JobStore, job: Job) -> None:
    pictures = Pictures(store.database)
    wanted = [Picture(job.id, number, 400) for number in (1, 2)]
    assert pictures.take() == []
    for picture in wanted * 2:  # asked for twice, and drawn once
        pictures.ask(picture)
    assert sorted(pictures.take(), key=lambda one: one.number) == wanted
    assert pictures.take() == []
    pictures.drawn(wanted[0])
    change(store, taken_until=0.0)  # the worker died
    assert pictures.take() == [wanted[1]]


def test_owners_take_turns(store: JobStore) -> None:
    """Pages of one owner, however many and slow, hold up nobody else's for long."""
    pictures = Pictures(store.database)
    jobs = [store.jobs.add(of_owner(owner)) for owner in ("anna", "anna", "berta", None)]
    for job in jobs:
        for number in (1, 2, 3):
            pictures.ask(Picture(job.id, number, 400))
    turns = [pictures.take(1)[0].job_id for _ in range(5)]
    assert turns == [jobs[n].id for n in (0, 2, 3, 0, 2)]


def test_reason_is_told_until_it_is_forgotten(store: JobStore, job: Job) -> None:
    pictures, picture = Pictures(store.database), Picture(job.id, 1, 400)
    pictures.ask(picture)
    pictures.failed(pictures.take(), CorruptDocument("It cannot be opened."))
    with pytest.raises(CorruptDocument, match="opened"):
        pictures.ask(picture)
    assert pictures.take() == []
    change(store, wanted_at=0.0)
    pictures.forget()
    pictures.ask(picture)  # it is tried again


def test_nobody_draws_what_nobody_waits_for(store: JobStore, job: Job) -> None:
    pictures = Pictures(store.database)
    pictures.ask(Picture(job.id, 1, 400))
    change(store, wanted_at=0.0)
    assert pictures.take() == []


def test_the_job_may_be_removed_before_its_picture_is_asked_for(store: JobStore) -> None:
    with pytest.raises(JobUnknown):
        Pictures(store.database).ask(Picture("no-such-job", 1, 100))


def test_requests_go_with_their_job(store: JobStore, job: Job) -> None:
    pictures = Pictures(store.database)
    pictures.ask(Picture(job.id, 1, 400))
    store.jobs.delete(job.id)
    assert pictures.take() == []


def change(store: JobStore, **values: float) -> None:
    with store.database.writing() as connection:
        connection.execute(update(PictureRow).values(values))
