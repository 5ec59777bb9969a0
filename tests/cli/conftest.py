"""The command line with an empty home, for tests that bring no home of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_command_line import Command


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Command]:
    """Runs commands; they keep new files to their owner, and the test's umask is put back."""
    before = os.umask(0o022)
    yield Command(monkeypatch, tmp_path / "home")
    os.umask(before)
