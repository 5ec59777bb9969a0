"""The page Review: by keyboard alone, by two people, and over the death of the service."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.builders import Receipt, encrypted_pdf, make_receipt, receipt_pdf
from tests.packages import doubting_package
from tests.patience import PATIENCE, until
from tests.service import CALM, Service, install_model, serving
from tests.web.looking import DESK, PHONE, ZOOMED, check_accessible, clear_queue, intercept

RECEIPTS = [make_receipt(seed) for seed in range(6)]  # each with an address to be checked


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service with the included model of receipts, which doubts every address."""
    home = Path(tmp_path_factory.mktemp("review"))
    doubting_package(home, "address")
    with serving(home, model="receipts", **CALM) as running:
        yield running


@pytest.fixture(autouse=True)
def left_empty(service: Service) -> Iterator[None]:
    """Leave nothing in the queue for the next test."""
    yield
    clear_queue(service)


def send(service: Service, receipt: Receipt) -> str:
    """Have a receipt read; return its job."""
    response = service.post(receipt_pdf(receipt), f"{receipt.total}.pdf")
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


def visit(page: Page, service: Service, path: str = "/review") -> None:
    page.goto(f"{str(service.client.base_url).rstrip('/')}{path}")


def fields(service: Service, job_id: str) -> dict[str, Any]:
    """Return the fields of an answer as people left them."""
    return dict(service.client.get(f"/jobs/{job_id}/result").json()["fields"])


def done(service: Service, job_id: str) -> bool:
    body = service.client.get(f"/jobs/{job_id}/result").json()
    return bool(body.get("reviewed", {}).get("done"))


def in_hand(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=re.compile(f"^{name}"), pressed=True)


def shown(page: Page, receipt: Receipt) -> None:
    """Wait for a document, with its doubtful value in hand."""
    expect(page.get_by_text(f"{receipt.total}.pdf", exact=True).last).to_be_visible()
    expect(in_hand(page, "Address")).to_be_focused()


def test_queue_is_worked_off_with_the_keyboard_alone(page: Page, service: Service) -> None:
    visit(page, service)
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    check_accessible(page)
    jobs = {receipt.total: send(service, receipt) for receipt in RECEIPTS[:3]}
    expect(in_hand(page, "Address")).to_be_focused()  # by itself, as soon as one waited
    order = service.client.get("/reviews").json()["reviews"]
    # The one in hand may have come before a worse one did; the others follow, the worst first.
    order.sort(key=lambda review: review["job_id"] != page.url.partition("job=")[2][:36])
    names = [review["document"].removesuffix(".pdf") for review in order]
    first, second, third = (
        next(receipt for receipt in RECEIPTS if receipt.total == name) for name in names
    )
    shown(page, first)
    check_accessible(page)
    page.set_viewport_size(ZOOMED)
    kind = page.get_by_role("navigation", name="Kinds of document").get_by_role("link").last
    assert kind.evaluate("(link) => link.getClientRects()[0].height") < 40  # one line
    page.set_viewport_size(DESK)

    page.keyboard.press("e")
    expect(page.get_by_label("Address as text")).to_be_focused()
    # What is longer would be refused, and all of it told.
    expect(page.get_by_label("Address as text")).to_have_attribute("maxlength", "2000")
    page.keyboard.type("NO 1, JALAN BARU, 50000 KUALA LUMPUR")
    page.keyboard.press("Enter")
    shown(page, second)
    corrected = fields(service, jobs[first.total])["address"]
    assert corrected["text"] == "NO 1, JALAN BARU, 50000 KUALA LUMPUR"
    assert not corrected["needs_review"]
    until(lambda: done(service, jobs[first.total]), "the first document to be done")

    page.keyboard.press("Enter")  # what the machine says is right: one key
    shown(page, third)
    assert done(service, jobs[second.total])
    page.keyboard.press("z")  # a slip: back over documents
    shown(page, second)
    until(lambda: not done(service, jobs[second.total]), "the second one to be open again")
    page.keyboard.press("x")
    shown(page, third)
    assert fields(service, jobs[second.total])["address"] is None

    page.keyboard.press("?")
    expect(page.get_by_text("back for later")).to_be_visible()
    check_accessible(page)
    page.keyboard.press("Shift+Tab")
    expect(in_hand(page, "Date")).to_be_focused()
    page.get_by_role("button", name="Edit").focus()
    page.keyboard.press("Enter")  # presses that button, and accepts nothing
    expect(page.get_by_label("Date as text")).to_be_focused()
    page.keyboard.press("Escape")
    expect(in_hand(page, "Date")).to_be_focused()
    page.keyboard.press("Enter")
    shown(page, third)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    assert all(done(service, job_id) for job_id in jobs.values())


