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
from tests.packages import doubting_package
from tests.patience import until
from tests.service import CALM, Service, serving
from tests.web.looking import PHONE, picture

pytestmark = pytest.mark.long

DOCUMENTS = 40
LOADS = 3  # of each page
Record = Callable[[str, object], None]
_LONG_TASKS = """
window.tasks = [];
new PerformanceObserver((list) => list.getEntries().forEach((one) => {
  window.tasks.push(Math.round(one.duration));
})).observe({ type: 'longtask', buffered: true });
"""

_LEFT = "() => Number(document.body.innerText.match(/([0-9]+) to decide/)?.[1] ?? 0)"
_IN_HAND = "() => document.activeElement.matches('.value, .value-cell')"  # and seen
_HERE = "() => new URL(location.href).searchParams.get('job')"
_GOES_ON = f"""([here, before]) => {{
  const left = ({_LEFT})();
  return ({_HERE})() !== here || (left > 0 && left < before);
}}"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service with the included model of receipts, which doubts every address."""
    home = Path(tmp_path_factory.mktemp("stories"))
    doubting_package(home, "address")
    with serving(home, model="receipts", **CALM) as running:
        yield running


def send(service: Service, seed: int) -> str:
    response = service.post(receipt_pdf(make_receipt(seed)), f"{seed}.pdf")
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


def visit(page: Page, service: Service, path: str) -> None:
    page.goto(f"{str(service.client.base_url).rstrip('/')}{path}")


def address_in_hand(page: Page) -> Any:
    return page.get_by_role("button", name=re.compile("^Address"), pressed=True)


def end(page: Page, service: Service, job_id: str) -> None:
    """Have the window's claim end, so that its document does not wait for others."""
    how = {"claimant": page.evaluate("sessionStorage.claimant"), "how": "done"}
    assert service.client.post(f"/reviews/{job_id}/end", json=how).status_code == 200


def tab_to(page: Page, control: Any) -> int:
    """Press Tab until a control has the focus; return how often."""
    for count in range(1, 40):
        page.keyboard.press("Tab")
        if control.evaluate("one => one === document.activeElement"):
            return count
    raise AssertionError("Tab does not lead there")


def test_a_first_document_is_corrected_with_the_keyboard_within_a_minute(
    page: Page, tmp_path: Path, record_property: Record
) -> None:
    doubting_package(tmp_path, "address")
    begin = time.perf_counter()
    with serving(tmp_path, model="receipts") as service:
        started = time.perf_counter() - begin
        visit(page, service, "/")
        example = page.get_by_role("button", name="receipt", exact=True)
        expect(example).to_be_visible()
        picture(page, "story_1")
        keys = tab_to(page, example)
        page.keyboard.press("Enter")
        correct = page.get_by_role("link", name="Correct")
        expect(correct).to_be_visible()
        picture(page, "story_2")
        keys += tab_to(page, correct)
        page.keyboard.press("Enter")
        expect(address_in_hand(page)).to_be_focused()
        picture(page, "story_3")
        page.keyboard.press("e")
        expect(page.get_by_label("Address as text")).to_be_focused()
        page.keyboard.press("End")
        page.keyboard.type(", MALAYSIA")
        expect(page.locator("#becomes")).to_contain_text("MALAYSIA")
        picture(page, "story_4")
        job_id = page.url.partition("job=")[2][:36]
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
        seconds = time.perf_counter() - begin
        picture(page, "story_5")
        record_property("seconds to start; to the first document accepted", [started, seconds])
        record_property("keys from the page Try, but for letters", keys + 5)
        given = service.client.get(f"/jobs/{job_id}/result").json()
        assert given["reviewed"]["done"]
        assert given["fields"]["address"]["text"].endswith(", MALAYSIA")
        assert seconds < 60


