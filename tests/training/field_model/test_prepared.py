"""Documents of other datasets are trained on and never held out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.datasets import SEEDS, write_dataset
from training.data import infer_fields, load_dataset
from training.errors import DatasetError
from training.field_model.judging import habits_of, observed
from training.field_model.prepared import drawn_in_a_pass, prepare_folds
from training.field_model.recipe import Recipe


def test_other_datasets_are_trained_on_and_never_held_out(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    invented = load_dataset(write_dataset(tmp_path / "invented", (21, 22, 23), gold=False))
    fields, recipe = infer_fields(data), Recipe(share=0.25)
    alone = prepare_folds(data, fields, recipe, cache=tmp_path / "readings")
    folds = prepare_folds(data, fields, recipe, cache=tmp_path / "readings", also=[invented])
    for without, prepared in zip(alone, folds, strict=True):
        assert (prepared.train, prepared.validation) == (without.train, without.validation)
        assert prepared.also.names == ("invented",)
        found = prepared.also.examples
        assert [example.id for example in found] == [f"invented/r{n}" for n in (21, 22, 23)]
        assert all({span.field for span in example.spans} >= {"company"} for example in found)
        assert drawn_in_a_pass(prepared, 1) == drawn_in_a_pass(without, 1) + 3
        # What values look like is learnt from them, too, whichever documents are held out.
        seen = observed(prepared)
        assert set(seen) == {row.id for row in data.rows} | {example.id for example in found}
        assert set(habits_of(prepared, seen, [])) >= {"company", "total"}
        assert not habits_of(without, observed(without), [])


def test_documents_that_may_be_held_out_are_not_trained_on_as_well(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    again = load_dataset(write_dataset(tmp_path / "again", (SEEDS[0], 21)))
    with pytest.raises(DatasetError, match=r"1 documents of .*again are among those"):
        prepare_folds(
            data, infer_fields(data), Recipe(share=0.25), cache=tmp_path / "readings", also=[again]
        )


def test_documents_that_all_have_copies_are_held_out_with_them(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "shop", SEEDS[:6])
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    for row in rows:
        row["fields"]["company"], row["fields"]["address"] = ["KEDAI CONTOH"], []
    copies = [{**row, "id": f"{row['id']}-copy"} for row in rows]
    lines = [json.dumps(row) + "\n" for row in rows + copies]
    (folder / "labels.jsonl").write_text("".join(lines))
    data = load_dataset(folder)
    for share, count in ((0.25, 0), (0.5, 2)):
        folds = prepare_folds(
            data, infer_fields(data), Recipe(share=share), cache=tmp_path / "readings", count=count
        )
        assert folds[0].unit == "document"
        for fold in folds:
            held_out = set(fold.validation)
            assert held_out
            assert held_out.isdisjoint(fold.train)
            assert {f"{name.removesuffix('-copy')}-copy" for name in held_out} <= held_out


def test_a_dataset_of_other_fields_is_refused(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    other = write_dataset(tmp_path / "other", (21,))
    labels = other / "labels.jsonl"
    labels.write_text(labels.read_text().replace('"fields": {', '"fields": {"x": ["1"]}, "old": {'))
    with pytest.raises(DatasetError, match="none of the fields address, company, date, total"):
        prepare_folds(
            data,
            infer_fields(data),
            Recipe(share=0.25),
            cache=tmp_path / "readings",
            also=[load_dataset(other)],
        )
