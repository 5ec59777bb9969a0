"""What is sent is judged before it is stored: its kind, its size, its options, its model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.errors import (
    EmptyDocument,
    FileTooLarge,
    InvalidOption,
    UnknownModel,
    UnsupportedMedia,
)
from store.blobs import FILE
from store.jobs import Jobs
from store.settings import Settings
from tests.builders import receipt_pdf
from tests.stores import opened
from tests.submitting import submit

PDF = receipt_pdf()


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    with opened(Settings(home=tmp_path, model="tiny", max_bytes=len(PDF)), tiny="1.0.0") as queue:
        yield queue


def documents(jobs: Jobs) -> list[Path]:
    return [path for path in jobs.blobs.root.rglob("*") if path.is_file()]


def test_accepted_document_lies_on_the_disk(jobs: Jobs) -> None:
    job = submit(jobs, PDF, filename="a.pdf", pages="1", password="geheim")
    assert (job.state, job.model, job.options) == ("queued", "tiny", {"pages": "1"})
    assert jobs.blobs.get(job.id, FILE) == PDF
    assert "geheim" not in repr(job)


def test_version_asked_for_is_kept(jobs: Jobs) -> None:
    assert submit(jobs, PDF, model="tiny@1.0.0").model == "tiny@1.0.0"


@pytest.mark.parametrize(
    ("choice", "wrong"),
    [
        ({"ocr": "never"}, {"ocr": "perhaps"}),
        ({"engine": "tesseract"}, {"engine": "typist"}),
        ({"language": "eng+deu"}, {"language": "English"}),
    ],
)
def test_choices_of_reading_are_kept_and_checked(
    jobs: Jobs, choice: dict[str, str], wrong: dict[str, str]
) -> None:
    assert submit(jobs, PDF, **choice).options == choice
    with pytest.raises(InvalidOption):
        submit(jobs, PDF, **wrong)


@pytest.mark.parametrize(
    ("data", "model", "error"),
    [
        pytest.param(b"words", "tiny", UnsupportedMedia, id="media"),
        pytest.param(b"", "tiny", EmptyDocument, id="empty"),
        pytest.param(PDF + b" ", "tiny", FileTooLarge, id="large"),
        pytest.param(PDF, "none", UnknownModel, id="model"),
    ],
)
def test_refused_document_leaves_nothing(
    jobs: Jobs, data: bytes, model: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        submit(jobs, data, model=model)
    assert documents(jobs) == []
    assert jobs.repository.page() == ([], None)
