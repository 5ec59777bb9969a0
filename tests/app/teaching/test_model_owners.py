"""Whose the models are that were trained: of their owner for as long as they are there."""

from __future__ import annotations

import uuid

import pytest

from app.teaching import Releases, Teaching
from models.packages import Registry, remove
from store.errors import ModelNameTaken
from store.jobs import Jobs
from store.trainings import Training
from tests.packages import tiny_package


def trained(releases: Releases, jobs: Jobs, dataset: str, owner: str) -> Training:
    """Have a model made as a trainer makes it."""
    training = Training(str(uuid.uuid4()), dataset, owner, "mine", "1.0.0", {})
    releases.trainings.start(training)
    claimed = releases.trainings.claim("w", lease=60)
    assert claimed is not None
    releases.trainings.keep_owner(claimed)
    package = jobs.settings.home / "models" / "mine" / "1.0.0"
    package.parent.mkdir(exist_ok=True)
    tiny_package(package)
    releases.trainings.succeed(claimed, "{}")
    return claimed


@pytest.mark.parametrize("removed", ["dataset", "training"])
def test_models_stay_their_owners_without_their_training(
    releases: Releases, teaching: Teaching, jobs: Jobs, removed: str
) -> None:
    dataset = teaching.store.create("Mine", "mine", "anna")
    training = trained(releases, jobs, dataset.id, "anna")
    if removed == "dataset":
        teaching.delete(dataset.id, "anna")
    else:
        releases.trainings.delete(training.id, "anna")
    releases.check_name("mine", "anna")
    with pytest.raises(ModelNameTaken):
        releases.check_name("mine", "ben")
    assert releases.promote("mine", "1.0.0", "anna")[0].current


def test_name_is_free_again_without_models(
    releases: Releases, teaching: Teaching, jobs: Jobs, registry: Registry
) -> None:
    dataset = teaching.store.create("Mine", "mine", "anna")
    trained(releases, jobs, dataset.id, "anna")
    teaching.delete(dataset.id, "anna")
    remove(registry, "mine@1.0.0")
    releases.check_name("mine", "ben")
    again = teaching.store.create("Mine", "mine", "ben")
    trained(releases, jobs, again.id, "ben")  # of the same version, and Ben's
    teaching.delete(again.id, "ben")
    releases.check_name("mine", "ben")
    with pytest.raises(ModelNameTaken):
        releases.check_name("mine", "anna")
