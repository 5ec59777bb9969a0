"""The route of one document in one process: three calls, one answer."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
import torch

from models.labels import Span
from models.packages import manifest
from pipeline.answers.answerer import Answerer
from pipeline.errors import EncryptedPdf, ModelPackageError
from pipeline.extract import Extractor
from pipeline.reading.options import ReadOptions
from pipeline.result import Extraction, FieldValue
from tests.builders import document_of, encrypted_pdf, make_receipt, receipt_pdf
from tests.packages import RECEIPT_FIELDS, tiny_package


@pytest.fixture(scope="module")
def extractor(tmp_path_factory: pytest.TempPathFactory) -> Extractor:
    return Extractor(tiny_package(Path(tmp_path_factory.mktemp("package")) / "tiny"))


def test_answer_says_what_was_read_and_by_which_model(extractor: Extractor) -> None:
    receipt = make_receipt(3)
    data = receipt_pdf(receipt, pages=2)
    answer = extractor.extract(data, job_id="job")
    assert answer.id == "job"
    assert answer.document.sha256 == hashlib.sha256(data).hexdigest()
    assert answer.document.word_count == 2 * len(receipt.words)
    assert [page.number for page in answer.document.pages] == [1, 2]
    assert (answer.model.name, answer.model.version) == ("tiny", "0.0.1")
    assert answer.model.sha256 == extractor.sha256
    assert list(answer.fields) == [spec.name for spec in RECEIPT_FIELDS]
    assert set(answer.timings) == {"read", "tag", "resolve"}
    assert Extraction.model_validate_json(answer.model_dump_json()) == answer


def test_one_call_is_the_three_calls(extractor: Extractor) -> None:
    data = receipt_pdf(make_receipt(4))
    whole = extractor.extract(data, job_id="x")
    document = extractor.read(data)
    parts = extractor.resolve(document, extractor.tag(document), job_id="x", timings={})
    changes: dict[str, dict[str, float]] = {"timings": {}}
    assert whole.model_copy(update=changes) == parts.model_copy(update=changes)


def test_documents_in_one_pass_are_tagged_as_alone(extractor: Extractor) -> None:
    """A long one in several windows, short ones between, and one without a word."""
    documents = [
        extractor.read(receipt_pdf(make_receipt(6))),
        document_of(" | ".join(f"ITEM {number} RM {number}.00" for number in range(80))),
        document_of(""),
        document_of("TOTAL RM 9.00"),
    ]
    together = extractor.tag_many(documents)
    assert [len(spans) > 0 for spans in together] == [True, True, False, True]
    for document, spans in zip(documents, together, strict=True):
        alone = extractor.tag(document)
        assert [(s.field, s.start, s.end) for s in spans] == [
            (s.field, s.start, s.end) for s in alone
        ]
        assert [s.score for s in spans] == pytest.approx([s.score for s in alone], rel=1e-4)
    assert extractor.tag_many([]) == []


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_a_gpu_tags_as_a_processor_does(extractor: Extractor, tmp_path: Path) -> None:
    """Its products are of half the bits: the scores differ a little."""
    on_gpu = Extractor(tiny_package(tmp_path / "tiny"), device="cuda")
    documents = [document_of("KEDAI BUKU | DATE 25/12/2018"), document_of("TOTAL RM 9.00")]
    for here, there in zip(extractor.tag_many(documents), on_gpu.tag_many(documents), strict=True):
        assert [s.field for s in there] == [s.field for s in here]
        assert [s.score for s in there] == pytest.approx([s.score for s in here], abs=0.05)


def test_half_the_bits_find_the_same_fields_where_they_are_wanted(tmp_path: Path) -> None:
    package = tiny_package(tmp_path / "tiny")
    usual, half = Extractor(package), Extractor(package, precision="bfloat16")
    whole = Extractor(package, precision="float32")
    document = document_of("KEDAI BUKU | DATE 25/12/2018 | TOTAL RM 9.00")
    expected, found = usual.tag(document), half.tag(document)
    assert whole.tag(document) == expected  # on a processor nothing else is asked for
    assert [s.field for s in found] == [s.field for s in expected]
    assert [s.score for s in found] == pytest.approx([s.score for s in expected], abs=0.05)
    assert [s.score for s in found] != [s.score for s in expected]


def test_what_answers_needs_no_tagger(extractor: Extractor, tmp_path: Path) -> None:
    package = tiny_package(tmp_path / "tiny")
    answerer = Answerer.load(package)
    document = document_of("KEDAI BUKU | TOTAL RM 9.00")
    spans = [Span("total", 3, 5, (0.9, 0.9))]
    whole, light = (
        one.resolve(document, spans, job_id="x", timings={}) for one in (extractor, answerer)
    )
    assert light.fields == whole.fields
    (package / manifest.WEIGHTS).write_bytes(b"altered")
    with pytest.raises(ModelPackageError, match="tiny"):
        Answerer.load(package)


def test_same_document_has_the_same_answer(extractor: Extractor) -> None:
    data = receipt_pdf(make_receipt(5))
    first, second = (extractor.extract(data) for _ in range(2))
    assert first.fields == second.fields
    assert first.id != second.id


def test_spans_become_typed_values(extractor: Extractor) -> None:
    document = document_of("KEDAI BUKU | DATE 25/12/2018 | TOTAL RM 9.00")
    spans = [
        Span("company", 0, 2, (0.9, 0.9)),
        Span("date", 3, 4, (0.95,)),
        Span("total", 6, 7, (0.8,)),
    ]
    fields = extractor.resolve(document, spans, job_id="x", timings={"read": 1.0}).fields
    company, date, total = (fields[name] for name in ("company", "date", "total"))
    assert isinstance(company, FieldValue)
    assert isinstance(date, FieldValue)
    assert isinstance(total, FieldValue)
    assert (company.text, company.words) == ("KEDAI BUKU", [0, 1])
    assert date.value == "2018-12-25"
    assert total.value == {"amount": "9.00", "currency": "MYR"}
    assert fields["address"] is None


@pytest.mark.parametrize("pages", [(), ("",)])
def test_document_without_words_has_all_fields_null(
    extractor: Extractor, pages: tuple[str, ...]
) -> None:
    document = document_of(*pages)
    assert extractor.tag(document) == []
    answer = extractor.resolve(document, [], job_id="x", timings={})
    assert answer.fields == {spec.name: None for spec in RECEIPT_FIELDS}
    assert answer.document.word_count == 0


def test_options_and_pages_go_to_the_reader(extractor: Extractor) -> None:
    data = receipt_pdf(make_receipt(1), pages=3)
    seen: list[tuple[int, int]] = []
    answer = extractor.extract(data, ReadOptions(pages="2"), on_page=lambda *at: seen.append(at))
    assert [page.number for page in answer.document.pages] == [2]
    assert answer.document.page_count == 3
    assert seen[-1] == (1, 1)
    with pytest.raises(EncryptedPdf):
        extractor.extract(encrypted_pdf(receipt_pdf(), "secret"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param(
            "fields.toml", '[fields.total]\nkind = "amount"\n', "the tagger", id="other_fields"
        ),
        pytest.param("fields.toml", "[fields", "not valid TOML", id="fields_not_toml"),
        pytest.param("fields.toml", "", "declares no fields", id="no_fields"),
        pytest.param("calibration.json", "{}", "calibration.json", id="no_calibration"),
        pytest.param("calibration.json", "{", "cannot be used", id="calibration_not_json"),
        pytest.param("config.json", "{}", "not a model package", id="no_config"),
        pytest.param(
            "config.json",
            '{"name": "tiny", "version": "1", "tagger": {"preset": "lambert"}}',
            "names no fields",
            id="config_without_fields",
        ),
    ],
)
def test_package_whose_files_do_not_go_together_is_refused(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    package = tiny_package(tmp_path / "tiny")
    (package / name).write_text(content)
    manifest.write_sums(package)
    with pytest.raises(ModelPackageError, match=message):
        Extractor(package)


def test_altered_package_is_refused(tmp_path: Path) -> None:
    package = tiny_package(tmp_path / "tiny")
    config = json.loads((package / "config.json").read_text())
    (package / "config.json").write_text(json.dumps({**config, "name": "other"}))
    with pytest.raises(ModelPackageError, match=r"config.json was altered"):
        Extractor(package)