def test_pictures_are_there_at_once(service: Service, record_property: Record) -> None:
    first, warm = [], []
    for seed in range(100, 105):
        address = f"/jobs/{send(service, seed)}/pages/1.png"
        for told in (first, warm):
            begin = time.perf_counter()
            assert service.client.get(address, params={"width": 1000}).status_code == 200
            told.append(round(1000 * (time.perf_counter() - begin), 1))
    record_property("pictures, drawn for the first time, ms", sorted(first))
    record_property("pictures, warm, ms", sorted(warm))
    assert sorted(warm)[2] < 300


@pytest.mark.parametrize("name", ["try", "review", "teach"])
def test_no_task_of_a_page_takes_long(
    page: Page, service: Service, name: str, record_property: Record
) -> None:
    job_id = send(service, 110)
    paths = {"try": f"/?job={job_id}", "review": f"/review?job={job_id}", "teach": "/teach"}
    page.add_init_script(_LONG_TASKS)
    loads = []
    for _ in range(LOADS):
        visit(page, service, paths[name])
        expect(page.get_by_role("main")).to_be_visible()
        page.wait_for_load_state("networkidle")
        if name == "review":
            expect(address_in_hand(page)).to_be_focused()
            for key in ("e", "Escape", "w", "Escape", "?", "?", "r", "Escape"):
                page.keyboard.press(key)
        loads.append(max(page.evaluate("window.tasks"), default=0))
    record_property(f"longest task of {name}, ms, by load", loads)
    if name == "review":
        end(page, service, job_id)
    assert max(loads) < 200, loads


def test_missed_value_is_picked_by_touch_on_a_phone(browser: Browser, service: Service) -> None:
    job_id = send(service, 111)
    context = browser.new_context(viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    page = context.new_page()
    visit(page, service, f"/review?job={job_id}")
    page.get_by_role("button", name=re.compile("^Company")).tap()
    page.get_by_role("button", name="Words").tap()
    words = make_receipt(111).company.split()
    page.locator("rect[data-word='0']").tap()
    page.locator(f"rect[data-word='{len(words) - 2}']").tap()
    expect(page.locator(".editing .said")).to_have_text(" ".join(words[:-1]))
    page.get_by_role("button", name="Take", exact=False).first.tap()

    def company() -> Any:
        return service.client.get(f"/jobs/{job_id}/result").json()["fields"]["company"]["text"]

    until(lambda: company() == " ".join(words[:-1]), "the words that were picked")
    end(page, service, job_id)
    context.close()


@pytest.mark.timeout(900)
def test_forty_documents_take_three_keys_each_at_most(
    page: Page, tmp_path: Path, record_property: Record
) -> None:
    with serving(tmp_path, model="receipts") as service:  # with the doubts of the included model
        for seed in range(200, 200 + DOCUMENTS):
            send(service, seed)
        queue = service.client.get("/reviews", params={"limit": 500}).json()
        waiting = [review["job_id"] for review in queue["reviews"]]
        visit(page, service, "/review")
        most, keys, begin = 0, 0, time.perf_counter()
        for number in range(len(waiting)):
            page.wait_for_function(_LEFT)
            page.wait_for_function(_IN_HAND)
            here, pressed = page.evaluate(_HERE), 0
            while page.evaluate(_HERE) == here:
                left = page.evaluate(_LEFT)
                # What the machine read is wrong in one field of every other document.
                page.keyboard.press("x" if number % 2 and not pressed else "Enter")
                pressed += 1
                page.wait_for_function(_GOES_ON, arg=[here, left])
            keys, most = keys + pressed, max(most, pressed)
        seconds = time.perf_counter() - begin
        expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
        told = [len(waiting), len(waiting) // 2, keys, most, round(seconds, 1)]
        record_property("documents, with a wrong value, keys, most keys, seconds", told)
        results = [service.client.get(f"/jobs/{job_id}/result").json() for job_id in waiting]
        assert all(one["reviewed"]["done"] for one in results)
        assert most <= 3
