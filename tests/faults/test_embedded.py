"""The embedded service on a bad night: processes killed, frozen, too slow, stopped in mid work."""

from __future__ import annotations

import ctypes
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import psutil
import pytest

from tests.builders import make_receipt, multipage_tiff, receipt_image, receipt_pdf
from tests.patience import until
from tests.service import Service, digest, over, serving

pytestmark = pytest.mark.slow

GOOD, POISON, ENDLESS, STOPPED, STUMBLING, BROKEN, SILENT, LASTING, WAITED = (
    receipt_pdf(make_receipt(seed), pages=1 + (seed == 24)) for seed in range(20, 29)
)
DYING = receipt_pdf(make_receipt(29), pages=45)  # long enough for its words to be kept


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service in which each document above meets its own fault."""
    faults = [
        f"in_read@{digest(POISON)}:kill9",
        f"in_read@{digest(DYING)}:kill9:1",
        f"before_finish@{digest(DYING)}:kill9:1",
        f"after_finish@{digest(DYING)}:kill9:1",
        f"in_tag@{digest(ENDLESS)}:sleep:600",
        f"in_tag@{digest(LASTING)}:sleep:600:1",
        f"in_tag@{digest(STOPPED)}:sleep:2",
        f"in_tag@{digest(STUMBLING)}:raise:1",
        f"after_spool@{digest(BROKEN)}:kill9:1",
        f"after_commit@{digest(SILENT)}:kill9:1",
    ]
    home = Path(tmp_path_factory.mktemp("faults"))
    # The limit is long enough for all but ENDLESS, on a slow machine too.
    hooks = ",".join(faults)
    with serving(home, fault=hooks, document_timeout_s=15, drain_seconds=5) as running:
        yield running


def test_worker_killed_in_every_stage_completes_its_job_once(service: Service) -> None:
    assert service.process is not None
    api = service.child("api").pid
    job_id = service.submit(DYING)
    job = service.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 3)
    result = service.client.get(f"/jobs/{job_id}/result")
    assert result.json()["id"] == job_id
    until(lambda: len(service.events("process died")) >= 3, "the last kill, after the result")
    assert service.ended(service.submit(GOOD))["state"] == "succeeded"
    assert service.results(job_id) == 1
    assert service.job(job_id) == job  # not touched again
    assert service.client.get(f"/jobs/{job_id}/result").content == result.content
    starts = [e["stage"] for e in service.events("job started") if e["job"] == job_id]
    assert starts[:2] == ["read", "read"]
    assert starts[2] in ("tag", "resolve")  # it went on with what had been read, and perhaps tagged
    assert service.child("api").pid == api


@pytest.mark.ocr
def test_worker_killed_from_outside_takes_its_tesseract_along(service: Service) -> None:
    scan = multipage_tiff([receipt_image(make_receipt(seed)) for seed in range(3)])
    job_id = service.submit(scan, engine="tesseract")
    worker = service.child("worker-0")
    reading = until(lambda: _tesseracts(worker), "Tesseract to run")
    worker.kill()
    until(lambda: not any(process.is_running() for process in reading), "Tesseract to go")
    job = service.ended(job_id)
    assert (job["state"], job["attempts"], job["pages_done"]) == ("succeeded", 2, 3)
    assert service.results(job_id) == 1


def _tesseracts(worker: psutil.Process) -> list[psutil.Process]:
    found = []
    for process in worker.children(recursive=True):
        try:
            if process.name() == "tesseract":
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return found


def test_poison_is_set_aside_and_others_go_on(service: Service) -> None:
    poison = service.submit(POISON)
    good = [service.submit(GOOD) for _ in range(3)]
    job = service.ended(poison)
    assert (job["state"], job["attempts"]) == ("failed", 3)
    assert job["error"]["code"] == "worker_crashed"
    assert [service.ended(job_id)["state"] for job_id in good] == ["succeeded"] * 3
    response = service.client.get(f"/jobs/{poison}/result")
    assert response.status_code == 422  # a document never causes a 5xx


def test_document_beyond_its_time_is_stopped(service: Service) -> None:
    worker = service.child("worker-0")
    job = service.ended(service.submit(ENDLESS))
    assert (job["state"], job["error"]["code"]) == ("failed", "processing_timeout")
    until(lambda: not worker.is_running(), "the slow worker to go")
    assert service.ended(service.submit(GOOD))["state"] == "succeeded"


def test_stopped_worker_is_replaced(service: Service) -> None:
    job_id = service.submit(STOPPED)
    until(lambda: service.job(job_id)["state"] == "running", "the job to run")
    service.child("worker-0").send_signal(signal.SIGSTOP)
    job = service.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 2)
    assert service.results(job_id) == 1


def test_a_store_that_takes_no_writes_costs_no_attempt(tmp_path: Path) -> None:
    """However long: the worker cannot report itself meanwhile, but does not hang."""
    fault = f"in_tag@{digest(STOPPED)}:sleep:15:1"
    with serving(tmp_path, fault=fault, lease_seconds=1, heartbeat_seconds=0.5) as service:
        job_id = service.submit(STOPPED)
        service.at_fault("in_tag", STOPPED)
        worker = service.child("worker-0").pid
        with closing(sqlite3.connect(service.home / "jobs.db", timeout=60)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            until(lambda: len(service.events("heartbeat missed")) >= 3, "heartbeats to be missed")
            connection.rollback()
        job = service.ended(job_id)
        assert (job["state"], job["attempts"]) == ("succeeded", 1)
        assert service.child("worker-0").pid == worker


def test_a_service_that_is_paused_goes_on(tmp_path: Path) -> None:
    """Its supervisor may wake first, and was silent for as long as the worker."""
    with serving(tmp_path, fault=f"in_tag@{digest(STOPPED)}:sleep:8:1") as service:
        job_id = service.submit(STOPPED)
        service.at_fault("in_tag", STOPPED)
        assert service.process is not None
        worker, supervisor = service.child("worker-0").pid, psutil.Process(service.process.pid)
        others = supervisor.children(recursive=True)
        for process in (supervisor, *others):
            process.suspend()
        time.sleep(4)  # longer than a lease
        supervisor.resume()
        time.sleep(1)
        for process in others:
            with suppress(psutil.NoSuchProcess):  # one that was ending as it was paused
                process.resume()
        job = service.ended(job_id)
        assert (job["state"], job["attempts"]) == ("succeeded", 1)
        assert service.child("worker-0").pid == worker


def test_fault_of_the_code_is_tried_again(service: Service) -> None:
    job = service.ended(service.submit(STUMBLING))
    assert (job["state"], job["attempts"]) == ("succeeded", 2)
    (event,) = service.events("job stumbled")
    assert event["error"] == "PlannedFault"


def test_api_killed_before_and_after_it_accepted(service: Service) -> None:
    with pytest.raises(httpx.HTTPError):
        service.post(BROKEN)
    until(lambda: _jobs(service, BROKEN) == [], "the API to be back, without half a job")
    with pytest.raises(httpx.HTTPError):  # the answer never comes, but the job is there
        service.post(SILENT)
    (job,) = until(lambda: _jobs(service, SILENT), "the API to be back")
    assert service.ended(job["id"])["state"] == "succeeded"
    assert service.post(BROKEN).status_code == 200


def _jobs(service: Service, document: bytes) -> list[dict[str, str]] | None:
    """Return the jobs of a document, or None where the API does not answer."""
    try:
        jobs = service.client.get("/jobs").json()["jobs"]
    except httpx.HTTPError:
        return None
    return [job for job in jobs if job["sha256"] == digest(document)]


def test_killed_service_goes_on_with_its_accepted_jobs(service: Service) -> None:
    jobs = [service.submit(STOPPED), *(service.submit(GOOD) for _ in range(4))]
    until(lambda: service.job(jobs[0])["state"] == "running", "a job to run")
    service.kill()
    service.start()
    assert [service.ended(job_id)["state"] for job_id in jobs] == ["succeeded"] * 5
    assert [service.results(job_id) for job_id in jobs] == [1] * 5


def test_worker_that_is_told_to_stop_in_any_thread_stops(service: Service) -> None:
    """The kernel may give a signal to any thread, and Python acts on it in the main one."""
    worker = service.child("worker-0")
    thread = max(thread.id for thread in worker.threads())
    assert thread != worker.pid
    assert ctypes.CDLL(None).tgkill(worker.pid, thread, signal.SIGTERM) == 0
    until(lambda: over(worker), "the worker to stop")
    assert service.ended(service.submit(GOOD))["state"] == "succeeded"


def test_jobs_of_a_killed_service_are_free_at_its_next_start(tmp_path: Path) -> None:
    """Before any lease runs out: none of the workers of the former start is alive."""
    fault = f"in_read@{digest(STOPPED)}:sleep:3600:1"
    # Without its supervisor the worker gives the document that long, and a moment more.
    settings = {"lease_seconds": 3600, "drain_seconds": 1}
    with serving(tmp_path, fault=fault, **settings) as service:
        job_id = service.submit(STOPPED)
        service.at_fault("in_read", STOPPED)
        service.kill()
        service.start()
        job = service.ended(job_id)
        assert (job["state"], job["attempts"]) == ("succeeded", 2)


def test_graceful_stop_drains_or_hands_back(service: Service) -> None:
    """One job ends within the drain; one outlives it, and its attempt is not counted."""
    finishing = service.submit(STOPPED)
    until(lambda: service.job(finishing)["state"] == "running", "the job to run")
    waiting = _post_in_thread(service, WAITED)
    until(lambda: len(_jobs(service, WAITED) or ()) > 0, "the waiting client's job")
    assert service.process is not None
    children = psutil.Process(service.process.pid).children(recursive=True)
    service.stop()
    until(lambda: all(map(over, children)), "the children to end")  # of a signal, on their own
    accepted = waiting()
    assert accepted.status_code in (200, 202)  # the one who waited learns of the job

    service.start()
    job = service.ended(finishing)
    assert (job["state"], job["attempts"]) == ("succeeded", 1)
    assert service.ended(accepted.json()["id"])["state"] == "succeeded"
    long = service.submit(LASTING)
    service.at_fault("in_tag", LASTING)
    service.stop()
    with closing(sqlite3.connect(service.home / "jobs.db")) as connection:
        row = connection.execute("SELECT state, attempts FROM jobs WHERE id = ?", (long,))
        assert row.fetchone() == ("queued", 0)
    service.start()
    job = service.ended(long)
    assert (job["state"], job["attempts"]) == ("succeeded", 1)


def _post_in_thread(service: Service, data: bytes) -> _Answer:
    answer = _Answer(service, data)
    answer.start()
    return answer


class _Answer(threading.Thread):
    """A client that posts and waits while the test goes on."""

    def __init__(self, service: Service, data: bytes) -> None:
        super().__init__()
        self._service, self._data = service, data
        self._response: httpx.Response | None = None

    def run(self) -> None:
        self._response = self._service.post(self._data)

    def __call__(self) -> httpx.Response:
        self.join(60)
        assert self._response is not None
        return self._response


def test_a_supervisor_killed_while_its_children_begin_leaves_none(tmp_path: Path) -> None:
    service = Service(tmp_path)
    service.start(ready=False)
    assert service.process is not None
    supervisor = psutil.Process(service.process.pid)
    until(lambda: len(supervisor.children()) == 3, "its children to be started")
    service.kill()  # waits for the end of both
    service.client.close()
