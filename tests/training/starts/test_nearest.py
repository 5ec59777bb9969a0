"""The start of a training: the package of like documents, unless it has seen those that judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from models.packages import Registry, manifest
from pipeline.document import Document
from tests.builders import document_of, make_receipt
from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package
from training.data import Row, load_dataset
from training.data.seen import document_mark
from training.starts import nearest_package

_LAW = "This agreement between the parties shall be governed by the law of the state"


def _receipts(*seeds: int) -> list[Document]:
    return [document_of(" ".join(make_receipt(seed).words)) for seed in seeds]


@pytest.fixture
def rows(tmp_path: Path) -> list[Row]:
    return list(load_dataset(write_dataset(tmp_path / "shop", SEEDS)).rows)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    home = tmp_path / "models"
    contracts = [document_of(f"{_LAW} {place}") for place in ("Ohio", "Texas", "Iowa")]
    tiny_package(home / "law" / "1", name="law", version="1", documents=contracts)
    tiny_package(home / "shops" / "1", name="shops", version="1", documents=_receipts(*range(6)))
    tiny_package(home / "mute" / "1", name="mute", version="1")
    return Registry(home, bundled=tmp_path / "none")


def _say_it_was_trained_on(package: Path, rows: list[Row]) -> None:
    path = package / manifest.CONFIG
    content = json.loads(path.read_text())
    content["training"] = {"trained_on": [document_mark(row.document) for row in rows]}
    path.write_text(json.dumps(content))


def test_most_documents_decide(registry: Registry, rows: list[Row]) -> None:
    few = [document_of(f"{_LAW} Maine")]
    found = nearest_package(_receipts(7, 8) + few, registry, held_out=rows)
    assert found is not None
    assert (found.name, found.version) == ("shops", "1")
    found = nearest_package(_receipts(7) + few * 2, registry, held_out=rows)
    assert found is not None
    assert found.name == "law"


def test_who_has_seen_a_document_held_out_is_left_out(registry: Registry, rows: list[Row]) -> None:
    _say_it_was_trained_on(registry.home / "shops" / "1", rows[:1])
    found = nearest_package(_receipts(7, 8), registry, held_out=rows)
    assert found is not None
    assert found.name == "law"
    found = nearest_package(_receipts(7, 8), registry, held_out=rows[1:])
    assert found is not None
    assert found.name == "shops"


def test_there_may_be_none(registry: Registry, rows: list[Row], tmp_path: Path) -> None:
    assert nearest_package([document_of("")], registry, held_out=rows) is None
    empty = Registry(tmp_path / "empty", bundled=tmp_path / "none")
    assert nearest_package(_receipts(7), empty, held_out=rows) is None
