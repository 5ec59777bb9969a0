"""Amounts with one digit read as a letter that looks like it: hardly ever a wrong one, and sure."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest
from babel.numbers import format_currency

from pipeline.values.context import DocumentContext
from pipeline.values.misread import readings_of, with_digits_within, with_first_digit
from pipeline.values.normalise import normalise
from pipeline.values.schema import FieldSpec, Kind

_LOOK_ALIKE = {"0": "OoDQ", "1": "lIi", "2": "Z", "5": "S", "6": "Gb", "8": "B", "9": "g"}
_LOCALES = ("en_US", "de_DE", "fr_FR", "it_IT", "es_ES", "nl_NL", "pl_PL", "pt_PT")
_SURE_AND_WRONG = 0.05  # at most; it was half of them where such letters ended numbers


def _misread(draw: random.Random) -> tuple[str, Decimal]:
    """Return an amount as some locale prints it, a digit of it misread, and what it was."""
    amount = Decimal(draw.randrange(100, 10 ** draw.randrange(3, 9))) / 100
    text = format_currency(amount, draw.choice(["EUR", "USD"]), locale=draw.choice(_LOCALES))
    at = draw.choice([i for i, char in enumerate(text) if char in _LOOK_ALIKE] or [0])
    letter = draw.choice(_LOOK_ALIKE.get(text[at], text[at]))
    return text[:at] + letter + text[at + 1 :], amount


def test_an_amount_with_a_letter_for_a_digit_is_read_right_or_doubted() -> None:
    draw, spec, count, wrong = random.Random(5), FieldSpec("total", Kind.AMOUNT), 1500, []
    for _ in range(count):
        text, amount = _misread(draw)
        found = normalise(text, spec, DocumentContext())
        if found.status == "ok" and Decimal(found.value["amount"]) != amount:
            wrong.append((text, found.value["amount"]))
    assert len(wrong) <= _SURE_AND_WRONG * count, wrong[:20]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("1,O00", "1,000"),
        ("5O", "50"),
        ("l,234", "1,234"),
        ("l2", "l2"),  # the letter may stand for itself
        ("5l", "5l"),  # litres
        ("lot 5", "lot 5"),
    ],
)
def test_letters_between_digits_are_read_as_digits_first(text: str, first: str) -> None:
    assert readings_of(text)[0][0] == first


def test_letters_at_the_edges_are_told_apart() -> None:
    assert (with_first_digit("I2.50"), with_first_digit("BI2")) == ("12.50", None)
    assert (with_digits_within("8S7,00"), with_digits_within("87,00 S")) == ("857,00", None)
