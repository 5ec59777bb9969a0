"""What is said of a new version: whether it answers, and which fields it has no more."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from cli.models.in_service import in_service
from models.packages import Registry, releases
from store.blobs import PackageObjects
from tests.packages import RECEIPT_FIELDS, tiny_package
from tests.servers import ObjectStoreServer, free_port


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


def test_other_machines_serve_it_too(tmp_path: Path, s3: ObjectStoreServer) -> None:
    """Where they share their models: else one in ten documents had another answer."""
    source = PackageObjects(f"s3://tests/{uuid.uuid4().hex}")
    one, other = (
        Registry(tmp_path / name, bundled=tmp_path / "none", source=source) for name in ("a", "b")
    )
    tiny_package(one.home / "tiny" / "0.1", version="0.1")
    assert in_service(one, "tiny@0.1") == "tiny@0.1 is in service."
    assert str(other.resolve("tiny")) == "tiny@0.1"
    tiny_package(one.home / "tiny" / "0.2", version="0.2")
    releases.promote(other, "tiny@0.1")
    assert in_service(one, "tiny@0.2").startswith("Put it in service: ")


def test_a_version_outlives_a_store_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    source = PackageObjects("s3://tests/away")
    registry = Registry(tmp_path, bundled=tmp_path / "none", source=source)
    tiny_package(tmp_path / "tiny" / "0.1", version="0.1")
    assert in_service(registry, "tiny@0.1").endswith(" fieldwright models promote tiny@0.1")
