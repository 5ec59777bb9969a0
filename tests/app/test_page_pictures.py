"""Pages as pictures, and words, of the documents of a running service."""

from __future__ import annotations

import asyncio
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from app.routes import pictures
from store.errors import PageNotDrawn
from store.pictures import PAGE_S, Picture
from tests.app.test_extract_route import check_problem
from tests.builders import make_receipt, receipt_pdf
from tests.service import Service

RECEIPT = make_receipt(12)
PDF = receipt_pdf(RECEIPT, pages=2)


@pytest.fixture(scope="module")
def job_id(service: Service) -> str:
    """A document of two pages that was read."""
    return str(service.post(PDF).json()["id"])


def test_page_is_a_picture_of_about_the_width_wanted(service: Service, job_id: str) -> None:
    address = f"/jobs/{job_id}/pages/2.png"
    response = service.client.get(address, params={"width": 300})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "image/png"
    drawn = Image.open(BytesIO(response.content)).width
    assert drawn in (400, 401)  # the next width that is drawn, as the renderer rounds
    again = {"If-None-Match": response.headers["etag"]}
    assert service.client.get(address, params={"width": 300}, headers=again).status_code == 304
    assert service.client.get(address).headers["etag"] != response.headers["etag"]


def test_page_that_is_not_there_is_told_so_each_time(service: Service, job_id: str) -> None:
    for _ in range(2):
        check_problem(service.client.get(f"/jobs/{job_id}/pages/3.png"), 404, "page_unknown")
    check_problem(service.client.get(f"/jobs/{job_id}/pages/0.png"), 422, "request_invalid")


def test_document_that_cannot_be_opened_has_no_pages(service: Service) -> None:
    job = service.ended(service.submit(b"%PDF-1.7 and no more"))
    check_problem(service.client.get(f"/jobs/{job['id']}/pages/1.png"), 422, "document_corrupt")


def test_words_are_those_that_values_count(service: Service, job_id: str) -> None:
    answer = service.client.get(f"/jobs/{job_id}/result").json()
    pages = service.client.get(f"/jobs/{job_id}/words").json()["pages"]
    words = [word for page in pages for word in page["words"]]
    assert [page["number"] for page in pages] == [1, 2]
    assert len(words) == answer["document"]["word_count"]
    assert RECEIPT.company.split()[0] in [word["text"] for word in words]
    for value in answer["fields"].values():
        if value is not None and len(value["words"]) == 1:
            assert words[value["words"][0]]["box"] == value["box"]


def test_words_of_an_answer_given_again_are_there_too(service: Service, job_id: str) -> None:
    again = service.post(PDF, cache=True).json()["id"]
    assert again != job_id
    words = [service.client.get(f"/jobs/{one}/words").json() for one in (job_id, again)]
    assert words[0] == words[1]


def test_words_of_a_job_that_failed_are_refused_with_its_error(service: Service) -> None:
    job_id = service.ended(service.submit(b"%PDF-1.7 and nothing more"))["id"]
    response = service.client.get(f"/jobs/{job_id}/words")
    check_problem(response, 422, "document_corrupt")
    assert "Retry-After" not in response.headers


def test_nothing_is_left_of_a_document_that_was_deleted(service: Service) -> None:
    job_id = service.post(receipt_pdf(make_receipt(13))).json()["id"]
    address = f"/jobs/{job_id}/pages/1.png"
    assert service.client.get(address).status_code == 200
    service.client.delete(f"/jobs/{job_id}")
    for path in (address, f"/jobs/{job_id}/words"):
        check_problem(service.client.get(path), 404, "job_unknown")
    assert not (service.home / "blobs" / job_id[:2] / job_id).exists()


def test_a_page_that_is_slow_to_draw_is_looked_for_less_and_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And for longer than its drawing may take: then the answer is why it was not drawn."""
    clock, looks = 0.0, []

    async def sleep(seconds: float) -> None:
        nonlocal clock
        clock += seconds

    def get(job_id: str, name: str) -> None:
        looks.append(clock)

    monkeypatch.setattr(pictures, "time", SimpleNamespace(monotonic=lambda: clock))
    monkeypatch.setattr(pictures, "asyncio", SimpleNamespace(sleep=sleep))
    jobs: Any = SimpleNamespace(
        blobs=SimpleNamespace(get=get),
        pictures=SimpleNamespace(ask=lambda picture: None, check=lambda picture: None),
        announcer=SimpleNamespace(announce=lambda stage, ids: None),
    )
    with pytest.raises(PageNotDrawn):
        asyncio.run(pictures._drawn(jobs, Picture("x", 1, 400)))
    assert looks[-1] > PAGE_S
    assert looks[:5] == pytest.approx([0.02, 0.04, 0.06, 0.08, 0.1])
    assert len(looks) < 100
