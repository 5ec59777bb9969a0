"""Rows, drawn boxes and what else the page Review does beside accepting, in a real browser."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests import itemised
from tests.builders import encrypted_pdf, make_receipt, receipt_pdf
from tests.patience import until
from tests.service import CALM, Service, serving
from tests.web.looking import check_accessible, clear_queue, intercept


@pytest.fixture(scope="module")
def goods(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a model of rows."""
    home = Path(tmp_path_factory.mktemp("goods"))
    itemised.install(home)
    with serving(home, **CALM) as running:
        yield running


@pytest.fixture(autouse=True)
def left_empty(goods: Service) -> Iterator[None]:
    """Leave nothing in the queue for the next test."""
    yield
    clear_queue(goods)


def visit(page: Page, service: Service, path: str) -> None:
    page.goto(f"{str(service.client.base_url).rstrip('/')}{path}")


def rows(service: Service, job_id: str) -> list[str]:
    """Return the amounts of the rows as people left them."""
    result = service.client.get(f"/jobs/{job_id}/result").json()
    return [(row["amount"] or {}).get("text", "") for row in result["groups"]["items"]]


def pick(page: Page, words: list[itemised.Read]) -> None:
    page.keyboard.press("w")
    page.locator(f"rect[data-word='{words[0].number}']").click()
    page.locator(f"rect[data-word='{words[-1].number}']").click(modifiers=["Shift"])
    page.keyboard.press("Enter")


def draw_around(page: Page, words: list[itemised.Read]) -> None:
    """Draw a box around words with the pointer, from where no word is."""
    paper: Any = page.locator(".words-over").bounding_box()
    left, top = min(word.box[0] for word in words), min(word.box[1] for word in words)
    right, bottom = max(word.box[2] for word in words), max(word.box[3] for word in words)
    at = lambda x, y: (paper["x"] + x * paper["width"], paper["y"] + y * paper["height"])  # noqa: E731
    page.mouse.move(*at(left - 0.01, top - 0.006))
    page.mouse.down()
    page.mouse.move(*at(right + 0.01, bottom + 0.006), steps=4)
    page.mouse.up()


def test_rows_are_inserted_and_split_until_the_sum_is_right(page: Page, goods: Service) -> None:
    job_id = itemised.send(goods)
    words = itemised.words_of(goods, job_id)
    visit(page, goods, f"/review?job={job_id}")
    cell = page.get_by_role("button", name="Amount: 2.50 8.00, please check")
    expect(cell).to_be_focused()  # what is doubtful
    check_accessible(page)

    page.keyboard.press("Control+s")
    expect(
        page.get_by_text("✗ items add up to the subtotal: 53.50 where 58.00 is expected")
    ).to_be_visible()
    page.get_by_role("button", name="Description: Copy paper").click()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name="Description: empty")).to_be_focused()
    pick(page, itemised.chosen(words, "Blue pens"))
    until(lambda: len(rows(goods, job_id)) == 5, "the new row")
    expect(page.get_by_role("button", name="Amount: empty")).to_be_focused()  # what is missing
    page.keyboard.press("w")
    draw_around(page, itemised.chosen(words, "4.50"))
    expect(page.locator(".editing .said")).to_have_text("4.50")
    page.keyboard.press("Enter")
    until(lambda: rows(goods, job_id) == ["12.00", "4.50", "31.00", "2.50", "8.00"], "all rows")
    checks = goods.client.get(f"/jobs/{job_id}/result").json()["checks"]
    assert [check["ok"] for check in checks] == [True]
    expect(page.get_by_text("✓ items add up to the subtotal")).to_be_visible()
    page.keyboard.press("Enter")  # nothing is doubtful any more
    until(
        lambda: goods.client.get(f"/jobs/{job_id}/result").json()["reviewed"]["done"],
        "the document to be done",
    )
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    page.keyboard.press("z")  # over documents, back to the cell
    expect(page.get_by_role("button", name="Amount: 4.50 EUR")).to_be_focused()


