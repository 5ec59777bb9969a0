"""Names at the head of the first page, where the tagger finds none."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

FIELDS = (
    FieldSpec("company", Kind.NAME, heading=True),
    FieldSpec("address", Kind.ADDRESS),
    FieldSpec("date", Kind.DATE),
)
STRICT = Calibration({spec.name: FieldCalibration(answer_threshold=0.6) for spec in FIELDS})
SHOP = "PETRONOVA | Los Almendros SL | CIF B-03418822 | Calle Mayor 7 | 03725 Teulada"


def _answers(
    text: str, *spans: tuple[str, int, int, float], fields: tuple[FieldSpec, ...] = FIELDS
) -> dict[str, FieldValue | None]:
    tagged = [Span(name, start, end, (score,) * (end - start)) for name, start, end, score in spans]
    found = resolve_all(document_of(text), tagged, fields, STRICT).fields
    return {
        name: answer if isinstance(answer, FieldValue) else None for name, answer in found.items()
    }


def _texts(text: str, *spans: tuple[str, int, int, float]) -> tuple[str | None, str | None]:
    company, address, _ = _answers(text, *spans).values()
    return company and company.text, address and address.text


@pytest.mark.parametrize(
    ("text", "company"),
    [
        pytest.param(SHOP, "Los Almendros SL", id="in_full"),
        pytest.param("ROUTE 9 DINER | 22 Post Rd | 4 Teas 5.00", "ROUTE 9 DINER", id="first_line"),
        pytest.param("TAX INVOICE | Old Mill | Date: 3.4.2026", "Old Mill", id="title_above"),
        pytest.param("104418820 | Old Mill | 22 Post Rd", "Old Mill", id="number_above"),
        pytest.param("www.oldmill.example | Old Mill", "Old Mill", id="page_above"),
        pytest.param("WELCOME TO | Old Mill | 22 Post Rd", "Old Mill", id="greeting_above"),
        pytest.param("מכולת השכונה | רחוב הרצל 44", "מכולת השכונה", id="other_letters"),
        pytest.param("2 Teas 5.00 | Old Mill | 1 High St", None, id="below_sums"),
    ],
)
def test_the_head_is_read_where_nothing_is_given(text: str, company: str | None) -> None:
    assert _texts(text) == (company, None)


def test_what_the_tagger_gives_stays() -> None:
    assert _texts(SHOP, ("company", 0, 1, 0.9)) == ("PETRONOVA", None)


def test_lines_below_other_values_are_no_head() -> None:
    spans = ("address", 0, 3, 0.9)
    assert _texts("1 High St | Old Mill Ltd", spans) == (None, "1 High St")


def test_what_the_tagger_is_unsure_of_is_given_where_it_stands_there() -> None:
    company, _ = _texts("Old Mill | Cafe Ltd | 1 High St", ("company", 0, 4, 0.5))
    assert company == "Old Mill Cafe Ltd"


def test_it_needs_review_and_says_why() -> None:
    company = _answers(SHOP)["company"]
    assert company is not None
    assert company.needs_review
    assert company.normalisation.reason == "Chosen because it stands at the head of the page."


def test_other_fields_are_not_read_from_the_head() -> None:
    plain = FieldSpec("company", Kind.NAME)
    assert _answers(SHOP, fields=(plain,)) == {"company": None}


def test_an_empty_document_has_no_head() -> None:
    assert _texts("") == (None, None)
