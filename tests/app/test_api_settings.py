"""Settings of the API, and what is said of those that are not allowed."""

from __future__ import annotations

import pytest

from app.settings import ApiSettings
from pipeline.errors import InvalidOption


def test_fault_names_a_variable_that_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDWRIGHT_SLOW_UPLOAD_S", "never")
    with pytest.raises(InvalidOption, match=r": FIELDWRIGHT_SLOW_UPLOAD_S: "):
        ApiSettings.load()
