"""Several trainings together, and what a student learns from documents that they label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from benchmarks.ensembles import SYSTEMS, Together, labelled_by, main
from benchmarks.papers.runs import Store
from models.encoding import PieceEncoder
from models.tagger import Tagger
from pipeline.tagging import example_of
from tests.commands import run
from tests.datasets import write_dataset
from training.data import infer_fields, load_dataset
from training.field_model.learning import build_tagger
from training.field_model.prepared import Prepared, prepare_folds
from training.field_model.recipe import Recipe
from training.loop import LoopConfig

SIZES = {"hidden_size": 16, "layers": 1, "heads": 2, "intermediate_size": 32, "layout_dim": 8}


def _members(prepared: Prepared, seeds: int) -> tuple[list[Tagger], PieceEncoder]:
    found = []
    for seed in range(seeds):
        recipe = Recipe(init="scratch", config=SIZES, loop=LoopConfig(seed=seed))
        tagger, start = build_tagger(recipe, prepared.fields)
        torch.nn.init.normal_(tagger.head.weight, std=1.0)
        found.append(tagger.eval())
    return found, PieceEncoder(start.tokenizer, tagger.config)


@pytest.fixture
def prepared(tmp_path: Path) -> Prepared:
    data = load_dataset(write_dataset(tmp_path / "data"))
    folds = prepare_folds(data, infer_fields(data), Recipe(share=0.25), cache=tmp_path / "cache")
    return folds[0]


def test_together_say_the_mean_of_what_each_says(prepared: Prepared) -> None:
    members, pieces = _members(prepared, 3)
    name = prepared.train[0]
    example = example_of(prepared.corpus.documents[name], name)
    each = [member.probabilities(example, pieces) for member in members]
    assert np.abs(each[0] - each[1]).max() > 0.01
    both = Together(members).probabilities(example, pieces)
    np.testing.assert_allclose(both, np.mean(each, axis=0), atol=1e-6)
    np.testing.assert_allclose(both.sum(1), 1.0, atol=1e-6)


def test_unlabelled_documents_get_the_labels_that_they_give(prepared: Prepared) -> None:
    members, pieces = _members(prepared, 2)
    together = Together(members)
    more = labelled_by(together, prepared, prepared.train, pieces)
    assert len(more.examples) == len(prepared.train)
    own = {example.id: example.spans for example in prepared.examples()}
    for example in more.examples:
        plain = example.id.removeprefix("ensembles/")
        document = prepared.corpus.documents[plain]
        assert list(example.spans) == together.tag(example_of(document, plain), pieces)
    assert any(example.spans != own[example.id[10:]] for example in more.examples)


def test_command_compares_all_of_them_and_does_no_fold_twice(tmp_path: Path) -> None:
    data = write_dataset(tmp_path / "data")
    store = tmp_path / "store"
    options = ["--folds", "3", "--documents", "4", "--members", "2", "--students", "1"]
    sizes = [f"--set={name}={value}" for name, value in SIZES.items()]
    command = [data, *options, "--epochs", "1", "--init", "scratch", "--store", store, *sizes]
    done = run(*command, main=main)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split("|")[3].strip() for line in lines] == list(SYSTEMS)
    records = Store(store).records()
    folds = len({record.settings["trained"] for record in records})
    assert folds >= 3
    assert len(records) == folds * (2 + 1 + 1 + 1 + 1)
    assert run(*command, main=main).stdout == done.stdout
    assert len(Store(store).records()) == len(records)
    assert not list((store / "running").iterdir())
    # Other settings are other runs, and those of before stay out of their table.
    other = run(*command, "--members", "1", "--fold", "0", main=main)
    assert other.returncode == 0, other.stderr
    assert len(Store(store).records()) == len(records) + 5
    assert [line.split("|")[4].strip() for line in other.stdout.splitlines()] == ["1"] * 5
    refused = run(*command, "--members", "1", "--fold", "99", main=main)
    assert refused.returncode == 1
    assert "does not exist" in refused.stderr
