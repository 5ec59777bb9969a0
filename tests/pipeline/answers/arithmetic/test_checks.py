"""Checks: what a document's values must add up to."""

from __future__ import annotations

import pytest

from pipeline.answers.arithmetic.checks import checked, dump_checks, parse_checks
from pipeline.errors import InvalidOption
from pipeline.result import Answer, CheckResult, FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import field_value

FIELDS = (
    FieldSpec("net", Kind.AMOUNT),
    FieldSpec("tax", Kind.AMOUNT),
    FieldSpec("total", Kind.AMOUNT),
    FieldSpec("rate", Kind.PERCENT),
    FieldSpec("sent", Kind.DATE),
    FieldSpec("due", Kind.DATE),
    FieldSpec("name", Kind.NAME),
    FieldSpec("items.count", Kind.NUMBER, many=True),
    FieldSpec("items.price", Kind.AMOUNT, many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
    FieldSpec("taxes.amount", Kind.AMOUNT, many=True),
)
KINDS = {spec.name: spec.kind for spec in FIELDS}


def _value(name: str, said: str) -> FieldValue:
    kind = KINDS[name]
    value = {"amount": said, "currency": "EUR"} if kind is Kind.AMOUNT else said
    return field_value(kind, said, value)


def _checked(
    *rules: str, rows: list[dict[str, str]] | None = None, **said: str
) -> CheckResult | None:
    toml = dump_checks(parse_checks(_toml(*rules), FIELDS))
    fields: dict[str, Answer] = {name: _value(name, text) for name, text in said.items()}
    items = [{c: _value(f"items.{c}", text) for c, text in row.items()} for row in rows or []]
    found = checked(parse_checks(toml, FIELDS), fields, {"items": items})
    return found[0] if found else None


def _toml(*rules: str) -> str:
    return f'[[check]]\nname = "sums"\nrules = {list(rules)}\n'


@pytest.mark.parametrize(
    ("rule", "ok", "found", "expected"),
    [
        ("net + tax = total", True, "119.00", "119.00"),
        ("total - tax = net", True, "100.00", "100.00"),
        ("net * rate = tax", True, "19.0000", "19.00"),
        ("net + net * rate = total", True, "119.0000", "119.00"),
        ("net = total", False, "100.00", "119.00"),
        ("net <= total", True, "100.00", "119.00"),
        ("total <= net", False, "119.00", "100.00"),
        ("sent <= due", True, "2024-01-31", "2024-02-01"),
        ("due <= sent", False, "2024-02-01", "2024-01-31"),
    ],
)
def test_sides_are_compared(rule: str, ok: bool, found: str, expected: str) -> None:
    said = {"net": "100.00", "tax": "19.00", "total": "119.00", "rate": "19"}
    result = _checked(rule, sent="2024-01-31", due="2024-02-01", **said)
    assert result is not None
    assert result.ok is ok
    assert (
        (float(result.found), float(result.expected))
        == pytest.approx((float(found), float(expected)))
        if "2024" not in found
        else (result.found, result.expected) == (found, expected)
    )


@pytest.mark.parametrize(
    ("amount", "ok"), [("-49.00", True), ("-43.90", True), ("-490.00", False), ("43.90", False)]
)
def test_negative_sides_are_compared_by_how_much_they_are(amount: str, ok: bool) -> None:
    result = _checked("net <= total", net=amount, total="-49.00")
    assert result is not None
    assert result.ok is ok


def test_cents_that_were_rounded_are_no_fault() -> None:
    kept = _checked("net + tax = total", net="100.00", tax="19.01", total="119.00")
    broken = _checked("net + tax = total", net="100.00", tax="19.02", total="119.00")
    assert kept is not None
    assert broken is not None
    assert (kept.ok, broken.ok) == (True, False)


def test_rows_are_summed_or_looked_at_one_by_one() -> None:
    rows = [
        {"count": "2", "price": "5.00", "amount": "10.00"},
        {"count": "3", "price": "1.00", "amount": "4.00"},
    ]
    summed = _checked("sum(items.amount) = total", rows=rows, total="14.00")
    assert summed is not None
    assert summed.ok
    assert summed.fields == ["items.amount[0]", "items.amount[1]", "total"]
    each = _checked("items.count * items.price = items.amount", rows=rows)
    assert each is not None
    assert not each.ok
    assert each.fields == ["items.count[1]", "items.price[1]", "items.amount[1]"]


def test_one_rule_that_is_kept_is_enough() -> None:
    result = _checked("net = total", "net + tax = total", net="1.00", tax="2.00", total="3.00")
    assert result is not None
    assert result.ok
    assert result.fields == ["net", "tax", "total"]


def test_what_the_document_does_not_have_is_not_checked() -> None:
    assert _checked("net + tax = total", net="1.00", total="3.00") is None
    assert _checked("sum(items.amount) = total", total="3.00", rows=[{"count": "2"}]) is None
    assert _checked("sum(items.amount) = total", total="3.00") is None
    assert _checked("items.count * items.price = items.amount") is None
    unreadable = _checked("net = total", net="much", total="3.00")
    assert unreadable is None


@pytest.mark.parametrize(
    "rule",
    [
        "", "net", "net = ", "net == total", "net = total =", "net / tax = total", "other = total",
        "name = total", "sent = total", "sent + due = sent", "sum(net) = total", "net tax = total",
        "items.amount = taxes.amount", "sum(items.amount = total", "(net) = total",
        "net = net", "net + tax <= tax + net", "parts = total",
    ],
)  # fmt: skip
def test_rules_that_cannot_be_checked_are_refused(rule: str) -> None:
    with pytest.raises(InvalidOption):
        parse_checks(_toml(rule), (*FIELDS, FieldSpec("parts", Kind.AMOUNT, many=True)))


def test_checks_have_names_of_their_own() -> None:
    with pytest.raises(InvalidOption, match="several checks"):
        parse_checks(_toml("net = total") * 2, FIELDS)


@pytest.mark.parametrize(
    "toml",
    ["check = 3", "[[check]]", '[[check]]\nname = "x"', '[[check]]\nname = "x"\nrules = []',
     '[[check]]\nname = "x"\nrules = ["net = tax"]\nother = 1'],
)  # fmt: skip
def test_tables_that_are_no_checks_are_refused(toml: str) -> None:
    with pytest.raises(InvalidOption, match="not usable"):
        parse_checks(toml, FIELDS)
