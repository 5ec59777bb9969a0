"""Labels that look wrong are listed with what is printed, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of
from training.data import Row
from training.data.autotag import autotag, doubtful_labels

FIELDS = (
    FieldSpec("name", Kind.NAME),
    FieldSpec("date", Kind.DATE, day_first=False),
    FieldSpec("total", Kind.AMOUNT),
)
DOCUMENT = document_of("PRIORITY ACTION | DATE 06/08/20 | TOTAL 9.00 | LESS -2.50")


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        pytest.param(
            "name", "PRIORITY ACTIO", "is cut short: printed is 'PRIORITY ACTION'", id="cut"
        ),
        pytest.param("name", "PRIORITY AKTION", "typed otherwise than printed", id="typed_wrong"),
        pytest.param("date", "06/09/20", "otherwise than printed: '06/08/20'", id="other_day"),
        pytest.param("date", "soon", "is no date", id="no_date"),
        pytest.param("name", "Priority action", None, id="right_but_for_case"),
        pytest.param("date", "6/8/2020", None, id="right_in_another_form"),
        pytest.param("total", "$9", None, id="right_amount"),
        pytest.param("total", "2.50", "another sign than printed: '-2.50'", id="other_sign"),
        pytest.param("total", "-2.50", None, id="same_sign"),
    ],
)
def test_doubts(field: str, value: str, reason: str | None) -> None:
    row = Row("d", Path("unused"), None, {field: (value,)})
    documents = {"d": DOCUMENT}
    found = doubtful_labels([row], documents, autotag([row], documents, FIELDS), FIELDS)
    if reason is None:
        assert found == []
    else:
        [doubt] = found
        assert (doubt.id, doubt.field, doubt.value) == ("d", field, value)
        assert reason in doubt.reason


def test_of_unsigned_amounts_the_sign_is_no_doubt() -> None:
    fields = (FieldSpec("total", Kind.AMOUNT, unsigned=True),)
    row = Row("d", Path("unused"), None, {"total": ("2.50",)})
    tags = autotag([row], {"d": DOCUMENT}, fields)
    assert tags["d"].spans
    assert doubtful_labels([row], {"d": DOCUMENT}, tags, fields) == []


def test_labels_of_unread_documents_are_judged_by_themselves() -> None:
    row = Row("d", Path("unused"), None, {"name": ("X",), "date": ("soon",)})
    [doubt] = doubtful_labels([row], {}, {}, FIELDS)
    assert doubt.reason == "is no date"
