"""A trainer with a tiny model to start from: what a training leaves, and how it is stopped."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from models.packages import Registry, promote
from pipeline.reading.reader import read_document
from store.datasets import Dataset, Datasets
from store.jobs import Jobs
from store.settings import Settings
from store.trainings import Training, Trainings
from tests.builders import make_receipt, receipt_pdf
from tests.packages import tiny_package
from tests.stores import prepare
from tests.taught import dataset_of_receipts
from workers.training.report import gain_of
from workers.training.trainer import Trainer

LABELLED, OTHERS = 10, 2


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    """A queue, and beside it one model that a training can start from."""
    package = tmp_path / "models" / "tiny" / "0.0.1"
    package.parent.mkdir(parents=True)
    documents = [read_document(receipt_pdf(make_receipt(n))) for n in (90, 91)]
    tiny_package(package, documents=documents)
    jobs = Jobs(Settings(home=tmp_path, model="tiny"))
    prepare(jobs)
    yield jobs
    jobs.close()


@pytest.fixture
def trainer(jobs: Jobs, tmp_path: Path) -> Trainer:
    """A trainer that knows no model that comes with the product."""
    return Trainer("trainer", jobs, Registry(tmp_path / "models", bundled=tmp_path / "none"))


@pytest.fixture
def dataset(jobs: Jobs) -> Dataset:
    """A dataset of receipts, some of them not labelled."""
    return dataset_of_receipts(jobs, labelled=LABELLED, others=OTHERS)


def started(jobs: Jobs, dataset: Dataset, version: str = "1.0.0", **options: Any) -> Training:
    chosen = {"epochs": 2, "start": "nearest", "curve": False, "passes": 2, **options}
    training = Training(str(uuid.uuid4()), dataset.id, None, "slips", version, chosen, documents=10)
    return Trainings(jobs.database).start(training)


def test_a_training_leaves_a_model_a_report_and_suggestions(
    jobs: Jobs, trainer: Trainer, dataset: Dataset, tmp_path: Path
) -> None:
    training = started(jobs, dataset)
    assert trainer.run_one(threading.Event())
    done = Trainings(jobs.database).get(training.id)
    assert done.state == "succeeded", done
    assert len(done.scores) == done.epoch == 2
    report = json.loads(done.report or "")
    assert [one["key"] for one in report["fields"]] == ["company", "date"]
    assert report["held_out"] + report["trained_on"] == LABELLED
    assert report["all"]["low"] <= report["all"]["f1"] <= report["all"]["high"]
    assert "never" in report["notes"][0]
    assert ("found no value" in report["notes"][-1]) == (report["all"]["f1"] == 0)
    assert report["against"]["model"] == "tiny@0.0.1"  # the most alike one: there is no other
    for worst in report["worst"]:
        assert Datasets(jobs).document(dataset.id, worst["document"]).job.filename
    registry = Registry(tmp_path / "models", bundled=tmp_path / "none")
    assert [(ref.version, ref.current) for ref in registry.versions("slips")] == [("1.0.0", False)]
    assert promote(registry, "slips@1.0.0").current
    found = Datasets(jobs).get(dataset.id)
    assert found.source == "slips@1.0.0"
    others = [one for one in Datasets(jobs).every(dataset.id) if not one.complete]
    assert [one.suggestions is not None and one.sure is not None for one in others] == [True] * 2
    assert not trainer.run_one(threading.Event())
    Datasets(jobs).delete(dataset.id)
    assert Trainings(jobs.database).owners("slips", {"1.0.0"}) == {None}  # as it was the dataset's


def test_a_training_goes_on_where_it_was_stopped(
    jobs: Jobs, trainer: Trainer, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainings, stopping = Trainings(jobs.database), threading.Event()
    training = started(jobs, dataset, epochs=3)
    from workers.training import trainer as module

    noted = module._Progress.epoch

    def stop_after_first(self: Any, number: int, score: float, best: bool) -> None:
        if number == 1:
            stopping.set()  # as SIGTERM does
        noted(self, number, score, best)

    monkeypatch.setattr(module._Progress, "epoch", stop_after_first)
    assert trainer.run_one(stopping)
    waiting = trainings.get(training.id)
    assert (waiting.state, waiting.attempts) == ("queued", 0)
    seen: list[int] = []

    def see(self: Any, number: int, score: float, best: bool) -> None:
        seen.append(number)
        noted(self, number, score, best)

    monkeypatch.setattr(module._Progress, "epoch", see)
    assert trainer.run_one(threading.Event())
    done = trainings.get(training.id)
    assert done.state == "succeeded", done
    assert seen == [2, 3]  # the first one was not repeated
    assert len(done.scores) == 3


def test_what_was_cancelled_ends(
    jobs: Jobs, trainer: Trainer, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workers.training import trainer as module

    trainings = Trainings(jobs.database)
    training = started(jobs, dataset, epochs=50)
    monkeypatch.setattr(module, "_NOTED_EVERY", 0.05)
    noted = module._Progress.epoch

    def cancel_after_first(self: Any, number: int, score: float, best: bool) -> None:
        noted(self, number, score, best)
        trainings.cancel(training.id)

    monkeypatch.setattr(module._Progress, "epoch", cancel_after_first)
    assert trainer.run_one(threading.Event())
    assert trainings.get(training.id).state == "cancelled"


def test_too_few_labels_are_an_error_that_says_how_many(
    jobs: Jobs, trainer: Trainer, dataset: Dataset
) -> None:
    datasets = Datasets(jobs)
    for document in datasets.documents(dataset.id)[:4]:
        datasets.remove(dataset.id, document.id)
    training = started(jobs, dataset)
    assert trainer.run_one(threading.Event())
    done = Trainings(jobs.database).get(training.id)
    assert (done.state, done.error_code) == ("failed", "too_few_labels")
    assert "2 more" in (done.error_detail or "")


def test_a_curve_tells_what_more_documents_would_give() -> None:
    assert gain_of([(30, 0.9)]) is None
    rising = gain_of([(15, 0.8), (30, 0.9)])
    assert rising == pytest.approx(0.05)  # the error halves when the documents double
    assert gain_of([(15, 0.9), (30, 0.9)]) == 0
    assert gain_of([(15, 0.9), (30, 0.8)]) == 0
