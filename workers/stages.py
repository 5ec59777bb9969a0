"""The three stages of a job, as plain functions: read, tag, resolve; and a job's way through them.

A worker takes a job through all stages that it works at, and hands it on to the queue of the next
one where others do that. What reading made is in the blob store before the job moves on, and so is
what tagging made where another process goes on: a job that comes back after a crash starts at the
stage it had reached. What woke the worker (a pipe, a broker) is not known here.
"""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict, replace
from typing import Any

from models.labels import Span
from models.packages import AUTO, PackageRef
from pipeline.answers.e_invoices.fields import NAME, VERSION
from pipeline.answers.e_invoices.xml_files import answer_e_invoice
from pipeline.document import Document
from pipeline.reading.options import ReadOptions
from pipeline.result import Extraction
from pipeline.routing import Choice, Router
from store.blobs import FILE, KEPT, PASSWORD, WORDS
from store.errors import DocumentMissing, NotReady
from store.jobs import Job, New, Stage
from store.reviews import need_of
from store.shadows import Shadows
from store.sql import counters
from workers.context import JobRun, StageDependencies
from workers.outcomes import recorded_outcome, renew, retry_until_stored

log = logging.getLogger(__name__)

_DOCUMENT, _SPANS = "document.json", "spans.json"
# Of a document's time: the rest is for the other stages, before the worker is ended.
_READING_SHARE = 0.9
_NOTED_EVERY = 0.25  # seconds between two notes of the pages done; each is a write to the store

# What took a moment to make is not kept for whoever comes after a crash.
_QUICK = 1.0  # seconds that it took to make
_SHORT = 1000  # words; those of longer documents take a while to be tagged


def run_job(deps: StageDependencies, job: Job) -> None:
    """Take a claimed job as far as this worker can, whatever happens to it.

    Every outcome is in the store afterwards: the answer, the error, or the job in a queue.
    """
    started(deps, job)
    with recorded_outcome(deps.jobs, job):
        proceed(deps, _pinned(deps, job))


def started(deps: StageDependencies, job: Job) -> None:
    """Note in the log that a job is in hand, and in its trace how long it waited for that."""
    log.info("job started", extra={"job": job.id, "stage": job.stage, "attempt": job.attempts})
    since = job.created_at if job.stage == "read" else job.announced_at
    deps.jobs.traces.span("wait", job.id, since or job.created_at, job.claimed_at, stage=job.stage)


def proceed(deps: StageDependencies, run: JobRun) -> None:
    """Do the stages that are to be done here, and hand the job on where another is next."""
    for stage, act in (("read", read), ("tag", tag), ("resolve", resolve)):
        if run.job.stage == stage and stage in deps.stages:
            with deps.jobs.traces.stage(stage, run.job.id, attempt=run.job.attempts):
                act(deps, run)
            if stage == "resolve":
                _traced(deps, run)


def _traced(deps: StageDependencies, run: JobRun) -> None:
    """Note the end of an answered job in its trace."""
    pages = run.document.pages if run.document else []
    deps.jobs.traces.ended(
        run.job.id,
        run.job.created_at,
        state="succeeded",
        model=f"{run.job.model.partition('@')[0]}@{run.job.model_version}",
        pages=len(pages),
        words=sum(len(page.tokens) for page in pages),
    )


