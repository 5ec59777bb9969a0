"""The version in service is scored on the documents held out as an evaluation scores it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from models.packages import BUNDLED, PackageRef, Registry
from pipeline.extract import Extractor
from pipeline.reading.reader import REVISION
from tests.builders import make_receipt, receipt_pdf
from tests.packages import tiny_package
from training.data import Row, infer_fields, load_dataset
from training.data.seen import document_mark
from training.field_model.prepared import Prepared, prepare_folds
from training.field_model.recipe import Recipe
from training.scoring import Scores, oracle, score, texts_of
from training.scoring.evaluating import evaluated
from training.scoring.held_out import HeldOut
from workers.training import report
from workers.training.report import compared


@pytest.fixture
def slips(tmp_path: Path) -> tuple[Prepared, Scores]:
    """Four receipts, all of them held out, and what a perfect tagger is scored with."""
    (tmp_path / "slips").mkdir()
    rows = []
    for number in (1, 2, 4, 5):
        # That the month comes first is said by another date; the value's own text does not.
        receipt = make_receipt(number)
        lines = [
            (text.replace(receipt.date, f"04/0{number}/2018"), end) for text, end in receipt.lines
        ]
        lines.append(("OPEN SINCE 03/28/2011", ""))
        receipt = replace(receipt, lines=tuple(lines))
        (tmp_path / "slips" / f"{number}.pdf").write_bytes(receipt_pdf(receipt))
        fields = {"company": [receipt.company], "date": [f"2018-04-0{number}"]}
        rows.append({"id": str(number), "document": f"{number}.pdf", "fields": fields})
    (tmp_path / "slips/labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = load_dataset(tmp_path / "slips")
    recipe = Recipe(transcriptions=("own",), share=0.5)
    [fold, *_] = prepare_folds(data, infer_fields(data), recipe, cache=tmp_path / "readings")
    prepared = replace(fold, validation=tuple(row.id for row in data.rows))
    ids, corpus = prepared.validation, prepared.corpus
    perfect = texts_of(oracle(corpus, ids, {}), {})
    ours = score(perfect, corpus.labels(ids), prepared.fields, corpus.contexts(ids))
    return prepared, ours


def test_the_version_in_service_is_scored_by_what_it_read(
    slips: tuple[Prepared, Scores], tmp_path: Path
) -> None:
    prepared, ours = slips
    ids, corpus = prepared.validation, prepared.corpus
    current = Registry(tmp_path, bundled=BUNDLED).resolve("receipts")
    said = compared(current, prepared, ours)
    found = evaluated(Extractor(current.path), corpus, ids, title="").scores
    assert said is not None
    shared = [one["key"] for one in said["fields"]]
    assert shared == ["company", "date"]
    for one in said["fields"]:
        assert one["f1"] == pytest.approx(found.total("normalised", one["key"]).f1, abs=1e-4)
    assert [one["f1"] for one in said["fields"] if one["key"] == "date"] == [1.0]
    low, high = said["interval"]
    assert low <= 0 <= high


def test_only_documents_that_neither_version_had_learnt_from_are_compared(
    slips: tuple[Prepared, Scores], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared, ours = slips
    corpus = prepared.corpus
    first, second, *others = corpus.rows
    current = _in_service(tmp_path, prepared, [first, *others], monkeypatch)

    said = compared(current, prepared, ours)
    assert said is not None
    assert (said["documents"], said["seen"], said["fields"]) == (1, 3, [])
    # It had held the first one out, and what it found there is kept: all that is in it.
    before = tmp_path / "held-out.jsonl"
    found = HeldOut("slips")
    found.add({"own": {first.id: corpus.tags[first.id].spans}})
    found.save(before)
    said = compared(current, prepared, ours, before)
    assert said is not None
    assert (said["documents"], said["seen"]) == (2, 2)
    found.folds[0]["own"][second.id] = list(corpus.tags[second.id].spans)
    found.save(before)
    said = compared(current, prepared, ours, before)
    assert said is not None
    assert said["documents"] == 2
    assert said["f1"] == 1.0
    assert said["difference"] == 0.0
    # Words of another reading tell nothing, nor does a damaged file.
    replace(found, revision=REVISION - 1).save(before)
    for _ in range(2):
        said = compared(current, prepared, ours, before)
        assert said is not None
        assert said["documents"] == 1
        before.write_text("{}\n")


def test_nothing_is_compared_where_all_was_learnt_from(
    slips: tuple[Prepared, Scores], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared, ours = slips
    current = _in_service(tmp_path, prepared, prepared.corpus.rows, monkeypatch)
    assert compared(current, prepared, ours) is None


def _in_service(
    home: Path, prepared: Prepared, learnt: Sequence[Row], monkeypatch: pytest.MonkeyPatch
) -> PackageRef:
    """Return a version with random weights that says to have learnt from some documents."""
    folder = home / "models" / "slips" / "1.0.0"
    folder.parent.mkdir(parents=True)
    tiny_package(folder, name="slips", version="1.0.0", fields=prepared.fields)
    marks = [document_mark(row.document) for row in learnt]
    monkeypatch.setattr(report, "training_of", lambda package: {"trained_on": marks})
    return Registry(home / "models", bundled=home / "none").resolve("slips")
