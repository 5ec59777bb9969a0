"""The page Try, from the first visit to the same answer by curl, in a real browser."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from reportlab.pdfgen.canvas import Canvas

from store.access import Keys
from store.sql.database import Database
from tests.builders import draw_pdf, encrypted_pdf, make_receipt, receipt_page, receipt_pdf
from tests.patience import until
from tests.pipeline.reading.einvoice.test_einvoice import CII, UBL, with_files
from tests.service import CALM, Service, serving
from tests.web.looking import check_accessible

RECEIPT = make_receipt(7)
MARKUP = "<img src=x onerror=document.title='taken'>"


def hostile_page(canvas: Canvas) -> None:
    """Draw a receipt whose company is markup."""
    receipt_page(RECEIPT)(canvas)
    canvas.drawString(40, 30, MARKUP)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service with the included model of receipts."""
    home = Path(tmp_path_factory.mktemp("try"))
    with serving(home, model="receipts", **CALM) as running:
        yield running


def visit(page: Page, service: Service, path: str = "/") -> None:
    page.goto(f"{str(service.client.base_url).rstrip('/')}{path}")


def send(page: Page, data: bytes, name: str) -> None:
    file: Any = {"name": name, "mimeType": "application/pdf", "buffer": data}
    page.get_by_label("Choose a file").set_input_files(file)


def test_first_visit_ends_with_the_same_answer_by_curl(
    page: Page, service: Service, tmp_path: Path
) -> None:
    visit(page, service)
    check_accessible(page)
    page.get_by_label("Kind of document").select_option("receipts")
    send(page, receipt_pdf(RECEIPT, pages=2), "it's one.pdf")
    values = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Total"))
    expect(values).to_have_count(1)
    expect(page.get_by_role("img", name="Page 1 of it's one.pdf")).to_be_visible()
    check_accessible(page)

    total = page.get_by_role("button", name="Total")
    total.click()
    expect(total).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".sheet rect.lit")).to_have_attribute("data-id", "total.0")
    assert "field=total.0" in page.url
    page.locator(".sheet rect:not(.lit)").first.click()  # and from the box to its value
    expect(total).to_have_attribute("aria-pressed", "false")

    page.get_by_role("button", name="Page 2").click()
    expect(page.get_by_role("img", name="Page 2 of it's one.pdf")).to_be_visible()
    page.reload()  # the address leads back to the same page of the same document
    expect(page.get_by_role("img", name="Page 2 of it's one.pdf")).to_be_visible()

    page.get_by_role("tab", name="Values").press("ArrowLeft")
    expect(page.get_by_role("tab", name="Use it")).to_be_focused()
    page.get_by_role("button", name="Copy: With curl").click()
    expect(page.get_by_role("status")).to_have_text("With curl: copied")
    command = page.evaluate("navigator.clipboard.readText()")
    (tmp_path / "it's one.pdf").write_bytes(receipt_pdf(RECEIPT, pages=2))
    done = subprocess.run(
        ["bash", "-c", f"{command} --silent"], cwd=tmp_path, capture_output=True, check=True
    )
    page.get_by_role("tab", name="JSON").click()
    shown = json.loads(page.get_by_role("tabpanel").locator("pre").inner_text())
    assert json.loads(done.stdout)["fields"] == shown["fields"]


def test_an_invoice_in_xml_has_values_and_no_page(page: Page, service: Service) -> None:
    visit(page, service)
    assert ".xml" in str(page.get_by_label("Choose a file").get_attribute("accept"))
    file: Any = {"name": "invoice.xml", "mimeType": "text/xml", "buffer": UBL}
    page.get_by_label("Choose a file").set_input_files(file)
    expect(page.get_by_role("button", name="Invoice number")).to_contain_text("R-17")
    expect(page.get_by_text("has no pages to look at")).to_be_visible()
    check_accessible(page)


def test_values_that_are_printed_nowhere_have_no_box(page: Page, service: Service) -> None:
    """The invoice of the XML is another than the one printed; the browser complains of NaN."""
    visit(page, service)
    page.get_by_label("Kind of document").select_option("invoices")
    send(page, with_files(invoice=CII), "other.pdf")
    expect(page.get_by_role("button", name="Invoice number")).to_contain_text("R-17")
    page.get_by_role("link", name="Correct").click()
    expect(page.get_by_role("button", name="Invoice number")).to_contain_text("R-17")


@pytest.mark.parametrize("name", ["receipt", "invoice", "advertising order"])
def test_examples_are_read(page: Page, service: Service, name: str) -> None:
    visit(page, service)
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.get_by_role("tab", name="Values")).to_be_visible()
    expect(page.locator(".sheet rect").first).to_be_visible()
    # Who hears it is told the same as who sees it: cells are values, too.
    count = page.get_by_role("status").inner_text().removeprefix("Read: ").partition(" ")[0]
    expect(page.locator(".summary")).to_have_text(re.compile(rf"(^| ){count} values "))
    page.get_by_role("link", name="Correct").click()
    expect(
        page.get_by_role("button", name="Accept Enter").or_(
            page.get_by_role("button", name="Done Enter")
        )
    ).to_be_visible()


