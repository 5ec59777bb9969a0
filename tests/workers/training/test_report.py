"""The version in service is scored on the documents held out as an evaluation scores it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from models.packages import BUNDLED, Registry
from pipeline.extract import Extractor
from tests.builders import make_receipt, receipt_pdf
from training.data import infer_fields, load_dataset
from training.field_model.prepared import prepare_folds
from training.field_model.recipe import Recipe
from training.scoring import oracle, score, texts_of
from training.scoring.evaluating import evaluated
from workers.training.report import compared


def test_the_version_in_service_is_scored_by_what_it_read(tmp_path: Path) -> None:
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
