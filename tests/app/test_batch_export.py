"""The answers of a batch, written out."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.catalogue import Catalogue
from app.export import export, export_workbook
from models.packages import Registry
from pipeline.errors import UnknownModel
from store.batches import Batches
from store.jobs import Jobs
from store.settings import Settings
from tests.stores import opened
from tests.submitting import answer, claimed, order, submit_batch, upload, uploads


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    with opened(Settings(home=tmp_path, model="tiny"), tiny="0.0.1") as queue:
        yield queue


@pytest.fixture
def batches(jobs: Jobs) -> Batches:
    return Batches(jobs)


def catalogue(jobs: Jobs) -> Catalogue:
    return Catalogue(Registry(jobs.settings.home / "models", default=jobs.settings.model))


def test_export_says_of_every_item_what_became_of_it(jobs: Jobs, batches: Batches) -> None:
    batch = submit_batch(jobs, [*uploads("a.pdf", "b.pdf"), upload("c.txt", b"words")], order(jobs))
    answer(jobs, claimed(jobs))
    rows = [
        json.loads(line)
        for line in "".join(export(batches, catalogue(jobs), batch, "jsonl")).splitlines()
    ]
    assert [row["document"] for row in rows] == ["a.pdf", "b.pdf", "c.txt"]
    assert "fields" in rows[0]
    codes = [row["error"]["code"] for row in rows[1:]]
    assert codes == ["job_not_finished", "unsupported_media_type"]
    header = "".join(export(batches, catalogue(jobs), batch, "csv")).splitlines()[0]
    assert header.startswith("document,company,company_confidence,date,")


def test_table_wants_the_fields_of_the_model(jobs: Jobs, batches: Batches) -> None:
    batch = submit_batch(jobs, uploads("a.pdf"), order(jobs))
    (jobs.settings.home / "models" / "tiny" / "0.0.1").rename(jobs.settings.home / "gone")
    with pytest.raises(UnknownModel):
        export(batches, catalogue(jobs), batch, "csv")
    assert "".join(export(batches, catalogue(jobs), batch, "jsonl"))


def test_a_workbook_has_the_rows_of_the_table_and_leaves_no_file(
    jobs: Jobs, batches: Batches, tmp_path: Path
) -> None:
    batch = submit_batch(jobs, [*uploads("a.pdf", "b.pdf"), upload("c.txt", b"words")], order(jobs))
    answer(jobs, claimed(jobs))
    (tmp_path / "spool").mkdir()
    made = b"".join(export_workbook(batches, catalogue(jobs), batch, tmp_path / "spool"))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert sheet.count("<row ") == 4
    assert "unsupported_media_type" in sheet
    assert list((tmp_path / "spool").iterdir()) == []