def test_text_of_a_document_is_never_markup(page: Page, service: Service) -> None:
    visit(page, service)
    page.get_by_label("Kind of document").select_option("receipts")
    send(page, draw_pdf(hostile_page), f"{MARKUP}.pdf")
    page.get_by_role("tab", name="Text").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("onerror=document.title='taken'>")
    expect(page.locator("img[src=x]")).to_have_count(0)
    expect(page).to_have_title("Try · fieldwright")


def test_encrypted_document_is_opened_with_its_password(page: Page, service: Service) -> None:
    visit(page, service)
    page.get_by_label("Kind of document").select_option("receipts")
    send(page, encrypted_pdf(receipt_pdf(RECEIPT), "geheim 7"), "locked.pdf")
    typed = page.get_by_label("Password of this document")
    expect(typed).to_be_focused()
    check_accessible(page)
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("does not open with this password")
    expect(typed).to_be_focused()
    page.keyboard.type("geheim 7")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Total")).to_be_visible()
    expect(page.get_by_text("This page cannot be shown")).to_be_visible()  # it is not kept
    check_accessible(page)
    page.get_by_role("tab", name="Use it").click()
    expect(page.get_by_role("tabpanel")).to_contain_text('-F "password=$PASSWORD"')
    assert "geheim" not in page.content()
    page.get_by_role("button", name="Another document").click()
    send(page, encrypted_pdf(receipt_pdf(RECEIPT), "geheim 7"), "locked.pdf")
    expect(typed).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="What does this document say?")).to_be_visible()


def test_refused_file_is_told_in_the_words_of_the_api(page: Page, service: Service) -> None:
    visit(page, service)
    send(page, b"GIF89a", "moving.gif")
    refused = service.post(b"GIF89a").json()
    expect(page.get_by_role("alert")).to_contain_text(refused["detail"])
    expect(page.get_by_role("alert")).to_contain_text(refused["advice"])
    check_accessible(page)
    send(page, receipt_pdf(RECEIPT), "good.pdf")  # and the next one is read
    expect(page.get_by_role("button", name="Total")).to_be_visible()


def test_pages_are_chosen_where_a_document_has_too_many(page: Page, service: Service) -> None:
    visit(page, service)
    page.get_by_label("Kind of document").select_option("receipts")
    send(page, encrypted_pdf(receipt_pdf(RECEIPT, pages=51), "geheim 7"), "year.pdf")
    page.get_by_label("Password of this document").fill("geheim 7")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("50 are allowed")
    pages = page.get_by_label("Pages to be read")
    expect(pages).to_be_focused()
    pages.fill("99")
    pages.press("Enter")
    expect(page.get_by_role("alert")).not_to_contain_text("50 are allowed")
    page.get_by_label("Pages to be read").fill("50-51")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 51 pages")).to_be_visible()
    page.get_by_role("tab", name="Use it").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("-F 'pages=50-51'")
    expect(page.get_by_role("tabpanel")).to_contain_text('"pages": "50-51"')


def test_pages_are_counted_as_the_document_has_them(page: Page, service: Service) -> None:
    job_id = service.submit(receipt_pdf(pages=5), pages="2-3")
    service.ended(job_id)
    visit(page, service, f"/?job={job_id}")
    expect(page.get_by_text("Page 2 of 5", exact=True)).to_be_visible()


def test_a_document_is_followed_on_where_its_events_break_off(page: Page, service: Service) -> None:
    broken: list[str] = []
    asked: list[str] = []

    def break_off(route: Route) -> None:
        broken.append(route.request.url)
        if len(broken) == 1:
            route.fulfill(status=502)  # as a proxy answers while the service starts again
        else:
            route.continue_()

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 2:
            route.fulfill(status=502, content_type="text/html", body="<h1>Bad Gateway</h1>")
        else:
            route.continue_()

    page.route("**/events", break_off)
    page.route(re.compile("/v1/jobs/[^/]+$"), refuse)
    visit(page, service)
    page.get_by_label("Kind of document").select_option("receipts")
    send(page, receipt_pdf(RECEIPT), "followed.pdf")
    expect(page.get_by_role("button", name="Total")).to_be_visible()
    assert (len(broken), len(asked)) == (2, 3)  # before, while nobody answers, and after


def test_no_key_is_asked_for_where_the_service_cannot_be_reached(
    page: Page, service: Service
) -> None:
    page.route("**/v1/session", lambda route: route.abort())
    visit(page, service)
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(page.get_by_label("Key")).to_have_count(0)
    check_accessible(page)
    page.unroute("**/v1/session")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="What does this document say?")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_link_to_review_is_of_its_document_alone(page: Page, service: Service) -> None:
    failed = service.submit(encrypted_pdf(receipt_pdf(RECEIPT), "geheim 7"))
    visit(page, service, f"/?job={failed}&then=review")
    expect(page.get_by_role("alert")).to_contain_text("encrypted")
    send(page, receipt_pdf(RECEIPT), "another.pdf")
    expect(page.get_by_role("button", name="Total")).to_be_visible()
    assert "/review" not in page.url


