"""Labels are read line by line, whatever marks their texts hold."""

from __future__ import annotations

from pathlib import Path

from benchmarks.machine import json_lines


def test_texts_may_hold_other_marks_of_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"a": "one\u2028two\x85"}\n\n{"a": "three"}\n', encoding="utf-8")
    assert json_lines(path) == [{"a": "one\u2028two\x85"}, {"a": "three"}]
