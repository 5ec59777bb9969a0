"""Jobs go from worker to worker, stage by stage; several go through the model together."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from pipeline.extract import Extractor
from pipeline.result import Extraction
from store.access import ANY_OWNER
from store.blobs import FILE, WORDS
from store.jobs import STAGES, Job, Jobs
from store.settings import Settings
from store.shadows import Shadows
from store.traces import Traces
from tests.builders import encrypted_pdf, endless_pdf, make_receipt, receipt_pdf
from tests.packages import tiny_package
from tests.patience import PATIENCE, until
from tests.service import digest
from tests.stores import prepare
from tests.submitting import submit as accept
from workers.context import StageDependencies
from workers.worker import Worker

DOCUMENTS = [receipt_pdf(make_receipt(number)) for number in range(3)]
Hire = Callable[..., Worker]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    return tiny_package(tmp_path / "models" / "tiny" / "1.0.0")


@pytest.fixture
def hire(tmp_path: Path, package: Path) -> Iterator[Hire]:
    """Makes workers of one installation, in this process."""
    workers: list[Worker] = []

    def hired(*stages: str, **changes: Any) -> Worker:
        settings = Settings(home=tmp_path, model="tiny", **changes)
        worker = Worker(f"worker-{len(workers)}", Jobs(settings), stages or STAGES)
        prepare(worker.jobs)
        worker.start()
        workers.append(worker)
        return worker

    yield hired
    for worker in workers:
        worker.leave()


@pytest.mark.parametrize(("confinement", "ready"), [("required", False), ("auto", True)])
def test_worker_says_what_does_not_confine_its_readers(
    confinement: str, ready: bool, hire: Hire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.reading.isolation.landlock.abi", lambda: 0)
    worker = hire("read", "resolve", confinement=confinement)
    assert worker.prepare() == ready
    (seen,) = worker.jobs.workers.list()
    assert seen.ready == ready
    assert "no Landlock" in seen.detail


def submit(jobs: Jobs, data: bytes) -> Job:
    return accept(jobs, data, filename="a.pdf")


def where(jobs: Jobs, job: Job) -> tuple[str, str, int]:
    now = jobs.status(job.id)
    return now.state, now.stage, now.attempts


def answer(jobs: Jobs, job: Job) -> Extraction:
    return Extraction.model_validate_json(jobs.result(job.id))


def blobs(jobs: Jobs, job: Job) -> set[str]:
    return {path.name for path in jobs.blobs.root.glob(f"??/{job.id}/*")}


def test_three_workers_give_the_answer_of_one(hire: Hire, package: Path) -> None:
    reader, tagger, resolver = (hire(stage) for stage in STAGES)
    job = submit(reader.jobs, DOCUMENTS[0])
    assert not tagger.serve()
    assert reader.serve()
    assert not reader.serve()
    assert where(reader.jobs, job) == ("queued", "tag", 0)
    read = reader.jobs.status(job.id)
    assert read.words == len(make_receipt(0).words)
    assert (read.pages_done, read.pages_total, read.model_version) == (1, 1, "1.0.0")
    assert tagger.serve()
    assert where(reader.jobs, job) == ("queued", "resolve", 0)
    assert resolver.serve()
    assert where(reader.jobs, job) == ("succeeded", "done", 1)
    given = answer(reader.jobs, job)
    assert given.fields == Extractor(package).extract(DOCUMENTS[0]).fields
    assert set(given.timings) == {"read", "tag", "resolve"}
    assert blobs(reader.jobs, job) == {FILE, WORDS}


def test_a_job_whose_file_is_gone_says_so_at_once(hire: Hire) -> None:
    worker = hire(*STAGES)
    job = submit(worker.jobs, DOCUMENTS[0])
    worker.jobs.blobs.remove(job.id)
    assert worker.serve()
    assert where(worker.jobs, job)[::2] == ("failed", 1)
    assert worker.jobs.status(job.id).error_code == "document_missing"


@pytest.mark.parametrize("taken", ["blobs", "blobs/tmp"], ids=["unmounted", "read_only"])
def test_a_job_waits_for_a_folder_that_is_gone(hire: Hire, tmp_path: Path, taken: str) -> None:
    worker = hire(sweep_seconds=0.1)
    job = submit(worker.jobs, DOCUMENTS[0])
    assert worker.prepare()
    (tmp_path / taken).rename(tmp_path / "away")
    assert worker.serve()
    assert where(worker.jobs, job) == ("queued", "read", 0)
    (tmp_path / "away").rename(tmp_path / taken)
    until(worker.serve, "the job to be due again")
    assert where(worker.jobs, job) == ("succeeded", "done", 1)


def test_worker_of_all_stages_keeps_its_job(hire: Hire) -> None:
    worker = hire()
    job = submit(worker.jobs, DOCUMENTS[0])
    assert worker.serve()
    assert where(worker.jobs, job) == ("succeeded", "done", 1)


def test_what_is_read_in_a_moment_is_not_kept_between_stages(hire: Hire) -> None:
    """It is noted with the answer; after a stumble it is read again."""
    worker = hire(env="test", fault="in_tag:raise:1")
    job = submit(worker.jobs, DOCUMENTS[0])
    assert worker.serve()
    assert where(worker.jobs, job) == ("queued", "read", 1)
    assert blobs(worker.jobs, job) == {FILE}
    until(worker.serve, "the job to be due again")
    assert where(worker.jobs, job) == ("succeeded", "done", 2)
    done = worker.jobs.status(job.id)
    assert (done.words, done.pages_done, done.pages_total) == (len(make_receipt(0).words), 1, 1)


def test_words_of_a_long_document_are_kept_between_stages(hire: Hire) -> None:
    worker = hire(env="test", fault="in_tag:raise:1")
    job = submit(worker.jobs, receipt_pdf(make_receipt(0), pages=45))
    assert worker.serve()
    assert where(worker.jobs, job) == ("queued", "tag", 1)
    until(worker.serve, "the job to be due again")
    assert where(worker.jobs, job) == ("succeeded", "done", 2)


def test_documents_are_tagged_together(hire: Hire, package: Path) -> None:
    """One turn of the tagger does them all, and each has the answer it has alone."""
    reader, tagger = hire("read"), hire("tag", "resolve", tag_words=10_000)
    jobs = [submit(reader.jobs, data) for data in DOCUMENTS]
    for _ in jobs:
        assert reader.serve()
    assert tagger.serve()
    assert not tagger.serve()
    extractor = Extractor(package)
    for job, data in zip(jobs, DOCUMENTS, strict=True):
        assert where(reader.jobs, job) == ("succeeded", "done", 1)
        alone = extractor.extract(data).fields
        for name, found in answer(reader.jobs, job).fields.items():
            assert texts(found) == texts(alone[name])


def texts(found: Any) -> list[str]:
    values = found if isinstance(found, list) else [found]
    return [value.text for value in values if value is not None]


def test_one_of_many_harms_itself_alone(hire: Hire) -> None:
    """Where the pass fails, each is tagged by itself, and the guilty one is tried again."""
    guilty = DOCUMENTS[1]
    reader = hire("read")
    fault = f"in_tag@{digest(guilty)}:raise:2"  # in the pass, and alone
    tagger = hire("tag", "resolve", tag_words=10_000, env="test", fault=fault)
    jobs = [submit(reader.jobs, data) for data in DOCUMENTS]
    for _ in jobs:
        assert reader.serve()
    assert tagger.serve()
    states = [where(reader.jobs, job) for job in jobs]
    done = ("succeeded", "done", 1)
    assert states == [done, ("queued", "tag", 1), done]
    assert reader.jobs.status(jobs[1].id).not_before is not None


def test_lost_words_are_read_again(hire: Hire) -> None:
    """A crash of the machine may take what lay between two stages."""
    reader, tagger = hire("read"), hire("tag", "resolve")
    job = submit(reader.jobs, DOCUMENTS[0])
    assert reader.serve()
    reader.jobs.blobs.put(job.id, "document.json", b'{"document": ')
    assert tagger.serve()
    assert where(reader.jobs, job) == ("queued", "read", 0)  # it is no fault of the document


def test_worker_without_its_model_claims_nothing(hire: Hire, package: Path) -> None:
    (package / "model.safetensors").write_bytes(b"damaged")
    worker = hire()
    job = submit(worker.jobs, DOCUMENTS[0])
    assert not worker.serve()
    assert where(worker.jobs, job) == ("queued", "read", 0)
    (info,) = worker.jobs.workers.list()
    assert (info.ready, "damaged" in info.detail) == (False, True)
    reader = hire("read")  # it needs none
    assert reader.serve()
    assert where(worker.jobs, job) == ("queued", "tag", 0)


def test_reading_ends_where_another_worker_has_the_job(hire: Hire) -> None:
    """A page without end, within no limit: only the heartbeat can tell that it is in vain."""
    forever = {"page_timeout_s": 3600, "document_timeout_s": 3600}
    worker = hire("read", heartbeat_seconds=0.1, **forever)
    claims, job = worker.jobs.claims, submit(worker.jobs, endless_pdf(DOCUMENTS[0], page=1))
    with ThreadPoolExecutor() as pool:
        serving = pool.submit(worker.serve)
        until(lambda: where(worker.jobs, job)[0] == "running", "the page to be read")

        def theft() -> Job | None:
            claims.release(worker.name)  # as if it had been silent for so long
            return claims.claim("other", lease=60, max_attempts=3)

        stolen = until(theft, "the theft")
        assert serving.result(PATIENCE)
    assert stolen.id == job.id
    assert where(worker.jobs, job) == ("running", "read", 2)
    assert worker.jobs.leases.renew_all([stolen], lease=60) == []


def test_time_of_a_suspect_runs_from_when_it_is_alone(hire: Hire) -> None:
    worker = hire()
    jobs, job = worker.jobs, submit(worker.jobs, DOCUMENTS[0])
    claimed = jobs.claims.claim("dead", lease=60, max_attempts=3)
    assert claimed is not None
    jobs.leases.hand_back(claimed, spent=True)  # it was in trouble: the next claim is its second
    seen: list[float | None] = []

    def run(deps: StageDependencies, suspect: Job) -> None:
        seen.append(worker.jobs.status(suspect.id).claimed_at)
        seen.append(suspect.claimed_at)

    with patch("workers.worker.run_job", run):
        assert worker.serve()
    noted, when_claimed = seen
    assert noted is not None
    assert when_claimed is not None
    assert noted > when_claimed
    assert worker.jobs.status(job.id).attempts == 2


def test_a_shadow_reads_live_documents_but_none_with_a_password(hire: Hire, package: Path) -> None:
    tiny_package(package.parent / "2.0.0", version="2.0.0")  # the same weights
    worker = hire()
    jobs, shadows = worker.jobs, Shadows(worker.jobs)
    (package.parent / "current").write_text("1.0.0")
    shadows.start("tiny", "2.0.0", "1.0.0", share=1.0, scope=ANY_OWNER)
    live = submit(jobs, DOCUMENTS[0])
    locked = accept(jobs, encrypted_pdf(DOCUMENTS[1], "geheim"), password="geheim")
    while worker.serve():
        pass
    counts = shadows.get("tiny").counts
    assert (counts["same"], counts["skipped"]) == (1, 1)
    assert "failed" not in counts
    assert answer(jobs, live).model.version != "2.0.0"
    assert blobs(jobs, live) == blobs(jobs, locked) == {FILE, WORDS}  # the password is gone
    assert {path.name for path in jobs.blobs.root.glob("??/*")} == {live.id, locked.id}


def test_trace_of_a_job_has_its_stages_and_no_word_of_its_document(
    tmp_path: Path, package: Path
) -> None:
    spans: list[ReadableSpan] = []
    for stages in (("read",), ("tag", "resolve")):
        exporter = InMemorySpanExporter()  # of one process
        traces = Traces(exporter, at_once=True)
        jobs = Jobs(Settings(home=tmp_path, model="tiny"), traces=traces)
        prepare(jobs)
        if stages == ("read",):
            job = submit(jobs, DOCUMENTS[0])
        worker = Worker("-".join(stages), jobs, stages)
        assert worker.serve()
        said = answer(jobs, job) if "resolve" in stages else None
        worker.jobs.close()
        spans += exporter.get_finished_spans()
    assert said is not None
    assert [span.name for span in spans] == [
        *("accept", "wait", "read", "wait", "tag", "resolve", "job")
    ]
    assert {str(uuid.UUID(int=span.context.trace_id)) for span in spans if span.context} == {job.id}
    assert dict(spans[-1].attributes or {}) == {
        "state": "succeeded",
        "model": "tiny@1.0.0",
        "pages": 1,
        "words": said.document.word_count,
    }
    shown = " ".join(span.to_json() for span in spans)
    receipt = make_receipt(0)
    for word in (receipt.company, receipt.total, "a.pdf"):
        assert word not in shown
