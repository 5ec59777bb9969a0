"""Documents of two kinds, each read by the model whose documents are like it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from models.packages import Registry, manifest
from pipeline.auto import AutoExtractor
from pipeline.errors import ModelPackageError
from pipeline.reading.options import ReadOptions
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of, draw_pdf, make_receipt, receipt_pdf
from tests.packages import RECEIPT_FIELDS, tiny_package

_CLAUSES = (
    "This agreement is made between the parties named below",
    "The receiving party shall hold confidential information in trust",
    "This agreement is governed by the laws of the state named below",
    "The disclosing party may disclose confidential information to the recipient",
)


def _contracts() -> list[str]:
    return [" | ".join((*_CLAUSES[n:], *_CLAUSES[:n])[:3]) for n in range(4)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Path(tmp_path_factory.mktemp("models"))
    receipts = [document_of(" ".join(make_receipt(seed).words)) for seed in range(6)]
    contracts = [document_of(text) for text in _contracts()]
    tiny_package(root / "shops" / "1", name="shops", version="1", documents=receipts)
    law = (FieldSpec("party", Kind.NAME, many=True), FieldSpec("date", Kind.DATE))
    tiny_package(root / "law" / "1", name="law", version="1", fields=law, documents=contracts)
    tiny_package(root / "mute" / "1", name="mute", version="1")
    return root


def test_each_document_gets_the_model_of_its_kind(home: Path, tmp_path: Path) -> None:
    extractor = AutoExtractor(Registry(home, bundled=tmp_path))
    answer = extractor.extract(receipt_pdf(make_receipt(8)))
    assert answer.model.name == "shops"
    assert set(answer.fields) == {spec.name for spec in RECEIPT_FIELDS}
    assert answer.model.choice is not None
    assert answer.model.choice.confidence > 0.5
    assert set(answer.model.choice.others) == {"law"}
    assert not [warning for warning in answer.warnings if "plainly" in warning]

    contract = draw_pdf(
        lambda page: [page.drawString(60, 700 - 30 * n, line) for n, line in enumerate(_CLAUSES)]
    )
    other = extractor.extract(contract)
    assert other.model.name == "law"
    assert set(other.fields) == {"party", "date"}
    names = [spec.name for spec in extractor.fields]
    assert sorted(names) == ["address", "company", "date", "party", "total"]  # date once


def test_a_document_of_no_kind_comes_with_a_warning(home: Path, tmp_path: Path) -> None:
    extractor = AutoExtractor(Registry(home, bundled=tmp_path))
    poem = draw_pdf(lambda page: page.drawString(60, 700, "Slow herons wade through winter reeds"))
    answer = extractor.extract(poem)
    assert answer.model.choice is not None
    assert answer.model.choice.confidence < 0.5
    assert any("not plainly of a kind" in warning for warning in answer.warnings)


def test_a_page_without_words_gets_the_default_model(home: Path, tmp_path: Path) -> None:
    extractor = AutoExtractor(Registry(home, default="law", bundled=tmp_path))
    answer = extractor.extract(draw_pdf(lambda page: page.circle(100, 100, 40)))
    assert answer.model.name == "law"
    assert answer.model.choice is not None
    assert answer.model.choice.confidence == 0


def test_without_a_profile_nothing_can_be_chosen(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "mute", tmp_path / "models" / "mute")
    registry = Registry(tmp_path / "models", bundled=tmp_path / "none")
    with pytest.raises(ModelPackageError, match="which documents it is for"):
        AutoExtractor(registry)


def test_the_profile_is_covered_by_the_sums(home: Path, tmp_path: Path) -> None:
    package = Path(shutil.copytree(home / "law" / "1", tmp_path / "law"))
    manifest.verify(package)
    (package / manifest.PROFILE).write_text("{}")
    with pytest.raises(ValueError, match=r"profile\.json was altered"):
        manifest.verify(package)


@pytest.mark.parametrize("name", ["auto", "einvoice"])
def test_what_has_a_meaning_of_its_own_is_no_name_of_a_model(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}' has a meaning"):
        manifest.check_name(name, "1.0.0")


def test_all_options_of_an_extraction_hold_for_a_model_that_is_chosen(
    home: Path, tmp_path: Path
) -> None:
    extractor = AutoExtractor(Registry(home, bundled=tmp_path))
    pages: list[tuple[int, int]] = []
    answer = extractor.extract(
        receipt_pdf(make_receipt(8), pages=3),
        ReadOptions(pages="2-3", processes=1),
        job_id="one",
        on_page=lambda done, total: pages.append((done, total)),
    )
    assert answer.id == "one"
    assert [page.number for page in answer.document.pages] == [2, 3]
    assert pages == [(1, 2), (2, 2)]
