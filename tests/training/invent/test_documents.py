"""Invented invoices as files: proven, placed, damaged, and the same for the same seed."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest

pytest.importorskip("weasyprint", reason="Pango is not installed", exc_type=OSError)

from pipeline.errors import InvalidOption
from training.data import load_dataset
from training.invent import Delivery, write_dataset
from training.invent.damage import Damage, damaged, draw_photo, draw_scan, moved
from training.invent.delivery import deliver
from training.invent.invoices import Invoices
from training.invent.invoices.content import Invoice
from training.invent.invoices.drawing import draw_invoice
from training.invent.invoices.layouts import draw_layout
from training.invent.invoices.printing import Printed, Sheet
from training.invent.invoices.proof import faults
from training.invent.invoices.render import render
from training.invent.invoices.words import WORDS


def test_labels_are_printed_where_they_say() -> None:
    for number in range(1, 4):
        invented = Invoices(seed=3)(number)
        labels = invented.labels
        assert invented.suffix == ".pdf"
        assert labels["fields"]["vendor_name"]
        assert labels["groups"]["items"]
        pages = list(pdfium.PdfDocument(invented.data))
        for value in labels["boxes"]:
            assert value["places"], value
            found = ""
            for place in value["places"]:
                page = pages[place["page"] - 1]
                width, height = page.get_size()
                x0, top, x1, bottom = place["box"]
                edges = (x0, 1 - bottom, x1, 1 - top)
                spans = zip(edges, (width, height) * 2, (-1, -1, 1, 1), strict=True)
                corners = (edge * span + side * 0.2 for edge, span, side in spans)
                found += page.get_textpage().get_text_bounded(*corners)
            assert plain(value["text"]) in plain(found)


def plain(text: str) -> str:
    return "".join(text.split()).replace(",", "").replace("\x02", "-")


def sheet_of(seed: int, *languages: str, **choices: object) -> Sheet:
    """Return an invoice in a layout with these choices, not written yet."""
    rng = random.Random(seed)
    return laid_out(draw_invoice(rng, languages), rng, **choices)


def laid_out(invoice: Invoice, rng: random.Random, **choices: object) -> Sheet:
    """Return an invoice in a layout that is drawn but for some choices."""
    return Sheet(invoice, replace(draw_layout(rng, invoice), **choices), rng)  # type: ignore[arg-type]


def proven(sheet: Sheet) -> str:
    """Write an invoice, check that its labels are true, and return the text of its pages."""
    pdf, places, _ = render(sheet.html())
    assert faults(sheet.invoice, pdf, sheet.printed, places) == []
    return "\n".join(p.get_textpage().get_text_bounded() for p in pdfium.PdfDocument(pdf))


def drawn(
    wanted: Callable[[Invoice], bool], *languages: str, **choices: object
) -> tuple[Sheet, str]:
    """Return the first invoice of that kind in a layout with these choices, and its text."""
    for seed in range(1000):
        rng = random.Random(seed)
        invoice = draw_invoice(rng, languages or ("de", "en", "fr"))
        if wanted(invoice):
            sheet = laid_out(invoice, rng, **choices)
            return sheet, proven(sheet)
    raise AssertionError("no such invoice was drawn")


def plain_sums(invoice: Invoice) -> bool:
    shared = any(tax.name for tax in invoice.taxes)
    other = invoice.prepaid or invoice.discount or invoice.charge or invoice.previous
    return not (shared or other)


def values(sheet: Sheet, name: str, group: str = "") -> set[str]:
    return {p.value for p in sheet.printed if (p.name, p.group) == (name, group)}


def test_a_label_that_is_not_printed_and_a_sum_that_does_not_hold_are_faults() -> None:
    # The letters of a stamp may stand among those of a label: such drawings are drawn anew.
    sheet = sheet_of(1, "en", stamp="none")
    pdf, places, _ = render(sheet.html())
    invoice = sheet.invoice
    assert faults(invoice, pdf, sheet.printed, places) == []
    wrong = [Printed("invoice_total", "", 0, "1.00", "999,999.99"), *sheet.printed[1:]]
    assert len(faults(invoice, pdf, wrong, places)) == 1
    item = replace(invoice.items[0], amount=invoice.items[0].amount + 1)
    altered = replace(invoice, items=(item, *invoice.items[1:]))
    assert any("item 1" in fault for fault in faults(altered, pdf, sheet.printed, places))


def test_parts_of_addresses_behind_captions_are_labelled_without_them() -> None:
    sheet = sheet_of(5, "en", fielded=True, banner=True)
    text = proven(sheet)
    assert values(sheet, "customer_address") == {", ".join(sheet.invoice.customer.lines)}
    assert sheet.pen.caption("street") in text


def test_discount_and_charge_stand_in_a_table_that_is_no_row_of_the_items() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        invoice = draw_invoice(rng, ("de",))
        if invoice.discount and invoice.charge:
            break
    for taken in (False, True):
        sheet = laid_out(invoice, rng, adjusted=True, taken=taken, stamp="none")
        proven(sheet)
        rows = {value.row for value in sheet.printed if value.group == "items"}
        assert len(rows) == len(invoice.items)
        # How much, however it is printed.
        assert values(sheet, "total_discount") == {f"{-invoice.discount:.2f}"}


def test_a_slip_to_pay_with_says_number_and_amount_again() -> None:
    sheet, text = drawn(
        lambda invoice: invoice.due is not None and not invoice.is_credit and not invoice.prepaid,
        "en", "fr", slip=True, meta="table", top="none", stamp="none",
    )  # fmt: skip
    assert any(title in text for title in sheet.invoice.words.captions["slip"])
    assert [value.name for value in sheet.printed].count("invoice_number") >= 2
    assert values(sheet, "amount_due") == {f"{sheet.invoice.total:.2f}"}


def test_what_nobody_asks_for_is_a_day_where_its_caption_says_so_and_else_a_code() -> None:
    sheet = sheet_of(4, "de")
    pen = sheet.pen
    days = {pen.date(sheet.invoice.date - timedelta(days=ago)) for ago in range(1, 61)}
    shown = dict(pen.strange() for _ in range(300))
    assert {caption for caption, value in shown.items() if value in days} == {
        *("Bestelldatum", "Angebot vom")
    }


def test_the_slip_calls_the_customer_as_the_invoice_does() -> None:
    rng = random.Random(4)
    invoice = draw_invoice(rng, ("it",))
    customer = replace(invoice.customer, salutation="Sig.")
    called = set()
    for seed in range(40):
        rng = random.Random(seed)
        layout = replace(draw_layout(rng, invoice), slip=True)
        sheet = Sheet(replace(invoice, customer=customer), layout, rng)
        sheet.html()
        names = values(sheet, "customer_name")
        assert len(names) == 1
        called |= names
    assert called == {customer.name, f"Sig. {customer.name}"}


@pytest.mark.parametrize("period", ["facts", "apart", "item"])
def test_days_of_delivery_are_labelled_wherever_they_stand(period: str) -> None:
    def lasts(invoice: Invoice) -> bool:
        return invoice.service is not None and invoice.service[0] < invoice.service[1]

    plain_look = {"meta": "table", "table": "table", "shouts": False, "tracked": False}
    sheet, text = drawn(lasts, "en", "fr", period=period, stamp="none", **plain_look)
    assert sheet.invoice.service is not None
    told = {value.name: value.value for value in sheet.printed if value.name.startswith("service")}
    begin, end = sheet.invoice.service
    assert told == {"service_start": begin.isoformat(), "service_end": end.isoformat()}
    captioned = any(caption in text for caption in sheet.invoice.words.captions["period"])
    assert captioned or period != "facts"


@pytest.mark.parametrize("letterhead", ["left", "none", "line", "side"])
def test_what_a_vendor_is_known_by_is_printed_and_no_label(letterhead: str) -> None:
    rng = random.Random(8)
    invoice = draw_invoice(rng, ("en",))
    vendor = replace(invoice.vendor, name="Ashcombe & Pell Limited", brand="Quillfeather")
    invoice = replace(invoice, vendor=vendor)
    layout = replace(draw_layout(rng, invoice), letterhead=letterhead)
    found = set()
    for seed in range(12):
        sheet = Sheet(invoice, layout, random.Random(seed))
        html = sheet.html()
        assert values(sheet, "vendor_name") == {vendor.name}
        found.add("Quillfeather" in html)
    assert True in found


def test_taxes_side_by_side_are_captioned_by_their_names() -> None:
    drawn = (draw_invoice(random.Random(seed), ("en",)) for seed in range(200))
    invoice = next(i for i in drawn if i.taxes and i.taxes[0].name == "CGST" and not i.prepaid)
    sheet = laid_out(invoice, random.Random(4), totals="block", shouts=False, tracked=False)
    html = sheet.html()
    assert "CGST" in html
    assert "SGST" in html or "UTGST" in html
    amounts = [v.value for v in sheet.printed if (v.group, v.name) == ("taxes", "amount")]
    assert sorted(amounts)[:2] == sorted(f"{tax.amount:.2f}" for tax in invoice.taxes)


def test_the_number_of_a_brazilian_company_is_written_with_its_marks() -> None:
    rng = random.Random(2)
    invoice = draw_invoice(rng, ("pt",))
    vendor = replace(invoice.vendor, tax_id="18407236000102")
    sheet = laid_out(replace(invoice, vendor=vendor), rng)
    assert "18.407.236/0001-02" in sheet.pen.vendor_tax()


def test_a_number_that_stands_twice_is_one_label() -> None:
    rng = random.Random(4)
    invoice = draw_invoice(rng, ("pl",))
    vendor = replace(invoice.vendor, tax_id="PL8567346215")
    sheet = laid_out(replace(invoice, vendor=vendor), rng)
    for _ in range(20):
        sheet.pen.vendor_tax()
    assert len(values(sheet, "vendor_tax_id")) == 1


@pytest.mark.parametrize("shouts", [False, True])
def test_a_caption_that_both_may_have_does_not_tell_the_vendors_number_of_an_order(
    shouts: bool,
) -> None:
    seen = set()
    for seed in range(60):
        sheet = sheet_of(seed, "en", own_order=True, meta="table", shouts=shouts)
        invoice = sheet.invoice
        html, captions = sheet.html(), invoice.words.captions
        own = sheet.pen.caption("own_order")
        of_customer = sheet.pen.caption("order") if invoice.order else ""
        told = html.count(f">{sheet.pen.colon_of(own)}<") > (own == of_customer)
        if told and own.casefold() in map(str.casefold, captions["order"]):
            assert invoice.order
            assert of_customer.casefold() not in map(str.casefold, captions["own_order"])
            seen.add(of_customer)
    assert seen


def test_what_is_due_is_no_caption_of_the_total_beside_another_one() -> None:
    for top, due in (("none", True), ("total", False)):
        sheet, text = drawn(plain_sums, due_total=True, top=top, totals="block", slip=False)
        assert (plain(sheet.pen.colon("amount_due")) in plain(text)) is due


def test_the_number_that_the_vendor_gave_an_order_is_no_label() -> None:
    captions = WORDS["en"].captions
    for seed in range(60):
        sheet = sheet_of(seed, "en", own_order=True, meta="table", shouts=False)
        html, order = sheet.html(), sheet.invoice.order
        if order and sheet.pen.caption("order") not in captions["own_order"]:
            assert sheet.pen.caption("own_order") in html
            assert values(sheet, "purchase_order") == {order}
            return
    pytest.fail("no invoice has an order")


@pytest.mark.parametrize("is_order", [False, True], ids=["invoice", "purchase_order"])
def test_the_vendors_number_of_an_order_may_stand_alone_on_invoices(is_order: bool) -> None:
    rng = random.Random(3)
    invoice = replace(draw_invoice(rng, ("en",)), order=None, is_order=is_order)
    sheet = laid_out(invoice, rng, own_order=True, meta="table", shouts=False, tracked=False)
    html = sheet.html()
    caption = f"<td>{sheet.pen.colon('own_order')}</td>"
    assert (caption in html) is not is_order
    assert not values(sheet, "purchase_order")


def test_a_tax_that_the_total_includes_stands_below_it_and_says_so() -> None:
    said = WORDS["en"].captions["tax_within"]
    within = [wording.replace("{rate}", "<a href").split("href")[0] for wording in said]
    orders = set()
    for seed in range(200):
        rng = random.Random(seed)
        invoice = draw_invoice(rng, ("en",))
        if not invoice.gross or len(invoice.taxes) != 1 or invoice.previous:
            continue
        plain_look = {"totals": "block", "based": False, "shouts": False, "top": "none"}
        sheet = laid_out(invoice, rng, **plain_look)
        html = sheet.html()
        names = [value.name for value in sheet.printed]
        total_first = names.index("invoice_total") < names.index("total_tax")
        assert any(wording in html for wording in within) == total_first
        orders.add(total_first)
    assert orders == {True, False}


def test_what_is_added_to_a_position_is_no_row_of_its_own() -> None:
    columns = ("description", "quantity", "price", "amount")
    sheet, text = drawn(
        lambda invoice: any(item.extra for item in invoice.items) and len(invoice.items) < 6,
        "en", "fr", table="table", stamp="none", columns=columns,
    )  # fmt: skip
    invoice = sheet.invoice
    items = [value for value in sheet.printed if value.group == "items" and value.name == "amount"]
    assert [value.value for value in items] == [f"{item.amount:.2f}" for item in invoice.items]
    for item in invoice.items:
        whole = item.quantity * item.price * (100 - item.discount) / 100
        assert abs(whole + item.extra - item.amount) < Decimal("0.01")
    captions = {*invoice.words.captions["charge"], *invoice.words.captions["total_discount"]}
    assert any(caption in text for caption in captions)


def test_the_first_day_of_a_period_may_lack_its_year() -> None:
    def within_a_year(invoice: Invoice) -> bool:
        first, last = invoice.service or (invoice.date, invoice.date)
        return first.year == last.year and first != last

    sheet, _ = drawn(within_a_year, "en", "fr", brief=True, meta="table", stamp="none")
    assert sheet.invoice.service is not None
    [begin] = [value for value in sheet.printed if value.name == "service_start"]
    assert begin.value == sheet.invoice.service[0].isoformat()
    year = str(sheet.invoice.service[0].year)
    assert year not in begin.text
    assert not begin.text.endswith(year[2:])


def test_positions_may_stand_as_products_in_lines_with_columns_that_nobody_asks_for() -> None:
    columns = ("description", "ordered", "quantity", "open", "price", "lot", "weight", "amount")
    for table in ("sums", "list", "table"):
        look = {"table": table, "columns": columns, "stamp": "none"}
        sheet, _ = drawn(lambda invoice: len(invoice.items) == 3, "en", "fr", **look)
        quantities = [value.value for value in sheet.printed if value.name == "quantity"]
        assert quantities == [f"{item.quantity.normalize():f}" for item in sheet.invoice.items]


def test_the_same_seed_gives_the_same_labels_in_any_order() -> None:
    invent = Invoices(seed=11, languages=("de", "pl"), delivery=Delivery(0.5, 0.5))
    later = invent(7)
    invent(2)
    again = invent(7)
    assert json.dumps(again.labels) == json.dumps(later.labels)
    assert again.suffix == later.suffix
    assert again.labels["damage"]


@pytest.mark.parametrize("draw", [draw_scan, draw_photo])
def test_moved_boxes_cover_their_ink(draw: Callable[[random.Random], Damage]) -> None:
    """A black rectangle lies in its moved box, whatever befell the page."""
    for seed in range(6):
        drawn = draw(random.Random(seed))
        damage = replace(drawn, contrast=1.0, light=0.0, noise=0.0, fold=0.0, ink=0)
        page = np.full((700, 500, 3), 255, np.uint8)
        page[300:330, 200:320] = 0
        picture, matrix = damaged(page, damage)
        x0, top, x1, bottom = moved((0.4, 300 / 700, 0.64, 330 / 700), matrix, 500, 700)
        dark = picture.mean(axis=2) < 60  # the table beneath the page is lighter
        rows, columns = np.nonzero(dark)
        assert len(rows) > 2000
        assert (rows.min() - top * 700, bottom * 700 - rows.max()) == pytest.approx((0, 0), abs=4)
        assert (columns.min() - x0 * 500, x1 * 500 - columns.max()) == pytest.approx((0, 0), abs=4)


def test_damage_is_the_same_each_time_it_is_applied() -> None:
    damage = draw_photo(random.Random(4))
    page = np.full((200, 150, 3), 255, np.uint8)
    assert np.array_equal(damaged(page, damage)[0], damaged(page, damage)[0])


def test_several_pages_are_delivered_as_one_file_of_the_same_size_on_paper() -> None:
    pdf, _, pages = render("<p>one</p><p style='break-before: page'>two</p>")
    assert pages == 2
    delivered = deliver(pdf, Delivery(photos=1.0).draw(random.Random(3), pages))
    assert delivered.suffix == ".pdf"
    before, after = pdfium.PdfDocument(pdf), pdfium.PdfDocument(delivered.data)
    assert len(after) == 2
    for number in range(2):
        assert after[number].get_size() == pytest.approx(before[number].get_size(), abs=2)


def test_scans_of_several_pages_are_the_same_bytes_at_any_hour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pdf, _, _ = render("<p>one</p><p style='break-before: page'>two</p>")
    damages = Delivery(scans=1.0).draw(random.Random(5), pages=2)
    first = deliver(pdf, damages).data
    hour = time.struct_time((2031, 2, 3, 4, 5, 6, 0, 34, 0))
    monkeypatch.setattr("PIL.PdfImagePlugin.time.gmtime", lambda: hour)
    assert deliver(pdf, damages).data == first


def test_a_dataset_is_written_once_and_can_be_read(tmp_path: Path) -> None:
    invent = Invoices(seed=1, languages=("it",), delivery=Delivery(scans=1.0))
    write_dataset(tmp_path / "invented", 2, invent)
    dataset = load_dataset(tmp_path / "invented")
    assert [row.document.suffix in (".jpg", ".pdf") for row in dataset.rows] == [True, True]
    assert all(row.fields["invoice_total"] for row in dataset.rows)
    with pytest.raises(InvalidOption, match="already"):
        write_dataset(tmp_path / "invented", 2, invent)


def test_a_dataset_left_half_done_can_be_begun_again(tmp_path: Path) -> None:
    invent = Invoices(seed=1)

    def fails_once(number: int) -> object:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk"):
        write_dataset(tmp_path, 1, fails_once)  # type: ignore[arg-type]
    assert not (tmp_path / "labels.jsonl").exists()
    write_dataset(tmp_path, 1, invent)
    assert len(load_dataset(tmp_path).rows) == 1


def test_an_unknown_language_and_impossible_shares_are_named() -> None:
    with pytest.raises(InvalidOption, match="'xx'"):
        Invoices(languages=("de", "xx"))
    with pytest.raises(InvalidOption, match="above 1"):
        Delivery(0.7, 0.7)


def test_totals_as_a_grid_name_each_rate_and_their_sums() -> None:
    sheet, text = drawn(
        lambda invoice: len(invoice.taxes) > 1 and plain_sums(invoice), totals="grid"
    )
    assert values(sheet, "subtotal") == {f"{sheet.invoice.subtotal:.2f}"}
    assert values(sheet, "total_tax") == {f"{sheet.invoice.total_tax:.2f}"}
    assert values(sheet, "invoice_total") == {f"{sheet.invoice.total:.2f}"}
    taxes = sheet.invoice.taxes
    assert values(sheet, "rate", "taxes") == {f"{tax.rate.normalize():f}" for tax in taxes}
    assert all(plain(sheet.pen.money(tax.base + tax.amount)) in plain(text) for tax in taxes)


def test_a_tax_whose_caption_says_of_what_has_rate_and_base_in_it() -> None:
    sheet, _ = drawn(
        lambda invoice: len(invoice.taxes) == 1 and plain_sums(invoice), totals="block", based=True
    )
    [tax] = sheet.invoice.taxes
    told = {(p.name, p.value) for p in sheet.printed if p.group == "taxes"}
    assert {("rate", f"{tax.rate.normalize():f}"), ("base", f"{tax.base:.2f}")} <= told
    assert values(sheet, "total_tax") == {f"{tax.amount:.2f}"}


def test_a_bill_says_what_the_one_before_came_to_and_labels_the_new_charges_alone() -> None:
    sheet, text = drawn(lambda invoice: invoice.previous > 0)
    assert plain(sheet.pen.money(sheet.invoice.previous)) in plain(text)
    assert values(sheet, "invoice_total") == {f"{sheet.invoice.total:.2f}"}
    assert values(sheet, "amount_due") == {f"{sheet.invoice.total:.2f}"}
    assert f"{sheet.invoice.previous:.2f}" not in {p.value for p in sheet.printed}


@pytest.mark.parametrize(("minus", "shown"), [("-5", "-1"), ("- 5", "- 1"), ("5-", "1")])
def test_amounts_below_zero_are_written_as_the_layout_has_it(minus: str, shown: str) -> None:
    sheet, _ = drawn(lambda invoice: invoice.country.code == "DE", minus=minus, money="none")
    written = sheet.pen.money(Decimal(-1))
    assert written.startswith(shown)
    assert written.endswith("-") == (minus == "5-")
