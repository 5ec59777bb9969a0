"""Confidences are not fitted on documents that the model has learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.document import Document
from pipeline.errors import InvalidOption
from tests.datasets import write_dataset
from training.data import build_corpus, infer_fields, load_dataset
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


def test_fields_without_labels_keep_their_confidences(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "shop", gold=False)
    data = load_dataset(folder)
    fields = infer_fields(data)
    cache = tmp_path / "readings"
    corpus = build_corpus(data, fields, "own", cache=cache)
    of_words = {corpus.documents[name]: corpus.tags[name].spans for name in corpus.documents}

    def tag(document: Document) -> Sequence[Span]:
        return of_words[document]

    old = {
        spec.name: FieldCalibration(intercept=0.5, review_threshold=0.97, answer_threshold=0.1)
        for spec in fields
    }
    known = Known(fields, (), Calibration(old, through={"address": 0.75}), None, {})
    found, _ = refit(known, None, [data], tag=tag, cache=cache)
    assert all(found.fields[name] != old[name] for name in old)
    assert "as they were" not in found.source

    rows = [replace(row, fields=row.fields | {"address": ()}) for row in data.rows]
    found, given = refit(known, None, [replace(data, rows=tuple(rows))], tag=tag, cache=cache)
    assert found.fields["address"] == old["address"]
    assert found.through["address"] == 0.75
    assert all(found.fields[name] != old[name] for name in old if name != "address")
    assert {one.case.field for one in given} == set(old) - {"address"}
    assert found.source.endswith("confidences of address as they were")

    rows = [replace(row, fields={"weight": ("9 kg",)}) for row in data.rows]
    with pytest.raises(InvalidOption, match="No document of shop has a value of a field"):
        refit(known, None, [replace(data, rows=tuple(rows))], tag=tag, cache=cache)
