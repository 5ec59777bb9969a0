"""`fieldwright value` prints what texts become, a JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.main import build
from pipeline.errors import InvalidOption
from tests.builders import make_receipt, receipt_pdf


def _values(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[dict[str, Any]]:
    build()(["value", *map(str, arguments)], standalone_mode=False)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_text_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    first, second, third = _values(capsys, "date", "16 марта 2018", "3/4/2018", "soon")
    assert first == {
        "text": "16 марта 2018",
        "value": "2018-03-16",
        "status": "ok",
        "reason": None,
        "alternatives": [],
    }
    assert (second["status"], second["alternatives"]) == ("ambiguous", ["2018-03-04"])
    assert (third["value"], third["status"]) == (None, "failed")
    assert third["reason"]


def test_two_dashes_end_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    [found] = _values(capsys, "amount", "--", "-5.00")
    assert found["value"] == {"amount": "-5.00", "currency": None}


def test_hints_are_assumed_and_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    plain, dollars = _values(capsys, "amount", "9.00", "$9.00", "--currency-hint", "myr")
    assert plain["value"]["currency"] == "MYR"
    assert plain["reason"].startswith("assumed")
    assert dollars["value"]["currency"] is None
    [date] = _values(capsys, "date", "3/4/2018", "--date-order", "month-first")
    assert (date["value"], date["status"]) == ("2018-03-04", "ambiguous")


def test_a_document_is_evidence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "receipt.pdf"
    path.write_bytes(receipt_pdf(make_receipt()))
    [alone] = _values(capsys, "amount", "9.00")
    [found] = _values(capsys, "amount", "9.00", "--document", path)
    assert (alone["value"]["currency"], found["value"]["currency"]) == (None, "MYR")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["amount", "9.00", "--currency-hint", "XYZ"], id="currency"),
        pytest.param(["date", "1/2/18", "--document", "nowhere.pdf"], id="document"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InvalidOption):
        _values(capsys, *arguments)