def test_queue_has_its_age_in_the_address_and_shows_agreement(page: Page, goods: Service) -> None:
    accepted = {"id": str(uuid.uuid4()), "claimant": "some-window", "kind": "accept"}
    job_id = itemised.send(goods)
    sent = goods.client.post(
        f"/reviews/{job_id}/decisions", json={**accepted, "field": "items.amount"}
    )
    assert sent.status_code == 200, sent.text
    visit(page, goods, "/review?older_than=86400")
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    expect(page.get_by_label("Age", exact=True)).to_have_value("86400")
    page.get_by_role("button", name="Agreement").click()
    expect(page.get_by_role("region", name="Agreement")).to_contain_text("Items.amount")
    check_accessible(page)


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (640, 400)])
def test_the_value_in_hand_is_never_behind_the_buttons(
    page: Page, goods: Service, size: tuple[int, int]
) -> None:
    job_id = itemised.send(goods)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, goods, f"/review?job={job_id}")
    expect(page.locator("[aria-pressed=true]")).to_be_focused()
    page.keyboard.press("Shift")  # what moves now was asked for
    places = page.locator(".value, .value-cell")
    for number in range(places.count()):
        places.nth(number).focus()
        page.wait_for_timeout(50)
        seen = page.evaluate("""() => {
          const { top, bottom } = document.activeElement.getBoundingClientRect();
          const bar = document.querySelector('.actions').getBoundingClientRect();
          return [top >= 0, bottom <= bar.top + 1, bar.bottom <= innerHeight + 1];
        }""")
        assert seen == [True, True, True], places.nth(number).inner_text()


def test_keys_of_rows_are_keys_of_a_text_while_it_is_typed(page: Page, goods: Service) -> None:
    job_id = itemised.send(goods)
    visit(page, goods, f"/review?job={job_id}")
    page.get_by_role("button", name="Description: Copy paper").click()
    before = rows(goods, job_id)
    page.keyboard.press("e")
    page.keyboard.press("End")
    page.keyboard.press("Control+Backspace")
    expect(page.locator("#edit")).to_have_value("Copy ")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#edit")).to_be_focused()
    page.wait_for_timeout(200)
    assert rows(goods, job_id) == before


def view(page: Page, name: str) -> Any:
    """Return a button above the page."""
    tools = page.get_by_role("group", name="View of the page")
    return tools.get_by_role("button", name=name)


def wide(page: Page) -> float:
    box = page.locator(".sheet").bounding_box()
    assert box is not None
    return box["width"]


def test_a_page_is_turned_and_zoomed_by_buttons_and_keys(page: Page, goods: Service) -> None:
    job_id = itemised.send(goods)
    visit(page, goods, f"/review?job={job_id}")
    expect(page.get_by_text("Page 2 of 2", exact=True)).to_be_visible()
    expect(view(page, "page on")).to_be_disabled()
    before = wide(page)
    view(page, "zoom in").click()
    page.keyboard.press("+")
    expect(view(page, "fit the width")).to_contain_text("200 %")
    assert wide(page) > 1.9 * before
    check_accessible(page)
    view(page, "fit the width").click()
    assert wide(page) == before
    page.keyboard.press("-")
    assert wide(page) < 0.6 * before
    page.keyboard.press("0")
    view(page, "page back").click()
    expect(page.get_by_role("img", name="Page 1 of")).to_be_visible()
    page.keyboard.press("]")
    expect(page.get_by_role("img", name="Page 2 of")).to_be_visible()
    page.keyboard.press("Alt+[")  # as on a Mac with German keys
    expect(page.get_by_role("img", name="Page 1 of")).to_be_visible()
    # Also where pages between them were not read, and in Try.
    data = receipt_pdf(make_receipt(1), pages=12)
    some = goods.post(data, "some.pdf", model=itemised.MODEL, pages="1,3-12").json()["id"]
    visit(page, goods, f"/?job={some}")
    expect(page.get_by_text("Page 1 of 12", exact=True)).to_be_visible()
    page.keyboard.press("]")
    expect(page.get_by_role("img", name="Page 3 of some.pdf")).to_be_visible()
    view(page, "page back").click()
    expect(page.get_by_role("img", name="Page 1 of some.pdf")).to_be_visible()
    last = page.get_by_role("button", name="Page 12")
    expect(last).not_to_be_in_viewport()
    for _ in range(10):
        page.keyboard.press("]")
    expect(last).to_be_in_viewport(ratio=1)
    assert last.evaluate("one => one.clientHeight") > 100  # with its number


def test_a_page_that_is_not_drawn_yet_shows_no_other(page: Page, goods: Service) -> None:
    job_id = itemised.send(goods)
    visit(page, goods, f"/review?job={job_id}&page=1")
    told = page.get_by_text("This page is being drawn.")
    expect(page.get_by_role("img", name="Page 1 of")).to_be_visible()
    expect(told).to_be_hidden()
    held: list[Route] = []
    intercept(page, re.compile(r"/pages/2\.png\?width=[0-9]{4}"), lambda route: held.append(route))
    page.get_by_role("button", name="Page 2").click()
    expect(told).to_be_visible()
    assert page.locator(".sheet img").evaluate("one => one.naturalWidth") == 0
    held[0].continue_()
    expect(told).to_be_hidden()


