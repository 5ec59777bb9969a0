"""What is said of a new version: whether it answers, and which fields it has no more."""

from __future__ import annotations

from pathlib import Path

from cli.models.in_service import in_service
from models.packages import Registry, releases
from tests.packages import RECEIPT_FIELDS, tiny_package


def test_fields_that_a_version_has_no_more_are_named(tmp_path: Path) -> None:
    """Renamed in the labels, or removed from them: callers would miss them."""
    home = tmp_path / "tiny"
    registry = Registry(tmp_path, bundled=tmp_path / "none")
    tiny_package(home / "0.1", version="0.1")
    assert in_service(registry, "tiny@0.1") == "tiny@0.1 is in service."
    tiny_package(home / "0.2", version="0.2", fields=RECEIPT_FIELDS[2:])
    names = ", ".join(spec.name for spec in RECEIPT_FIELDS[:2])
    assert in_service(registry, "tiny@0.2").splitlines() == [
        f"Warning: tiny@0.2 has no {names}, which tiny@0.1 has.",
        "tiny@0.2 is in service. For another: fieldwright models promote tiny@0.1",
    ]
    releases.promote(registry, "tiny@0.1")
    assert in_service(registry, "tiny@0.2").splitlines() == [
        f"Warning: tiny@0.2 has no {names}, which tiny@0.1 has.",
        "Put it in service: fieldwright models promote tiny@0.2",
    ]


def test_a_damaged_version_beside_a_new_one_is_no_error(tmp_path: Path) -> None:
    """A training that has written its package would end as one that failed."""
    registry = Registry(tmp_path, bundled=tmp_path / "none")
    tiny_package(tmp_path / "tiny" / "0.1", version="0.1")
    tiny_package(tmp_path / "tiny" / "0.2", version="0.2")
    (tmp_path / "tiny" / "0.1" / "fields.toml").unlink()
    assert in_service(registry, "tiny@0.2").startswith("tiny@0.2 is in service.")


def test_a_first_version_that_waits_for_its_promotion_is_not_in_service(tmp_path: Path) -> None:
    registry = Registry(tmp_path, bundled=tmp_path / "none")
    releases.withhold(registry, "tiny")
    tiny_package(tmp_path / "tiny" / "0.1", version="0.1")
    assert in_service(registry, "tiny@0.1").startswith("Put it in service: ")
