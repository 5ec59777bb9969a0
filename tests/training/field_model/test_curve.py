"""Learning curves: ever more documents, each part within the next, all scored alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package
from tests.quiet import Quiet
from training.data import infer_fields, load_dataset
from training.field_model import curve
from training.field_model.cross import train_model
from training.field_model.curve import learning_curve
from training.field_model.judging import Trained
from training.field_model.prepared import Prepared, prepare_folds
from training.field_model.recipe import Recipe
from training.loop import LoopConfig, Session


@pytest.mark.parametrize(
    ("per_group", "expected"),
    [
        pytest.param(
            0, [3, 2], id="nine_documents"
        ),  # of which six are passed over twice, not once
        pytest.param(3, [1, 1], id="three_of_one_issuer_at_most"),
    ],
)
def test_parts_lie_within_each_other_and_take_as_many_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, per_group: int, expected: list[int]
) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    recipe = Recipe(
        init=str(tiny_package(tmp_path / "init")),
        share=0.25,
        loop=LoopConfig(
            epochs=1, patience=1, batch_size=1, per_group=per_group, precision="float32"
        ),
    )
    [prepared, *_] = prepare_folds(data, infer_fields(data), recipe, cache=tmp_path / "cache")
    prepared = replace(prepared, groups=dict.fromkeys(prepared.groups, "one issuer"))
    parts: list[Prepared] = []
    passes: list[int] = []

    def noted(part: Prepared, recipe: Recipe, session: Session) -> Trained:
        parts.append(part)
        passes.append(recipe.loop.passes)
        return train_model(part, recipe, session)

    monkeypatch.setattr(curve, "train_model", noted)
    told: list[int] = []
    found = learning_curve(
        prepared,
        recipe,
        [6, 3, 3, len(prepared.train)],
        Session(tmp_path / "run", Quiet()),
        on_size=told.append,
    )
    assert list(found) == told == [3, 6]
    few, more = (set(part.train) for part in parts)
    assert (len(few), len(more)) == (3, 6)
    assert few < more < set(prepared.train)
    assert passes == expected
    for scores in found.values():
        assert set(scores["gold"].ids) == set(prepared.validation)
