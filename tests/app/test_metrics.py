"""GET /metrics on the real service: what is counted, once, and for good."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.metrics import Metrics
from store.jobs import Jobs
from store.settings import Settings
from tests.builders import make_receipt, receipt_pdf
from tests.service import Service, serving, until
from tests.stores import prepare

PDF = receipt_pdf(make_receipt(71))
NAME = "very-private-name.pdf"


def scrape(service: Service) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Return all samples by name and labels, as a monitor reads them."""
    response = service.client.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def labels(**values: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(values.items()))


@pytest.mark.slow
def test_counters_outlive_their_jobs_and_the_service(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        before = scrape(service)
        assert before["fieldwright_store_up", ()] == 1
        assert before["fieldwright_workers", labels(stage="tag", ready="true")] == 1
        assert before["fieldwright_pages_read_total", ()] == 0
        done = [service.ended(service.submit(PDF))["id"] for _ in range(3)]
        assert service.post(b"%PDF-1.4 broken", NAME).status_code == 422
        counted = scrape(service)
        success = ("fieldwright_jobs_ended_total", labels(state="succeeded", code=""))
        failure = labels(state="failed", code="document_corrupt")
        assert counted[success] == 3
        assert counted["fieldwright_jobs_ended_total", failure] == 1
        assert counted["fieldwright_pages_read_total", ()] == 3
        words = service.client.get(f"/jobs/{done[0]}/result").json()["document"]["word_count"]
        assert counted["fieldwright_words_read_total", ()] == 3 * words
        for stage in ("wait", "read", "tag", "resolve"):
            assert counted["fieldwright_stage_seconds_count", labels(stage=stage)] == 3
            assert counted["fieldwright_stage_seconds_sum", labels(stage=stage)] > 0
        assert counted["fieldwright_jobs", labels(state="succeeded", stage="done")] == 3

        for job_id in done:
            assert service.client.delete(f"/jobs/{job_id}").status_code == 204
        service.stop()
        service.start()
        after = scrape(service)
        assert after[success] == 3
        assert after["fieldwright_pages_read_total", ()] == 3
        assert ("fieldwright_jobs", labels(state="succeeded", stage="done")) not in after


def test_queue_shows_its_age_while_no_worker_takes_it(tmp_path: Path) -> None:
    service = Service(tmp_path)
    weights = service.package / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1])  # the worker waits for a sound package
    with serving(tmp_path, ready=False) as running:
        running.submit(PDF)
        oldest = ("fieldwright_queue_oldest_seconds", labels(stage="read", priority="interactive"))
        first = until(lambda: scrape(running)[oldest], "the queue to have an age")
        until(lambda: scrape(running)[oldest] > first, "it to grow")
        queued = labels(stage="read", priority="interactive")
        assert scrape(running)["fieldwright_queue_jobs", queued] == 1
        assert scrape(running)["fieldwright_workers", labels(stage="read", ready="true")] == 0


def test_requests_are_counted_by_route_never_by_address(service: Service) -> None:
    job_id = str(uuid.uuid4())
    assert service.client.get(f"/v1/jobs/{job_id}").status_code == 404
    assert service.client.get(f"/nothing/{job_id}").status_code == 404
    service.client.request("BREW", "/livez")
    found = scrape(service)
    counted = "fieldwright_http_requests_total"
    assert found[counted, labels(method="GET", route="/jobs/{job_id}", status="404")] >= 1
    assert found[counted, labels(method="GET", route="other", status="404")] >= 1
    timed = labels(method="GET", route="/jobs/{job_id}")
    assert found["fieldwright_http_request_seconds_count", timed] >= 1
    assert not [key for key in found if "BREW" in str(key)]


def test_labels_hold_no_ids_and_no_words(service: Service) -> None:
    job = service.ended(service.submit(PDF))
    text = service.client.get("/metrics").text
    assert job["id"] not in text
    assert job["sha256"] not in text
    assert NAME not in text
    assert not [word for word in make_receipt(71).words if len(word) > 5 and word in text]


def test_what_is_still_to_happen_is_exported_as_nothing(tmp_path: Path) -> None:
    """A series that begins with its first crash never increases, and no alert would fire."""
    jobs = Jobs(Settings(home=tmp_path))
    prepare(jobs)
    text = Metrics(jobs).render().decode()
    jobs.close()
    assert 'fieldwright_jobs_ended_total{code="worker_crashed",state="failed"} 0.0' in text
    assert "fieldwright_store_up 1.0" in text
    assert "fieldwright_trainings_waiting 0.0" in text
    found = {line.split()[0]: float(line.split()[1]) for line in text.splitlines()
             if line.startswith("fieldwright_disk")}  # fmt: skip
    assert found["fieldwright_disk_free_bytes"] > 0
    assert found["fieldwright_disk_wanted_bytes"] == jobs.settings.min_free_bytes
