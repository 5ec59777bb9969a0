"""Documents added to a dataset: within the bounds of their key."""

from __future__ import annotations

import hashlib
import io
from dataclasses import replace

import pytest

from app.intake import Upload
from app.teaching import Teaching
from store.access import OPEN
from store.errors import BatchTooLarge, TooManyJobs
from store.jobs import Jobs
from tests.archives import zip_of
from tests.builders import make_receipt, receipt_pdf


@pytest.mark.parametrize(("most", "error"), [(5, TooManyJobs), (4, BatchTooLarge)])
def test_documents_of_an_archive_count_towards_the_jobs_of_a_key(
    teaching: Teaching, jobs: Jobs, most: int, error: type[Exception]
) -> None:
    dataset = teaching.store.create("x", "x", "anna")
    pdf = receipt_pdf(make_receipt(7))
    anna = replace(OPEN, key_id="anna", scopes=frozenset({"train"}), max_queued=most)
    first = Upload("first.pdf", io.BytesIO(pdf), hashlib.sha256(pdf).hexdigest())
    [kept] = teaching.add(dataset.id, anna, [first]).added
    before = blobs(jobs)
    data = zip_of([(f"{number}.pdf", pdf + b"%%%d" % number) for number in range(5)])
    digest = hashlib.sha256(data).hexdigest()
    with pytest.raises(error):
        teaching.add(dataset.id, anna, [Upload("a.zip", io.BytesIO(data), digest)])
    assert teaching.store.documents(dataset.id) == [kept]
    assert blobs(jobs) == before
    again = Upload("a.zip", io.BytesIO(data), digest)
    added = teaching.add(dataset.id, replace(anna, max_queued=10), [again])
    assert len(added.added) == 5


def blobs(jobs: Jobs) -> set[str]:
    folder = jobs.settings.home / "blobs"
    return {str(path) for path in folder.rglob("*") if path.is_file()}
