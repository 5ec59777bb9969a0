"""Windows beside near and far on the folds of a training."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from benchmarks.near_and_far import near_and_far, of_folds, summands
from models.labels import LabelSet
from models.packages.package import load_package
from models.tagger import Tagger
from pipeline.values.schema import FieldSpec, Kind
from tests.datasets import write_dataset
from tests.packages import tiny_config, tiny_package
from training.data import Corpus, Row, build_corpus, infer_fields, load_dataset
from training.field_model.cross import HELD_OUT
from training.scoring import second_reading, tag_all
from training.scoring.calibrate import Given
from training.scoring.cases import Case
from training.scoring.held_out import HeldOut


def test_short_documents_are_answered_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(tmp_path / "home"))
    # Of taggers drawn at random a ranking is chance, and turns over with a rounding.
    monkeypatch.setattr(second_reading, "_LEAST_GAIN", 1000)
    data = load_dataset(write_dataset(tmp_path / "data"))
    fields = infer_fields(data)
    package = tiny_package(tmp_path / "package", fields=fields)
    loaded = load_package(package)
    corpus = build_corpus(data, fields, "own", cache=tmp_path / "home" / "readings")
    names, run = list(corpus.documents), tmp_path / "run"
    held_out = HeldOut(data.name)
    for number in range(2):
        # Each fold has weights of its own; those of the package answer nothing here.
        torch.manual_seed(number + 1)
        tagger = Tagger(tiny_config(), LabelSet(loaded.tagger.labels.fields)).eval()
        folder = run / f"fold-{number}" / "seed-0"
        folder.mkdir(parents=True)
        save_file(tagger.state_dict(), folder / "best.safetensors")
        part = {name: corpus.documents[name] for name in names[number::2]}
        held_out.add({"own": tag_all(tagger, loaded.pieces, part)})
    assert any(held_out.spans()["own"].values())
    held_out.save(run / HELD_OUT)
    rows = of_folds(run, package, tmp_path / "data", ()).splitlines()[2:]
    windows, whole = (row.split(" | ") for row in rows[:2])
    assert windows[0] == whole[0] == f"| all ({len(names)})"
    assert (windows[1], whole[1]) == ("windows", "near-and-far")
    assert windows[2:4] == whole[2:4]
    assert whole[4].startswith("+0.000")


def test_rows_count_neither_way() -> None:
    # Three cells say what one label of the column does: none would be missing two less than none.
    fields = (FieldSpec("total", Kind.AMOUNT), FieldSpec("items.rate", Kind.PERCENT, many=True))
    row = Row("one", Path(), None, {"total": ("5.00",), "items.rate": ("19",)})
    corpus = Corpus((row,), fields, {}, {}, {})
    case = Case("items.rate", "one", "own", 0, 0.9, {}, right=True, plain=True)
    total = replace(case, field="total", right=False)
    given = [Given(one, 0.9, marked=False, first_right=True) for one in (case, case, case, total)]
    assert summands(given, corpus, fields, ["one"]) == {"one": [0, 1, 1]}


def test_weights_of_another_model_are_refused(tmp_path: Path) -> None:
    package = tiny_package(tmp_path / "package")
    other = tmp_path / "other.safetensors"
    save_file({"unknown": torch.zeros(1)}, other)
    with pytest.raises(ValueError, match="unknown"):
        near_and_far(package, (), other)
