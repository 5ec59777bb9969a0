"""Values with one digit read as a letter that looks like it: hardly ever a wrong one, and sure."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

import pytest
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal

from pipeline.values.context import DocumentContext
from pipeline.values.figures.misread import FIRST, WITHIN, readings_of, with_digits
from pipeline.values.normalise import normalise
from pipeline.values.schema import FieldSpec, Kind

_LOOK_ALIKE = {"0": "OoDQ", "1": "lIi", "2": "Z", "5": "S", "6": "Gb", "8": "B", "9": "g"}
_LOCALES = ("en_US", "de_DE", "fr_FR", "it_IT", "es_ES", "nl_NL", "pl_PL", "pt_PT")
_SURE_AND_WRONG = 0.05  # at most; it was half of them where such letters ended numbers


def _misread(draw: random.Random) -> tuple[str, Decimal]:
    """Return an amount as some locale prints it, a digit of it misread, and what it was."""
    amount = Decimal(draw.randrange(100, 10 ** draw.randrange(3, 9))) / 100
    text = format_currency(amount, draw.choice(["EUR", "USD"]), locale=draw.choice(_LOCALES))
    return _with_letter(text, draw), amount


def _with_letter(text: str, draw: random.Random) -> str:
    """Return a text with one of its digits misread."""
    at = draw.choice([i for i, char in enumerate(text) if char in _LOOK_ALIKE] or [0])
    letter = draw.choice(_LOOK_ALIKE.get(text[at], text[at]))
    return text[:at] + letter + text[at + 1 :]


def test_an_amount_with_a_letter_for_a_digit_is_read_right_or_doubted() -> None:
    draw, spec, count, wrong = random.Random(5), FieldSpec("total", Kind.AMOUNT), 1500, []
    for _ in range(count):
        text, amount = _misread(draw)
        found = normalise(text, spec, DocumentContext())
        if found.status == "ok" and Decimal(found.value["amount"]) != amount:
            wrong.append((text, found.value["amount"]))
    assert len(wrong) <= _SURE_AND_WRONG * count, wrong[:20]


@pytest.mark.parametrize(("kind", "most"), [(Kind.NUMBER, 0.06), (Kind.PERCENT, 0.0)])
def test_a_number_with_a_letter_for_a_digit_is_read_right_or_doubted(
    kind: Kind, most: float
) -> None:
    draw, spec, count, wrong = random.Random(7), FieldSpec("count", kind), 1500, []
    units = ("", "", " pcs", " h", " EA") if kind is Kind.NUMBER else ("%", " %")
    for _ in range(count):
        number = Decimal(draw.randrange(1, 10 ** draw.randrange(1, 5)))
        if kind is Kind.PERCENT:
            number %= 100
        number /= draw.choice([1, 1, 10, 100])
        text = _with_letter(format_decimal(number, locale=draw.choice(_LOCALES)), draw)
        text += draw.choice(units)
        found = normalise(text, spec, DocumentContext())
        if found.status == "ok" and Decimal(found.value) != number:
            wrong.append((text, found.value))
    assert len(wrong) <= most * count, wrong[:20]


@pytest.mark.parametrize("kind", [Kind.DURATION, Kind.PHONE])
def test_what_is_counted_in_digits_is_never_sure_where_one_is_a_letter(kind: Kind) -> None:
    draw, spec, count, wrong = random.Random(8), FieldSpec("one", kind), 600, []
    for _ in range(count):
        printed = f"{draw.randrange(1, 90)} {draw.choice(['days', 'Monate', 'ans', 'weeks'])}"
        if kind is Kind.PHONE:
            lead = draw.choice(["+49 30", "+44 20", "+1 212", "+33 1 42"])
            printed = f"{lead} {draw.randrange(200, 999)} {draw.randrange(1000, 9999)}"
        text = _with_letter(printed, draw)
        right = normalise(printed, spec, DocumentContext())
        found = normalise(text, spec, DocumentContext())
        if found.status == "ok" and found.value != right.value:
            wrong.append((text, found.value))
    assert not wrong, wrong[:20]


@pytest.mark.parametrize("text", ["500g", "5A", "10T", "3,5 t", "16GB", "7 S", "A 500"])
def test_units_and_words_beside_a_number_raise_no_doubt(text: str) -> None:
    assert normalise(text, FieldSpec("count", Kind.NUMBER), DocumentContext()).status == "ok"


def test_a_date_with_a_letter_for_a_digit_is_read_right_or_doubted() -> None:
    draw, spec, count, wrong = random.Random(6), FieldSpec("date", Kind.DATE), 1000, []
    for _ in range(count):
        day = date(draw.randrange(2005, 2027), draw.randrange(1, 13), draw.randrange(1, 29))
        printed = [day.isoformat(), day.strftime("%d/%m/%Y"), day.strftime("%d.%m.%Y")]
        printed += [format_date(day, "long", locale=draw.choice(_LOCALES))]
        text = _with_letter(draw.choice(printed), draw)
        found = normalise(text, spec, DocumentContext(day_first=True))
        if found.status == "ok" and found.value != day.isoformat():
            wrong.append((text, found.value))
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
    assert (with_digits(FIRST, "I2.50"), with_digits(FIRST, "BI2")) == ("12.50", None)
    assert (with_digits(WITHIN, "8S7,00"), with_digits(WITHIN, "87,00 S")) == ("857,00", None)
