"""Stories of the pages that take long, and their marks: keys a document, pictures, calm."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders import make_receipt, receipt_pdf
from tests.patience import until
from tests.service import Service, serving
from tests.web.looking import PHONE

pytestmark = pytest.mark.long

DOCUMENTS = 40
_WATCH = """
window.shifts = []; window.tasks = [];
new PerformanceObserver((list) => list.getEntries().forEach((one) => {
  if (!one.hadRecentInput) window.shifts.push(one.value);
})).observe({ type: 'layout-shift', buffered: true });
new PerformanceObserver((list) => list.getEntries().forEach((one) => {
  window.tasks.push(one.duration);
})).observe({ type: 'longtask', buffered: true });
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service with the included model of receipts."""
    with serving(Path(tmp_path_factory.mktemp("stories")), model="receipts") as running:
        yield running


def send(service: Service, seed: int) -> str:
    response = service.post(receipt_pdf(make_receipt(seed)), f"{seed}.pdf")
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


def visit(page: Page, service: Service, path: str) -> None:
    page.goto(f"{str(service.client.base_url).rstrip('/')}{path}")


def address_in_hand(page: Page) -> Any:
    return page.get_by_role("button", name=re.compile("^Address"), pressed=True)


def test_pictures_are_there_at_once_and_nothing_moves(
    page: Page, service: Service, record_property: Callable[[str, object], None]
) -> None:
    job_id = send(service, 100)
    picture = f"/jobs/{job_id}/pages/1.png"
    assert service.client.get(picture, params={"width": 1000}).status_code == 200
    warm = []
    for _ in range(5):
        begin = time.perf_counter()
        assert service.client.get(picture, params={"width": 1000}).status_code == 200
        warm.append(1000 * (time.perf_counter() - begin))
    page.add_init_script(_WATCH)
    visit(page, service, f"/review?job={job_id}")
    expect(address_in_hand(page)).to_be_focused()
    page.wait_for_load_state("networkidle")
    shifts, tasks = page.evaluate("[window.shifts, window.tasks]")
    record_property("warm pictures, ms", sorted(warm))
    record_property("shifts, long tasks in ms", [shifts, tasks])
    assert sorted(warm)[2] < 300
    assert sum(shifts) < 0.1
    assert max(tasks, default=0) < 200


def test_missed_value_is_picked_by_touch_on_a_phone(browser: Browser, service: Service) -> None:
    job_id = send(service, 101)
    context = browser.new_context(viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    page = context.new_page()
    visit(page, service, f"/review?job={job_id}")
    page.get_by_role("button", name=re.compile("^Company")).tap()
    page.get_by_role("button", name="Words").tap()
    words = make_receipt(101).company.split()
    page.locator("rect[data-word='0']").tap()
    page.locator(f"rect[data-word='{len(words) - 2}']").tap()
    expect(page.locator(".editing .said")).to_have_text(" ".join(words[:-1]))
    page.get_by_role("button", name="Take", exact=False).first.tap()

    def company() -> Any:
        return service.client.get(f"/jobs/{job_id}/result").json()["fields"]["company"]["text"]

    until(lambda: company() == " ".join(words[:-1]), "the words that were picked")
    end = {"claimant": page.evaluate("sessionStorage.claimant"), "how": "done"}
    context.close()
    assert service.client.post(f"/reviews/{job_id}/end", json=end).status_code == 200


def test_forty_documents_take_three_keys_each_at_most(
    page: Page, service: Service, record_property: Callable[[str, object], None]
) -> None:
    jobs = [send(service, seed) for seed in range(200, 200 + DOCUMENTS)]
    waiting = sum(service.client.get("/reviews").json()["waiting"].values())
    visit(page, service, "/review")
    keys, begin = 0, time.perf_counter()
    for _ in range(waiting):
        expect(address_in_hand(page)).to_be_focused()
        here = page.url
        page.keyboard.press("Enter")
        keys += 1
        page.wait_for_function("here => location.href !== here", arg=here)
    seconds = time.perf_counter() - begin
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    record_property("documents, keys, seconds", [waiting, keys, seconds])
    results = [service.client.get(f"/jobs/{job_id}/result").json() for job_id in jobs]
    doubtful = [one for one in results if "reviewed" in one]
    assert all(one["reviewed"]["done"] for one in doubtful)
    assert keys <= 3 * waiting
