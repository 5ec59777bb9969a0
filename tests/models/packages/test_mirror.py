"""Models that machines share through an object store: copied once, checked, in service alike."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from models.packages import Registry, promote, publish, remove, rollback, withhold
from models.packages.manifest import CALIBRATION, SUMS, WEIGHTS, verify, write_sums
from pipeline.errors import InvalidOption, ModelPackageError, UnknownModel
from store.blobs import PackageObjects
from store.errors import StoreUnavailable
from tests.models.packages.test_registry import add, package
from tests.patience import until
from tests.servers import ObjectStoreServer

Machine = Callable[[], Registry]


@pytest.fixture
def source(s3: ObjectStoreServer) -> PackageObjects:
    return PackageObjects(f"s3://tests/{uuid.uuid4().hex}")


@pytest.fixture
def machine(tmp_path: Path, source: PackageObjects) -> Machine:
    """Makes machines that share models, each with a folder of its own."""
    bundled = tmp_path / "weights"
    package(bundled / "receipts", "receipts", "1.0.0")

    def make() -> Registry:
        home = tmp_path / uuid.uuid4().hex / "models"
        return Registry(home, default="receipts", bundled=bundled, source=source)

    return make


def sync(registry: Registry) -> dict[str, str]:
    assert registry.mirror is not None
    registry.mirror.sync()
    return registry.mirror.faults


def test_promoted_model_is_in_service_on_other_machines(machine: Machine) -> None:
    one, other = machine(), machine()
    (add(one, "orders@1.0.0") / WEIGHTS).write_bytes(b"w" * 100_000)
    write_sums(one.home / "orders" / "1.0.0")
    add(one, "orders@2.0.0")
    promote(one, "orders@1.0.0")
    promote(one, "orders@2.0.0")
    assert sync(other) == {}
    assert str(other.resolve("orders")) == "orders@2.0.0"
    verify(other.resolve("orders@1.0.0").path)
    rollback(other, "orders")
    assert str(other.resolve("orders")) == "orders@1.0.0"
    assert str(one.resolve("orders")) == "orders@2.0.0"  # until it looks
    sync(one)
    assert str(one.resolve("orders")) == "orders@1.0.0"
    assert not [path for path in other.home.glob("*/.*")]


def test_bundled_model_that_is_promoted_again_is_not_copied(
    machine: Machine, source: PackageObjects
) -> None:
    one, other = machine(), machine()
    add(one, "receipts@2.0.0")
    promote(one, "receipts@2.0.0")
    promote(one, "receipts@1.0.0")
    sync(other)
    assert str(other.resolve("receipts")) == "receipts@1.0.0"
    assert not any("1.0.0" in path for path in source.marks())


def test_model_that_is_missing_here_is_looked_for_at_once(machine: Machine) -> None:
    one, other = machine(), machine()
    add(one, "orders@1.0.0")
    promote(one, "orders@1.0.0")
    assert str(other.resolve("orders@1.0.0")) == "orders@1.0.0"
    with pytest.raises(UnknownModel):
        other.resolve("order@1.0.0")


def test_who_cannot_wait_is_told_of_what_is_here(machine: Machine) -> None:
    one, other = machine(), machine()
    add(one, "orders@1.0.0")
    promote(one, "orders@1.0.0")
    assert other.here("orders") is None
    assert other.here("auto") is None
    assert str(other.here("receipts")) == "receipts@1.0.0"
    assert str(other.resolve("orders")) == str(other.here("orders")) == "orders@1.0.0"


def test_damaged_model_is_refused_by_name_until_it_is_replaced(
    machine: Machine, source: PackageObjects
) -> None:
    one, other = machine(), machine()
    path = add(one, "orders@1.0.0")
    publish(one, one.resolve("orders@1.0.0"))
    source.put(f"orders/1.0.0/{CALIBRATION}", b"{")
    faults = sync(other)
    assert "orders@1.0.0" in faults["orders@1.0.0"]
    assert f"{CALIBRATION} was altered" in faults["orders@1.0.0"]
    for wanted in ("orders", "orders@1.0.0"):
        with pytest.raises(ModelPackageError, match=r"orders@1\.0\.0 .* damaged"):
            other.resolve(wanted)
    assert not (other.home / "orders" / "1.0.0").exists()
    source.put(f"orders/1.0.0/{CALIBRATION}", path / CALIBRATION)
    assert sync(other) == {}
    assert str(other.resolve("orders@1.0.0")) == "orders@1.0.0"


def test_half_stored_package_is_none(machine: Machine, source: PackageObjects) -> None:
    one, other = machine(), machine()
    add(one, "orders@1.0.0")
    publish(one, one.resolve("orders@1.0.0"))
    source.remove([f"orders/1.0.0/{SUMS}"])
    assert sync(other) == {}
    with pytest.raises(UnknownModel):
        other.resolve("orders")


def test_version_is_never_overwritten(machine: Machine) -> None:
    one, other = machine(), machine()
    add(one, "orders@1.0.0")
    (add(other, "orders@1.0.0") / CALIBRATION).write_bytes(b"{}")
    write_sums(other.home / "orders" / "1.0.0")
    promote(one, "orders@1.0.0")
    with pytest.raises(InvalidOption, match=r"another orders@1\.0\.0"):
        promote(other, "orders@1.0.0")
    assert "not the one in" in sync(other)["orders@1.0.0"]
    assert (other.home / "orders" / "1.0.0" / CALIBRATION).read_bytes() == b"{}"


def test_trained_model_serves_nowhere_until_it_is_promoted(machine: Machine) -> None:
    one, other = machine(), machine()
    withhold(one, "orders")
    add(one, "orders@1.0.0")
    publish(one, one.resolve("orders@1.0.0"))
    sync(other)
    assert [ref.current for ref in other.versions("orders")] == [False]
    promote(other, "orders@1.0.0")
    sync(one)
    assert one.resolve("orders").current


def test_removed_model_comes_to_no_other_machine(machine: Machine) -> None:
    one, other = machine(), machine()
    for version in ("1.0.0", "2.0.0"):
        add(one, f"orders@{version}")
        promote(one, f"orders@{version}")
    remove(one, "orders@1.0.0")
    sync(other)
    assert [ref.version for ref in other.versions("orders")] == ["2.0.0"]
    remove(one, "orders@2.0.0")
    third = machine()
    sync(third)
    assert third.versions("orders") == []


def test_promotion_changes_nothing_where_the_place_is_away(
    machine: Machine, object_store: ObjectStoreServer
) -> None:
    one = machine()
    for version in ("1.0.0", "2.0.0"):
        add(one, f"orders@{version}")
    promote(one, "orders@1.0.0")
    object_store.kill9()
    try:
        with pytest.raises(StoreUnavailable):
            promote(one, "orders@2.0.0")
        assert str(one.resolve("orders")) == "orders@1.0.0"
        assert str(one.resolve("orders@2.0.0")) == "orders@2.0.0"  # what is here needs no look
    finally:
        object_store.start()


def test_machine_follows_by_itself(machine: Machine) -> None:
    one, other = machine(), machine()
    assert other.mirror is not None
    other.mirror.start()
    try:
        add(one, "orders@1.0.0")
        promote(one, "orders@1.0.0")
        until(lambda: bool(other.versions("orders")), "the model to be copied")
    finally:
        other.mirror.stop()
