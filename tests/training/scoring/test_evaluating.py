"""An evaluation says of each value what the service would, its mark for review included."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from models.packages import BUNDLED
from models.packages.manifest import FIELDS
from models.packages.package import copy_package
from pipeline.document import EmbeddedInvoice
from pipeline.extract import Extractor
from pipeline.result import FieldValue
from tests.datasets import write_dataset
from training.data import Corpus, build_corpus, load_dataset
from training.scoring.confidence import pooled
from training.scoring.evaluating import evaluated

SEEDS = range(4)


@pytest.fixture(scope="module")
def receipts() -> Extractor:
    return Extractor(BUNDLED / "receipts")


@pytest.fixture(scope="module")
def corpus(receipts: Extractor, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = Path(tmp_path_factory.mktemp("evaluating"))
    dataset = load_dataset(write_dataset(folder / "receipts", SEEDS))
    return build_corpus(dataset, receipts.fields, "own", cache=folder / "readings")


def _shares(extractor: Extractor, corpus: Corpus) -> tuple[float, float]:
    """Return the shares of values that are right and that are marked for review."""
    found = evaluated(extractor, corpus, [row.id for row in corpus.rows], title="Some")
    judged = pooled(found.judged().values())
    assert len(judged.right) >= len(corpus.rows)
    return float(judged.right.mean()), float(judged.marked.mean())


def test_values_of_a_document_that_calls_itself_something_else_are_marked(
    receipts: Extractor, corpus: Corpus, tmp_path: Path
) -> None:
    rules, _, _ = (BUNDLED / "receipts" / FIELDS).read_text("utf-8").partition("[titles]")
    titles = '[titles]\nnumber = "total"\nown = ["Ticket"]\nother = ["Total"]\n'
    copy_package(BUNDLED / "receipts", tmp_path / "titled", version="9", fields_toml=rules + titles)
    right, marked = _shares(receipts, corpus)
    assert marked < 1
    assert _shares(Extractor(tmp_path / "titled"), corpus) == (right, 1)


def test_answers_are_those_of_the_extractor(receipts: Extractor, corpus: Corpus) -> None:
    found = evaluated(receipts, corpus, [row.id for row in corpus.rows], title="Some")
    for row in corpus.rows:
        answer = receipts.extract(row.document.read_bytes())
        assert {spec.name: answer.fields[spec.name] for spec in receipts.fields} == (
            found.answers[row.id]
        )


def test_what_the_xml_of_an_e_invoice_says_is_not_scored(corpus: Corpus) -> None:
    invoices = Extractor(BUNDLED / "invoices")
    [(name, document), *_] = corpus.documents.items()
    xml = EmbeddedInvoice("a.xml", "cii", {"invoice_number": "XML-1"}, {})
    carries = replace(document, embedded=xml)
    number = invoices.answer(carries, 0.0).fields["invoice_number"]
    assert isinstance(number, FieldValue)
    assert number.value == "XML-1"
    found = evaluated(
        invoices, replace(corpus, documents={name: carries}), [name], title="Some"
    ).answers[name]["invoice_number"]
    assert found is None or (isinstance(found, FieldValue) and found.value != "XML-1")
