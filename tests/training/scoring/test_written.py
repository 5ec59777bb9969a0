"""What labels mean beside answers: by value, and as their document writes them."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.answers.resolve import Answer
from pipeline.values.context import DocumentContext
from pipeline.values.normalise import normalise
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import field_value
from training.scoring import Counts, score, texts_of
from training.scoring.written import value_text, written

NOTHING = DocumentContext()
AMERICAN, COMMAS = DocumentContext(day_first=False), DocumentContext(decimal=",")
MALAYSIAN = DocumentContext(country="MY")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        pytest.param(Kind.DATE, "25 Dec 2018", id="date"),
        pytest.param(Kind.DATE, "December 2018", id="month"),
        pytest.param(Kind.AMOUNT, "RM 9.00", id="amount"),
        pytest.param(Kind.NUMBER, "30,0000", id="number"),
        pytest.param(Kind.PERCENT, "19,0 %", id="per_cent"),
        pytest.param(Kind.DURATION, "18 months", id="duration"),
        pytest.param(Kind.DURATION, "1 1/2 years", id="years_and_a_half"),
        pytest.param(Kind.DURATION, "30 minutes", id="minutes"),
        pytest.param(Kind.BOOLEAN, "yes", id="boolean"),
        pytest.param(Kind.COUNTRY, "Germany", id="country"),
        pytest.param(Kind.EMAIL, "Ann.B@Example.org", id="email"),
        pytest.param(Kind.PHONE, "+60 3-8948 2100", id="phone"),
        pytest.param(Kind.IBAN, "DE89 3704 0044 0532 0130 00", id="iban"),
        pytest.param(Kind.TAX_ID, "DE136695976", id="tax_id"),
    ],
)
def test_a_value_has_the_key_that_its_text_was_given(kind: Kind, text: str) -> None:
    found = normalise(text, FieldSpec("field", kind), NOTHING)
    value = field_value(kind, text, found.value, confidence=0.9)
    assert found.value is not None
    assert written(value, {}).key == value_text(value).key == found.key


@pytest.mark.parametrize("kind", [Kind.NAME, Kind.TEXT, Kind.ADDRESS, Kind.IDENTIFIER, Kind.DATE])
def test_texts_and_what_is_no_value_are_compared_as_texts(kind: Kind) -> None:
    given: Any = {"formatted": "Acme"} if kind is Kind.ADDRESS else "Acme"
    value = field_value(kind, "Acme", None if kind is Kind.DATE else given, confidence=0.9)
    assert written(value, {}).key is None


@pytest.mark.parametrize(
    ("kind", "printed", "value", "label", "context", "right"),
    [
        pytest.param("date", "03/04/2020", "2020-03-04", "2020-03-04", NOTHING, True, id="iso"),
        pytest.param("date", "04/03/2020", "2020-04-03", "2020-03-04", AMERICAN, False, id="not"),
        pytest.param("date", "3/4/20", "2020-03-04", "03/04/2020", NOTHING, True, id="as_printed"),
        pytest.param(
            "date", "March 4", "2020-03-04", "03/04/2020", AMERICAN, True, id="in_its_order"
        ),
        pytest.param(
            "date", "April 3", "2020-04-03", "03/04/2020", AMERICAN, True, id="in_no_order"
        ),
        pytest.param("date", "May 3", "2020-05-03", "03/04/2020", AMERICAN, False, id="neither"),
        pytest.param("number", "1.500,0", "1500", "1.500", COMMAS, True, id="thousands"),
        pytest.param("number", "1,5", "1.5", "1.500", COMMAS, True, id="decimals"),
        pytest.param(
            "phone", "03-89482100", "+60389482100", "03-8948 2100", MALAYSIAN, True, id="phone"
        ),
    ],
)
def test_a_label_with_several_readings_means_what_its_document_makes_of_it(
    kind: Kind, printed: str, value: str, label: str, context: DocumentContext, right: bool
) -> None:
    answers: dict[str, dict[str, Answer]] = {
        "d": {"field": field_value(kind, printed, value, confidence=0.9)}
    }
    found = score(
        texts_of(answers, {}),
        {"d": {"field": (label,)}},
        [FieldSpec("field", Kind(kind))],
        {"d": context},
    )
    assert found.total("normalised") == (Counts(1) if right else Counts(0, 1, 1))