def read(deps: StageDependencies, run: JobRun) -> None:
    """Read a job's document, page by page, and move the job on to tagging.

    An e-invoice that is an XML file has nothing to tag: its job moves on to its answer.

    Raises:
        DocumentError, BadPageRange: the document cannot be read as asked.
        DocumentMissing: its file is gone, although its job is not.
        NotReady: all files are.
        JobCancelled: asked for between two pages.
        LeaseLost: the job went to another worker.
        ReaderLost: the process that read was killed from outside.
    """
    from pipeline.reading.reader import read_ahead, read_once  # the parsers

    jobs, job = deps.jobs, run.job
    data = jobs.blobs.get(job.id, FILE)
    if data is None:
        renew(jobs, job)  # raises LeaseLost where the job was deleted meanwhile
        jobs.check_blobs(again=True)
        raise DocumentMissing("The file of this document is no longer in the store.")
    password = jobs.blobs.get(job.id, PASSWORD)
    options = ReadOptions(
        **job.reading,
        password=password.decode() if password else None,
        max_pages=jobs.settings.max_pages,
        page_timeout_s=jobs.settings.page_timeout_s,
        document_timeout_s=_READING_SHARE * jobs.settings.document_timeout_s,
        processes=jobs.settings.read_processes or None,
        confinement=jobs.settings.confinement,
    )
    noted, pages = float("-inf"), (0, 0)

    def on_page(done: int, total: int) -> None:
        nonlocal noted, pages
        pages = done, total
        # The last page is noted with the next stage.
        if done < total and time.monotonic() - noted >= _NOTED_EVERY:
            renew(deps.jobs, job, pages_done=done, pages_total=total)
            noted = time.monotonic()
        jobs.settings.faults.at("in_read", sha256=job.sha256)

    began = time.perf_counter()
    try:
        document = read_once(data, options, on_page, check=lambda: deps.check(job))
    finally:
        read_ahead()
    run.timings["read"] = round(time.perf_counter() - began, 4)
    run.document = document
    words = sum(len(page.tokens) for page in document.pages)
    progress: dict[str, New] = {"words": words, "pages_done": pages[0], "pages_total": pages[1]}
    following: Stage = "tag"
    if document.is_e_invoice:  # its values need no model
        following = "resolve"
        progress |= {"model": NAME, "model_version": VERSION}
        run.job = replace(job, model=NAME, model_version=VERSION)
    elif job.model == AUTO:
        ref, run.choice = Router(deps.registry).choose(document)
        progress |= {"model": ref.name, "model_version": ref.version}
        run.job = replace(job, model=ref.name, model_version=ref.version)
    here = {following, "resolve"} <= set(deps.stages)
    if here and run.timings["read"] < _QUICK and words <= _SHORT:
        run.job, run.progress = replace(run.job, stage=following), run.progress | progress
        return
    made: dict[str, Any] = {"document": document.to_json(), "timings": run.timings}
    if run.choice is not None:
        made["choice"] = asdict(run.choice)
    jobs.blobs.put(job.id, _DOCUMENT, json.dumps(made).encode())
    _move_on(deps, run, following, **progress)


def tag(deps: StageDependencies, run: JobRun) -> None:
    """Label a job's words, and move the job on to its answer.

    Raises:
        ModelPackageError: the model cannot be loaded.
        LeaseLost, JobCancelled: as `read`.
    """
    document = document_of(deps, run)
    model = deps.model(package(deps, run))
    deps.check(run.job)
    deps.jobs.settings.faults.at("in_tag", sha256=run.job.sha256)
    began = time.perf_counter()
    (spans,) = model.tag_many([document])
    tagged(deps, run, spans, time.perf_counter() - began)


def tagged(deps: StageDependencies, run: JobRun, spans: list[Span], seconds: float) -> None:
    """Move a job on whose words are labelled.

    Raises:
        LeaseLost, JobCancelled: as `read`.
    """
    run.spans = spans
    run.timings["tag"] = round(seconds, 4)
    if "resolve" in deps.stages and (seconds < _QUICK or run.progress):
        run.job = replace(run.job, stage="resolve")
        return
    made = {"spans": [span.to_json() for span in spans], "timings": run.timings}
    deps.jobs.blobs.put(run.job.id, _SPANS, json.dumps(made).encode())
    _move_on(deps, run, "resolve")


def resolve(deps: StageDependencies, run: JobRun) -> None:
    """Turn a job's spans into its answer and end the job with it.

    Raises:
        ModelPackageError, LeaseLost, JobCancelled: as `tag`.
        NoFittingModel: the document fits none, and no answer is wanted then.
    """
    job, jobs = run.job, deps.jobs
    document = document_of(deps, run)
    if document.is_e_invoice:
        answer = answer_e_invoice(
            document, job_id=job.id, timings=run.timings, with_words=job.with_words
        )
    else:
        answer = _resolved(deps, run, document)
    jobs.blobs.put(job.id, WORDS, words_of(document).encode())
    jobs.settings.faults.at("before_finish", sha256=job.sha256)
    counts, body = counters.answered(answer, waited=job.waited), answer.model_dump_json()
    need = None if job.purpose else need_of(answer)  # nobody reviews what nobody asked
    retry_until_stored(
        deps.jobs, lambda: jobs.leases.succeed(job, body, counts, need, **run.progress)
    )
    jobs.announcer.ended(job.id)
    jobs.settings.faults.at("after_finish", sha256=job.sha256)
    shadowed(deps, job)
    jobs.blobs.keep_only(job.id, *KEPT)
    log.info("job succeeded", extra={"job": job.id, **answer.timings})


