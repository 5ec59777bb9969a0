"""Confidences are not fitted on documents that the model has learnt from."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.answers.confidence.calibration import Calibration
from tests.datasets import write_dataset
from training.data import infer_fields, load_dataset
from training.data.seen import document_mark
from training.errors import DatasetError
from training.field_model.refit import Known, refit


def test_documents_that_were_learnt_from_are_named(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", (1, 2, 3)))
    learnt = {"trained_on": [document_mark(row.document) for row in data.rows[1:]]}
    known = Known(infer_fields(data), (), Calibration(), None, learnt)
    with pytest.raises(DatasetError, match="learnt from 2 of the 3 documents") as refused:
        refit(known, None, [data], tag=lambda document: [], cache=tmp_path / "readings")
    assert refused.value.advice.endswith("or name another: r2, r3.")
