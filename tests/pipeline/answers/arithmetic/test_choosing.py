"""Sums choose among near values, and make those they hold with surer."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.arithmetic.checks import Check, parse_checks
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import Resolved, resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

FIELDS = (
    FieldSpec("net", Kind.AMOUNT),
    FieldSpec("tax", Kind.AMOUNT),
    FieldSpec("total", Kind.AMOUNT),
    FieldSpec("sent", Kind.DATE),
    FieldSpec("due", Kind.DATE),
)
DOCUMENT = document_of(
    "NET 100.00 | TAX 20.00 | ALSO 19.00 | TOTAL 119.00 | OR 139.00 | AND 120.00",
    "SENT 2024-02-01 | DUE 2024-01-03 | OR 2024-03-02",
)
WORDS = [token.text for _, token in DOCUMENT.words()]


def _span(field: str, text: str, score: float) -> Span:
    at = WORDS.index(text)
    return Span(field, at, at + 1, (score,))


def _checks(*rules: str, name: str = "net and tax") -> tuple[Check, ...]:
    return parse_checks(f'[[check]]\nname = "{name}"\nrules = {list(rules)}\n', FIELDS)


SUM = _checks("net + tax = total")
SPANS = [_span("net", "100.00", 0.9), _span("total", "119.00", 0.9)]


def _resolved(
    *spans: Span, checks: tuple[Check, ...] = SUM, calibration: Calibration | None = None
) -> Resolved:
    return resolve_all(DOCUMENT, [*SPANS, *spans], FIELDS, calibration or Calibration(), checks)


def _one(found: Resolved, name: str) -> FieldValue:
    value = found.fields[name]
    assert isinstance(value, FieldValue)
    return value


def test_values_of_each_others_fields_are_exchanged_where_a_sum_tells_it() -> None:
    spans = [_span("net", "119.00", 0.9), _span("tax", "100.00", 0.9), _span("total", "19.00", 0.9)]
    found = resolve_all(DOCUMENT, spans, FIELDS, Calibration(), SUM)
    texts = {name: _one(found, name).text for name in ("net", "tax", "total")}
    assert texts == {"net": "100.00", "tax": "19.00", "total": "119.00"}
    assert all(_one(found, name).needs_review for name in texts)


@pytest.mark.parametrize(
    ("texts", "rules"),
    [
        pytest.param(("119.00", "100.00", "20.00"), ["net + tax = total"], id="no_sum"),
        pytest.param(("119.00", "19.00", "100.00"), ["net + tax = total"], id="tax_withheld"),
        pytest.param(("100.00", "119.00", "19.00"), ["total = net - tax"], id="difference"),
        pytest.param(("19.00", "119.00", "139.00"), ["net * tax = total"], id="product"),
        pytest.param(("119.00", "100.00", "19.00"), ["net + tax <= total"], id="limit"),
    ],
)
def test_values_that_are_not_each_others_stay(texts: tuple[str, ...], rules: list[str]) -> None:
    names = ("net", "tax", "total")
    spans = [_span(name, text, 0.9) for name, text in zip(names, texts, strict=True)]
    found = resolve_all(DOCUMENT, spans, FIELDS, Calibration(), _checks(*rules))
    assert tuple(_one(found, name).text for name in names) == texts


def test_the_one_near_value_that_keeps_a_sum_wins() -> None:
    found = _resolved(_span("tax", "20.00", 0.9), _span("tax", "19.00", 0.4))
    tax = _one(found, "tax")
    assert tax.text == "19.00"
    assert tax.normalisation.reason == "Chosen because it keeps the check 'net and tax'."
    assert [other.text for other in tax.candidates] == ["20.00"]
    assert [check.ok for check in found.checks] == [True]
    alone = _one(
        _resolved(_span("tax", "20.00", 0.9), _span("tax", "19.00", 0.4), checks=()), "tax"
    )
    assert (alone.text, alone.normalisation.reason) == ("20.00", None)


def test_two_ways_to_keep_a_sum_tell_nothing() -> None:
    """Either the tax is 19 or the total 120."""
    found = _resolved(
        _span("tax", "20.00", 0.9), _span("tax", "19.00", 0.4), _span("total", "120.00", 0.4)
    )
    assert (_one(found, "tax").text, _one(found, "total").text) == ("20.00", "119.00")
    assert [check.ok for check in found.checks] == [False]


def test_values_that_are_hardly_credible_stay_out() -> None:
    found = _resolved(_span("tax", "20.00", 0.9), _span("tax", "19.00", 0.01))
    assert _one(found, "tax").text == "20.00"


def test_a_choice_breaks_no_other_sum() -> None:
    """A tax of 19 would keep the first check and break the second, which holds."""
    other = _checks("tax + net <= total", "tax * net = net * tax", name="other")
    kept = _checks("tax + total <= total + net", name="kept")
    spans = _span("tax", "20.00", 0.9), _span("tax", "19.00", 0.4)
    assert _one(_resolved(*spans, checks=SUM + other + kept), "tax").text == "19.00"
    against = _checks("net - tax - tax - tax - tax - tax <= tax - tax", name="large tax")
    assert _one(_resolved(*spans, checks=SUM + against), "tax").text == "20.00"


def test_two_fields_may_change_together() -> None:
    found = _resolved(
        _span("tax", "20.00", 0.9),
        _span("tax", "19.00", 0.001),  # not near: it would do alone
        _span("total", "139.00", 0.95),
        checks=_checks("net + tax = total"),
    )
    assert [check.ok for check in found.checks] == [False]


def test_dates_choose_too() -> None:
    spans = [
        _span("sent", "2024-02-01", 0.9),
        _span("due", "2024-01-03", 0.9),
        _span("due", "2024-03-02", 0.5),
    ]
    found = resolve_all(DOCUMENT, spans, FIELDS, Calibration(), _checks("sent <= due", name="due"))
    assert _one(found, "due").value == "2024-03-02"


def test_agreement_raises_and_failure_lowers_confidence() -> None:
    spans = _span("tax", "19.00", 0.9)
    alone = _one(_resolved(spans, checks=()), "tax").confidence
    assert _one(_resolved(spans), "tax").confidence > alone
    failing = _resolved(_span("tax", "20.00", 0.9))
    assert _one(failing, "tax").confidence < alone
    # A package may know better how much a sum says.
    deaf = Calibration({"tax": FieldCalibration(weights={"agrees": 0.0})})
    assert _one(_resolved(spans, calibration=deaf), "tax").confidence == alone


def test_that_a_date_is_not_before_another_is_no_evidence() -> None:
    spans = [_span("sent", "2024-02-01", 0.8), _span("due", "2024-03-02", 0.8)]
    checks = _checks("sent <= due", name="due")
    with_check, without = (
        _one(resolve_all(DOCUMENT, spans, FIELDS, Calibration(), some), "due").confidence
        for some in (checks, ())
    )
    assert with_check == without


def test_that_a_limit_is_kept_is_no_evidence_where_its_equation_is_not() -> None:
    spans = [*SPANS, _span("tax", "20.00", 0.8)]
    either = _checks("total = net + tax", "total <= net + tax")
    limited, without = (
        _one(resolve_all(DOCUMENT, spans, FIELDS, Calibration(), some), "tax").confidence
        for some in (either, ())
    )
    assert limited == without
    held = [*SPANS, _span("tax", "19.00", 0.8)]
    sure, alone = (
        _one(resolve_all(DOCUMENT, held, FIELDS, Calibration(), some), "tax").confidence
        for some in (either, ())
    )
    assert sure > alone


def test_many_combinations_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.answers.arithmetic.choosing._MOST_TRIED", 0)
    found = _resolved(_span("tax", "20.00", 0.9), _span("tax", "19.00", 0.4))
    assert _one(found, "tax").text == "20.00"
