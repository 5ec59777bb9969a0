"""Trainings in the store: one at a time of a dataset, leases, and ends that are written once."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import delete, insert, select

from pipeline.errors import InvalidOption
from store.errors import DatasetUnknown, TrainingNotFinished, TrainingRunning, TrainingUnknown
from store.sql.tables import DatasetRow
from store.trainings import MOST_ATTEMPTS, Training, TrainingLost, Trainings, TrainingStopped
from tests.stores import JobStore


@pytest.fixture
def trainings(store: JobStore) -> Trainings:
    return Trainings(store.database)


@pytest.fixture
def dataset(store: JobStore) -> str:
    """A dataset of Anna's."""
    return add_dataset(store)


def add_dataset(store: JobStore) -> str:
    dataset_id = str(uuid.uuid4())
    row: dict[str, Any] = {"id": dataset_id, "owner": "anna", "name": "n", "model_name": "m"}
    row |= {"fields": [], "source": None, "renames": {}, "revision": 1, "created_at": 0.0}
    with store.database.writing() as connection:
        connection.execute(insert(DatasetRow).values(row))
    return dataset_id


def new(dataset: str, version: str = "1.0.0") -> Training:
    return Training(str(uuid.uuid4()), dataset, "anna", "m", version, {"epochs": 3}, epochs=3)


def claimed(trainings: Trainings, worker: str = "w", lease: float = 60) -> Training:
    training = trainings.claim(worker, lease=lease)
    assert training is not None
    return training


def test_a_dataset_is_trained_on_once_at_a_time(
    store: JobStore, trainings: Trainings, dataset: str
) -> None:
    first = trainings.start(new(dataset))
    with pytest.raises(TrainingRunning):
        trainings.start(new(dataset))
    trainings.start(new(add_dataset(store), "1.1.0"))  # another one waits
    assert claimed(trainings).id == first.id
    with pytest.raises(TrainingRunning):
        trainings.start(new(dataset))
    with pytest.raises(TrainingRunning):
        trainings.delete(first.id)
    with pytest.raises(DatasetUnknown):
        trainings.start(new(str(uuid.uuid4())))


def test_a_version_is_made_by_one_training_at_a_time(
    store: JobStore, trainings: Trainings, dataset: str
) -> None:
    other = add_dataset(store)
    first = trainings.start(new(dataset))
    with pytest.raises(TrainingRunning, match=r"m@1\.0\.0"):
        trainings.start(new(other))
    trainings.cancel(first.id)
    trainings.start(new(other))
    with pytest.raises(TrainingRunning, match=r"m@1\.0\.0"):
        trainings.resume(first.id)


def test_progress_is_noted_and_the_report_kept(trainings: Trainings, dataset: str) -> None:
    trainings.start(new(dataset))
    assert trainings.waits()
    training = claimed(trainings)
    assert not trainings.waits()
    progress: dict[str, Any] = {"epoch": 1, "scores": [0.5], "seconds_left": 7.5, "step": 4}
    trainings.renew(training, lease=60, stage="training", **progress)
    found = trainings.get(training.id, "anna")
    assert (found.state, found.stage) == ("running", "training")
    assert (found.epoch, found.scores, found.seconds_left) == (1, [0.5], 7.5)
    with pytest.raises(TrainingNotFinished):
        trainings.finished(training.id)
    trainings.succeed(training, '{"all": 1}')
    found = trainings.finished(training.id)
    assert (found.report, found.seconds_left, found.stage) == ('{"all": 1}', None, None)
    with pytest.raises(TrainingLost):
        trainings.succeed(training, "{}")
    with pytest.raises(TrainingUnknown):
        trainings.get(training.id, "ben")


def test_owners_take_turns(store: JobStore, trainings: Trainings) -> None:
    """Who has many datasets trained does not keep the others waiting for all of them."""
    annas = [
        trainings.start(replace(new(add_dataset(store), f"1.{n}.0"), owner=owner))
        for n, owner in enumerate(["anna", "anna", "anna", "berta", None])
    ]
    order = [claimed(trainings, f"w{n}").id for n in range(5)]
    assert order == [annas[n].id for n in (0, 3, 4, 1, 2)]


