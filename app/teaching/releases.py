"""Trainings asked for, and which version of a model is in service or runs beside it."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from app.shown_models import ShownModels
from app.teaching.schemas import NewTraining, TrainingView
from app.teaching.teaching import Teaching
from models.config import PRESETS
from models.packages import PackageRef, Registry, earlier, promote, rollback
from models.packages.manifest import check_name
from pipeline.errors import InvalidOption
from store.access import ANY_OWNER, OwnerScope, Principal, audit
from store.access.audit import Action
from store.datasets import keys_of
from store.errors import ModelNameTaken, TooFewLabels
from store.idempotency import Once
from store.jobs import Jobs
from store.shadows import Shadow, Shadows
from store.sql.cursors import plain_id
from store.trainings import Training, Trainings, check_labelled

_MOST_VERSIONS = 1000
_DONE = "done"  # kept of a request that makes nothing of its own


class Releases:
    """The trainings of one installation, and what becomes of their models; methods block."""

    def __init__(self, jobs: Jobs, teaching: Teaching, registry: Registry) -> None:
        self._jobs = jobs
        self.teaching = teaching
        self._registry = registry
        self.trainings = Trainings(jobs.database)
        self.shadows = Shadows(jobs)

    def train(
        self,
        dataset_id: str,
        principal: Principal,
        wanted: NewTraining,
        *,
        once: Once | None = None,
    ) -> Training:
        """Queue the training of a dataset's model.

        Args:
            dataset_id: of the dataset.
            principal: who asks.
            wanted: how it is to be trained.
            once: whoever sends this request again is given the same training.

        Raises:
            IdempotencyKeyReused, TrainingUnknown: as `Trainings.start`.
            DatasetUnknown: it is not there, or out of scope.
            TooFewLabels: or no fields at all.
            ModelNameTaken: the name is somebody else's.
            InvalidOption: the version exists, or there is no such preset.
            TrainingRunning: one of the dataset, or of the same version, waits or runs already.
        """
        scope = principal.owner_scope
        if once is not None and (before := once.made()):
            return self.trainings.get(before, scope)
        if wanted.preset is not None and wanted.preset not in PRESETS:
            raise InvalidOption(
                f"There is no preset {wanted.preset!r}.",
                advice=f"Choose one of {', '.join(PRESETS)}.",
            )
        dataset = self.teaching.store.get(plain_id(dataset_id), scope)
        if not dataset.fields:
            raise TooFewLabels(
                "The dataset has no fields.", advice="Name them with PUT /datasets/{id}/fields."
            )
        check_labelled(dataset.labelled)
        plain, groups = keys_of(dataset.fields)
        if plain and not groups and not self._says_something(dataset.id):
            raise TooFewLabels(
                "No label says anything: every field of every document is absent.",
                advice="Label the values that the documents have.",
            )
        self.check_name(dataset.model_name, scope)
        version = wanted.version or self._free_version(dataset.model_name)
        self._check_version(dataset.model_name, version)
        options = wanted.model_dump(mode="json", exclude={"version"})
        training = Training(
            id=str(uuid.uuid4()),
            dataset_id=dataset.id,
            owner=dataset.owner,
            name=dataset.model_name,
            version=version,
            options=options,
            epochs=wanted.epochs,
            documents=dataset.labelled,
        )
        return self.trainings.start(training, once=once)

    def view(self, training: Training) -> TrainingView:
        """Return a training as its users see it, with its report once it has succeeded."""
        report = json.loads(training.report) if training.report else None
        current = self._registry.here(training.name)
        served = current is not None and current.version == training.version
        return TrainingView.of(training, report, promoted=served and training.state == "succeeded")

    def promote(self, name: str, version: str, scope: OwnerScope) -> list[PackageRef]:
        """Put a version in service; return all versions.

        Raises:
            ModelNameTaken: the name is somebody else's.
            UnknownModel, ModelPackageError: there is none, or it is damaged.
        """
        self.check_name(name, scope)
        with self._audited("model.promoted", f"{name}@{version}"):
            promote(self._registry, f"{name}@{version}")
        return self._registry.versions(name)

    def roll_back(
        self, name: str, scope: OwnerScope, *, once: Once | None = None
    ) -> list[PackageRef]:
        """Put the version back that was in service before; return all versions.

        Args:
            name: of the model.
            scope: of the caller.
            once: whoever sends this request again finds it done.

        Raises:
            ModelNameTaken, UnknownModel: as `promote`.
            InvalidOption: nothing was in service before.
            IdempotencyKeyReused, IdempotencyInFlight: the request was sent before.
        """
        self._registry.resolve(name)
        self.check_name(name, scope)
        with nullcontext() if once is None else once.alone():
            if once is None or once.made() is None:
                with self._audited("model.rolled_back", name, once):
                    rollback(self._registry, name)
        return self._registry.versions(name)

    def versions(self, name: str, scope: OwnerScope = ANY_OWNER) -> list[PackageRef]:
        """Return the versions of a model that a caller may see, the newest first.

        Raises:
            UnknownModel: there is none.
        """
        shown = ShownModels(self._registry, self.trainings, scope)
        found = shown.versions(name)
        if not found:
            shown.resolve(name)  # raises
        return found

    def earlier(self, name: str) -> str | None:
        """Return the version that a rollback puts back in service, None where there is none."""
        return earlier(self._registry, name)

    def shadow(
        self,
        name: str,
        version: str,
        share: float,
        scope: OwnerScope,
        *,
        once: Once | None = None,
    ) -> Shadow:
        """Have a version read live documents beside the one in service.

        Args:
            name: of the model.
            version: that is to read beside.
            share: of the documents, above 0 to 1.
            scope: of the caller.
            once: whoever sends this request again is given the same run.

        Raises:
            IdempotencyKeyReused, ShadowUnknown: as `Shadows.start`.
            ModelNameTaken, UnknownModel: as `promote`.
            InvalidOption: it is the one in service.
        """
        if once is not None and (before := once.made()):
            return self.shadows.get(name, scope, run=before)
        beside = self._registry.pinned(f"{name}@{version}")
        current = self._registry.resolve(name)
        if beside.version == current.version:
            raise InvalidOption(
                f"{beside} is in service itself.",
                advice="Choose another version, see GET /models/{name}/versions.",
            )
        self.check_name(name, scope)
        return self.shadows.start(
            name, beside.version, current.version, share=share, scope=scope, once=once
        )

    def check_name(self, name: str, scope: OwnerScope) -> None:
        """Raise ModelNameTaken where a caller may not decide on models of a name.

        Administrators, and everybody where the service has no keys, may. Others may where all
        models of the name were trained by themselves, or there is none.
        """
        try:
            check_name(name, "0")
        except ValueError as error:
            raise InvalidOption(f"{error}.", advice="Choose another `model_name`.") from error
        if scope is ANY_OWNER:
            return
        versions = {ref.version for ref in self._registry.versions(name)}
        owners = self.trainings.owners(name, versions)
        if owners - {scope} or (versions and not owners):
            raise ModelNameTaken(f"The model name {name!r} is not yours.")

    def forget_files(self, training_ids: list[str]) -> None:
        """Remove the checkpoints of trainings that are gone; their models stay."""
        for training_id in training_ids:
            folder = self._jobs.settings.home / "trainings" / plain_id(training_id)
            shutil.rmtree(folder, ignore_errors=True)

    def _says_something(self, dataset_id: str) -> bool:
        return any(
            any(example.labels.values())
            for example in self.teaching.store.every(dataset_id)
            if example.complete
        )

    def _free_version(self, name: str) -> str:
        taken = {ref.version for ref in self._registry.versions(name)}
        taken |= {
            one.version for one in self.trainings.all(most=_MOST_VERSIONS) if one.name == name
        }
        return next(v for v in (f"1.{n}.0" for n in range(_MOST_VERSIONS * 2)) if v not in taken)

    def _check_version(self, name: str, version: str) -> None:
        if any(ref.version == version for ref in self._registry.versions(name)):
            raise InvalidOption(
                f"{name}@{version} exists; a version is never overwritten.",
                advice="Leave `version` out, or choose another one.",
            )

    @contextmanager
    def _audited(self, action: Action, subject: str, once: Once | None = None) -> Iterator[None]:
        """Write what the context does into the audit log; nothing where it fails."""
        yield  # packages are checked and copied: no transaction is open for as long
        with self._jobs.database.writing() as connection:
            audit.record(connection, action, subject)
            if once is not None:
                once.keep(connection, _DONE)
