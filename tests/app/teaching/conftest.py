"""Datasets as the API changes them, on each database, without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings import ApiSettings
from app.teaching import Releases, Teaching
from models.packages import Registry
from store.jobs import Jobs
from tests.stores import opened, url
from tests.submitting import submissions

__all__ = ["url"]


@pytest.fixture
def jobs(url: str, tmp_path: Path) -> Iterator[Jobs]:
    """The queue of an installation with one model."""
    with opened(ApiSettings(home=tmp_path, model="tiny", database_url=url), tiny="0.0.1") as jobs:
        yield jobs


@pytest.fixture
def registry(jobs: Jobs) -> Registry:
    """The models of that installation."""
    return Registry(jobs.settings.home / "models", default="tiny")


@pytest.fixture
def teaching(jobs: Jobs, registry: Registry) -> Teaching:
    """The datasets of that installation."""
    settings = ApiSettings(home=jobs.settings.home, model="tiny", dataset_max_documents=6)
    return Teaching(jobs, submissions(jobs), registry, settings)


@pytest.fixture
def releases(jobs: Jobs, teaching: Teaching, registry: Registry) -> Releases:
    """Its trainings and models."""
    return Releases(jobs, teaching, registry)
