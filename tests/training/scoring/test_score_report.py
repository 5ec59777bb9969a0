"""Reports: what was neither labelled nor found is no success."""

from __future__ import annotations

from pipeline.values.schema import FieldSpec, Kind
from training.scoring import score
from training.scoring.report import scores_table


def test_shares_of_nothing_are_not_shown_as_perfect() -> None:
    fields = [FieldSpec(name, Kind.TEXT) for name in ("both", "never", "missed", "invented")]
    labels = {"1": {"both": ["a"], "missed": ["b"]}}
    shown = scores_table(score({"1": {"both": ["a"], "invented": ["c"]}}, labels, fields), fields)
    rows = [line.split(" | ")[1:4] for line in shown.splitlines()[2:]]
    assert rows == [
        ["1.000", "1.000", "**1.000**"],
        ["-", "-", "**-**"],
        ["-", "0.000", "**0.000**"],
        ["0.000", "-", "**0.000**"],
        ["0.500", "0.500", "**0.500**"],
    ]
