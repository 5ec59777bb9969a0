"""What a training shows of its epochs."""

from __future__ import annotations

import pytest

from cli.shared.console import TrainingBar


def test_an_epoch_has_a_score_where_documents_are_held_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with TrainingBar() as bar:
        bar.epoch(1, 0.5, True)
        bar.epoch(2, None, True)
    lines = [line.rstrip() for line in capsys.readouterr().err.splitlines()]
    assert "epoch 1: validation F1 0.5000  (best so far)" in lines
    assert "epoch 2" in lines