def test_keys_come_into_sight_and_a_note_leaves_the_value_where_it_is(
    page: Page, goods: Service
) -> None:
    page.set_viewport_size({"width": 1280, "height": 500})
    visit(page, goods, f"/review?job={itemised.send(goods)}")
    value = page.locator(".value[aria-pressed=true], .value-cell[aria-pressed=true]")
    expect(value).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_text("accept, and go to the next doubtful value")).to_be_in_viewport()
    page.keyboard.press("?")
    expect(value).to_be_in_viewport()
    page.keyboard.press("S")
    expect(page.get_by_label("Put back, and say why")).to_be_focused()
    expect(value).to_be_in_viewport()


def test_keys_of_one_character_can_be_turned_off(page: Page, goods: Service) -> None:
    """Whoever dictates would press them with each word."""
    job_id = itemised.send(goods)
    visit(page, goods, f"/review?job={job_id}")
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Single-character shortcuts").uncheck()
    check_accessible(page)
    page.get_by_role("button", name="Vendor").click()
    for key in ("w", "e", "1"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="Edit")).to_be_visible()
    expect(page.get_by_text("all saved")).to_be_visible()
    visit(page, goods, f"/?job={job_id}")
    keys = page.get_by_role("button", name="Keys")
    keys.click()
    expect(page.get_by_text("fit the width", exact=True).last).to_be_visible()
    keys.press("+")
    expect(view(page, "100 %")).to_be_visible()  # what is seen can be said
    page.get_by_label("Single-character shortcuts").check()
    keys.press("+")
    expect(view(page, "150 %")).to_be_visible()


def test_ring_of_the_focus_is_not_cut_off(page: Page, goods: Service) -> None:
    visit(page, goods, f"/?job={itemised.send(goods)}")
    page.get_by_role("tab", name="Values").press("ArrowRight")
    seen = page.evaluate("""() => {
      const one = document.activeElement;
      const { outlineOffset, outlineWidth } = getComputedStyle(one);
      const ring = parseFloat(outlineOffset) + parseFloat(outlineWidth);
      const top = one.getBoundingClientRect().top - ring;
      return top >= one.parentElement.getBoundingClientRect().top;
    }""")
    assert seen


def test_what_changes_is_told_to_who_does_not_see_it(page: Page, goods: Service) -> None:
    visit(page, goods, f"/review?job={itemised.send(goods)}")
    page.get_by_role("button", name="Vendor").click()
    page.keyboard.press("e")
    expect(page.locator("#becomes")).to_have_attribute("aria-live", "polite")
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    expect(page.locator(".editing")).to_have_attribute("aria-live", "polite")
    ages = page.get_by_label("Age", exact=True)
    expect(ages).to_have_accessible_description("Its queue is shown at once")
    expect(page.get_by_label("Your name")).to_have_attribute("autocomplete", "name")


def test_words_are_picked_with_the_arrows(page: Page, goods: Service) -> None:
    job_id = itemised.send(goods)
    visit(page, goods, f"/review?job={job_id}")
    page.get_by_role("button", name="Vendor").click()
    page.keyboard.press("w")
    for key in ("ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator(".editing .said")).to_have_text("Papierhaus Muster")
    page.keyboard.press("Enter")
    expect(page.get_by_text("all saved")).to_be_visible()
    result = goods.client.get(f"/jobs/{job_id}/result").json()
    assert result["fields"]["vendor"]["text"] == "Papierhaus Muster"


def test_rows_are_merged_and_parted_again_after_a_reload(page: Page, goods: Service) -> None:
    job_id = itemised.send(goods)
    before = rows(goods, job_id)
    visit(page, goods, f"/review?job={job_id}")
    page.get_by_role("button", name="Description: Copy paper").click()
    for name in ("Edit", "Words", "Absent", "Insert a row"):  # and through no other cell
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name=name)).to_be_focused()
    page.get_by_role("button", name="Description: Copy paper").focus()
    page.keyboard.press("Control+m")
    merged = page.get_by_role("button", name="Description: Copy paper Desk lamp")
    expect(merged).to_be_focused()
    until(lambda: rows(goods, job_id) == ["12.00", "2.50 8.00"], "the merged row")
    page.reload()
    expect(merged).to_be_focused()
    page.keyboard.press("z")
    until(lambda: rows(goods, job_id) == before, "all rows as they were")
    expect(page.get_by_role("button", name="Description: Copy paper")).to_be_focused()
    page.set_viewport_size({"width": 1280, "height": 300})
    tops = page.evaluate("""() => {
      const table = document.querySelector('.scrolled');
      table.scrollTo(0, table.scrollHeight);
      const top = (one) => one.getBoundingClientRect().top;
      return [table.scrollTop, top(table.querySelector('th')) - top(table)];
    }""")
    assert tops[0] > 40
    assert abs(tops[1]) < 2  # the header stays


