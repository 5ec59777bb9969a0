"""Errors of datasets and trainings."""

from __future__ import annotations

from pipeline.errors import FieldwrightError


class DatasetError(FieldwrightError):
    """A dataset folder cannot be used."""

    code = "dataset_invalid"
    default_advice = "Run `fieldwright dataset check` on the folder."
