"""A trainer: claims one training, runs it, and ends; whoever supervises it starts the next one.

A process a training: what torch holds in memory is gone with it. It stops at SIGTERM, and the
training goes on later from its last epoch; so it does where the process is killed.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from models.packages import Registry
from pipeline.errors import DependencyMissing, FieldwrightError, ServiceError, StorageFull
from pipeline.loading import loading
from store.blobs import open_packages
from store.datasets import Dataset, Datasets, Suggested, suggestions_of
from store.errors import TrainingCrashed
from store.jobs import Jobs
from store.settings import Settings
from store.trainings import Training, TrainingLost, Trainings, TrainingStopped
from workers.logs import configure_logging
from workers.training.folder import write_folder
from workers.training.forgotten import mark, remove_forgotten

if TYPE_CHECKING:
    from pipeline.document import Document
    from pipeline.result import Extraction
    from training.field_model.judging import Trained
    from training.field_model.plan import Plan
    from training.field_model.run import Result

log = logging.getLogger(__name__)

_NICE = 10
_NOTED_EVERY = 1.0  # seconds between two notes of how far it is
_FEWEST_FOR_CURVE = 24  # labelled documents, half of which are enough to learn from
_FAULT = "Report it with the log of the service, then resume the training."
_ROOM = "Free space on the disk of the trainer, then resume the training."
_MIDST = 2  # steps of an epoch after which tests break in
_SURE = 0.9  # confidence from which a model that contradicts a label makes it doubtful


class Interrupted(BaseException):
    """The trainer is to end: the training is handed back."""


class Trainer:
    """Runs one training.

    Args:
        name: of this process in the store.
        jobs: the queue; closed by the caller.
        registry: the model packages; those of the installation where None.
        threads: that it computes with.
    """

    def __init__(
        self, name: str, jobs: Jobs, registry: Registry | None = None, *, threads: int = 1
    ) -> None:
        self.name = name
        self._threads = threads
        self._jobs = jobs
        self._settings = jobs.settings
        self._trainings = Trainings(jobs.database)
        self._registry = registry or Registry(
            self._settings.home / "models",
            default=self._settings.model,
            source=open_packages(self._settings.blob_url),
        )

    def run_one(self, stopping: threading.Event) -> bool:
        """Run the training that waits longest; say whether there was one.

        Args:
            stopping: set when the process is to end.

        Raises:
            ServiceError: the store does not answer.
        """
        training = self._trainings.claim(self.name, lease=self._settings.lease_seconds)
        if training is None:
            return False
        where = {"training": training.id, "attempt": training.attempts}
        log.info("training started", extra=where)
        claim = _Claim(self._trainings, training, self._settings, stopping)
        with suppress(TrainingLost):
            try:
                with claim:
                    report = self._train(training, claim)
                self._trainings.succeed(training, json.dumps(report, ensure_ascii=False))
                log.info("training succeeded", extra={**where, "f1": report["all"]["f1"]})
            except TrainingStopped:
                self._trainings.end_cancelled(training)
                log.info("training cancelled", extra=where)
            except Interrupted:
                self._trainings.hand_back(training)
                log.info("training handed back", extra=where)
            except ServiceError:
                raise  # the lease runs out, and the training is taken up again
            except FieldwrightError as error:
                self._trainings.fail(training, error)
                log.warning("training failed", extra={**where, "code": error.code})
            except MemoryError:
                raise
            except Exception:
                log.exception("training stumbled", extra=where)
                self._trainings.fail(training, self._cause())
        return True

    def _cause(self) -> FieldwrightError:
        """Return what a training is told to have stumbled over.

        Each library has an error of its own where it finds no room to write.
        """
        try:
            self._jobs.check_room()
        except StorageFull as error:
            return StorageFull(error.detail, advice=_ROOM)
        return TrainingCrashed("The training met a fault of the program.", advice=_FAULT)

    def _train(self, training: Training, claim: _Claim) -> dict[str, Any]:
        """Train, put the package beside those in service, store suggestions; return the report."""
        folder = self._settings.home / "trainings" / training.id
        dataset = Datasets(self._jobs).get(training.dataset_id)
        claim.note(stage="reading")
        mark(self._jobs, folder)
        data = folder / f"{training.name}-{training.id[:8]}"
        notes = write_folder(self._jobs, dataset, data)
        try:
            with loading("torch"):
                import torch
        except ImportError as error:
            raise DependencyMissing(
                f"The package {error.name} is not installed.",
                advice="Install fieldwright[train] where the trainer runs.",
            ) from error
        with loading("training.field_model.run"):
            from training.field_model.run import run_plan
            from training.starts import nearest_package
            from workers.training.report import report_of

        torch.set_num_threads(self._threads)
        package = folder / "package"
        shutil.rmtree(package, ignore_errors=True)
        plan = self._plan(training, data, package, claim)
        notes += plan.notes
        claim.note(stage="training", epochs=plan.recipe.loop.epochs)
        further = len(plan.curve) + plan.final
        progress = _Progress(claim, further=further, scores=training.scores)
        result = run_plan(plan, folder=folder / "run", progress=progress, resume=True)
        claim.note(stage="judging", seconds_left=None, scores=list(result.outcome.scores))
        current = next((r for r in self._registry.versions(training.name) if r.current), None)
        before = None if current is None else self._held_out(training, current.version)
        if current is None:
            documents = plan.folds[0].corpus.documents.values()
            current = nearest_package(documents, self._registry, held_out=())
        report = report_of(result, current, notes, before)
        names = {one.id: one.job.filename for one in Datasets(self._jobs).every(dataset.id)}
        for one in report["worst"]:
            one["filename"] = names.get(one["document"], "")
        claim.note(stage="packing")
        self._publish(training, package, plan.dataset.name)
        self._suggest(training, dataset, data, result)
        return report

    def _plan(self, training: Training, data: Path, package: Path, claim: _Claim) -> Plan:
        """Return the plan of a training, whose documents are read."""
        from training.data import load_dataset
        from training.field_model.new_package import NewPackage
        from training.field_model.plan import TrainingOptions, plan_training
        from training.loop import LoopConfig

        options, loaded = training.options, load_dataset(data)
        curve = bool(options.get("curve")) and len(loaded.rows) >= _FEWEST_FOR_CURVE
        sizes = (len(loaded.rows) * 3 // 8,) if curve else ()
        loop = LoopConfig(
            epochs=int(options.get("epochs") or 8), patience=3, average=0.99, per_group=8
        )
        return plan_training(
            loaded,
            TrainingOptions(
                preset=options.get("preset"),
                init="minilm" if options.get("start") == "minilm" else None,
                fields=data / "fields.toml",
                transcriptions=("own",),
                final=options.get("final"),
                curve=sizes,
                passes=options.get("passes"),
                loop=loop,
            ),
            NewPackage(
                package,
                training.name,
                training.version,
                "labelled by the users of this installation",
                str(options.get("note") or ""),
            ),
            registry=self._registry,
            readings=self._settings.home / "readings",
            on_row=lambda done, total: claim.check(),
        )

    def _held_out(self, training: Training, version: str) -> Path | None:
        """Return the file of what an earlier version's training found in what it held out."""
        from training.field_model.cross import HELD_OUT

        for one in self._trainings.all(dataset=training.dataset_id):
            if (one.name, one.version, one.state) == (training.name, version, "succeeded"):
                return self._settings.home / "trainings" / one.id / "run" / HELD_OUT
        return None

    def _publish(self, training: Training, package: Path, made_of: str) -> None:
        """Put a package among the models, where it serves nobody until it is promoted."""
        from models.packages import publish, withhold
        from models.packages.package import training_of

        withhold(self._registry, training.name)
        target = self._settings.home / "models" / training.name / training.version
        if target.exists():
            if training_of(target).get("dataset") != made_of:
                raise FieldwrightError(
                    f"{training.name}@{training.version} exists by now.",
                    advice="Train again: the next version is free.",
                )
            shutil.rmtree(target)  # this training's own, from before it was cut short
        self._trainings.keep_owner(training)
        package.rename(target)
        publish(self._registry, self._registry.resolve(f"{training.name}@{training.version}"))

    def _suggest(self, training: Training, dataset: Dataset, data: Path, result: Result) -> None:
        """Store what the new model suggests for what is not labelled, and doubts about labels."""
        from pipeline.document import Document
        from pipeline.extract import Extractor
        from training.data import Row, read_rows

        target = self._settings.home / "models" / training.name / training.version
        extractor = Extractor(target)
        rows = [Row(path.stem, path, None, {}) for path in sorted((data / "others").iterdir())]
        read = read_rows(rows, "own", cache=self._settings.home / "readings")
        made: dict[str, Suggested] = {}
        for name, document in read.items():
            if isinstance(document, Document):
                body = _extracted(extractor, document, name).model_dump_json()
                made[name] = suggestions_of(dataset, body)
        doubts = self._doubts(result, extractor)
        Datasets(self._jobs).suggest(
            dataset.id,
            made,
            revision=dataset.revision,
            source=f"{training.name}@{training.version}",
            doubts=doubts,
        )

    def _doubts(self, result: Result, extractor: Any) -> dict[str, dict[str, str]]:
        """Return by document and field what looks wrong about labels."""
        from training.data.autotag import doubtful_labels
        from training.scoring.written import key_as_given, key_of_label, written

        corpus = result.prepared.corpus
        found: dict[str, dict[str, str]] = {}
        for doubt in doubtful_labels(corpus.rows, corpus.documents, corpus.tags, corpus.fields):
            found.setdefault(doubt.id, {})[doubt.field] = f"{doubt.value!r} {doubt.reason}"
        single = [spec for spec in corpus.fields if not spec.many]
        unseen = result.trained.answers["own"]  # what learnt from a wrong label may repeat it
        for row in corpus.rows:
            if row.id not in corpus.documents:
                continue
            answer = unseen.get(row.id)
            if answer is None:
                answer = _extracted(extractor, corpus.documents[row.id], row.id).fields
            for spec in single:
                value: Any = answer.get(spec.name)
                labels = row.fields.get(spec.name, ())
                if value is None or value.confidence < _SURE:
                    continue
                said = written(value, {})
                keys = {key_of_label(label, spec, [said]) for label in labels}
                if key_as_given(said, spec) not in keys:
                    reason = f"the model reads {value.text!r}, and is sure of it"
                    found.setdefault(row.id, {}).setdefault(spec.name, reason)
        return found