def test_a_page_is_shown_once_the_service_can_be_reached_again(
    page: Page, service: Service
) -> None:
    send(service, RECEIPTS[3])
    page.route("**/pages/*.png*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda sent: ".png" in sent.url):
        visit(page, service)
    shown(page, RECEIPTS[3])
    expect(page.get_by_text("This page cannot be shown")).to_be_hidden()  # nobody has said so
    page.unroute("**/pages/*.png*")
    page.wait_for_function("() => document.querySelector('.sheet img').naturalWidth")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()


def test_a_page_is_asked_for_again_until_it_is_left(page: Page, service: Service) -> None:
    send(service, RECEIPTS[3])
    asked = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=429)  # of a client that asks too often; nothing is lost

    page.route("**/pages/*.png*", refuse)
    visit(page, service)
    shown(page, RECEIPTS[3])
    while len(asked) < 3:
        with page.expect_request("**/pages/*.png*"):
            pass
    expect(page.get_by_text("This page cannot be shown")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    until_left = len(asked)
    page.wait_for_timeout(7000)
    assert len(asked) <= until_left + 1  # one may have been under way


def test_words_of_the_page_become_a_value(page: Page, service: Service) -> None:
    receipt = RECEIPTS[3]
    job_id = send(service, receipt)
    visit(page, service)
    shown(page, receipt)
    page.get_by_role("button", name=re.compile("^Company")).click()
    page.keyboard.press("w")
    check_accessible(page)
    words = receipt.company.split()
    page.locator("rect[data-word='0']").click()
    page.locator(f"rect[data-word='{len(words) - 2}']").click(modifiers=["Shift"])
    expect(page.locator(".editing .said")).to_have_text(" ".join(words[:-1]))
    page.keyboard.press("Enter")
    expect(in_hand(page, "Address")).to_be_focused()  # what is still doubtful
    expect(page.get_by_text("all saved")).to_be_visible()
    company = fields(service, job_id)["company"]
    assert company["text"] == " ".join(words[:-1])
    assert company["words"] == list(range(len(words) - 1))
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def test_two_people_never_decide_the_same_document(
    page: Page, browser: Browser, service: Service
) -> None:
    jobs = [send(service, receipt) for receipt in RECEIPTS[4:6]]
    page.add_init_script("localStorage.setItem('fieldwright-reviewer', 'Anna')")
    visit(page, service)
    expect(in_hand(page, "Address")).to_be_focused()
    of_anna = page.url.partition("job=")[2][:36]
    context = browser.new_context()
    ben = context.new_page()
    ben.add_init_script("localStorage.setItem('fieldwright-reviewer', 'Ben')")
    visit(ben, service)
    expect(in_hand(ben, "Address")).to_be_focused()
    of_ben = ben.url.partition("job=")[2][:36]
    assert sorted([of_anna, of_ben]) == sorted(jobs)
    visit(ben, service, f"/review?job={of_anna}")
    expect(ben.get_by_role("alert")).to_contain_text("Anna has this document in hand")
    expect(ben.get_by_role("alert")).to_be_in_viewport()
    expect(ben.get_by_role("button", name="Skip s")).to_be_disabled()
    ben.keyboard.press("Enter")  # the way out
    expect(ben).to_have_url(re.compile(of_ben))
    page.keyboard.press("Enter")
    until(lambda: done(service, of_anna), "Anna's decision")
    history = service.client.get(f"/reviews/{of_anna}/decisions").json()["decisions"]
    assert [one["reviewer"] for one in history] == ["Anna"]
    context.close()


def test_nothing_is_lost_or_doubled_where_the_service_is_killed(
    page: Page, service: Service
) -> None:
    jobs = [send(service, receipt) for receipt in RECEIPTS[:2]]
    visit(page, service, f"/review?job={jobs[0]}")
    expect(in_hand(page, "Address")).to_be_focused()
    port = int(str(service.client.base_url).rstrip("/").rpartition(":")[2])
    service.kill()
    page.keyboard.press("x")
    expect(page.get_by_text("unsaved")).to_be_visible()
    service.start(port=port)
    expect(page.get_by_text("all saved")).to_be_visible()
    until(lambda: done(service, jobs[0]), "the decision")
    history = service.client.get(f"/reviews/{jobs[0]}/decisions").json()["decisions"]
    assert [one["kind"] for one in history] == ["absent"]
    shown(page, RECEIPTS[1])  # the next document
    page.keyboard.press("Enter")
    until(lambda: done(service, jobs[1]), "the next document to be done")


def test_what_is_undone_is_seen_before_the_service_knows(page: Page, service: Service) -> None:
    job_id = send(service, RECEIPTS[0])
    visit(page, service, f"/review?job={job_id}")
    shown(page, RECEIPTS[0])
    day = page.get_by_role("button", name=re.compile("^Date"))
    day.click()
    intercept(page, "**/decisions", lambda route: route.abort())
    for key, said in (("x", "absent"), ("z", RECEIPTS[0].date), ("Z", "absent"), ("z", "ok")):
        page.keyboard.press(key)
        expect(day).to_contain_text(said)
    expect(day).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name=re.compile("^Address")).click()
    page.keyboard.press("Enter")
    expect(page.locator(".left")).to_have_text("nothing doubtful")
    page.keyboard.press("z")  # the last one: its document does not end
    expect(page.locator(".left")).to_have_text("1 to decide")
    expect(page.get_by_text("6 unsaved")).to_be_visible()
    page.unroute("**/decisions")
    expect(page.get_by_text("all saved")).to_be_visible()
    shown(page, RECEIPTS[0])
    left = fields(service, job_id)
    assert left["date"]["text"] == RECEIPTS[0].date
    assert left["address"]["needs_review"]
    assert not done(service, job_id)


