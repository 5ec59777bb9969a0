"""The three stages of a job, as plain functions: read, tag, resolve; and a job's way through them.

A worker takes a job through all stages that it works at, and hands it on to the queue of the
next one where others do. What reading made lies in the blob store before the job moves on, and
so does what tagging made where another process goes on: a job that comes back after a crash
starts at the stage it had reached. Who woke the worker (a bell, a broker) is not known here.
"""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict, replace
from typing import Any

from models.labels import Span
from models.packages import PackageRef
from pipeline.document import Document
from pipeline.reading.options import ReadOptions
from pipeline.routing import AUTO, Choice, Router
from store import counters
from store.blobs.blobs import FILE, PASSWORD
from store.faults import fault_at
from store.jobs.records import Job, LeaseLost, Stage
from store.jobs.rows import New
from workers.context import Desk, Work
from workers.settling import kept, renew, settling

log = logging.getLogger(__name__)

_DOCUMENT, _SPANS = "document.json", "spans.json"
# Of a document's time: the rest is for the other stages, before the worker is ended.
_READING_SHARE = 0.9
_NOTED_EVERY = 0.25  # seconds between two notes of the pages done; each is a write to the store

# What is made and used up within a moment is not kept for whoever comes after a crash.
_QUICK = 1.0  # seconds that it took to make
_SHORT = 1000  # words; those of longer documents take a while to be tagged


def run(desk: Desk, job: Job) -> None:
    """Take a claimed job as far as this worker can, whatever happens to it.

    Every outcome is in the store afterwards: the answer, the error, or the job in a queue.
    """
    started(job)
    with settling(desk, job):
        proceed(desk, _pinned(desk, job))


def started(job: Job) -> None:
    """Note in the log that a job is in hand."""
    log.info("job started", extra={"job": job.id, "stage": job.stage, "attempt": job.attempts})


def proceed(desk: Desk, work: Work) -> None:
    """Do the stages that are to be done here, and hand the job on where another is next."""
    if work.job.stage == "read" and "read" in desk.stages:
        read(desk, work)
    if work.job.stage == "tag" and "tag" in desk.stages:
        tag(desk, work)
    if work.job.stage == "resolve" and "resolve" in desk.stages:
        resolve(desk, work)


def read(desk: Desk, work: Work) -> None:
    """Read a job's document, page by page, and move the job on to tagging.

    Raises:
        DocumentError, BadPageRange: the document cannot be read as asked.
        JobCancelled: asked for between two pages.
        LeaseLost: the job went to another worker.
    """
    jobs, job = desk.jobs, work.job
    data = jobs.blobs.get(job.id, FILE)
    if data is None:  # deleted meanwhile
        raise LeaseLost(job.id)
    password = jobs.blobs.get(job.id, PASSWORD)
    options = ReadOptions(
        **job.options,
        password=password.decode() if password else None,
        max_pages=jobs.settings.max_pages,
        page_timeout_s=jobs.settings.page_timeout_s,
        document_timeout_s=_READING_SHARE * jobs.settings.document_timeout_s,
        processes=jobs.settings.read_processes or None,
    )
    noted, pages = float("-inf"), (0, 0)

    def on_page(done: int, total: int) -> None:
        nonlocal noted, pages
        pages = done, total
        # The last page is noted with the next stage.
        if done < total and time.monotonic() - noted >= _NOTED_EVERY:
            renew(desk, job, pages_done=done, pages_total=total)
            noted = time.monotonic()
        fault_at("in_read", jobs.settings, sha256=job.sha256)

    began = time.perf_counter()
    document = desk.reader(data, options, on_page)
    work.timings["read"] = round(time.perf_counter() - began, 4)
    work.document = document
    words = sum(len(page.tokens) for page in document.pages)
    progress: dict[str, New] = {"words": words, "pages_done": pages[0], "pages_total": pages[1]}
    if job.model == AUTO:
        ref, work.choice = Router(jobs.registry).choose(document)
        progress |= {"model": ref.name, "model_version": ref.version}
        work.job = replace(job, model=ref.name, model_version=ref.version)
    here = {"tag", "resolve"} <= set(desk.stages)
    if here and work.timings["read"] < _QUICK and words <= _SHORT:
        work.job, work.progress = replace(work.job, stage="tag"), work.progress | progress
        return
    made: dict[str, Any] = {"document": document.to_json(), "timings": work.timings}
    if work.choice is not None:
        made["choice"] = asdict(work.choice)
    jobs.blobs.put(job.id, _DOCUMENT, json.dumps(made).encode())
    _move_on(desk, work, "tag", **progress)


