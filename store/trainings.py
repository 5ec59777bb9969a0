"""Trainings: asked for, claimed by a trainer under a lease, ended once with a report or an error.

A trainer that falls silent loses its training to the next one, which goes on from the last
checkpoint. Every write to a running training names the token of its claim, as with jobs.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.orm import aliased

from pipeline.errors import FieldwrightError
from store.access import ANY_OWNER, OwnerScope, audit, owned
from store.errors import (
    DatasetUnknown,
    TooFewLabels,
    TrainingCrashed,
    TrainingNotFinished,
    TrainingRunning,
    TrainingUnknown,
)
from store.idempotency import Once
from store.sql.database import Database
from store.sql.tables import (
    DatasetRow,
    TrainedModelRow,
    TrainingRow,
    db_now,
    insert_where,
    now,
)

TrainingState = Literal["queued", "running", "succeeded", "failed", "cancelled"]
ACTIVE = ("queued", "running")
LEAST_LABELLED = 8  # documents, below which there is nothing to hold out
MOST_ATTEMPTS = 3  # claims of one training that do not end cleanly


class TrainingLost(Exception):
    """The training is another trainer's by now, or was deleted: stop and write nothing."""


class TrainingStopped(Exception):
    """Somebody asked for the training to be cancelled."""


@dataclass(frozen=True, slots=True)
class Training:
    """A training; times are seconds since 1970 by the database's clock.

    Attributes:
        id: UUID.
        dataset_id: that it trains on.
        owner: of the dataset.
        name, version: of the model.
        options: ``epochs``, ``preset``, ``start``, ``curve``, ``final``, ``note``, and ``passes``
            over the documents in an epoch where the trainer is not to decide.
        state: ``queued``, ``running``, then one of ``succeeded``, ``failed``, ``cancelled``.
        stage: of a running one: reading, training, final (on all documents), curve, judging or
            packing.
        epoch, epochs: done, and the most that there will be.
        step, steps: done of the model's training, and in all.
        scores: on the documents held out, after each epoch.
        seconds_left: as far as it can be told.
        documents: that were labelled when it was asked for.
        attempts: claims that did not end cleanly.
        token: of the present claim.
        report: JSON text, once it has succeeded.
    """

    id: str
    dataset_id: str
    owner: str | None
    name: str
    version: str
    options: dict[str, Any]
    state: TrainingState = "queued"
    stage: str | None = None
    epoch: int = 0
    epochs: int = 0
    step: int = 0
    steps: int = 0
    scores: list[float] | tuple[float, ...] = ()
    seconds_left: float | None = None
    documents: int = 0
    attempts: int = 0
    token: str | None = None
    cancel_requested: bool = False
    error_code: str | None = None
    error_detail: str | None = None
    error_advice: str | None = None
    report: str | None = None
    created_at: float = 0.0
    started_at: float | None = None
    finished_at: float | None = None


_COLUMNS = [getattr(TrainingRow, item.name) for item in fields(Training)]
_FREE: dict[str, Any] = {"token": None, "worker": None, "lease_until": None, "stage": None}


