"""What folds found in documents held out survives its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.labels import Span
from training.errors import DatasetError
from training.scoring.held_out import HeldOut


def test_answers_come_back_as_they_were_kept(tmp_path: Path) -> None:
    kept = HeldOut("shop", ("date",), groups={"1": "1", "2": "1", "3": "3"})
    kept.add({"gold": {"1": [Span("date", 0, 2, (0.5, 0.75))], "2": []}, "own": {"1": []}})
    kept.add({"gold": {"3": [Span("total", 4, 5, (1.0,))]}})
    path = tmp_path / "runs" / "held-out.jsonl"
    kept.save(path)
    assert HeldOut.load(path) == kept
    assert kept.fold_of() == {"1": 0, "2": 0, "3": 1}
    assert set(kept.spans()["gold"]) == {"1", "2", "3"}
    assert sorted(path.parent.iterdir()) == [path]


def test_files_of_before_groups_and_revision_were_kept_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "held-out.jsonl"
    path.write_text('{"dataset": "a", "doubtful": ["date"]}\n')
    assert HeldOut.load(path) == HeldOut("a", ("date",), revision=0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "no json",
        '{"dataset": "a", "doubtful": [], "groups": []}',
        '{"dataset": "a", "doubtful": []}\n{"fold": 1}',
        '{"dataset": "a", "doubtful": []}\n'
        '{"fold": 2, "transcription": "gold", "document": "1", "spans": []}',
        '{"dataset": "a", "doubtful": []}\n'
        '{"fold": 0, "transcription": "tin", "document": "1", "spans": []}',
        '{"dataset": "a", "doubtful": []}\n'
        '{"fold": 0, "transcription": "gold", "document": "1", "spans": [["a", 3, 2, []]]}',
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "held-out.jsonl"
    path.write_text(text)
    with pytest.raises(DatasetError, match="held out"):
        HeldOut.load(path)
    with pytest.raises(DatasetError, match="cannot be read"):
        HeldOut.load(tmp_path / "missing.jsonl")