def test_a_document_that_was_left_does_not_come_back(page: Page, service: Service) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/v1/extract", hold)
    visit(page, service)
    page.get_by_label("Kind of document").select_option("receipts")
    send(page, receipt_pdf(RECEIPT), "slow.pdf")
    until(lambda: held or page.wait_for_timeout(50), "the first document")
    page.evaluate(
        """data => {
          const files = new DataTransfer();
          for (const name of ['quick.pdf', 'another.pdf']) {
            files.items.add(new File([new Uint8Array(data)], name, {type: 'application/pdf'}));
          }
          dispatchEvent(new DragEvent('drop', {dataTransfer: files, cancelable: true}));
        }""",
        list(receipt_pdf(make_receipt(8))),
    )
    expect(page.locator(".file")).to_have_text("quick.pdf")
    expect(page.get_by_text("Only quick.pdf was read")).to_be_visible()
    with page.expect_response("**/v1/extract"):
        held[0].continue_()
    page.wait_for_timeout(500)
    expect(page.locator(".file")).to_have_text("quick.pdf")
    page.go_back()
    expect(page.get_by_role("heading", name="What does this document say?")).to_be_visible()
    page.go_forward()
    expect(page.locator(".file")).to_have_text("quick.pdf")
    page.get_by_role("button", name="Another document").click()
    page.context.set_offline(True)
    page.get_by_role("button", name="receipt", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.context.set_offline(False)


def test_rows_count_among_the_doubtful_values(page: Page, service: Service) -> None:
    path = "/web/try/panel.js"
    visit(page, service, path)
    said = page.evaluate("""async () => {
      const { panel } = await import('/web/try/panel.js');
      const { render } = await import('/web/library/lit-html/lit-html.js');
      const found = (status) => ({text: '1', value: '1', confidence: 1, page: 1, box: [],
        needs_review: false, candidates: [], normalisation: {status, alternatives: []}});
      const answer = (groups) => ({id: 'x', fields: {total: null}, groups, checks: [], warnings: [],
        timings: {}, model: {name: 'm', version: '1', fit: null},
        document: {pages: [], page_count: 0, word_count: 0}});
      return [{items: [{amount: found('failed'), what: found('ok')}]}, {}].map((groups) => {
        const at = document.createElement('div');
        render(panel({answer: answer(groups), job: {}, more: [], tab: 'values', mayReview: true,
          rows: [{id: 'total.0', field: 'total', place: 0, found: null}]}), at);
        return at.querySelector('.summary').textContent.replaceAll(/\\s+/g, ' ');
      });
    }""")
    assert said == [
        "1 of 2 values should be checked · Correct it",
        "No value was found · Correct it",
    ]


def test_nothing_moves_where_the_system_asks_for_none(page: Page, service: Service) -> None:
    visit(page, service)
    expect(page.get_by_role("main")).to_be_visible()
    moving = """() => [...document.querySelectorAll('*')].filter((one) => {
      const { transitionDuration, animationName } = getComputedStyle(one);
      return transitionDuration !== '0s' || animationName !== 'none';
    }).length"""
    assert page.evaluate(moving) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moving) > 0


def test_a_key_opens_the_pages_it_is_for(page: Page, tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'jobs.db'}")
    database.migrate()
    _, key = Keys(database).create("Anna")  # to send documents, and to read them
    database.close()
    with serving(tmp_path, model="receipts") as guarded:
        visit(page, guarded)
        typed = page.get_by_label("Key")
        expect(typed).to_be_focused()
        check_accessible(page)
        page.keyboard.type("fw_wrong")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_be_visible()
        typed.fill(key)
        page.keyboard.press("Enter")
        expect(page.get_by_text("Anna", exact=True)).to_be_visible()
        assert page.evaluate("document.cookie") == ""  # no script can read it
        kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert key not in kept
        send(page, receipt_pdf(RECEIPT), "a.pdf")
        expect(page.get_by_role("button", name="Total")).to_be_visible()
        expect(page.get_by_role("link", name="Correct")).to_have_count(0)  # it is not for reviews
        page.get_by_role("button", name="Another document").click()
        page.context.clear_cookies()
        send(page, receipt_pdf(RECEIPT), "b.pdf")
        expect(page.get_by_role("alert")).to_contain_text("The session has ended.")
        expect(typed).to_be_focused()
        page.keyboard.type(key)
        page.keyboard.press("Enter")
        expect(page.get_by_text("Anna", exact=True)).to_be_visible()
        visit(page, guarded, "/review")
        expect(page.get_by_role("alert")).to_contain_text("This key is not for reviews")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Key")).to_be_focused()
