"""Figures that sums leave for a field are read from the page, whatever was tagged there."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.arithmetic.checks import Check, needed, parse_checks
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import Resolved, resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

FIELDS = (
    FieldSpec("net", Kind.AMOUNT),
    FieldSpec("tax", Kind.AMOUNT),
    FieldSpec("total", Kind.AMOUNT),
    FieldSpec("due", Kind.AMOUNT),
)
LINES = "NET 100.00 | TAX 19.00 | FEE 7.00 | TOTAL 119.00 | DUE 107.00"


def _checks(*rules: str) -> tuple[Check, ...]:
    return parse_checks(f'[[check]]\nname = "net and tax"\nrules = {list(rules)}\n', FIELDS)


SUM = _checks("net + tax = total")


def _resolved(
    lines: str, checks: tuple[Check, ...], **spans: tuple[str, float] | tuple[int, float]
) -> Resolved:
    """Resolve a document with one span a field, at a text or at a word."""
    document = document_of(lines)
    words = [token.text for _, token in document.words()]
    found = []
    for field, (place, score) in spans.items():
        at = words.index(place) if isinstance(place, str) else place
        found.append(Span(field, at, at + 1, (score,)))
    return resolve_all(document, found, FIELDS, Calibration(), checks)


def _texts(found: Resolved) -> dict[str, str | None]:
    return {
        name: value.text if isinstance(value, FieldValue) else None
        for name, value in found.fields.items()
    }


def test_a_missing_value_is_read_where_the_page_prints_it() -> None:
    found = _resolved(LINES, SUM, net=("100.00", 0.9), total=("119.00", 0.9))
    tax = found.fields["tax"]
    assert isinstance(tax, FieldValue)
    assert (tax.text, tax.words) == ("19.00", [3])
    assert tax.normalisation.reason == "Chosen because it keeps the check 'net and tax'."
    assert [check.ok for check in found.checks] == [True]
    total = found.fields["total"]
    assert isinstance(total, FieldValue)
    assert tax.confidence < total.confidence  # no word was tagged so


def test_a_wrong_value_gives_way_to_the_figure_that_the_others_leave() -> None:
    found = _resolved(LINES, SUM, net=("7.00", 0.9), tax=("19.00", 0.9), total=("119.00", 0.9))
    assert _texts(found)["net"] == "100.00"
    assert [check.ok for check in found.checks] == [True]


def test_the_last_place_is_taken_which_is_where_sums_stand() -> None:
    found = _resolved(
        "ITEM 19.00 | NET 100.00 | TAX 19.00 | TOTAL 119.00",
        SUM,
        net=("100.00", 0.9),
        total=("119.00", 0.9),
    )
    tax = found.fields["tax"]
    assert isinstance(tax, FieldValue)
    assert tax.words == [5]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("NET 100.00 | TOTAL 119.00", "it is not printed"),
        ("NET 100.00 | TAX -19.00 | TOTAL 119.00", "what is printed has another sign"),
        ("NET 100.00 | TAX 190.0 | TOTAL 119.00", "its digits say something else"),
    ],
)
def test_what_the_page_does_not_say_stays_missing(lines: str, why: str) -> None:
    found = _resolved(lines, SUM, net=("100.00", 0.9), total=("119.00", 0.9))
    assert _texts(found)["tax"] is None, why


def test_nought_is_not_read_from_the_page() -> None:
    """A zero is printed for much else; where one rule says nought, another says nothing."""
    lines = "NET 100.00 | LESS 0.00 | FEE 7.00 | TOTAL 100.00 | DUE 107.00"
    spans = {"net": ("100.00", 0.9), "total": (7, 0.9), "due": ("107.00", 0.9)}
    rules = ("net + tax = total", "net + tax = due")
    assert _texts(_resolved(lines, _checks(*rules), **spans))["tax"] is None
    assert _texts(_resolved(lines, _checks(rules[1]), **spans))["tax"] == "7.00"


def test_what_is_added_without_tax_is_no_tax() -> None:
    """Carriage is added to the net amount as a tax would be."""
    lines = "NET 100.00 | CARRIAGE 19.00 | TAX 0.00 | TOTAL 119.00"
    found = _resolved(lines, SUM, net=("100.00", 0.9), tax=("0.00", 0.7), total=("119.00", 0.9))
    assert _texts(found)["tax"] == "0.00"


def test_what_is_left_to_pay_is_no_total() -> None:
    lines = "NET 100.00 | TAX 19.00 | TOTAL 119.00 | BALANCE 0.00"
    found = _resolved(lines, SUM, net=("100.00", 0.9), tax=("19.00", 0.9), total=("0.00", 0.9))
    assert _texts(found)["total"] == "119.00"


def test_two_ways_to_mend_a_sum_tell_nothing() -> None:
    """Either the net is 88 or the total 131."""
    lines = "NET 100.00 | OR 88.00 | TAX 31.00 | TOTAL 119.00 | OR 131.00"
    found = _resolved(lines, SUM, net=("100.00", 0.9), tax=("31.00", 0.9), total=("119.00", 0.9))
    assert (_texts(found)["net"], _texts(found)["total"]) == ("100.00", "119.00")
    assert [check.ok for check in found.checks] == [False]


def test_a_value_that_is_given_is_not_read_as_another() -> None:
    found = _resolved("NET 50.00 | TOTAL 100.00", SUM, net=("50.00", 0.9), total=("100.00", 0.9))
    assert _texts(found)["tax"] is None


def test_a_check_that_was_kept_is_not_broken() -> None:
    checks = (
        *parse_checks('[[check]]\nname = "limit"\nrules = ["net <= total"]\n', FIELDS),
        *_checks("net + tax = due"),
    )
    lines = "NET 100.00 | TAX 19.00 | TOTAL 60.00 | DUE 119.00 | OR 31.00"
    spans = {"net": ("31.00", 0.9), "tax": ("19.00", 0.9), "due": ("119.00", 0.9)}
    assert _texts(_resolved(lines, checks, **spans))["net"] == "100.00"
    spans["total"] = ("60.00", 0.9)
    assert _texts(_resolved(lines, checks, **spans))["net"] == "31.00"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("net + tax = total", {"net": "100.00", "tax": "19.00", "total": "119.00"}),
        ("total - tax = net", {"net": "100.00", "tax": "19.00", "total": "119.00"}),
        ("net + tax = due", {"due": "119.00"}),
        ("net * tax = total", {}),
        ("net + tax <= total", {}),
    ],
)
def test_what_a_rule_leaves_for_each_field(rule: str, expected: dict[str, str]) -> None:
    answers = _resolved(
        LINES, (), net=("100.00", 0.9), tax=("19.00", 0.9), total=("119.00", 0.9)
    ).fields
    [check] = _checks(rule)
    [parsed] = check.rules
    assert {name: str(value) for name, value in needed(parsed, answers, {})} == expected


ITEMS = (
    FieldSpec("net", Kind.AMOUNT),
    FieldSpec("off", Kind.AMOUNT, unsigned=True),
    FieldSpec("items.amount", Kind.AMOUNT),
)
ROWS = "A 60.00 | B 40.00 | LESS -15.00 | NET 85.00 | FEE 15.00"


def _taken_off(
    lines: str, net: str, *, rules: tuple[str, ...] = ("sum(items.amount) - off = net",)
) -> str | None:
    document = document_of(lines)
    words = [token.text for _, token in document.words()]
    spans = [Span("items.amount", at, at + 1, (0.9,)) for at in (1, 3)]
    spans.append(Span("net", words.index(net), words.index(net) + 1, (0.9,)))
    text = f'[[check]]\nname = "rows"\nrules = {list(rules)}\n'
    found = resolve_all(document, spans, ITEMS, Calibration(), parse_checks(text, ITEMS))
    return _texts(found)["off"]


def test_what_the_rows_are_too_much_is_taken_off() -> None:
    assert _taken_off(ROWS.replace("FEE 15.00", "FEE 7.00"), "85.00") == "-15.00"


@pytest.mark.parametrize(
    ("lines", "net", "rules"),
    [
        pytest.param("A 60.00 | B 40.00 | NET 85.00", "85.00", ("-",), id="not_printed"),
        pytest.param("A 60.00 | B 40.00 | C 15.00 | NET 115.00", "115.00", ("+",), id="a_row_more"),
        pytest.param("A 60.00 | B 40.00 | SUM 70.00 | NET 30.00", "30.00", ("-",), id="most_of_it"),
        pytest.param("A 60.00 | B 40.00 | NET 60.00", "60.00", ("-",), id="a_cell"),
    ],
)
def test_what_is_not_taken_off(lines: str, net: str, rules: tuple[str, ...]) -> None:
    written = tuple(f"sum(items.amount) {sign} off = net" for sign in rules)
    assert _taken_off(lines, net, rules=written) is None


def test_a_row_too_much_is_no_discount() -> None:
    """The deposit is no row, and stands elsewhere on the page too."""
    fields = (
        *ITEMS,
        FieldSpec("items.quantity", Kind.NUMBER),
        FieldSpec("items.price", Kind.AMOUNT),
    )
    lines = "3 4.00 12.00 | 5 2.50 12.50 | 9.00 | NET 24.50 | PAID 9.00"
    names = ("quantity", "price", "amount")
    spans = [Span(f"items.{names[at % 3]}", at, at + 1, (0.9,)) for at in range(6)]
    spans += [Span("items.amount", 6, 7, (0.9,)), Span("net", 8, 9, (0.9,))]
    rules = ["sum(items.amount) = net", "sum(items.amount) - off = net"]
    text = f'[[check]]\nname = "rows"\nrules = {rules}\n'
    text += '[[check]]\nname = "p"\nrules = ["items.quantity * items.price = items.amount"]\n'
    checks = parse_checks(text, fields)
    found = resolve_all(document_of(lines), spans, fields, Calibration(), checks)
    assert _texts(found)["off"] is None
    assert len(found.groups["items"]) == 2


@pytest.mark.parametrize(
    ("lines", "tagged", "score", "total"),
    [
        pytest.param("A 60.00 | B 40.00 | TOTAL 100.00", None, 0, "100.00", id="not_given"),
        pytest.param("A 60.00 | B 40.00 | TOTAL US$100.00", None, 0, "US$100.00", id="dollars"),
        pytest.param("A 60.00 | B 40.00 | TOTAL 99.00", None, 0, None, id="not_printed"),
        pytest.param("A 60.00 | B 40.00 | 100.00 | PAID 30.00", "30.00", 0.3, "100.00", id="less"),
        pytest.param(
            "A 60.00 | B 40.00 | PART 100.00 | ALL 130.00", "130.00", 0.3, "130.00", id="more"
        ),
        pytest.param(
            "A 60.00 | B 40.00 | 100.00 | NOW 30.00", "30.00", 0.99, "30.00", id="no_doubt"
        ),
    ],
)
def test_what_rows_come_to_is_the_field_that_all_documents_have(
    lines: str, tagged: str | None, score: float, total: str | None
) -> None:
    document = document_of(lines)
    words = [token.text for _, token in document.words()]
    spans = [Span("items.amount", at, at + 1, (0.9,)) for at in (1, 3)]
    if tagged:
        spans.append(Span("total", words.index(tagged), words.index(tagged) + 1, (score,)))
    fields = (FieldSpec("total", Kind.AMOUNT), FieldSpec("items.amount", Kind.AMOUNT))
    text = '[[check]]\nname = "rows"\nrules = ["sum(items.amount) = total"]\n'
    at = {"total": FieldCalibration(review_threshold=0.6)}
    found, other = (
        resolve_all(
            document, spans, fields, Calibration(at), parse_checks(text, fields), None, expected
        )
        for expected in (["total"], [])
    )
    assert _texts(found)["total"] == total
    assert _texts(other)["total"] == tagged


@pytest.mark.parametrize("tax", [{}, {"tax": ("0.00", 0.6)}])
def test_what_is_taken_off_is_no_tax(tax: dict[str, tuple[str, float]]) -> None:
    lines = "NET 100.00 | TAX 0.00 | DEPOSIT -30.00 | DUE 70.00"
    rule = _checks("net + tax = due")
    found = _resolved(lines, rule, net=("100.00", 0.9), due=("70.00", 0.9), **tax)
    assert _texts(found)["tax"] == ("0.00" if tax else None)


def test_the_tax_of_a_credit_note_is_below_nought() -> None:
    lines = "NET -100.00 | TAX -19.00 | TOTAL -119.00"
    found = _resolved(lines, SUM, net=("-100.00", 0.9), total=("-119.00", 0.9))
    assert _texts(found)["tax"] == "-19.00"
