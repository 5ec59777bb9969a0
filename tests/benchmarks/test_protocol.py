"""Recipes compared on all folds: nested, resumable, with a line a recipe in a kept table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.papers.runs import Record, Result
from benchmarks.protocol import finished, keep, lines_of, main, nested, plan, recipes_of
from pipeline.errors import InvalidOption
from tests.commands import run
from tests.datasets import write_dataset
from training.data import infer_fields, load_dataset
from training.field_model.prepared import prepare_folds
from training.field_model.recipe import Recipe

SIZES = (
    "config = { hidden_size = 16, layers = 1, heads = 2, intermediate_size = 32, layout_dim = 8 }"
)
RECIPES = f"""
[windows]
init = "scratch"
epochs = 1
{SIZES}

[near-and-far]
preset = "near-and-far"
init = "scratch"
epochs = 1
mask = 0.1
{SIZES}
"""


def _plan(folds: int = 3, seeds: int = 2) -> list[dict[str, object]]:
    about = {"data": "toy", "split": "3 folds"}
    return list(plan(about, {"first": {}, "second": {"rate": 1e-4}}, folds, seeds))


def _record(settings: dict[str, object], counts: Sequence[float] = (3.0, 1.0, 1.0)) -> Record:
    scores = {"normalised": {f"{settings['trained']} a": list(counts)}}
    return Record(settings, Result("f1", scores, "7 documents"), 30.0, "a machine; commit abc")


def test_no_document_is_scored_by_what_it_chose_or_taught(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "data"))
    recipe = Recipe(share=0.25)
    folds = prepare_folds(data, infer_fields(data), recipe, cache=tmp_path / "cache")
    scored_in_all: list[str] = []
    for number in range(len(folds)):
        prepared, scored = nested(folds, number)
        parts = [set(prepared.train), set(prepared.validation), set(scored)]
        assert all(parts)
        assert sum(map(len, parts)) == len(set().union(*parts)) == len(data.rows)
        scored_in_all += scored
    assert len(scored_in_all) == len(set(scored_in_all))


def test_few_documents_are_drawn_by_the_seed(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "data"))
    folds = prepare_folds(data, infer_fields(data), Recipe(share=0.25), cache=tmp_path / "cache")
    everything, scored = nested(folds, 0)
    drawn = {seed: nested(folds, 0, most=2, seed=seed) for seed in range(5)}
    for few, of in drawn.values():
        assert len(few.train) == 2
        assert set(few.train) < set(everything.train)
        assert set(few.validation) <= set(everything.validation)
        assert of == scored
    assert len({few.train for few, _ in drawn.values()}) > 1


def test_runs_are_known_again_in_whatever_order_their_settings_stand() -> None:
    about = {"data": "toy", "split": "3 folds"}
    wanted = list(plan(about, {"first": {"rate": 1e-4, "epochs": 4}}, 3, 1))
    turned = list(plan(about, {"first": {"epochs": 4, "rate": 1e-4}}, 3, 1))
    records = [_record(run) for run in turned]
    assert finished(wanted, records) == finished(turned, records) != []


def test_recipe_has_a_line_when_all_its_runs_are_done() -> None:
    wanted = _plan()
    records = [_record(run) for run in wanted]
    [first, second] = lines_of(["first", "second"], finished(wanted, records))
    assert first == (
        "| toy | 3 folds | first | 2 | 3 | 0.750 (0.750 to 0.750) | 0.750 to 0.750 |  | 3.0 | abc |"
    )
    assert "| second | 2 | 3 |" in second
    assert "| +0.000 (+0.000 to +0.000) | 3.0 |" in second
    missing = [record for record in records if record.settings["seed"] == 0]
    missing += [record for record in records if record.settings["system"] == "first"]
    [alone] = lines_of(["first", "second"], finished(wanted, missing))
    assert alone == first
    assert lines_of(["first", "second"], finished(wanted, records[:1])) == []


def test_each_transcription_has_a_line() -> None:
    wanted = _plan(seeds=1)
    records = []
    for run_settings in wanted:
        record = _record(run_settings)
        [counts] = record.result.scores.values()
        both = {f"normalised of {name}": counts for name in ("gold", "own")}
        records.append(Record(run_settings, Result("f1", both, ""), 30.0, "commit abc"))
    lines = lines_of(["first", "second"], finished(wanted, records))
    assert [line.split(" | ")[1] for line in lines] == [
        *["3 folds, scored on gold"] * 2,
        *["3 folds, scored on own"] * 2,
    ]


def test_difference_is_that_of_the_same_documents() -> None:
    wanted = _plan(seeds=1)
    records = [
        _record(run, (4.0, 0.0, 0.0) if run["system"] == "second" else (3.0, 1.0, 1.0))
        for run in wanted
    ]
    [_, second] = lines_of(["first", "second"], finished(wanted, records))
    assert "| +0.250 (+0.250 to +0.250) |" in second


def test_table_is_kept_and_no_line_stands_twice(tmp_path: Path) -> None:
    table = tmp_path / "table.md"
    keep(table, ["| a |"])
    keep(table, ["| a |", "| b |"])
    assert table.read_text().splitlines()[2:] == ["| a |", "| b |"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no recipe"),
        ("[one]\nepoch = 3", "one in .* is no recipe"),
        ("epochs = 3", "epochs in .* is no recipe"),
        ("[one", "cannot be read"),
    ],
)
def test_file_without_recipes_is_refused(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "recipes.toml"
    path.write_text(text)
    with pytest.raises(InvalidOption, match=why):
        recipes_of(path)


@pytest.mark.slow
def test_recipes_are_trained_scored_and_taken_up_again(tmp_path: Path) -> None:
    data = write_dataset(tmp_path / "data")
    recipes = tmp_path / "recipes.toml"
    recipes.write_text(RECIPES)
    table, store = tmp_path / "table.md", tmp_path / "store"
    command = (data, recipes, "--folds", 3, "--seeds", 1, "--store", store, "--table", table)
    command += ("--transcription", "both")
    stopped = run(*command, "--budget", 0, main=main, code=0)
    assert "out of time before run 1 of 6" in stopped.stderr
    assert len(table.read_text().splitlines()) == 2
    run(*command, main=main, code=0)
    lines = table.read_text().splitlines()[2:]
    assert [line.split(" | ")[2] for line in lines] == ["windows", "near-and-far"] * 2
    runs = [json.loads(line) for line in (store / "runs.jsonl").read_text().splitlines()]
    assert [run["settings"]["trained"] for run in runs] == [
        f"fold {fold}" for fold in range(3) for _ in range(2)
    ]
    assert all("3 folds by issuer, " in line for line in lines)
    again = run(*command, main=main)
    assert again.stderr == ""
    assert table.read_text().splitlines()[2:] == lines
    # Other fields, or other groups, are other runs.
    fields = tmp_path / "fields.toml"
    fields.write_text('[fields.total]\nkind = "amount"\n')
    for option, value in (("--fields", fields), ("--group-by", "total")):
        other = run(*command, option, value, "--budget", 0, main=main)
        assert "out of time before run 1 of" in other.stderr


def test_two_folds_are_too_few(tmp_path: Path) -> None:
    recipes = tmp_path / "recipes.toml"
    recipes.write_text("[one]")
    refused = run(tmp_path, recipes, "--folds", 2, main=main)
    assert "2 folds are too few" in refused.stderr