def test_what_was_typed_into_a_row_comes_back_with_it(page: Page, goods: Service) -> None:
    job_id = itemised.send(goods)
    before = rows(goods, job_id)
    visit(page, goods, f"/review?job={job_id}")
    page.get_by_role("button", name="Amount: 12.00 EUR").click()
    page.keyboard.press("Control+Enter")
    empty = page.get_by_role("button", name="Amount: empty")
    expect(empty).to_be_focused()
    page.keyboard.press("e")
    page.keyboard.type("7.00")
    page.keyboard.press("Enter")
    typed = [*before[:1], "7.00", *before[1:]]
    until(lambda: rows(goods, job_id) == typed, "the row and its amount")
    page.keyboard.press("z")
    expect(empty).to_be_focused()
    page.keyboard.press("z")
    until(lambda: rows(goods, job_id) == before, "the rows as they were")
    for _ in range(2):  # again and again
        expect(page.get_by_role("button", name="Amount: 12.00 EUR")).to_be_focused()
        page.keyboard.press("Z")
        expect(empty).to_be_focused()
        page.keyboard.press("Z")
        until(lambda: rows(goods, job_id) == typed, "the row and its amount again")
        expect(page.get_by_role("button", name="Amount: 7.00 EUR")).to_be_visible()
        page.keyboard.press("z")
        expect(empty).to_be_focused()
        page.keyboard.press("z")
        until(lambda: rows(goods, job_id) == before, "the rows as they were")


def test_what_of_a_batch_was_not_read_is_named_with_its_next_step(
    page: Page, goods: Service
) -> None:
    locked = encrypted_pdf(receipt_pdf(make_receipt(2)), "geheim")
    files = [
        ("files", (name, data))
        for name, data in (
            ("broken.pdf", b"%PDF-1.4 nothing"),
            ("empty.pdf", b""),
            ("locked.pdf", locked),
        )
    ]
    batch = f"/batches/{goods.client.post('/batches', files=files).json()['id']}"
    until(lambda: goods.client.get(batch).json()["finished"], "the batch")
    visit(page, goods, f"/review?batch={batch[9:]}")
    told = page.get_by_role("region", name="Not read")
    page.get_by_role("button", name="3 not read").click()
    for item in goods.client.get(f"{batch}/items").json()["items"]:
        line = told.get_by_role("listitem").filter(has_text=item["document"])
        expect(line).to_contain_text(item["error"]["detail"])
        expect(line).to_contain_text(item["error"]["advice"])
    check_accessible(page)
    page.get_by_role("button", name="3 not read").click()  # it is behind nothing
    expect(told).to_have_count(0)
    page.get_by_role("button", name="3 not read").click()
    told.get_by_label("Password").fill("geheim")
    told.get_by_role("button", name="Read them again").click()
    expect(page.get_by_role("status")).to_have_text("2 documents to be read again")
    until(lambda: goods.client.get(batch).json()["counts"]["succeeded"] == 1, "the locked one")


def test_queue_goes_on_by_itself_when_the_service_is_back(page: Page, goods: Service) -> None:
    visit(page, goods, "/review?model=none")
    empty = page.get_by_role("heading", name="Nothing waits for you")
    expect(empty).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    expect(empty).to_be_visible()


def test_at_400_percent_the_value_in_hand_can_be_read(page: Page, goods: Service) -> None:
    job_id = itemised.send(goods)
    page.set_viewport_size({"width": 320, "height": 200})
    visit(page, goods, f"/review?job={job_id}")
    page.keyboard.press("Shift")  # what moves now was asked for
    page.get_by_role("button", name="Vendor").focus()
    page.wait_for_timeout(100)
    taken = page.evaluate("""() => {
      const { top, bottom } = document.querySelector('.actions').getBoundingClientRect();
      return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    }""")
    assert taken < 100  # the buttons leave room
    expect(page.get_by_role("button", name="Vendor")).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