def _resolved(deps: StageDependencies, run: JobRun, document: Document) -> Extraction:
    """Return the answer of a job's model."""
    if run.spans is None:
        made = _made(deps, run.job, _SPANS)
        run.spans = [Span.from_json(item) for item in made["spans"]]
        run.timings = made["timings"]
    return deps.resolver(package(deps, run)).resolve(
        document,
        run.spans,
        job_id=run.job.id,
        timings=run.timings,
        choice=run.choice,
        with_words=run.job.with_words,
        refuse=run.job.refuses_misfits,
    )


def shadowed(deps: StageDependencies, job: Job) -> None:
    """Have another version read an answered document too, where one is to run beside this one.

    Nothing of it reaches the job, which has ended but has its files still.
    """
    try:
        Shadows(deps.jobs).follow(job)
    except Exception:
        log.exception("shadow left out", extra={"job": job.id})


def words_of(document: Document) -> str:
    """Return the words of a document as JSON text: what the API shows of them."""
    pages = [
        {
            "number": page.number,
            "words": [
                {"text": token.text, "box": token.box.as_list(), "line": token.line}
                for token in page.tokens
            ],
        }
        for page in document.pages
    ]
    return json.dumps({"pages": pages}, ensure_ascii=False, separators=(",", ":"))


def package(deps: StageDependencies, run: JobRun) -> PackageRef:
    """Return the package that answers a job: of the version that was fixed at its first claim."""
    wanted = f"{run.job.model.partition('@')[0]}@{run.job.model_version}"
    if run.package is None or str(run.package) != wanted:
        run.package = deps.registry.resolve(wanted)
    return run.package


def document_of(deps: StageDependencies, run: JobRun) -> Document:
    """Return a job's document, from the blob store where it is not at hand."""
    if run.document is None:
        made = _made(deps, run.job, _DOCUMENT)
        run.document = Document.from_json(made["document"])
        run.timings = made["timings"]
        if "choice" in made:
            run.choice = Choice(**made["choice"])
    return run.document


def _pinned(deps: StageDependencies, job: Job) -> JobRun:
    """Fix the version that answers where the claim did not; raises why it cannot."""
    if job.model_version is not None or job.model == AUTO:  # which is chosen by what it reads
        return JobRun(job)
    version = deps.registry.resolve(job.model).version
    return JobRun(replace(job, model_version=version), progress={"model_version": version})


def _move_on(deps: StageDependencies, run: JobRun, stage: Stage, **progress: New) -> None:
    """Note that a job is at its next stage, and hand it on where that is not done here."""
    job, noted = run.job, run.progress | progress
    run.job, run.progress = replace(job, stage=stage), {}
    if stage in deps.stages:
        renew(deps.jobs, job, stage=stage, **noted)
        return
    retry_until_stored(deps.jobs, lambda: deps.jobs.leases.hand_on(job, stage, **noted))
    deps.jobs.announcer.announce(stage, [job.id])
    log.info("job handed on", extra={"job": job.id, "stage": stage})


def _made(deps: StageDependencies, job: Job, name: str) -> dict[str, Any]:
    """Return what an earlier stage left; where a crash of the machine took it, begin again.

    Raises:
        NotReady: it is gone; the document waits to be read again, at the cost of no attempt.
    """
    try:
        made: dict[str, Any] = json.loads(deps.jobs.blobs.get(job.id, name) or b"")
        return made
    except ValueError:
        renew(deps.jobs, job, stage="read")
        raise NotReady("What was read of a document is gone; it is read again.") from None
