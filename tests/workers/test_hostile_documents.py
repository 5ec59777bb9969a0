"""Documents that harm their reader, sent to the real service: the page fails, the worker lives."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.builders import (
    endless_pdf,
    make_receipt,
    multipage_tiff,
    receipt_image,
    receipt_pdf,
    receipt_png,
)
from tests.patience import until
from tests.service import Service, serving

pytestmark = pytest.mark.slow

# What an endless page runs out of first is the machine's choice.
CODES = {"processing_timeout", "resource_limit", "reader_crashed"}
GOOD = receipt_pdf(make_receipt(1))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    home = Path(tmp_path_factory.mktemp("hostile"))
    with serving(home, page_timeout_s=2, document_timeout_s=60) as running:
        yield running


def readers(worker: psutil.Process) -> list[psutil.Process]:
    """Return the confined children of a worker, and theirs."""
    return [
        child
        for server in worker.children()
        if "pipeline.reading.isolation.forkserver" in server.cmdline()
        for child in server.children(recursive=True)
    ]


def test_an_endless_page_costs_itself_alone(service: Service) -> None:
    worker = service.child("worker-0")
    job = service.ended(service.submit(endless_pdf(receipt_pdf(make_receipt(2), pages=3), page=2)))
    assert (job["state"], job["attempts"]) == ("succeeded", 1)
    assert (job["pages_done"], job["pages_total"]) == (3, 3)
    answer = service.client.get(f"/jobs/{job['id']}/result").json()
    sources = [page["text_source"] for page in answer["document"]["pages"]]
    assert sources == ["text_layer", "none", "text_layer"]
    assert answer["document"]["pages"][1]["reason"].removeprefix("not read: ") in CODES
    assert any(warning.startswith("Page 2 was not read. ") for warning in answer["warnings"])
    assert service.child("worker-0").pid == worker.pid
    until(lambda: len(readers(worker)) == 1, "the readers to go, but the one ahead")
    (ahead,) = readers(worker)
    assert ahead.cpu_times().user < 1.0  # of the endless page it knows nothing


def test_a_document_of_an_endless_page_fails_with_a_reason(service: Service) -> None:
    worker = service.child("worker-0")
    job = service.ended(service.submit(endless_pdf(GOOD, page=1)))
    assert (job["state"], job["attempts"]) == ("failed", 1)
    assert job["error"]["code"] in CODES
    assert service.client.get(f"/jobs/{job['id']}/result").status_code == 422
    assert service.ended(service.submit(GOOD))["state"] == "succeeded"
    assert service.child("worker-0").pid == worker.pid


# Readers that somebody else kills, as the kernel's memory killer does


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(Path(tmp_path_factory.mktemp("patient")), page_timeout_s=100) as running:
        yield running


def programs(worker: psutil.Process) -> list[psutil.Process]:
    """Return the Tesseracts of a worker."""
    return [child for child in readers(worker) if name_of(child) == "tesseract"]


def parents(worker: psutil.Process) -> list[psutil.Process]:
    """Return the readers of a worker that have a Tesseract at work."""
    return [program.parent() for program in programs(worker)]


def name_of(process: psutil.Process) -> str:
    try:
        return str(process.name())
    except psutil.NoSuchProcess:
        return ""


@pytest.mark.ocr
@pytest.mark.parametrize("victims", [programs, parents])
def test_a_reader_killed_once_costs_an_attempt_and_no_page(
    victims: Callable[[psutil.Process], list[psutil.Process]], patient: Service
) -> None:
    worker = patient.child("worker-0")
    seed = 10 + (victims is programs)
    scan = multipage_tiff([receipt_image(make_receipt(seed + 2 * page)) for page in range(2)])
    job_id = patient.submit(scan, engine="tesseract")
    until(lambda: victims(worker), "Tesseract to run")[0].kill()
    job = patient.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 2)
    answer = patient.client.get(f"/jobs/{job_id}/result").json()
    assert [page["text_source"] for page in answer["document"]["pages"]] == ["ocr", "ocr"]
    assert patient.child("worker-0").pid == worker.pid


@pytest.mark.ocr
def test_a_reader_killed_at_every_attempt_ends_its_job(patient: Service) -> None:
    worker = patient.child("worker-0")
    job_id = patient.submit(receipt_png(make_receipt(20)), engine="tesseract")
    while patient.job(job_id)["state"] in ("queued", "running"):
        for program in programs(worker):
            with suppress(psutil.NoSuchProcess):
                program.kill()
        time.sleep(0.02)
    job = patient.job(job_id)
    assert (job["state"], job["attempts"]) == ("failed", 3)
    assert job["error"]["code"] == "reader_crashed"
    assert "3 attempts" in job["error"]["detail"]