def _extracted(extractor: Any, document: Document, name: str) -> Extraction:
    answer: Extraction = extractor.resolve(
        document, extractor.tag(document), job_id=name, timings={}
    )
    return answer


class _Claim:
    """A training in hand: a thread keeps its lease; the training asks whether it may go on."""

    def __init__(
        self,
        trainings: Trainings,
        training: Training,
        settings: Settings,
        stopping: threading.Event,
    ) -> None:
        self._trainings = trainings
        self._training = training
        self._settings = settings
        self._stopping = stopping
        self._ended = threading.Event()
        self._why: BaseException | None = None
        self._lock = threading.Lock()
        self._progress: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._keep, name="training-lease", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()
        with suppress(TrainingLost, TrainingStopped, ServiceError):  # told by whoever ends it
            self._trainings.renew(
                self._training, lease=self._settings.lease_seconds, **self._progress
            )

    def note(self, **progress: Any) -> None:
        """Note how far the training is; raises as `check`."""
        with self._lock:
            self._progress |= progress
        self.check()

    def check(self) -> None:
        """Raise where the training is to stop.

        Raises:
            Interrupted: the process is to end.
            TrainingStopped: somebody cancelled it.
            TrainingLost: it went to another trainer.
        """
        if self._stopping.is_set():
            raise Interrupted
        if self._why is not None:
            raise self._why

    def in_epoch(self) -> None:
        """Do what tests ask for in the midst of an epoch; see `Faults`."""
        self._settings.faults.at("in_epoch")

    def _keep(self) -> None:
        lease = self._settings.lease_seconds
        renewed = time.monotonic()
        while not self._ended.wait(_NOTED_EVERY):
            with self._lock:
                progress, self._progress = self._progress, {}
            due = time.monotonic() - renewed >= self._settings.heartbeat_seconds
            if not progress and not due:
                continue
            try:
                self._trainings.renew(self._training, lease=lease, **progress)
                renewed = time.monotonic()
            except (TrainingLost, TrainingStopped) as error:
                self._why = error
                return
            except ServiceError as error:  # the store is away: it is tried again
                with self._lock:
                    self._progress = progress | self._progress
                log.warning("training not noted", extra={"reason": error.code})


