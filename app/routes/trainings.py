"""Trainings of the models of datasets: asked for, followed, cancelled, put in service."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from app.deps import BODY, PrefixDep, ReleasesDep, RepeatsDep, problems
from app.edge.access import PrincipalDep
from app.routes.datasets import DatasetId
from app.teaching.schemas import NewTraining, TrainingList, TrainingView
from store.sql.cursors import plain_id

router = APIRouter(tags=["trainings"])

TrainingId = Annotated[str, Path(description="As answered by POST /datasets/{id}/trainings")]
_RETRY_AFTER = "2"
_OF_ONE = {"s404": "There is no such training"}


@router.post(
    "/datasets/{dataset_id}/trainings",
    status_code=202,
    summary="Train a model on a dataset",
    responses=problems(
        **BODY,
        s404="There is no such dataset, or the training of this Idempotency-Key was removed",
        s409="A training of it, or of the same version, waits or runs; or the model's name is "
        "taken",
        s422="Too few documents are labelled, an option is not allowed, or an Idempotency-Key "
        "came with another request",
    ),
)
def start_training(
    dataset_id: DatasetId,
    wanted: NewTraining,
    response: Response,
    releases: ReleasesDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
    repeats: RepeatsDep,
) -> TrainingView:
    """Queue a training on the documents that are labelled in all fields.

    It is done by a worker of the queue `train`, by itself in the service of one command. What is
    labelled meanwhile is left to the next one. With the header `Idempotency-Key` the request may be
    repeated for 24 hours: one training begins.
    """
    training = releases.train(dataset_id, principal, wanted, once=repeats.once("trainings", wanted))
    response.headers["Location"] = f"{prefix}/trainings/{training.id}"
    response.headers["Retry-After"] = _RETRY_AFTER
    return releases.view(training)


@router.get(
    "/trainings", summary="List the trainings, the newest first", responses=problems(s422="An id")
)
def list_trainings(
    releases: ReleasesDep,
    principal: PrincipalDep,
    dataset: Annotated[str | None, Query(max_length=64, description="Only of this dataset")] = None,
) -> TrainingList:
    """Return the last hundred trainings."""
    of_dataset = None if dataset is None else plain_id(dataset)
    found = releases.trainings.all(principal.owner_scope, dataset=of_dataset)
    return TrainingList(trainings=[releases.view(one) for one in found])


@router.get("/trainings/{training_id}", summary="Follow a training", responses=problems(**_OF_ONE))
def get_training(
    training_id: TrainingId, releases: ReleasesDep, principal: PrincipalDep
) -> TrainingView:
    """Return a training: how far it is, and once it has succeeded, its report."""
    return releases.view(releases.trainings.get(plain_id(training_id), principal.owner_scope))


@router.post(
    "/trainings/{training_id}/cancel", summary="Stop a training", responses=problems(**_OF_ONE)
)
def cancel_training(
    training_id: TrainingId, releases: ReleasesDep, principal: PrincipalDep
) -> TrainingView:
    """Stop a training at its next step; it can be resumed."""
    return releases.view(releases.trainings.cancel(plain_id(training_id), principal.owner_scope))


@router.post(
    "/trainings/{training_id}/resume",
    status_code=202,
    summary="Go on with a training",
    responses=problems(
        **_OF_ONE, s409="A training of the dataset, or of the same version, waits or runs"
    ),
)
def resume_training(
    training_id: TrainingId, releases: ReleasesDep, principal: PrincipalDep, repeats: RepeatsDep
) -> TrainingView:
    """Queue a training again that was cancelled or failed; it goes on from its last epoch.

    With the header `Idempotency-Key` the request may be repeated for 24 hours.
    """
    found = releases.trainings.resume(
        plain_id(training_id), principal.owner_scope, once=repeats.once("resumed")
    )
    return releases.view(found)


@router.delete(
    "/trainings/{training_id}",
    status_code=204,
    summary="Forget a training",
    responses=problems(**_OF_ONE, s409="It waits or runs"),
)
def delete_training(
    training_id: TrainingId, releases: ReleasesDep, principal: PrincipalDep
) -> None:
    """Remove a training with its checkpoints and its report; its model stays."""
    releases.trainings.delete(plain_id(training_id), principal.owner_scope)
    releases.forget_files([training_id])


@router.post(
    "/trainings/{training_id}/promote",
    summary="Put the model of a training in service",
    responses=problems(
        **_OF_ONE,
        s409="It has not succeeded, or the model's name is taken",
        s503="The model is damaged",
    ),
)
def promote_training(
    training_id: TrainingId, releases: ReleasesDep, principal: PrincipalDep
) -> TrainingView:
    """Have the model answer for its name from now on; POST /models/{name}/rollback undoes it."""
    training = releases.trainings.finished(plain_id(training_id), principal.owner_scope)
    releases.promote(training.name, training.version, principal.owner_scope)
    return releases.view(training)