def test_a_silent_trainer_loses_its_training(trainings: Trainings, dataset: str) -> None:
    trainings.start(new(dataset))
    silent = claimed(trainings, "silent", lease=-1)
    assert trainings.waits()
    again = claimed(trainings, "other")
    assert (again.id, again.attempts) == (silent.id, 2)
    writes: list[Callable[[], object]] = [
        lambda: trainings.renew(silent, lease=60, epoch=9),
        lambda: trainings.succeed(silent, "{}"),
        lambda: trainings.fail(silent, InvalidOption("x")),
        lambda: trainings.hand_back(silent),
    ]
    for write in writes:
        with pytest.raises(TrainingLost):
            write()
    assert trainings.get(again.id).epoch == 0


def test_a_dead_trainers_training_is_free_at_once(trainings: Trainings, dataset: str) -> None:
    trainings.start(new(dataset))
    claimed(trainings, "dead")
    assert not trainings.release("another")
    assert trainings.release("dead")
    for _ in range(MOST_ATTEMPTS - 1):
        claimed(trainings, "dead")
        trainings.release("dead")
    assert trainings.claim("last", lease=60) is None  # it stops whoever trains it
    (found,) = trainings.all("anna", dataset=dataset)
    assert (found.state, found.error_code) == ("failed", "training_crashed")
    assert trainings.resume(found.id).state == "queued"
    assert claimed(trainings).attempts == 1


def test_what_was_handed_back_spent_no_attempt(trainings: Trainings, dataset: str) -> None:
    trainings.start(new(dataset))
    trainings.hand_back(claimed(trainings))
    assert claimed(trainings).attempts == 1


def test_a_training_is_cancelled_and_resumed(trainings: Trainings, dataset: str) -> None:
    waiting = trainings.start(new(dataset))
    assert trainings.cancel(waiting.id).state == "cancelled"
    assert trainings.claim("w", lease=60) is None
    assert trainings.resume(waiting.id).state == "queued"
    training = claimed(trainings)
    assert trainings.cancel(training.id).cancel_requested
    with pytest.raises(TrainingStopped):
        trainings.renew(training, lease=60)
    trainings.end_cancelled(training)
    assert trainings.get(training.id).state == "cancelled"
    assert trainings.resume(training.id).state == "queued"
    with pytest.raises(TrainingRunning):
        trainings.resume(training.id)
    again = claimed(trainings)
    trainings.cancel(again.id)
    trainings.release("w")
    assert trainings.claim("w", lease=60) is None  # its trainer died before it stopped
    assert trainings.get(again.id).state == "cancelled"
    trainings.delete(again.id)
    assert trainings.all() == []


def test_owner_of_a_model_is_known_without_its_training(trainings: Trainings, dataset: str) -> None:
    trainings.start(new(dataset))
    training = claimed(trainings)
    assert trainings.owners("m", {"1.0.0"}) == {"anna"}  # who is to have it
    for _ in range(2):
        trainings.keep_owner(training)  # its trainer died, and did it again
    trainings.succeed(training, "{}")
    trainings.delete(training.id)
    assert trainings.owners("m", {"1.0.0"}) == {"anna"}
    assert trainings.owners("m", {"2.0.0"}) == set()  # it was removed
    assert trainings.owners("other", {"1.0.0"}) == set()


def test_owners_of_models_are_known_that_were_trained_before_they_were_kept(
    store: JobStore, trainings: Trainings, dataset: str
) -> None:
    for version in ("1.0.0", "2.0.0"):
        trainings.start(new(dataset, version))
        training = claimed(trainings)
        if version == "1.0.0":
            trainings.succeed(training, "{}")
        else:
            trainings.fail(training, InvalidOption("x"))
    store.database.migrate("0013")
    store.database.migrate()
    for one in trainings.all():
        trainings.delete(one.id)
    assert trainings.owners("m", {"1.0.0"}) == {"anna"}
    assert trainings.owners("m", {"2.0.0"}) == set()


def test_a_training_is_resumed_or_gone_with_its_dataset(
    trainings: Trainings, dataset: str, store: JobStore
) -> None:
    training = trainings.start(new(dataset))
    trainings.cancel(training.id)
    lock = select(DatasetRow.id).where(DatasetRow.id == dataset).with_for_update()
    with ThreadPoolExecutor() as pool:
        with store.database.writing() as connection:  # as a dataset is removed
            connection.execute(lock)
            other = pool.submit(trainings.resume, training.id)
            wait([other], 1)
            connection.execute(delete(DatasetRow).where(DatasetRow.id == dataset))
        assert isinstance(other.exception(), DatasetUnknown | TrainingUnknown)
