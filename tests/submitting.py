"""Documents put into a queue without a server, judged as by the API, and ended as by a worker."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from typing import Any

from app.intake import Order, Submissions, Upload
from models.packages import Registry
from store.batches import Batch
from store.jobs import Job, Jobs
from tests.builders import make_receipt, receipt_pdf

PDFS = [receipt_pdf(make_receipt(seed)) for seed in range(3)]


def submissions(jobs: Jobs) -> Submissions:
    """Return what accepts documents for a queue."""
    home, default = jobs.settings.home, jobs.settings.model
    return Submissions(jobs, Registry(home / "models", default=default))


def submit(
    jobs: Jobs, data: bytes, *, filename: str = "", key: str | None = None, **options: str | None
) -> Job:
    """Accept a document that is read with `options`; see `Submissions`."""
    wanted = order(jobs, **options)
    return submissions(jobs).submit(io.BytesIO(data), wanted, filename=filename, key=key)


def order(jobs: Jobs, **options: str | None) -> Order:
    """Check how documents are to be read; see `Submissions.order`."""
    return submissions(jobs).order(**options)


def submit_batch(jobs: Jobs, files: Sequence[Upload], wanted: Order, **options: Any) -> Batch:
    """Accept documents together; see `Submissions.submit_batch`."""
    return submissions(jobs).submit_batch(files, wanted, **options)


def upload(name: str, data: bytes) -> Upload:
    """Return a file of a batch."""
    return Upload(name, io.BytesIO(data), hashlib.sha256(data).hexdigest())


def uploads(*names: str) -> list[Upload]:
    """Return receipts of these names."""
    return [upload(name, PDFS[number % 3]) for number, name in enumerate(names)]


def stored(jobs: Jobs) -> int:
    """Return the number of files on the disk."""
    files = [path for path in jobs.blobs.root.rglob("*") if path.is_file()]
    return len([path for path in files if path.name != "installation"])  # the folder's own name


def claimed(jobs: Jobs) -> Job:
    """Return the job that a worker takes next."""
    job = jobs.claims.claim("w", lease=60, max_attempts=3)
    assert job is not None
    return job


def answer(jobs: Jobs, job: Job) -> None:
    """End a job as a worker would."""
    pages = [
        {"number": 1, "width": 1, "height": 1, "rotation": 0, "text_source": "ocr", "reason": ""}
    ]
    document = {"sha256": job.sha256, "media_type": "", "page_count": 1, "word_count": 0}
    body = {
        "id": job.id,
        "document": {**document, "pages": pages},
        "model": {"name": "tiny", "version": "0.0.1", "sha256": ""},
        "fields": dict.fromkeys(("company", "date", "address", "total")),
        "timings": {},
    }
    jobs.leases.renew(job, lease=60, model_version="0.0.1")
    jobs.leases.succeed(job, json.dumps(body))