class Trainings:
    """All reads and writes of trainings; methods raise `StoreUnavailable` as `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, training: Training, *, once: Once | None = None) -> Training:
        """Queue a training.

        Args:
            training: to be queued.
            once: whoever sends this request again is given the same training.

        Raises:
            IdempotencyKeyReused: as `Once.keep`.
            TrainingUnknown: the key began one that was forgotten since.
            DatasetUnknown: its dataset was deleted.
            TrainingRunning: another one of the dataset waits or runs, or of the same version.
        """
        with self._database.writing() as connection:
            if once is not None and (earlier := once.keep(connection, training.id)):
                return _one(connection, earlier, ANY_OWNER)
            _lock_dataset(connection, training.dataset_id)
            check_idle(connection, training.dataset_id)
            _check_version(connection, training)
            row = {item.name: getattr(training, item.name) for item in fields(Training)}
            row |= {"scores": [], "created_at": now(connection)}
            connection.execute(insert(TrainingRow).values(row))
            audit.record(
                connection,
                "training.started",
                training.id,
                model=f"{training.name}@{training.version}",
            )
            return _one(connection, training.id, ANY_OWNER)

    def get(self, training_id: str, scope: OwnerScope = ANY_OWNER) -> Training:
        """Return a training; raises TrainingUnknown where it is not there or out of scope."""
        with self._database.reading() as connection:
            return _one(connection, training_id, scope)

    def all(
        self, scope: OwnerScope = ANY_OWNER, *, dataset: str | None = None, most: int = 100
    ) -> list[Training]:
        """Return trainings, the newest first, of one dataset where it is given."""
        query = select(*_COLUMNS).where(owned(TrainingRow.owner, scope))
        if dataset is not None:
            query = query.where(TrainingRow.dataset_id == dataset)
        query = query.order_by(TrainingRow.created_at.desc(), TrainingRow.id).limit(most)
        with self._database.reading() as connection:
            return [Training(*row) for row in connection.execute(query)]

    def owners(self, name: str, versions: Collection[str]) -> set[str | None]:
        """Return whose trainings made, or are to make, models of a name.

        Args:
            name: of the models.
            versions: that there are of it: whose they are is known when their trainings are gone.
        """
        asked = select(TrainingRow.owner).where(TrainingRow.name == name).distinct()
        model = TrainedModelRow
        made = select(model.version, model.owner).where(model.name == name)
        with self._database.reading() as connection:
            of_models = {
                owner for version, owner in connection.execute(made) if version in versions
            }
            return of_models | set(connection.scalars(asked))

    def keep_owner(self, training: Training) -> None:
        """Note whose the model of a training is, which outlives the training and its dataset."""
        row = {"name": training.name, "version": training.version, "owner": training.owner}
        with self._database.writing() as connection:
            new = insert_where(connection, TrainedModelRow).values(row)
            # One that is noted already was removed since, or is this training's own.
            new = new.on_conflict_do_update(index_elements=["name", "version"], set_=row)
            connection.execute(new)

    def cancel(self, training_id: str, scope: OwnerScope = ANY_OWNER) -> Training:
        """Stop a training: at once where it waits, at its next step where it runs.

        Raises:
            TrainingUnknown: it is not there, or out of scope.
        """
        with self._database.writing() as connection:
            training = _one(connection, training_id, scope, lock=True)
            if training.state in ACTIVE and not training.cancel_requested:
                values: dict[str, Any] = {"cancel_requested": True}
                if training.state == "queued":
                    values |= {"state": "cancelled", "finished_at": db_now()}
                _change(connection, TrainingRow.id == training_id, values)
                audit.record(connection, "training.cancelled", training_id)
            return _one(connection, training_id, scope)

    def resume(
        self, training_id: str, scope: OwnerScope = ANY_OWNER, *, once: Once | None = None
    ) -> Training:
        """Queue a training again that was cancelled or failed: it goes on from its checkpoint.

        Args:
            training_id: of the training.
            scope: of the caller.
            once: whoever sends this request again resumes it no second time.

        Raises:
            IdempotencyKeyReused: as `Once.keep`.
            TrainingUnknown: it is not there, or out of scope.
            TrainingRunning: it, or another one of the dataset or of the same version, waits or
                runs.
        """
        with self._database.writing() as connection:
            # In the order of whoever removes the dataset.
            _lock_dataset(connection, _one(connection, training_id, scope).dataset_id)
            training = _one(connection, training_id, scope, lock=True)
            if once is not None and once.keep(connection, training_id):
                return training
            if training.state == "succeeded":
                return training
            check_idle(connection, training.dataset_id)
            _check_version(connection, training)
            values = {**_FREE, "state": "queued", "cancel_requested": False, "attempts": 0}
            values |= {"error_code": None, "error_detail": None, "error_advice": None}
            _change(connection, TrainingRow.id == training_id, {**values, "finished_at": None})
            audit.record(connection, "training.resumed", training_id)
            return _one(connection, training_id, scope)

    def delete(self, training_id: str, scope: OwnerScope = ANY_OWNER) -> None:
        """Forget a training that has ended; its model stays.

        Raises:
            TrainingUnknown: it is not there, or out of scope.
            TrainingRunning: it waits or runs.
        """
        with self._database.writing() as connection:
            if _one(connection, training_id, scope, lock=True).state in ACTIVE:
                raise TrainingRunning("The training waits or runs.")
            connection.execute(delete(TrainingRow).where(TrainingRow.id == training_id))
            audit.record(connection, "training.deleted", training_id)

    def finished(self, training_id: str, scope: OwnerScope = ANY_OWNER) -> Training:
        """Return a training that made a model; raises TrainingUnknown, TrainingNotFinished."""
        training = self.get(training_id, scope)
        if training.state != "succeeded":
            raise TrainingNotFinished(f"The training is {training.state}.")
        return training

    def known(self, training_ids: Collection[str]) -> set[str]:
        """Return those of the trainings that there are."""
        with self._database.reading() as connection:
            query = select(TrainingRow.id).where(TrainingRow.id.in_(training_ids))
            return set(connection.scalars(query))

    def waits(self) -> bool:
        """Return whether a training waits for a trainer, or has lost its own."""
        with self._database.reading() as connection:
            query = select(TrainingRow.id).where(_free(now(connection))).limit(1)
            return connection.scalar(query) is not None

    def claim(self, worker: str, *, lease: float) -> Training | None:
        """Claim a training that waits, or whose trainer fell silent; None for none.

        Owners take turns, for a training may take hours; of each, the one that waits longest
        goes first. One whose trainer fell silent goes before all that wait.

        Those that stopped their trainer too often, or were to be cancelled, are ended on the way.
        """
        with self._database.writing() as connection:
            while True:
                query = select(*_COLUMNS).where(_free(now(connection)))
                queued = TrainingRow.state == "queued"
                query = query.order_by(queued, _last_turn(), TrainingRow.created_at).limit(1)
                row = connection.execute(query.with_for_update(skip_locked=True)).first()
                if row is None:
                    return None
                training = Training(*row)
                mine = TrainingRow.id == training.id
                if training.cancel_requested:
                    _change(connection, mine, _ended("cancelled"))
                    continue
                if training.attempts >= MOST_ATTEMPTS:
                    detail = f"The training stopped its trainer {training.attempts} times."
                    error = TrainingCrashed(detail)
                    _change(connection, mine, _ended("failed", error))
                    continue
                values: dict[str, Any] = {"state": "running", "attempts": training.attempts + 1}
                values |= {"token": str(uuid.uuid4()), "worker": worker}
                values |= {"started_at": training.started_at or db_now()}
                _change(connection, mine, {**values, "lease_until": db_now() + lease})
                return _one(connection, training.id, ANY_OWNER)

    def renew(self, training: Training, *, lease: float, **progress: Any) -> None:
        """Keep a claim, and note how far the training is.

        Args:
            training: as claimed.
            lease: seconds until it is free again without another word.
            progress: new values of ``stage``, ``epoch``, ``epochs``, ``step``, ``steps``,
                ``scores``, ``seconds_left``.

        Raises:
            TrainingLost: it is no longer this trainer's.
            TrainingStopped: it is to be cancelled.
        """
        values = {**progress, "lease_until": db_now() + lease}
        with self._database.writing(durable=False) as connection:
            _held(connection, training, values)
            stop = select(TrainingRow.cancel_requested).where(TrainingRow.id == training.id)
            if connection.scalar(stop):
                raise TrainingStopped

    def hand_back(self, training: Training) -> None:
        """Give a claimed training back unharmed: its trainer stops; raises TrainingLost."""
        with self._database.writing() as connection:
            values = {**_FREE, "state": "queued", "attempts": training.attempts - 1}
            _held(connection, training, values)

    def succeed(self, training: Training, report: str) -> None:
        """End a training with its report as JSON text; raises TrainingLost."""
        with self._database.writing() as connection:
            _held(connection, training, {**_ended("succeeded"), "report": report})

    def fail(self, training: Training, error: FieldwrightError) -> None:
        """End a training with its error; raises TrainingLost."""
        with self._database.writing() as connection:
            _held(connection, training, _ended("failed", error))

    def end_cancelled(self, training: Training) -> None:
        """End a training that was to be cancelled; raises TrainingLost."""
        with self._database.writing() as connection:
            _held(connection, training, _ended("cancelled"))

    def release(self, worker: str) -> bool:
        """Free the training of a dead trainer at once; return whether it had one."""
        held = and_(TrainingRow.worker == worker, TrainingRow.state == "running")
        with self._database.writing() as connection:
            return _change(connection, held, {"lease_until": 0.0}) > 0


def check_labelled(labelled: int) -> None:
    """Raise TooFewLabels where so many labelled documents are too few to train on."""
    if labelled < LEAST_LABELLED:
        raise TooFewLabels(
            f"A training needs {LEAST_LABELLED} documents that are labelled in all fields, "
            f"{LEAST_LABELLED - labelled} more than there are."
        )


def _ended(state: TrainingState, error: FieldwrightError | None = None) -> dict[str, Any]:
    values = {**_FREE, "state": state, "finished_at": db_now(), "seconds_left": None}
    if error is not None:
        values |= {"error_code": error.code, "error_detail": error.detail}
        values |= {"error_advice": error.advice}
    return values


def _free(moment: float) -> ColumnElement[bool]:
    lost = and_(TrainingRow.state == "running", TrainingRow.lease_until < moment)
    return or_(TrainingRow.state == "queued", lost)


def _last_turn() -> ScalarSelect[float]:
    """Return the SQL for when a training of the same owner was begun last; 0 for none yet."""
    other = aliased(TrainingRow)
    begun = select(func.coalesce(func.max(other.started_at), 0.0))
    same = other.owner.is_not_distinct_from(TrainingRow.owner)
    return begun.where(same).correlate(TrainingRow).scalar_subquery()


def _one(
    connection: Connection, training_id: str, scope: OwnerScope, *, lock: bool = False
) -> Training:
    query = select(*_COLUMNS).where(TrainingRow.id == training_id, owned(TrainingRow.owner, scope))
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise TrainingUnknown("There is no training of that id.")
    return Training(*row)


def _change(connection: Connection, where: ColumnElement[bool], values: dict[str, Any]) -> int:
    return connection.execute(update(TrainingRow).where(where).values(values)).rowcount


def _held(connection: Connection, training: Training, values: dict[str, Any]) -> None:
    """Change a claimed training's row; raises TrainingLost where the claim does not hold."""
    claim = and_(TrainingRow.id == training.id, TrainingRow.token == training.token)
    if not _change(connection, and_(claim, TrainingRow.state == "running"), values):
        raise TrainingLost(training.id)


def _lock_dataset(connection: Connection, dataset_id: str) -> None:
    lock = select(DatasetRow.id).where(DatasetRow.id == dataset_id).with_for_update()
    if connection.scalar(lock) is None:
        raise DatasetUnknown("There is no dataset of that id.")


def _check_version(connection: Connection, training: Training) -> None:
    """Raise TrainingRunning where another training makes this version of the model."""
    row = TrainingRow
    same = and_(row.name == training.name, row.version == training.version, row.id != training.id)
    active = select(row.id).where(same, row.state.in_(ACTIVE)).limit(1)
    if connection.scalar(active) is not None:
        raise TrainingRunning(
            f"A training of {training.name}@{training.version} waits or runs.",
            advice="Leave `version` out, or choose another one.",
        )


def check_idle(connection: Connection, dataset_id: str) -> None:
    """Raise TrainingRunning where a training of the dataset waits or runs."""
    active = and_(TrainingRow.dataset_id == dataset_id, TrainingRow.state.in_(ACTIVE))
    if connection.scalar(select(TrainingRow.id).where(active).limit(1)) is not None:
        raise TrainingRunning("A training of this dataset waits or runs.")
