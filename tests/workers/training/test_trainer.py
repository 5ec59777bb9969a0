"""A trainer with a tiny model to start from: what a training leaves, and how it is stopped."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from models.packages import Registry, promote
from models.packages.package import training_of
from pipeline.answers.confidence.calibration import Calibration
from pipeline.reading.reader import read_document
from store.datasets import Dataset, Datasets
from store.jobs import Jobs
from store.settings import Settings
from store.trainings import Training, Trainings
from tests.builders import make_receipt, receipt_pdf
from tests.datasets import write_dataset
from tests.packages import tiny_package
from tests.stores import prepare
from tests.taught import dataset_of_receipts
from training.data import build_corpus, infer_fields, load_dataset
from training.field_model.cross import HELD_OUT
from training.field_model.run import Result
from training.scoring import answers_of
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
    assert any(
        note.startswith("Scores and thresholds were measured before") for note in report["notes"]
    )
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


def test_a_version_is_compared_by_what_it_answered_before_it_learnt_from_all(
    jobs: Jobs, trainer: Trainer, dataset: Dataset, tmp_path: Path
) -> None:
    registry = Registry(tmp_path / "models", bundled=tmp_path / "none")
    for version in ("1.0.0", "1.1.0"):
        training = started(jobs, dataset, version, epochs=1)
        assert trainer.run_one(threading.Event())
        done = Trainings(jobs.database).get(training.id)
        assert done.state == "succeeded", done
        promote(registry, f"slips@{version}")
    report = json.loads(done.report or "")
    against = report["against"]
    assert against["model"] == "slips@1.0.0"
    # The same documents were held out, and what the first version found in them then was kept.
    assert (against["documents"], against["seen"]) == (report["held_out"], 0)
    learnt = training_of(registry.resolve("slips@1.0.0").path)["trained_on"]
    assert len(learnt) == LABELLED
    # Where that is lost, nothing is left to compare on, and the report says so.
    (tmp_path / "trainings" / training.id / "run" / HELD_OUT).unlink()
    training = started(jobs, dataset, "1.2.0", epochs=1, final=False)
    assert trainer.run_one(threading.Event())
    report = json.loads(Trainings(jobs.database).get(training.id).report or "")
    assert report["against"] is None
    assert any("not compared with slips@1.1.0" in note for note in report["notes"])
    # It was told not to learn from those held out.
    learnt = training_of(registry.resolve("slips@1.2.0").path)["trained_on"]
    assert len(learnt) == report["trained_on"]


def test_a_label_held_out_is_doubted_by_what_was_answered_before_it_was_learnt(
    trainer: Trainer, tmp_path: Path
) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", (1,)))
    corpus = build_corpus(data, infer_fields(data), "own", cache=tmp_path / "readings")
    [row] = corpus.rows
    spans = [
        replace(span, token_scores=(1.0,) * (span.end - span.start))
        for span in corpus.tags[row.id].spans
    ]
    answers = answers_of(corpus.documents, {row.id: spans}, corpus.fields, Calibration())
    wrong = replace(corpus, rows=(replace(row, fields={**row.fields, "total": ("9.99",)}),))
    result = SimpleNamespace(
        prepared=SimpleNamespace(corpus=wrong), trained=SimpleNamespace(answers={"own": answers})
    )
    served = None  # is not asked: it has learnt that label
    doubts = trainer._doubts(cast("Result", result), served)
    assert list(doubts) == [row.id]
    assert "is sure of it" in doubts[row.id]["total"]


def test_a_training_goes_on_where_it_was_stopped(
    jobs: Jobs, trainer: Trainer, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an epoch that is scored, then in the last training on all documents."""
    trainings, stopping = Trainings(jobs.database), threading.Event()
    training = started(jobs, dataset, epochs=3)
    from workers.training import trainer as module

    noted = module._Progress.epoch
    seen: list[tuple[int, bool]] = []

    def see(self: Any, number: int, score: float | None, best: bool) -> None:
        seen.append((number, score is not None))
        if number == 1:
            stopping.set()  # as SIGTERM does
        noted(self, number, score, best)

    monkeypatch.setattr(module._Progress, "epoch", see)
    assert trainer.run_one(stopping)
    waiting = trainings.get(training.id)
    assert (waiting.state, waiting.attempts) == ("queued", 0)
    stopping.clear()
    assert trainer.run_one(stopping)
    assert trainings.get(training.id).state == "queued"
    assert trainer.run_one(threading.Event())
    done = trainings.get(training.id)
    assert done.state == "succeeded", done
    # No epoch was repeated.
    last = [number for number, scored in seen if not scored]
    assert seen == [*((n, True) for n in (1, 2, 3)), *((n, False) for n in last)]
    assert last == [*range(1, len(last) + 1)]
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


def test_a_training_that_finds_no_room_says_so(jobs: Jobs, dataset: Dataset) -> None:
    """What stumbled over that, a library of its own perhaps, says something else."""
    training = started(jobs, dataset)
    (jobs.settings.home / "trainings").write_text("in the way")
    full = Jobs(jobs.settings.model_copy(update={"min_free_bytes": 1 << 60}))
    for queue, code, advice in (
        (full, "storage_full", "Free space"),
        (jobs, "training_crashed", "Report it"),
    ):
        assert Trainer("trainer", queue).run_one(threading.Event())
        done = Trainings(jobs.database).get(training.id)
        assert (done.state, done.error_code) == ("failed", code)
        assert (done.error_advice or "").startswith(advice)
        Trainings(jobs.database).resume(training.id)
    full.close()


def test_a_curve_tells_what_more_documents_would_give() -> None:
    assert gain_of([(30, 0.9)]) is None
    rising = gain_of([(15, 0.8), (30, 0.9)])
    assert rising == pytest.approx(0.05)  # the error halves when the documents double
    assert gain_of([(15, 0.9), (30, 0.9)]) == 0
    assert gain_of([(15, 0.9), (30, 0.8)]) == 0
