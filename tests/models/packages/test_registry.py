"""Which package answers for a name: places, promotions, rollbacks, removals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.packages import Registry, earlier, promote, remove, rollback, withhold
from models.packages.manifest import CONFIG, REQUIRED, WEIGHTS, write_sums
from models.packages.registry import IDLE, _order
from pipeline.errors import InvalidOption, ModelPackageError, UnknownModel


def package(folder: Path, name: str, version: str) -> Path:
    """Make a package whose files are whole but hold nothing beside its identity."""
    folder.mkdir(parents=True)
    for file in REQUIRED:
        (folder / file).touch()
    config = {"name": name, "version": version, "tagger": {"preset": "lambert"}}
    (folder / CONFIG).write_text(json.dumps(config))
    write_sums(folder)
    return folder


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    package(tmp_path / "weights" / "receipts", "receipts", "1.0.0")
    (tmp_path / "weights" / "empty").mkdir()
    return Registry(tmp_path / "models", default="receipts", bundled=tmp_path / "weights")


def add(registry: Registry, model: str) -> Path:
    name, _, version = model.partition("@")
    return package(registry.home / name / version, name, version)


def test_bundled_package_answers_by_default(registry: Registry) -> None:
    ref = registry.resolve()
    assert (str(ref), ref.bundled, ref.current) == ("receipts@1.0.0", True, True)
    assert registry.resolve("receipts@1.0.0") == ref


def test_trained_package_is_served_by_its_name(registry: Registry) -> None:
    path = add(registry, "orders@0.1.0")
    assert registry.resolve("orders").path == path


def test_users_package_goes_before_the_bundled_one(registry: Registry) -> None:
    add(registry, "receipts@0.9.0")
    assert registry.resolve("receipts").version == "0.9.0"
    assert registry.resolve("receipts@1.0.0").bundled


def test_newest_version_answers_until_one_is_promoted(registry: Registry) -> None:
    for version in ("1.9.0", "1.10.0", "1.10.0-rc1"):
        add(registry, f"orders@{version}")
    assert registry.resolve("orders").version == "1.10.0"
    assert promote(registry, "orders@1.9.0").current
    assert registry.resolve("orders").version == "1.9.0"
    assert [ref.version for ref in registry.packages() if ref.name == "orders"] == [
        "1.10.0",
        "1.10.0-rc1",
        "1.9.0",
    ]


def test_damaged_package_is_not_promoted(registry: Registry) -> None:
    add(registry, "orders@1.0.0")
    promote(registry, "orders@1.0.0")
    damaged = add(registry, "orders@2.0.0")
    (damaged / WEIGHTS).write_bytes(b"bits of something else")
    with pytest.raises(ModelPackageError, match="safetensors was altered"):
        promote(registry, "orders@2.0.0")
    assert registry.resolve("orders").version == "1.0.0"


def test_rollback_goes_back_one_promotion_at_a_time(registry: Registry) -> None:
    for version in ("1.0.0", "2.0.0", "3.0.0"):
        add(registry, f"orders@{version}")
    promote(registry, "orders@1.0.0")  # in service before: 3.0.0
    promote(registry, "orders@2.0.0")
    for version in ("1.0.0", "3.0.0"):
        assert earlier(registry, "orders") == version
        assert rollback(registry, "orders").version == version
    assert earlier(registry, "orders") is None
    with pytest.raises(InvalidOption, match="no earlier version"):
        rollback(registry, "orders")


def test_promoting_what_is_in_service_changes_nothing_of_what_was_before(
    registry: Registry,
) -> None:
    add(registry, "orders@1.0.0")
    promote(registry, "orders@1.0.0")
    add(registry, "orders@1.1.0")  # never served
    promote(registry, "orders@1.0.0")
    assert earlier(registry, "orders") is None


def test_bundled_version_can_be_put_back(registry: Registry) -> None:
    add(registry, "receipts@2.0.0")
    assert promote(registry, "receipts@1.0.0").bundled
    assert registry.resolve("receipts").version == "1.0.0"


def test_first_promotion_of_what_hides_the_bundled_version_can_be_undone(
    registry: Registry,
) -> None:
    add(registry, "receipts@2.0.0")  # served at once, as the newest
    promote(registry, "receipts@2.0.0")
    assert rollback(registry, "receipts").bundled


def test_remove_refuses_what_is_in_service_or_bundled(registry: Registry) -> None:
    old, new = add(registry, "orders@1.0.0"), add(registry, "orders@2.0.0")
    with pytest.raises(InvalidOption, match="in service"):
        remove(registry, "orders@2.0.0")
    with pytest.raises(InvalidOption, match="comes with the product") as refused:
        remove(registry, "receipts@1.0.0")
    assert "romote" not in refused.value.advice  # it would not make it one that can be removed
    with pytest.raises(InvalidOption, match="names no version"):
        remove(registry, "orders")
    remove(registry, "orders@1.0.0")
    assert not old.exists()
    assert new.exists()
    remove(registry, "orders@2.0.0")  # the last one may go
    with pytest.raises(UnknownModel):
        registry.resolve("orders")


def test_promoted_version_that_was_deleted_by_hand_is_passed_over(registry: Registry) -> None:
    add(registry, "orders@1.0.0")
    gone = add(registry, "orders@2.0.0")
    promote(registry, "orders@1.0.0")
    promote(registry, "orders@2.0.0")
    (gone / CONFIG).unlink()
    assert registry.resolve("orders").version == "1.0.0"


def test_unknown_name_names_near_ones(registry: Registry) -> None:
    with pytest.raises(UnknownModel) as caught:
        registry.resolve("recepits")
    assert caught.value.advice.startswith("Did you mean receipts? ")
    with pytest.raises(UnknownModel) as caught:
        registry.resolve("xyz")
    assert caught.value.advice.startswith("Choose one of receipts; ")


def test_unknown_version_names_those_there_are(registry: Registry) -> None:
    with pytest.raises(UnknownModel) as caught:
        registry.resolve("receipts@7")
    assert "receipts@1.0.0" in caught.value.advice


def test_damaged_bundled_package_is_not_an_unknown_one(registry: Registry) -> None:
    with pytest.raises(ModelPackageError):
        registry.resolve("empty")
    assert [ref.name for ref in registry.packages()] == ["receipts"]


@pytest.mark.parametrize("model", ["..", "../weights/receipts", "/etc", "a\0b", "a" * 5000, "@1"])
def test_names_never_become_paths(registry: Registry, model: str) -> None:
    with pytest.raises(UnknownModel):
        registry.resolve(model)


@given(st.tuples(*[st.integers(0, 200)] * 3), st.tuples(*[st.integers(0, 200)] * 3))
def test_versions_are_ordered_as_numbers(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    left, right = (".".join(map(str, version)) for version in (a, b))
    assert (_order(left) < _order(right)) == (a < b)
    assert _order(f"{left}-rc1") < _order(left)


@pytest.mark.parametrize(
    ("own", "served"),
    [
        pytest.param(["0.9.0", "0.8.0"], "0.9.0", id="the_one_before_stays"),
        pytest.param([], "1.0.0", id="bundled"),
    ],
)
def test_an_idle_version_takes_no_place_and_later_ones_do(
    registry: Registry, own: list[str], served: str
) -> None:
    for version in (*own, "2.0.0"):
        add(registry, f"receipts@{version}")
    assert registry.resolve("receipts").version == "2.0.0"
    (registry.home / "receipts" / "2.0.0" / IDLE).touch()
    assert registry.resolve("receipts").version == served
    add(registry, "receipts@2.1.0")
    assert registry.resolve("receipts").version == "2.1.0"
    remove(registry, "receipts@2.0.0")
    add(registry, "receipts@3.0.0")
    (registry.home / "receipts" / "3.0.0" / IDLE).touch()
    promote(registry, "receipts@3.0.0")
    assert registry.resolve("receipts").version == "3.0.0"
    assert rollback(registry, "receipts").version == "2.1.0"


def test_a_model_whose_only_version_is_idle_has_none_in_service(registry: Registry) -> None:
    add(registry, "orders@1.0.0")
    (registry.home / "orders" / "1.0.0" / IDLE).touch()
    assert [ref.current for ref in registry.versions("orders")] == [False]
    withhold(registry, "orders")  # as it is
    assert [ref.current for ref in registry.versions("orders")] == [False]
    promote(registry, "orders@1.0.0")
    assert registry.resolve("orders").version == "1.0.0"