class _Progress:
    """Tells the store how far a training is, and stops it where it is to stop."""

    def __init__(self, claim: _Claim, *, further: int, scores: Sequence[float]) -> None:
        self._claim = claim
        self._further = further  # trainings behind this one
        self._scores = list(scores)  # of an earlier attempt
        self._main = True
        self._total = 0  # steps of this training, were all epochs run
        self._steps = 0  # of this epoch
        self._from: tuple[float, int] | None = None

    def step(self, done: int, total: int, loss: float) -> None:
        """Note a step; the time left is told from the pace so far, were all epochs run."""
        now = time.monotonic()
        self._steps += 1
        if self._main and self._scores and self._steps == _MIDST:
            self._claim.in_epoch()
        if self._from is None:
            self._from = now, done
        began, first = self._from
        left = None
        if done - first >= 5:
            pace = (now - began) / (done - first)
            left = pace * (total - done + self._further * (self._total or total))
        if self._main:
            self._total = total
            self._claim.note(step=done, steps=total, seconds_left=left)
        else:
            self._claim.note(seconds_left=left)

    def epoch(self, number: int, score: float | None, best: bool) -> None:
        """Note the end of an epoch."""
        self._steps = 0
        if self._main and score is not None:
            self._scores = [*self._scores[: number - 1], score]
            self._claim.note(epoch=number, scores=self._scores)
        else:
            self._claim.check()

    def fold(self, number: int, trained: Trained) -> None:
        """There is one fold."""

    def final(self, documents: int, epochs: int) -> None:
        """Note that all documents are learnt from now."""
        self._begin("final")

    def size(self, documents: int) -> None:
        """Note that the learning curve is measured now."""
        self._begin("curve")

    def _begin(self, stage: str) -> None:
        self._main, self._from, self._further = False, None, self._further - 1
        self._claim.note(stage=stage, seconds_left=None)


def main(settings: Settings, name: str, *, threads: int) -> None:
    """Run a training that waits, if any, in a process of its own, and return.

    Args:
        settings: of the installation.
        name: of this process in the store.
        threads: that it computes with.
    """
    os.nice(_NICE)
    configure_logging()
    stopping = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    jobs = Jobs(settings)
    try:
        remove_forgotten(jobs)
        Trainer(name, jobs, threads=threads).run_one(stopping)
    finally:
        jobs.close()
