"""Documents that harm their reader, sent to the real service: the page fails, the worker lives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.builders import endless_pdf, make_receipt, receipt_pdf
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
        for nursery in worker.children()
        if "pipeline.reading.isolation.nursery" in nursery.cmdline()
        for child in nursery.children(recursive=True)
    ]


def test_an_endless_page_costs_itself_alone(service: Service) -> None:
    worker = service.child("workers.embedded.worker")
    job = service.ended(service.submit(endless_pdf(receipt_pdf(make_receipt(2), pages=3), page=2)))
    assert (job["state"], job["attempts"]) == ("succeeded", 1)
    assert (job["pages_done"], job["pages_total"]) == (3, 3)
    answer = service.client.get(f"/jobs/{job['id']}/result").json()
    sources = [page["text_source"] for page in answer["document"]["pages"]]
    assert sources == ["text_layer", "none", "text_layer"]
    assert answer["document"]["pages"][1]["reason"].removeprefix("not read: ") in CODES
    assert any(warning.startswith("Page 2 was not read. ") for warning in answer["warnings"])
    assert service.child("workers.embedded.worker").pid == worker.pid
    until(lambda: len(readers(worker)) == 1, "the readers to go, but the one ahead")
    (ahead,) = readers(worker)
    assert ahead.cpu_times().user < 1.0  # of the endless page it knows nothing


def test_a_document_of_an_endless_page_fails_with_a_reason(service: Service) -> None:
    worker = service.child("workers.embedded.worker")
    job = service.ended(service.submit(endless_pdf(GOOD, page=1)))
    assert (job["state"], job["attempts"]) == ("failed", 1)
    assert job["error"]["code"] in CODES
    assert service.client.get(f"/jobs/{job['id']}/result").status_code == 422
    assert service.ended(service.submit(GOOD))["state"] == "succeeded"
    assert service.child("workers.embedded.worker").pid == worker.pid
