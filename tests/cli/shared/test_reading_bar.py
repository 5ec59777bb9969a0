"""What is shown of progress."""

from __future__ import annotations

import pytest

from cli.shared.console import ReadingBar


def test_bar_comes_with_the_first_document(capsys: pytest.CaptureFixture[str]) -> None:
    with ReadingBar("reading"):
        pass
    assert capsys.readouterr().err.strip() == ""
    with ReadingBar("reading") as bar:
        bar.on_row(1, 2)
    shown = capsys.readouterr().err
    assert "reading" in shown
    assert "1/2" in shown
