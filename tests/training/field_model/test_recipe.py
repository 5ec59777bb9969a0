"""What a training does where nothing is said: enough steps, and enough documents held out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.datasets import SEEDS, write_dataset
from training.data import Transcription, infer_fields, load_dataset
from training.errors import DatasetError
from training.field_model.recipe import (
    Prepared,
    Recipe,
    drawn_in_a_pass,
    prepare,
    prepare_folds,
    usual_passes,
    usual_share,
)


@pytest.mark.parametrize(
    ("documents", "share"), [(8, 0.25), (50, 0.25), (100, 0.2), (200, 0.1), (100_000, 0.1)]
)
def test_of_few_documents_a_larger_share_is_held_out(documents: int, share: float) -> None:
    assert usual_share(documents) == pytest.approx(share)


@pytest.mark.parametrize(
    ("transcriptions", "per_group", "drawn"),
    [
        pytest.param(("own",), 0, 9, id="all"),
        pytest.param(("gold", "own"), 0, 18, id="each_both_ways"),
        pytest.param(("gold", "own"), 3, 3, id="three_of_the_one_issuer"),
    ],
)
def test_an_epoch_of_few_documents_goes_over_them_more_often(
    tmp_path: Path, transcriptions: tuple[Transcription, ...], per_group: int, drawn: int
) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    recipe = Recipe(share=0.25, transcriptions=transcriptions)
    prepared = prepare(data, infer_fields(data), recipe, cache=tmp_path / "readings")
    one = Prepared(
        prepared.corpora, prepared.train, prepared.validation, dict.fromkeys(prepared.groups, "one")
    )
    assert drawn_in_a_pass(one, per_group) == drawn
    passes = usual_passes(one, per_group)
    assert passes * drawn >= 400
    assert (passes - 1) * drawn < 400


@given(st.integers(1, 5000), st.integers(0, 50))
def test_many_documents_are_gone_over_once(documents: int, per_group: int) -> None:
    names = tuple(map(str, range(documents)))
    prepared = Prepared({"own": None}, names, (), {n: n for n in names})  # type: ignore[dict-item]
    assert drawn_in_a_pass(prepared, per_group) == documents
    assert (usual_passes(prepared, per_group) == 1) == (documents >= 400)


def test_other_datasets_are_learnt_from_and_never_held_out(tmp_path: Path) -> None:
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


def test_documents_that_may_be_held_out_are_not_learnt_from_besides(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    again = load_dataset(write_dataset(tmp_path / "again", (SEEDS[0], 21)))
    with pytest.raises(DatasetError, match=r"1 documents of .*again are among those"):
        prepare_folds(
            data, infer_fields(data), Recipe(share=0.25), cache=tmp_path / "readings", also=[again]
        )


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
