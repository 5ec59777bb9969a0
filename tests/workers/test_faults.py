"""The faults of a bad night, on the real service: nothing is lost, nothing is done twice."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from tests.builders import make_receipt, multipage_tiff, receipt_image, receipt_pdf
from tests.patience import until
from tests.service import Service, digest, serving
from workers.faults import PlannedFault, fault_at
from workers.settings import Settings

pytestmark = pytest.mark.slow

GOOD, POISON, DYING, ENDLESS, STOPPED, STUMBLING = (
    receipt_pdf(make_receipt(seed), pages=1 + (seed == 25)) for seed in range(20, 26)
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service in which each document above meets its own fault."""
    faults = [
        f"in_read@{digest(POISON)}:kill9",
        f"in_read@{digest(DYING)}:kill9:1",
        f"before_finish@{digest(DYING)}:kill9:1",
        f"after_finish@{digest(DYING)}:kill9:1",
        f"in_tag@{digest(ENDLESS)}:sleep:600",
        f"in_tag@{digest(STOPPED)}:sleep:2",
        f"in_tag@{digest(STUMBLING)}:raise:1",
    ]
    home = Path(tmp_path_factory.mktemp("faults"))
    with serving(home, fault=",".join(faults), document_timeout_s=10) as running:
        yield running


def test_worker_killed_in_every_stage_completes_its_job_once(service: Service) -> None:
    assert service.process is not None
    api = service.child("cli.serve").pid
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
    assert starts == ["read", "read", "resolve"]  # it went on where it was
    assert service.child("cli.serve").pid == api


@pytest.mark.ocr
def test_worker_killed_from_outside_takes_its_tesseract_along(service: Service) -> None:
    scan = multipage_tiff([receipt_image(make_receipt(seed)) for seed in range(6)])
    job_id = service.submit(scan, engine="tesseract")
    worker = service.child("workers.worker")
    reading = until(lambda: _tesseracts(worker), "Tesseract to run")
    worker.kill()
    until(lambda: not any(process.is_running() for process in reading), "Tesseract to go")
    job = service.ended(job_id)
    assert (job["state"], job["attempts"], job["pages_done"]) == ("succeeded", 2, 6)
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
    worker = service.child("workers.worker")
    job = service.ended(service.submit(ENDLESS))
    assert (job["state"], job["error"]["code"]) == ("failed", "processing_timeout")
    until(lambda: not worker.is_running(), "the slow worker to go")
    assert service.ended(service.submit(GOOD))["state"] == "succeeded"


def test_stopped_worker_is_replaced(service: Service) -> None:
    job_id = service.submit(STOPPED)
    until(lambda: service.job(job_id)["stage"] == "tag", "the job to be tagged")
    service.child("workers.worker").send_signal(signal.SIGSTOP)
    job = service.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 2)
    assert service.results(job_id) == 1


def test_fault_of_the_code_is_tried_again(service: Service) -> None:
    job = service.ended(service.submit(STUMBLING))
    assert (job["state"], job["attempts"]) == ("succeeded", 2)
    (event,) = service.events("job stumbled")
    assert event["error"] == "PlannedFault"


def test_locked_store_is_a_503_and_then_a_success(service: Service) -> None:
    connection = sqlite3.connect(service.home / "jobs.db", isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        response = service.post(GOOD)
        assert response.status_code == 503
        assert response.json()["code"] == "store_unavailable"
        assert response.headers["retry-after"].isdigit()
    finally:
        connection.close()
    assert service.post(GOOD).status_code == 200
    assert not list((service.home / "blobs" / "tmp").iterdir())


def test_worker_keeps_its_result_while_the_store_is_locked(service: Service) -> None:
    job_id = service.submit(GOOD)
    connection = sqlite3.connect(service.home / "jobs.db", isolation_level=None, timeout=10)
    try:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(0.5)  # whatever stage it is in, its next write has to wait
    finally:
        connection.close()
    job = service.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 1)


