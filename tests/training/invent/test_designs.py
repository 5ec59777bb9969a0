"""Invoices drawn by hand: every design can be filled, all it prints is labelled, its sums hold."""

from __future__ import annotations

import random
import re
from decimal import Decimal
from pathlib import Path

import pytest

pytest.importorskip("weasyprint", reason="Pango is not installed", exc_type=OSError)

from pipeline.errors import InvalidOption
from training.invent import Delivery, write_dataset
from training.invent.invoices import Invoices
from training.invent.invoices.designs import Design, Page, read_design, read_designs
from training.invent.invoices.designs.head import ODDS, Head
from training.invent.invoices.proof import faults
from training.invent.invoices.render import render

_HEAD = """+++
country = "en-GB"
vendors = ["{last} & {last2} LLP", "{first} {last}"]
numbers = ["Q-####/{yy}"]
accounts = ["??##"]
customer_lines = ["{street} ## | {city}"]
levies = [["City tax", "3.20"], ["Withheld", "-10%"]]
items = [2, 3]
dates = ["yyyy-MM-dd"]
[odds]
due = 1
customer_id = 1
discount = 1
+++
"""
_BODY = """<style>body { line-height: 1.4 }</style>
{{ vendor.name }}<br>{{ vendor.address() }}<p>{{ customer.name }}</p>{{ customer.address(", ") }}
<p>No {{ number }} for {{ customer_id }} of {{ date }} by {{ due("d MMM yyyy") }}</p>
{% if order %}<p>order {{ order }}</p>{% endif %}
{% for item in items %}<p>{{ item.description }}: {{ item.quantity }} at {{ item.price(4) }} =
{{ item.amount }}</p>{% endfor %}
<p>- {{ discount }}</p><p>net {{ subtotal }}</p>
{% for tax in taxes %}<p>VAT {{ tax.rate }} % {{ tax.amount }}</p>{% endfor %}
{% for name, amount in levies %}<p>{{ name }} {{ amount }}</p>{% endfor %}<p>all {{ total }}</p>
<p>{{ pick("seen", "seen") }} {{ code("##-?") }} {{ day(-3) }} {{ some(5, 6) }}</p>"""


def _design(folder: Path, head: str = _HEAD, body: str = _BODY) -> Design:
    path = folder / "hand.html"
    path.write_text(head + body, encoding="utf-8")
    return read_design(path)


def _filled(design: Design, seed: str = "1") -> Page:
    rng = random.Random(seed)
    return Page(design, design.draw(rng), rng)


@pytest.mark.parametrize("design", read_designs(), ids=lambda design: design.name)
def test_every_design_is_proven(design: Design) -> None:
    page = _filled(design, design.name)
    pdf, places, _ = render(page.html())
    assert faults(page.invoice, pdf, page.printed, places) == []
    named = {value.name for value in page.printed}
    assert {"vendor_name", "customer_name", "invoice_number", "invoice_total"} <= named
    assert all(0 <= edge <= 1 for place in places for edge in place.box)


def test_what_blanks_print_is_labelled(tmp_path: Path) -> None:
    page = _filled(_design(tmp_path))
    html = page.html()
    invoice = page.invoice
    told = {value.name: value for value in page.printed if not value.group}
    assert re.fullmatch(r"Q-\d{4}/\d\d", told["invoice_number"].value)
    assert re.fullmatch(r"[A-Z]{2}\d\d", told["customer_id"].value)
    assert told["invoice_date"].text == invoice.date.isoformat()
    assert told["due_date"].text != told["due_date"].value  # in a form of its own
    assert told["total_discount"].value == f"{-invoice.discount:.2f}"
    assert "purchase_order" not in told  # what is not named among the odds is never there
    assert "order " not in html
    rows = [value for value in page.printed if value.group == "items"]
    assert {value.row for value in rows} == set(range(len(invoice.items)))
    prices = [value.text for value in rows if value.name == "unit_price"]
    assert all(len(price.partition(".")[2]) == 4 for price in prices)
    assert "seen" in html


def test_levies_are_part_of_the_total(tmp_path: Path) -> None:
    invoice = _filled(_design(tmp_path)).invoice
    withheld = (invoice.subtotal / 10).quantize(Decimal("0.01"))
    amounts = dict(invoice.levies)
    assert amounts["City tax"] == Decimal("3.20")
    assert abs(amounts["Withheld"] + withheld) <= Decimal("0.01")
    assert invoice.total == invoice.subtotal + invoice.total_tax + sum(amounts.values())