def tag(desk: Desk, work: Work) -> None:
    """Label a job's words, and move the job on to its answer.

    Raises:
        ModelPackageError: the model cannot be loaded.
        LeaseLost, JobCancelled: as `read`.
    """
    document = document_of(desk, work)
    model = desk.model(package(desk, work))
    fault_at("in_tag", desk.jobs.settings, sha256=work.job.sha256)
    began = time.perf_counter()
    (spans,) = model.tag_many([document])
    tagged(desk, work, spans, time.perf_counter() - began)


def tagged(desk: Desk, work: Work, spans: list[Span], seconds: float) -> None:
    """Move a job on whose words are labelled.

    Raises:
        LeaseLost, JobCancelled: as `read`.
    """
    work.spans = spans
    work.timings["tag"] = round(seconds, 4)
    if "resolve" in desk.stages and (seconds < _QUICK or work.progress):
        work.job = replace(work.job, stage="resolve")
        return
    made = {"spans": [span.to_json() for span in spans], "timings": work.timings}
    desk.jobs.blobs.put(work.job.id, _SPANS, json.dumps(made).encode())
    _move_on(desk, work, "resolve")


def resolve(desk: Desk, work: Work) -> None:
    """Turn a job's spans into its answer and end the job with it.

    Raises:
        ModelPackageError, LeaseLost, JobCancelled: as `tag`.
    """
    job, jobs = work.job, desk.jobs
    document = document_of(desk, work)
    if work.spans is None:
        made = _made(desk, job, _SPANS)
        work.spans = [Span.from_json(item) for item in made["spans"]]
        work.timings = made["timings"]
    resolver = desk.resolver(package(desk, work))
    answer = resolver.resolve(
        document, work.spans, job_id=job.id, timings=work.timings, choice=work.choice
    )
    fault_at("before_finish", jobs.settings, sha256=job.sha256)
    counts, body = counters.answered(job, answer), answer.model_dump_json()
    kept(desk, lambda: jobs.store.succeed(job, body, counts, **work.progress))
    jobs.announcer.ended(job.id)
    fault_at("after_finish", jobs.settings, sha256=job.sha256)
    jobs.blobs.keep_only(job.id, FILE)
    log.info("job succeeded", extra={"job": job.id, **answer.timings})


def package(desk: Desk, work: Work) -> PackageRef:
    """Return the package that answers a job: of the version that was fixed at its first claim."""
    wanted = f"{work.job.model.partition('@')[0]}@{work.job.model_version}"
    if work.package is None or str(work.package) != wanted:
        work.package = desk.jobs.registry.resolve(wanted)
    return work.package


def document_of(desk: Desk, work: Work) -> Document:
    """Return a job's document, from the blob store where it is not at hand."""
    if work.document is None:
        made = _made(desk, work.job, _DOCUMENT)
        work.document = Document.from_json(made["document"])
        work.timings = made["timings"]
        if "choice" in made:
            work.choice = Choice(**made["choice"])
    return work.document


def _pinned(desk: Desk, job: Job) -> Work:
    """Fix the version that answers where the claim did not; raises why it cannot."""
    if job.model_version is not None or job.model == AUTO:  # which is chosen by what it reads
        return Work(job)
    version = desk.jobs.registry.resolve(job.model).version
    return Work(replace(job, model_version=version), progress={"model_version": version})


def _move_on(desk: Desk, work: Work, stage: Stage, **progress: New) -> None:
    """Note that a job is at its next stage, and hand it on where that is not done here."""
    job, noted = work.job, work.progress | progress
    work.job, work.progress = replace(job, stage=stage), {}
    if stage in desk.stages:
        renew(desk, job, stage=stage, **noted)
        return
    kept(desk, lambda: desk.jobs.store.hand_on(job, stage, **noted))
    desk.jobs.announcer.announce(stage, [job.id])
    log.info("job handed on", extra={"job": job.id, "stage": stage})


def _made(desk: Desk, job: Job, name: str) -> dict[str, Any]:
    """Return what an earlier stage left; where a crash of the machine took it, begin again."""
    try:
        made: dict[str, Any] = json.loads(desk.jobs.blobs.get(job.id, name) or b"")
        return made
    except ValueError:
        renew(desk, job, stage="read")
        raise
