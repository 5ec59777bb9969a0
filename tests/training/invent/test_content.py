"""What invented invoices say: sums hold, identifiers are valid, languages are complete."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from decimal import Decimal
from functools import cache

import pytest
from stdnum import iban as stdnum_iban
from stdnum.eu import vat

from training.invent.invoices.content import Invoice
from training.invent.invoices.countries import COUNTRIES, Country, tax_id
from training.invent.invoices.drawing import draw_invoice
from training.invent.invoices.drawing.parties import draw_party
from training.invent.invoices.words import WORDS


@cache
def invoices() -> list[Invoice]:
    return [draw_invoice(random.Random(seed), tuple(WORDS)) for seed in range(80)]


def test_amounts_add_up_to_the_cent() -> None:
    for invoice in invoices():
        for item in invoice.items:
            exact = item.quantity * item.price * (100 - item.discount) / 100
            assert abs(exact + item.extra - item.amount) <= Decimal("0.005")
        net = invoice.sum_of_items + invoice.discount + invoice.charge
        tax = sum(tax.amount for tax in invoice.taxes)
        assert (invoice.total if invoice.gross else invoice.subtotal) == net
        assert invoice.total == invoice.subtotal + tax == invoice.subtotal + invoice.total_tax
        if invoice.taxes:
            bases = [tax.base for tax in invoice.taxes]
            together = bases[:1] if invoice.taxes[0].name else bases
            assert sum(together) == invoice.subtotal
        assert invoice.amount_due == invoice.total - invoice.prepaid


def test_credit_notes_have_one_sign() -> None:
    credits = [invoice for invoice in invoices() if invoice.is_credit]
    assert credits
    assert all((note.total < 0) == (note.items[0].quantity < 0) for note in credits)
    assert {note.total < 0 for note in credits} == {True, False}


def test_the_same_seed_draws_the_same_invoice() -> None:
    first, second = (draw_invoice(random.Random(5), ("de", "fr")) for _ in range(2))
    assert first == second
    assert draw_invoice(random.Random(6), ("de", "fr")) != first


def test_no_invoice_is_due_before_it_is_written() -> None:
    assert all(invoice.due is None or invoice.due > invoice.date for invoice in invoices())


@pytest.mark.parametrize("country", COUNTRIES, ids=lambda country: country.code)
def test_tax_numbers_have_their_check_digits(country: Country) -> None:
    number = tax_id(country, random.Random(1))
    if country.code in ("DE", "AT", "FR", "BE", "IE", "ES", "IT", "NL", "PL", "PT"):
        assert vat.is_valid(number if number[:2].isalpha() else country.code + number)


def test_taxes_that_stand_side_by_side_are_of_the_same_sum() -> None:
    drawn = [draw_invoice(random.Random(seed), ("en",)) for seed in range(150)]
    shared = [invoice for invoice in drawn if invoice.taxes and invoice.taxes[0].name]
    assert {invoice.country.code for invoice in shared} == {"CA", "IN"}
    for invoice in shared:
        assert {tax.base for tax in invoice.taxes} == {invoice.subtotal}
        rates = [tax.rate for tax in invoice.taxes]
        assert len(rates) == 2
        assert {item.rate for item in invoice.items} == {sum(rates)}


def test_a_brand_is_not_the_name() -> None:
    branded = [invoice.vendor for invoice in invoices() if invoice.vendor.brand]
    assert 0.1 < len(branded) / len(invoices()) < 0.5
    assert all(vendor.brand != vendor.name for vendor in branded)


def test_accounts_are_valid() -> None:
    accounts = [invoice.vendor.iban for invoice in invoices() if invoice.vendor.iban]
    assert accounts
    assert all(map(stdnum_iban.is_valid, accounts))


def test_ten_countries_and_eight_languages() -> None:
    assert len({country.code for country in COUNTRIES}) >= 10
    assert {country.language for country in COUNTRIES} == set(WORDS)
    assert len(WORDS) == 8


def test_every_process_draws_the_same() -> None:
    program = (
        "import random\n"
        "from training.invent.invoices.drawing import draw_invoice\n"
        "from training.invent.receipts.content import draw_receipt\n"
        "for seed in range(40):\n"
        "    print(draw_invoice(random.Random(seed), ('it', 'en')))\n"
        "    print(draw_receipt(random.Random(seed), ('it', 'en')))\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": order},
            capture_output=True,
            check=True,
        ).stdout
        for order in ("1", "2")
    ]
    assert said[0] == said[1]
    assert said[0].count(b"Invoice(") == 40


def test_firms_are_addressed_as_firms_and_people_as_people() -> None:
    country = next(country for country in COUNTRIES if country.code == "DE")
    said: dict[bool, set[str]] = {True: set(), False: set()}
    for seed in range(200):
        private = seed % 2 == 0
        party = draw_party(random.Random(seed), country, private=private, addressed=True)
        said[private].add(party.salutation)
    assert said[False] == {"", "Firma"}
    assert "Firma" not in said[True]
    assert "Herr" in said[True]