def test_a_word_that_a_pattern_has_twice_is_the_same(tmp_path: Path) -> None:
    design = _design(tmp_path, _HEAD.replace("{last} & {last2} LLP", "{last} {last} {last2}"))
    names = {_filled(design, str(seed)).invoice.vendor.name.split()[0] for seed in range(8)}
    assert len(names) > 1
    page = next(
        p for s in range(20) if len((p := _filled(design, str(s))).invoice.vendor.name.split()) == 3
    )
    first, second, _ = page.invoice.vendor.name.split()
    assert first == second


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ("+++\ncountry", "country", "begin with TOML"),
        ("en-GB", "en-XX", "country: .*choose among de-DE"),
        ('country = "en-GB"', "", "country: Field required"),
        ("levies", "taxes", "taxes: Extra inputs"),
        ("due = 1", "dew = 1", "nothing is called dew"),
        ("due = 1", "due = 2", "odds.due: "),
        ("{first} {last}", "{fist}", "vendors: .*{fist} is no blank: choose among last"),
        ("[2, 3]", "[3, 2]", "items are the least"),
        ("[2, 3]", "[3]", "items.1: "),
        ("[2, 3]", "[2, 3", "Unclosed array"),
        ('"-10%"', '"a tenth"', "levies.1.1: "),
        ("items", 'articles = ["kg: flour"]\nitems', "'kg: flour' is not like"),
        ("items", 'locale = "xx_XX"\nitems', "unknown locale"),
        ("items", 'faker = "xx_XX"\nitems', "Invalid configuration for faker locale"),
    ],
)
def test_a_head_that_is_wrong_is_named(tmp_path: Path, was: str, now: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _design(tmp_path, _HEAD.replace(was, now, 1))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("{{ vendor.nam }}", "no attribute 'nam'"),
        ("<p>\n{% if due %}</p>", "line 2"),
        ("<p>\n{{ nummer }}</p>", "hand, line 2 below the head: 'nummer' is undefined"),
        ("{{ total ~ 'EUR' }}", "can only be printed"),
        ("{{ code('{fist}') }}", "is no blank"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ pick() }}", "empty sequence"),
        ("{{ day().no }}", "no attribute 'no'"),
    ],
)
def test_a_page_that_is_wrong_is_named(tmp_path: Path, body: str, message: str) -> None:
    page = _filled(_design(tmp_path, body=body))
    with pytest.raises(InvalidOption, match=message) as raised:
        page.html()
    assert "hand" in str(raised.value)


def test_designs_of_ones_own(tmp_path: Path) -> None:
    _design(tmp_path)
    invent = Invoices(1, ("en",), Delivery(0, 0), 1.0, tmp_path)
    assert invent(1).labels["issuer_group"] == "hand"
    (tmp_path / "hand.html").write_text("<p>", encoding="utf-8")
    read_designs.cache_clear()
    with pytest.raises(InvalidOption, match="must begin with TOML"):
        Invoices(1, ("en",), Delivery(0, 0), 1.0, tmp_path)
    (tmp_path / "hand.html").write_bytes(_HEAD.encode() + "Übertrag".encode("latin-1"))
    read_designs.cache_clear()
    with pytest.raises(InvalidOption, match=r"hand\.html: it is not in UTF-8"):
        Invoices(1, ("en",), Delivery(0, 0), 1.0, tmp_path)
    with pytest.raises(InvalidOption, match="holds no designs"):
        Invoices(1, ("en",), Delivery(0, 0), 1.0, tmp_path / "none")


def test_a_design_that_is_wrong_leaves_no_folder_behind(tmp_path: Path) -> None:
    _design(tmp_path, body="{{ nummer }}")
    invent = Invoices(1, ("en",), Delivery(0, 0), 1.0, tmp_path)
    with pytest.raises(InvalidOption, match="'nummer' is undefined"):
        write_dataset(tmp_path / "out", 2, invent)
    assert not (tmp_path / "out").exists()
    (tmp_path / "own").mkdir()
    with pytest.raises(InvalidOption, match="'nummer' is undefined"):
        write_dataset(tmp_path / "own", 2, invent)
    assert not list((tmp_path / "own").glob("labels*"))


def test_designs_in_none_of_the_languages_are_no_designs(tmp_path: Path) -> None:
    _design(tmp_path)
    with pytest.raises(InvalidOption, match="holds no designs in fr, de"):
        Invoices(1, ("fr", "de"), Delivery(0, 0), 1.0, tmp_path)


def test_a_design_whose_labels_are_not_seen_is_named(tmp_path: Path) -> None:
    hidden = '<div style="position: absolute; left: -900px">{{ number }}</div>'
    _design(tmp_path, body=_BODY + hidden)
    with pytest.raises(InvalidOption, match="hand is not proven"):
        Invoices(1, ("en",), Delivery(0, 0), 1.0, tmp_path)(1)


def test_a_share_of_the_invoices_is_on_designs() -> None:
    def looks(designed: float) -> list[bool]:
        invent = Invoices(3, ("de", "en"), Delivery(0, 0), designed)
        return ["design" in invent(number).labels["layout"] for number in range(1, 4)]

    assert looks(1.0) == [True] * 3
    assert looks(0.0) == [False] * 3


_PAGE = (Path(__file__).parents[3] / "docs" / "designs.md").read_text(encoding="utf-8")


def test_the_page_about_designs_shows_one_that_works(tmp_path: Path) -> None:
    lines = _PAGE.splitlines()
    begin = next(n for n, line in enumerate(lines) if line == "    +++")
    end = next(n for n in range(begin, len(lines)) if lines[n].startswith("## "))
    shown = "\n".join(line.removeprefix("    ") for line in lines[begin:end]) + "\n"
    design = _design(tmp_path, head="", body=shown)
    page = _filled(design)
    pdf, places, _ = render(page.html())
    assert faults(page.invoice, pdf, page.printed, places) == []


def test_the_page_about_designs_names_every_key_and_odd() -> None:
    for name in {*Head.model_fields, *ODDS}:
        assert f"`{name}`" in _PAGE
