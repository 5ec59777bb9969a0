"""Receipts to be labelled, and a home in which a model of them is trained in moments."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from app.schemas.common import ANSWER
from pipeline.reading.reader import read_document
from pipeline.result import Extraction
from store.access import ANY_OWNER
from store.datasets import Dataset, Datasets, NewExample
from store.jobs import Job, Jobs
from tests.builders import Receipt, make_receipt, receipt_pdf
from tests.packages import tiny_package

RECEIPTS = [make_receipt(number) for number in range(10)]


def home_with_a_model(home: Path) -> Path:
    """Put a tiny model into a home that receipts are most like, so that an epoch takes a moment."""
    package = home / "models" / "tiny" / "0.0.1"
    package.parent.mkdir(parents=True)
    documents = [read_document(receipt_pdf(one)) for one in RECEIPTS]
    tiny_package(package, layers=1, documents=documents)
    return home


def dataset_of_receipts(jobs: Jobs, *, labelled: int, others: int) -> Dataset:
    """Make a dataset `slips` with a company and a date, and a field that no document has."""
    datasets = Datasets(jobs)
    made = datasets.create("Receipts", "slips", None)
    fields = [field("company", "name"), field("date", "date"), field("never", "text")]
    made = datasets.set_fields(made.id, ANY_OWNER, fields, {})
    documents = [new_example(jobs, make_receipt(n)) for n in range(labelled + others)]
    ids = datasets.add(made.id, documents, most=100, most_bytes=1 << 30)
    for number, document in enumerate(ids[:labelled]):
        receipt = make_receipt(number)
        labels = {"company": [said(receipt.company)], "date": [said(receipt.date)], "never": []}
        datasets.label(made.id, document, ANY_OWNER, lambda now, old, new=labels: (new, {}, {}))  # type: ignore[misc]
    return datasets.get(made.id)


def field(name: str, kind: str) -> dict[str, Any]:
    """Return a field of a dataset as the store has it."""
    plain: dict[str, Any] = {"many": False, "group": None, "range_start": None}
    return {"name": name, "kind": kind, "guessed": False, **plain}


def said(text: str) -> dict[str, Any]:
    """Return a label that nobody has placed."""
    return {"text": text, "page": None, "box": None, "words": [], "places": []}


def new_example(jobs: Jobs, receipt: Receipt) -> NewExample:
    """Return a document for a dataset, its bytes stored and its answer a plain one."""
    data, job_id = receipt_pdf(receipt), str(uuid.uuid4())
    job = Job(
        job_id, "tiny", uuid.uuid4().hex * 2, f"{receipt.date}.pdf", "application/pdf", len(data),
        state="succeeded", stage="done", purpose="dataset",
    )  # fmt: skip
    jobs.blobs.put(job_id, "file", data)
    return NewExample(job, Extraction.model_validate({**ANSWER, "id": job_id}).model_dump_json())
