"""Settings of the API: the names that they had before go on working."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import ApiSettings
from pipeline.errors import InvalidOption


def test_setting_of_the_release_before_works_under_its_old_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fieldwright_slow_upload_grace_s").write_text("25\n")
    monkeypatch.setenv("FIELDWRIGHT_SECRETS_DIR", str(tmp_path))
    assert ApiSettings.load().slow_upload_s == 25
    monkeypatch.setenv("FIELDWRIGHT_SLOW_UPLOAD_GRACE_S", "20")
    assert ApiSettings.load().slow_upload_s == 20
    monkeypatch.setenv("FIELDWRIGHT_SLOW_UPLOAD_S", "15")
    assert ApiSettings.load().slow_upload_s == 15


@pytest.mark.parametrize("name", ["FIELDWRIGHT_SLOW_UPLOAD_S", "FIELDWRIGHT_SLOW_UPLOAD_GRACE_S"])
def test_fault_names_a_variable_that_exists(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "never")
    with pytest.raises(InvalidOption, match=r": FIELDWRIGHT_SLOW_UPLOAD_S: "):
        ApiSettings.load()