def model_of(service: Service, job_id: str) -> str:
    """Return the model whose answer a job has now."""
    return str(service.client.get(f"/jobs/{job_id}/result").json()["model"]["name"])


def test_document_of_another_kind_is_read_by_another_model(page: Page, service: Service) -> None:
    receipt = make_receipt(6)
    job_id = send(service, receipt)
    visit(page, service, f"/review?job={job_id}")
    shown(page, receipt)
    page.keyboard.press("r")
    other = page.get_by_role("group", name="Another model")
    expect(other.get_by_role("button").first).to_be_focused()
    expect(other.get_by_role("button", name="receipts")).to_have_count(0)
    check_accessible(page)
    page.keyboard.press("x")  # means nothing now
    page.keyboard.press("Escape")
    expect(other).to_have_count(0)
    shown(page, receipt)
    page.keyboard.press("r")
    number = other.get_by_role("button", name="nda").locator("kbd").inner_text()
    page.keyboard.press(number)
    expect(page.locator(".strip")).to_contain_text("nda")
    expect(page.get_by_role("status")).to_have_text("Read as nda")
    expect(page.get_by_role("button", name=re.compile("^Party")).first).to_be_visible()
    assert model_of(service, job_id) == "nda"
    page.keyboard.press("z")
    expect(page.locator(".strip")).to_contain_text("receipts")
    until(lambda: model_of(service, job_id) == "receipts", "the first model's answer")
    page.keyboard.press("Shift+Z")
    expect(page.get_by_role("status")).to_have_text("Read as nda")
    page.keyboard.press("z")
    shown(page, receipt)
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def holding(home: Path, secret: bytes) -> list[Path]:
    """Return the files of a home that hold a secret; some go while they are looked at."""
    found = []
    for path in home.rglob("*"):
        with suppress(FileNotFoundError, IsADirectoryError):
            found += [path] if secret in path.read_bytes() else []
    return found