def test_api_killed_before_and_after_it_accepted(tmp_path: Path) -> None:
    fault = f"after_spool@{digest(POISON)}:kill9:1,after_commit@{digest(GOOD)}:kill9:1"
    with serving(tmp_path, fault=fault) as service:
        with pytest.raises(httpx.HTTPError):
            service.post(POISON)
        until(lambda: _jobs(service) == [], "the API to be back, without half a job")
        with pytest.raises(httpx.HTTPError):  # the answer never comes, but the job is there
            service.post(GOOD)
        (job,) = until(lambda: _jobs(service), "the API to be back")
        assert service.ended(job["id"])["state"] == "succeeded"
        assert service.post(POISON).status_code == 200


def _jobs(service: Service) -> list[dict[str, str]] | None:
    try:
        jobs: list[dict[str, str]] = service.client.get("/jobs").json()["jobs"]
    except httpx.HTTPError:
        return None
    return jobs


def test_killed_service_goes_on_with_its_accepted_jobs(tmp_path: Path) -> None:
    with serving(tmp_path, fault=f"in_tag@{digest(STOPPED)}:sleep:1") as service:
        jobs = [service.submit(STOPPED), *(service.submit(GOOD) for _ in range(4))]
        until(lambda: service.job(jobs[0])["state"] == "running", "a job to run")
        service.kill()
        service.start()
        assert [service.ended(job_id)["state"] for job_id in jobs] == ["succeeded"] * 5
        assert [service.results(job_id) for job_id in jobs] == [1] * 5


def test_graceful_stop_drains_or_hands_back(tmp_path: Path) -> None:
    """The running job outlives the drain: it goes back to the queue with its attempt unspent."""
    slow = f"in_tag@{digest(ENDLESS)}:sleep:30,in_tag@{digest(STOPPED)}:sleep:1"
    with serving(tmp_path, fault=slow, drain_seconds=3) as service:
        finishing = service.submit(STOPPED)
        until(lambda: service.job(finishing)["state"] == "running", "the job to run")
        waiting = _post_in_thread(service, GOOD)
        time.sleep(0.3)
        assert service.process is not None
        children = psutil.Process(service.process.pid).children(recursive=True)
        assert service.stop() < 30
        assert not [child for child in children if child.is_running()]
        accepted = waiting()
        assert accepted.status_code in (200, 202)  # the one who waited learns of the job

        service.start()
        assert service.job(finishing)["attempts"] == 1
        assert service.ended(finishing)["state"] == "succeeded"
        assert service.ended(accepted.json()["id"])["state"] == "succeeded"
        long = service.submit(ENDLESS)
        until(lambda: service.job(long)["stage"] == "tag", "the long job to be tagged")
        service.stop()
        connection = sqlite3.connect(service.home / "jobs.db")
        row = connection.execute("SELECT state, attempts FROM jobs WHERE id = ?", (long,))
        assert row.fetchone() == ("queued", 0)
        connection.close()


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


def test_damaged_model_makes_jobs_wait(tmp_path: Path) -> None:
    service = Service(tmp_path)
    kept = tmp_path / "kept"
    shutil.copytree(service.package, kept)
    weights = service.package / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    with serving(tmp_path, ready=False) as running:
        until(lambda: "damaged" in running.client.get("/readyz").text, "the reason")
        response = running.client.get("/readyz")
        assert (response.status_code, response.json()["code"]) == (503, "not_ready")
        job_id = running.submit(GOOD)
        assert running.job(job_id)["state"] == "queued"
        shutil.copyfile(kept / "model.safetensors", weights)
        assert running.ended(job_id)["state"] == "succeeded"
        assert running.client.get("/readyz").status_code == 200


def test_accepted_versions_are_kept_over_a_promotion(tmp_path: Path) -> None:
    with serving(tmp_path, fault=f"in_read@{digest(STOPPED)}:sleep:2") as service:
        job_id = service.submit(STOPPED)
        until(lambda: service.job(job_id)["model_version"], "the version to be fixed")
        shutil.copytree(service.package, service.package.with_name("0.0.2"))  # the newer answers
        assert service.ended(job_id)["model_version"] == "0.0.1"
        assert service.ended(service.submit(GOOD))["model_version"] == "0.0.2"


def test_no_hook_fires_outside_tests(tmp_path: Path) -> None:
    hooks = {"home": tmp_path, "fault": "in_read:raise"}
    fault_at("in_read", Settings(env="production", **hooks))
    with pytest.raises(PlannedFault):
        fault_at("in_read", Settings(env="test", **hooks))
