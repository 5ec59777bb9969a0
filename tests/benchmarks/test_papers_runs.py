"""Runs of experiments: done once, broken off and taken up, shown with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.papers.runs import Budget, OutOfTimeError, Record, Result, Store, key_of, run_all
from benchmarks.papers.table import Experiment, rows_of, tables, value
from training.errors import DatasetError
from training.scoring import Counts

RESULT = Result("f1", {"plain": {"a": [2.0, 1.0, 1.0], "b": [0.0, 0.0, 2.0]}}, "7 documents")
SHOWN = Experiment("toy", "A toy", ("first", "second"), {("second", "so", "plain"): "82.0"}, "one.")


def _settings(**more: Any) -> dict[str, Any]:
    return {"experiment": "toy", "system": "first", "trained": "so", "seed": 0, **more}


def _record(result: Result = RESULT, **settings: Any) -> Record:
    return Record(_settings(**settings), result, 60.0, "a machine, load 0.5 at the start; commit x")


def test_finished_runs_are_not_repeated(tmp_path: Path) -> None:
    done: list[int] = []

    def execute(settings: Any, folder: Path) -> Result:
        assert folder.is_dir()
        done.append(settings["seed"])
        return RESULT

    store = Store(tmp_path / "store")
    plan = [_settings(seed=seed) for seed in range(3)]
    assert run_all(plan[:2], execute, store, Budget(None), "here")
    assert run_all(plan, execute, Store(tmp_path / "store"), Budget(None), "here")
    assert done == [0, 1, 2]
    records = store.records()
    assert [record.settings for record in records] == plan
    assert all(record.result == RESULT and record.machine == "here" for record in records)
    assert not any((tmp_path / "store" / "running").iterdir())  # nothing is left of finished ones


def test_run_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    now = 0.0
    store = Store(tmp_path)
    seen: list[int] = []

    def execute(settings: Any, folder: Path) -> Result:
        nonlocal now
        path = folder / "last"
        start = int(path.read_text()) if path.exists() else 0
        for step in range(start + 1, 6):
            seen.append(step)
            path.write_text(str(step))
            now += 30.0
            budget.step(step, 5, 0.0)
        return RESULT

    budget = Budget(1.0, clock=lambda: now)
    assert not run_all([_settings()], execute, store, budget, "here")
    assert (seen, store.records()) == ([1, 2], [])
    assert not run_all([_settings()], execute, store, budget, "here")  # no time: not begun
    assert seen == [1, 2]
    budget = Budget(2.0, clock=lambda: now)
    assert run_all([_settings()], execute, store, budget, "here")
    assert seen == [1, 2, 3, 4, 5]
    [record] = store.records()
    assert record.seconds > 0


def test_line_that_was_cut_off_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add(_record())
    store.add(_record(seed=1))
    path = tmp_path / "runs.jsonl"
    path.write_text(path.read_text()[:-9])
    with pytest.raises(DatasetError, match="line 2, is not a run"):
        store.records()


def test_last_step_is_never_lost_to_the_budget() -> None:
    budget = Budget(0.0, clock=lambda: 0.0)
    budget.step(5, 5, 0.0)
    with pytest.raises(OutOfTimeError):
        budget.step(4, 5, 0.0)


def test_settings_name_a_run_in_whatever_order() -> None:
    settings = _settings(sizes={"layers": 3, "heads": 4})
    assert key_of(dict(reversed(settings.items()))) == key_of(settings)
    assert key_of({**settings, "sizes": {"layers": 4, "heads": 4}}) != key_of(settings)


@given(st.tuples(*[st.integers(0, 9)] * 3))
def test_f1_is_that_of_the_scores(counts: tuple[int, int, int]) -> None:
    assert value("f1", np.array(counts, float)) == pytest.approx(Counts(*counts).f1)


def test_f1_of_several_fields_is_their_mean() -> None:
    first, second = (3, 1, 2), (0, 0, 4)
    mean = (Counts(*first).f1 + Counts(*second).f1) / 2
    assert value("f1", np.array([*first, *second], float)) == pytest.approx(mean)


def test_perplexity_is_of_all_pieces_together() -> None:
    sums = np.array([np.log(8) * 3 + np.log(2), 4.0])
    assert value("perplexity", sums) == pytest.approx(2 ** (10 / 4))


def _many(seed: int, rate: float, count: int = 60) -> Result:
    random = np.random.default_rng(seed)
    hits = random.random((count, 4)) < rate
    documents = {f"d{i}": [float(n), 0.0, float(4 - n)] for i, n in enumerate(hits.sum(1))}
    return Result("f1", {"plain": documents}, "7 documents")


def _rows(gap: float) -> Iterator[Record]:
    for seed in range(3):
        yield _record(_many(seed, 0.5), system="first", seed=seed)
        yield _record(_many(10 + seed, 0.5 + gap), system="second", seed=seed)


def test_rows_hold_means_intervals_and_differences() -> None:
    first, second = rows_of(SHOWN.systems, list(_rows(0.3)))
    single = [
        2 * hits / (hits + 240)
        for hits in (
            sum(counts[0] for counts in _many(seed, 0.5).scores["plain"].values())
            for seed in range(3)
        )
    ]
    assert (first.seeds, first.documents, first.against) == (3, 60, None)
    assert first.mean == pytest.approx(np.mean(single))
    assert (first.least, first.most) == pytest.approx((min(single), max(single)))
    assert first.interval[0] < first.mean < first.interval[1]
    assert second.against is not None
    difference, low, high = second.against
    assert difference == pytest.approx(second.mean - first.mean)
    assert 0 < low < difference < high  # told apart


def test_equal_systems_are_not_told_apart() -> None:
    same = [
        _record(_many(seed, 0.5), system=s, seed=seed) for seed in (0, 1) for s in SHOWN.systems
    ]
    _, second = rows_of(SHOWN.systems, same)
    assert second.against == (0.0, 0.0, 0.0)  # on the same drawn documents


def test_runs_of_different_documents_are_not_compared() -> None:
    records = [_record(_many(0, 0.5)), _record(_many(0, 0.5, count=59), seed=1)]
    with pytest.raises(ValueError, match="different documents"):
        rows_of(SHOWN.systems, records)


def test_tables_stand_beside_the_papers_figures() -> None:
    other = _record(seed=0, sizes={"layers": 2})
    lines = tables(SHOWN, [*_rows(0.3), other, _record(experiment="another")])
    assert sum(line == "### A toy" for line in lines) == 2  # two set-ups, two tables
    [row] = [line for line in lines if line.startswith("| second |")]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:4] == ["second", "so", "plain", "3"]
    assert cells[6].startswith("+.")
    assert cells[7] == "82.0"
    assert any("sizes layers=2. Trained on 7 documents. 1 runs of 1.0" in line for line in lines)
    assert any("a machine; commit x" in line for line in lines)
    assert lines[-2] == "Paper: one."
    assert tables(SHOWN, []) == []