def test_encrypted_document_is_read_again_with_its_password(page: Page, service: Service) -> None:
    receipt, password = make_receipt(7), "xyz w?1 Schlüssel"  # keys of commands among them
    data = encrypted_pdf(receipt_pdf(receipt), password)
    sent = service.post(data, f"{receipt.total}.pdf", password=password)
    job_id = str(sent.json()["id"])
    visit(page, service, f"/review?job={job_id}")
    shown(page, receipt)
    page.keyboard.press("r")
    other = page.get_by_role("group", name="Another model")
    page.keyboard.press(other.get_by_role("button", name="nda").locator("kbd").inner_text())
    typed = page.get_by_label(f"Password of {receipt.total}.pdf")
    expect(typed).to_be_focused()
    expect(typed).to_have_attribute("type", "password")
    check_accessible(page)
    page.keyboard.type("x1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("does not open with this password")
    expect(typed).to_be_focused()
    expect(typed).to_have_value("")
    check_accessible(page)
    page.keyboard.press("Escape")
    expect(other).to_have_count(0)
    shown(page, receipt)
    page.keyboard.press("r")
    page.keyboard.press(other.get_by_role("button", name="nda").locator("kbd").inner_text())
    expect(typed).to_be_focused()
    page.keyboard.type(password)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Read as nda")
    assert model_of(service, job_id) == "nda"
    kept = "() => JSON.stringify([{...localStorage}, {...sessionStorage}, location.href])"
    assert password not in page.evaluate(kept)
    until(lambda: not holding(service.home, password.encode()), "the password to be gone")
    page.keyboard.press("z")
    shown(page, receipt)
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def test_a_link_leads_to_the_same_document_page_and_field(page: Page, service: Service) -> None:
    receipt = make_receipt(11)
    response = service.post(receipt_pdf(receipt, pages=2), f"{receipt.total}.pdf")
    job_id = str(response.json()["id"])
    visit(page, service, f"/review?job={job_id}")
    shown(page, receipt)
    page.keyboard.press("Shift+Tab")
    expect(in_hand(page, "Date")).to_be_focused()
    page.keyboard.press("]")
    expect(page.get_by_role("img", name="Page 2 of")).to_be_visible()
    link = page.evaluate("location.href")
    visit(page, service, "/")
    page.goto(link)
    expect(in_hand(page, "Date")).to_be_focused()
    expect(page.get_by_role("img", name="Page 2 of")).to_be_visible()
    page.keyboard.press("Enter")  # the next doubtful one, with its page
    expect(in_hand(page, "Address")).to_be_focused()
    expect(page.get_by_role("img", name="Page 1 of")).to_be_visible()
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def test_a_claim_lasts_from_the_last_key(page: Page, service: Service) -> None:
    receipt = make_receipt(12)
    job_id = send(service, receipt)
    page.clock.install()
    visit(page, service, f"/review?job={job_id}")
    shown(page, receipt)

    def until_when() -> str:
        waiting = service.client.get("/reviews").json()["reviews"]
        return str(next(one for one in waiting if one["job_id"] == job_id)["claimed_until"])

    before = until_when()
    page.clock.run_for(61_000)
    page.keyboard.press("?")
    until(lambda: until_when() > before, "the claim to be renewed")
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def test_a_reader_of_the_screen_is_told_all(page: Page, service: Service) -> None:
    receipt = make_receipt(13)
    job_id = send(service, receipt)
    visit(page, service, f"/review?job={job_id}")
    shown(page, receipt)
    expect(page.get_by_role("main")).to_match_aria_snapshot(
        f"""
        - main:
          - heading "{receipt.total}.pdf" [level=1]
          - region "Page":
            - img "Page 1 of {receipt.total}.pdf"
          - region "Values":
            - list:
              - listitem:
                - button /Company ✓ ok/
              - listitem:
                - button /Date ✓ ok/
              - listitem:
                - button /Address [?] please check.*Compare with the page/ [pressed]
                - button "Edit e"
                - button "Words w"
                - button "Absent x"
              - listitem:
                - button /Total ✓ ok/
            - button "Accept Enter"
        """
    )
    page.keyboard.press("f")
    expect(page.get_by_role("status")).to_have_text("The view is frozen")
    page.keyboard.press("f")
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def test_queue_is_worked_off_by_touch_on_a_phone(browser: Browser, service: Service) -> None:
    receipts = [make_receipt(14), make_receipt(15)]
    jobs = [send(service, receipt) for receipt in receipts]
    context = browser.new_context(viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    page = context.new_page()
    visit(page, service)
    for _ in jobs:
        expect(in_hand(page, "Address")).to_be_visible()
        expect(page.get_by_role("img", name="Page 1 of")).to_be_in_viewport()  # beside the value
        expect(in_hand(page, "Address")).to_be_in_viewport()
        before = page.locator(".file").inner_text()
        page.wait_for_timeout(300)  # sooner, it would be a double tap
        page.get_by_role("button", name="Accept", exact=True).tap()
        expect(page.get_by_text(before, exact=True)).to_have_count(0)
    until(lambda: all(done(service, job_id) for job_id in jobs), "both documents to be done")
    context.close()


def test_document_is_put_back_with_a_note(page: Page, service: Service) -> None:
    receipt = make_receipt(8)
    job_id = send(service, receipt)
    visit(page, service, f"/review?job={job_id}")
    shown(page, receipt)
    page.keyboard.press("Shift+S")
    expect(page.get_by_label("Put back, and say why")).to_be_focused()
    check_accessible(page)
    page.keyboard.type("ask x about rezws")  # keys of commands are letters here
    page.keyboard.press("Enter")
    review = until(lambda: last_skipped(service, job_id), "the note")
    assert review["note"] == "ask x about rezws"
    expect(page.get_by_text("Put back: ask x about rezws")).to_be_visible()  # nothing else waits
    expect(in_hand(page, "Address")).to_be_focused()
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def last_skipped(service: Service, job_id: str) -> Any:
    waiting = service.client.get("/reviews").json()["reviews"]
    return next((one for one in waiting if one["job_id"] == job_id and one["skipped"]), None)


def test_queue_can_be_narrowed_to_one_batch(page: Page, service: Service) -> None:
    other = send(service, make_receipt(9))
    receipt = make_receipt(10)
    files = {"files": (f"{receipt.total}.pdf", receipt_pdf(receipt))}
    batch = service.client.post("/batches", files=files, data={"name": "Monday"}).json()["id"]
    item = service.client.get(f"/batches/{batch}/items").json()["items"][0]
    service.ended(item["job"])
    visit(page, service, f"/review?job={other}")
    expect(in_hand(page, "Address")).to_be_focused()
    page.get_by_label("Batch").select_option(label="Monday (1)")
    shown(page, receipt)
    assert f"batch={batch}" in page.url
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    expect(page.get_by_label("Batch")).to_have_value(batch)
    page.get_by_label("Batch").select_option("")
    shown(page, make_receipt(9))
    page.get_by_role("button", name="Words").click()  # a mouse picks words too
    expect(page.locator("rect[data-word='0']")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    until(lambda: done(service, other), "the document to be done")


def writes(page: Page, text: str) -> None:
    """Type a text in the place of the one in hand."""
    page.keyboard.press("e")
    expect(page.locator("#edit")).to_be_focused()
    page.keyboard.type(text)


def kinds(service: Service, job_id: str) -> list[tuple[str, str]]:
    history = service.client.get(f"/reviews/{job_id}/decisions").json()["decisions"]
    return [(one["field"], one["kind"]) for one in history]


def test_what_is_typed_is_what_is_saved(page: Page, service: Service) -> None:
    receipt = make_receipt(20)
    job_id = send(service, receipt)
    visit(page, service, f"/review?job={job_id}")
    shown(page, receipt)
    page.get_by_role("button", name=re.compile("^Company")).click()
    writes(page, "FIRST SDN BHD")
    page.get_by_role("button", name="Save Enter").click()  # the only one that is called so
    expect(in_hand(page, "Address")).to_be_focused()
    expect(page.get_by_role("button", name=re.compile("^Company"))).to_contain_text("FIRST SDN")
    expect(page.get_by_text("all saved")).to_be_visible()
    assert fields(service, job_id)["company"]["text"] == "FIRST SDN BHD"

    page.get_by_role("button", name=re.compile("^Company")).click()
    writes(page, "SECOND SDN BHD")
    page.get_by_role("button", name=re.compile("^Total")).click()  # another value
    expect(in_hand(page, "Total")).to_be_focused()
    expect(page.get_by_text("all saved")).to_be_visible()
    assert fields(service, job_id)["company"]["text"] == "SECOND SDN BHD"

    page.get_by_role("button", name=re.compile("^Date")).click()
    writes(page, "tomorrow")
    expect(page.locator("#becomes")).to_contain_text("✗")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#edit")).to_be_focused()  # it is no value
    page.keyboard.press("Escape")
    assert ("date", "edit") not in kinds(service, job_id)

    page.get_by_role("button", name="Accept Enter").dblclick()
    page.wait_for_timeout(300)
    assert kinds(service, job_id)[-1:] == [("date", "accept")]  # and no other value
    page.get_by_role("link", name="Teach").focus()
    page.keyboard.press("x")  # means nothing there
    page.wait_for_timeout(100)
    assert "absent" not in [kind for _, kind in kinds(service, job_id)]
    page.get_by_role("button", name=re.compile("^Address")).click()
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def test_an_answer_that_comes_late_takes_nothing_from_a_hand(page: Page, service: Service) -> None:
    receipt = make_receipt(21)
    job_id = send(service, receipt)
    visit(page, service, f"/review?job={job_id}")
    shown(page, receipt)
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    intercept(page, "**/decisions", hold)
    page.get_by_role("button", name=re.compile("^Company")).click()
    writes(page, "FIRST SDN BHD")
    page.keyboard.press("Enter")
    company = page.get_by_role("button", name=re.compile("^Company"))
    expect(company).to_contain_text("FIRST SDN BHD")  # at once
    expect(in_hand(page, "Address")).to_be_focused()
    writes(page, "NO 1")
    until(lambda: held or page.wait_for_timeout(50), "the edit")
    with page.expect_response("**/decisions"):
        held.pop().continue_()
    page.wait_for_timeout(200)
    page.keyboard.type(", JALAN BARU")
    expect(page.locator("#edit")).to_have_value("NO 1, JALAN BARU")
    for _ in range(4):
        page.keyboard.press("Enter")  # impatient
    until(lambda: held or page.wait_for_timeout(50), "the last edit")
    held.pop().continue_()
    until(lambda: done(service, job_id), "the document to be done")
    assert kinds(service, job_id) == [("company", "edit"), ("address", "edit")]


def test_what_was_not_shown_yet_is_not_accepted(page: Page, service: Service) -> None:
    receipts = [make_receipt(seed) for seed in (25, 26)]
    jobs = [send(service, receipt) for receipt in receipts]
    visit(page, service, f"/review?job={jobs[0]}")
    shown(page, receipts[0])
    page.evaluate("""() => {
      const impatient = () => document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      const first = document.querySelector('.file').textContent;
      new MutationObserver((_, watch) => {
        const now = document.querySelector('.file')?.textContent;
        if (!now || now === first) return;
        watch.disconnect();
        impatient();
        requestAnimationFrame(() => requestAnimationFrame(impatient));
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    }""")
    page.keyboard.press("Enter")
    shown(page, receipts[1])
    until(lambda: done(service, jobs[0]), "the first document to be done")
    expect(page.get_by_text("all saved")).to_be_visible()
    assert kinds(service, jobs[1]) == []
    page.keyboard.press("Enter")
    until(lambda: done(service, jobs[1]), "the second document to be done")
    assert kinds(service, jobs[1]) == [("address", "accept")]


def test_what_is_chosen_at_once_is_heard_at_once(page: Page, service: Service) -> None:
    """Whoever points at a value of a document has seen it, and keeps the focus there."""
    job_id = send(service, make_receipt(27))
    page.add_init_script("""addEventListener('DOMContentLoaded', () => {
      new MutationObserver((_, watch) => {
        const company = document.getElementById('value-company.0')?.querySelector('.value');
        if (!company) return;
        watch.disconnect();
        company.click();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true }));
      }).observe(document.body, { subtree: true, childList: true });
    })""")
    visit(page, service, f"/review?job={job_id}")
    expect(page.locator("#edit")).to_be_focused()
    page.keyboard.press("Enter")
    expect(in_hand(page, "Address")).to_be_focused()
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def expire(service: Service, job_id: str) -> None:
    """Have a job be as it is once its answer was removed for its age."""
    with closing(sqlite3.connect(service.home / "jobs.db", timeout=PATIENCE)) as store, store:
        store.execute("UPDATE jobs SET expired_at = 1 WHERE id = ?", (job_id,))
        for table in ("results", "reviews"):
            store.execute(f"DELETE FROM {table} WHERE job_id = ?", (job_id,))


@pytest.mark.parametrize("gone", ["There is no job of that id", "its answer was removed"])
def test_a_document_that_is_gone_is_left_with_one_key(
    page: Page, service: Service, gone: str
) -> None:
    receipts = [make_receipt(seed) for seed in (41, 42)]
    jobs = [send(service, receipt) for receipt in receipts]
    visit(page, service, f"/review?job={jobs[0]}")
    shown(page, receipts[0])
    if "removed" in gone:
        expire(service, jobs[0])
    else:
        assert service.client.delete(f"/jobs/{jobs[0]}").status_code == 204
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(gone)
    onward = page.get_by_role("button", name="Go on with the queue")
    expect(onward).to_be_visible()
    expect(page.get_by_role("button", name="Edit")).to_be_hidden()  # nothing is decided on it
    page.keyboard.press("Enter")
    expect(onward).to_be_hidden()
    assert page.evaluate("new URL(location.href).searchParams.get('job')") != jobs[0]


def test_a_document_that_waits_for_its_model_says_so_and_comes_once_it_is_read(
    page: Page, service: Service
) -> None:
    weights = install_model(service.home) / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-100])
    job_id = service.submit(receipt_pdf(make_receipt(43)), model="tiny")
    told = page.get_by_role("status").filter(has_text="tiny@0.0.1 is damaged")
    for path in (f"/?job={job_id}", f"/review?job={job_id}"):
        visit(page, service, path)
        expect(told).to_be_visible()
    check_accessible(page)
    weights.write_bytes(whole)
    expect(page.get_by_role("region", name="Values")).to_be_visible()
    assert page.url.partition("/review?job=")[2][:36] == job_id


def as_invoice(service: Service, receipt: Receipt) -> str:
    """Have a receipt read by a model that is not for it; return its job."""
    data = receipt_pdf(receipt)
    return str(service.post(data, f"{receipt.total}.pdf", model="invoices").json()["id"])


def test_a_document_of_another_kind_is_asked_about_before_its_values(
    page: Page, service: Service
) -> None:
    receipt = make_receipt(44)
    job_id = as_invoice(service, receipt)
    visit(page, service, f"/review?job={job_id}")
    kind = page.get_by_role("group", name="Another model")
    expect(kind).to_contain_text("Is this one of invoices at all?")
    expect(kind.get_by_role("button").first).to_be_focused()
    check_accessible(page)
    page.keyboard.press("Enter")  # decides on nothing
    expect(kind).to_have_count(0)
    expect(in_hand(page, "Vendor name")).to_be_focused()
    assert kinds(service, job_id) == []
    page.reload()
    expect(kind.get_by_role("button").first).to_be_focused()
    page.keyboard.press(kind.get_by_role("button", name="receipts").locator("kbd").inner_text())
    expect(page.get_by_role("status")).to_have_text("Read as receipts")
    expect(kind).to_have_count(0)
    expect(in_hand(page, "Address")).to_be_focused()
    page.keyboard.press("Enter")
    until(lambda: done(service, job_id), "the document to be done")


def test_what_is_in_sight_is_accepted_with_one_key_and_nothing_else(
    page: Page, service: Service
) -> None:
    job_id = as_invoice(service, make_receipt(45))
    page.set_viewport_size({"width": 1280, "height": 720})

    def doubt_the_date(route: Route) -> None:
        answer = route.fetch().json()
        date = answer["fields"]["invoice_date"]
        date["normalisation"] = {"status": "ambiguous", "alternatives": ["2018-03-04"]}
        route.fulfill(json=answer)

    page.route("**/decisions", doubt_the_date)
    visit(page, service, f"/review?job={job_id}")
    expect(page.get_by_role("button", name="It is: check its values")).to_be_focused()
    page.unroute("**/decisions")
    page.keyboard.press("Enter")
    expect(in_hand(page, "Vendor name")).to_be_focused()
    seen, hidden = page.evaluate("""() => {
      const foot = document.querySelector('.actions').getBoundingClientRect().top;
      const open = [...document.querySelectorAll('.value')].filter(({ textContent }) =>
        /please check/.test(textContent) && !/more than one way/.test(textContent));
      const whole = (one) => one.getBoundingClientRect().bottom <= foot;
      return [open.filter(whole), open.filter((one) => !whole(one))].map((some) =>
        some.map((one) => one.querySelector('.name').textContent.toLowerCase().replace(' ', '_')));
    }""")
    assert seen[:1] == ["vendor_name"]
    assert hidden[-1:] == ["invoice_total"]
    page.keyboard.press("Shift+A")
    until(lambda: len(kinds(service, job_id)) == len(seen), "what was in sight")
    assert sorted(kinds(service, job_id)) == sorted((name, "accept") for name in seen)
    left = 1 + len(hidden)  # of two readings one has to be chosen
    expect(page.locator(".left")).to_have_text(f"{left} to decide")
    page.keyboard.press("z")
    expect(page.get_by_role("status")).to_have_text("Undone")
    expect(page.locator(".left")).to_have_text(f"{left + len(seen)} to decide")
    expect(page.locator(".saved")).to_have_text("all saved")
    made = [kind for _, kind in kinds(service, job_id)]
    assert made == ["accept"] * len(seen) + ["undo"] * len(seen)
    page.keyboard.press("Z")
    until(lambda: len(kinds(service, job_id)) == 3 * len(seen), "the decisions again")


def test_nothing_but_the_value_in_hand_is_accepted_before_its_page_is_there(
    page: Page, service: Service
) -> None:
    job_id = as_invoice(service, make_receipt(47))
    page.route("**/pages/*.png*", lambda route: None)  # on its way
    visit(page, service, f"/review?job={job_id}")
    expect(page.get_by_role("button", name="It is: check its values")).to_be_focused()
    page.keyboard.press("Enter")
    expect(in_hand(page, "Vendor name")).to_be_focused()
    page.keyboard.press("Shift+A")
    until(lambda: kinds(service, job_id), "the decision")
    expect(page.locator(".saved")).to_have_text("all saved")
    assert kinds(service, job_id) == [("vendor_name", "accept")]
    page.unroute_all(behavior="ignoreErrors")


def test_tab_leads_to_the_next_field(page: Page, service: Service) -> None:
    job_id = send(service, make_receipt(46))
    visit(page, service, f"/review?job={job_id}")
    expect(in_hand(page, "Address")).to_be_focused()
    page.keyboard.press("Tab")
    expect(in_hand(page, "Total")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(in_hand(page, "Address")).to_be_focused()
    page.evaluate("localStorage.letters = 'off'")  # without them, the tools are what there is
    page.keyboard.press("Shift+Tab")
    expect(in_hand(page, "Date")).to_be_focused()
    for name in ("Edit", "Words", "Absent"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name=name)).to_be_focused()


def test_an_empty_queue_says_of_which_kind_and_stays_calm(page: Page, service: Service) -> None:
    page.clock.install()
    visit(page, service, "/review?model=nda")
    heading = page.get_by_role("heading", name="Nothing waits for you")
    expect(heading).to_be_visible()
    expect(page.get_by_role("link", name="nda 0")).to_have_attribute("aria-current", "page")
    page.evaluate("""() => {
      window.said = [];
      const main = document.querySelector('main');
      new MutationObserver(() => said.push(main.querySelector('h1').textContent))
        .observe(main, { subtree: true, childList: true, characterData: true });
    }""")
    with page.expect_response("**/reviews/claims"):
        page.clock.run_for(6000)  # it looks again every five seconds
    with page.expect_response("**/reviews/claims"):
        page.clock.run_for(6000)
    assert "One moment" not in page.evaluate("said")


def test_a_document_that_was_skipped_by_mistake_comes_back(page: Page, service: Service) -> None:
    jobs = [send(service, make_receipt(seed)) for seed in (22, 23, 24)]
    visit(page, service, f"/review?job={jobs[0]}")
    shown(page, make_receipt(22))
    page.keyboard.press("Enter")
    until(lambda: done(service, jobs[0]), "the first document to be done")
    expect(page.locator(".file")).not_to_have_text(f"{make_receipt(22).total}.pdf")
    expect(in_hand(page, "Address")).to_be_focused()
    skipped = page.locator(".file").inner_text()
    page.keyboard.press("s")
    expect(page.locator(".file")).not_to_have_text(skipped)
    expect(in_hand(page, "Address")).to_be_focused()
    page.keyboard.press("z")
    expect(page.locator(".file")).to_have_text(skipped)
    assert done(service, jobs[0])
    for _ in jobs[1:]:
        expect(in_hand(page, "Address")).to_be_focused()
        before = page.locator(".file").inner_text()
        page.keyboard.press("Enter")
        expect(page.get_by_text(before, exact=True)).to_have_count(0)
    until(lambda: all(done(service, job_id) for job_id in jobs), "all to be done")


def test_two_tabs_without_a_connection_lose_nothing(page: Page, service: Service) -> None:
    jobs = [send(service, make_receipt(seed)) for seed in (25, 26)]
    other = page.context.new_page()
    for tab, job_id in zip((page, other), jobs, strict=True):
        visit(tab, service, f"/review?job={job_id}")
        expect(in_hand(tab, "Address")).to_be_focused()
    page.context.set_offline(True)
    for tab in (page, other):
        tab.bring_to_front()
        tab.keyboard.press("x")
        expect(tab.get_by_text("1 unsaved")).to_be_visible()
    address = page.url
    page.goto("about:blank")  # it is closed
    page.context.set_offline(False)
    until(lambda: done(service, jobs[1]), "the other tab's document to be done")
    page.goto(address)
    until(lambda: kinds(service, jobs[0]), "the closed tab's decision")
    assert kinds(service, jobs[0]) == kinds(service, jobs[1]) == [("address", "absent")]
    other.close()
