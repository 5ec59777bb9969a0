"""Spans to answers: one value a field, with its place, its confidence and its alternatives."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.geometry import Box
from models.labels import Span
from pipeline.answers.arithmetic.checks import parse_checks
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import Answer, resolve_all
from pipeline.document import Document
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind, parse_fields
from tests.builders import document_of

TOTAL = FieldSpec("total", Kind.AMOUNT)
DATE = FieldSpec("date", Kind.DATE, day_first=True)
ADDRESS = FieldSpec("address", Kind.ADDRESS)
SELLER = FieldSpec("seller", Kind.NAME)
PARTY = FieldSpec("party", Kind.NAME, many=True)
FIELDS = (TOTAL, DATE, ADDRESS, PARTY)
DOCUMENT = document_of("NO 5, | JALAN X. | DATE 25/12/2018 | TOTAL RM 9.00", "COPY 9.00 ACME BOLT")
_ROUNDED = 1e-4  # confidences have four digits


def _one(answer: Answer) -> FieldValue:
    assert isinstance(answer, FieldValue)
    return answer


def _total(
    *spans: Span, document: Document = DOCUMENT, calibration: Calibration | None = None
) -> FieldValue:
    return _one(resolve_all(document, spans, [TOTAL], calibration or Calibration()).fields["total"])


def test_field_that_is_not_there_is_null_or_an_empty_list() -> None:
    found = resolve_all(DOCUMENT, [], FIELDS, Calibration()).fields
    assert found == {"total": None, "date": None, "address": None, "party": []}
    assert list(found) == [spec.name for spec in FIELDS]


def test_value_has_its_place_and_type() -> None:
    found = _total(Span("total", 7, 9, (0.9, 0.9)))
    words = [token for _, token in DOCUMENT.words()]
    assert (found.kind, found.text) == ("amount", "RM 9.00")
    assert found.value == {"amount": "9.00", "currency": "MYR"}
    assert (found.page, found.words) == (1, [7, 8])
    assert found.box == [words[7].box.x0, words[7].box.top, words[8].box.x1, words[8].box.bottom]
    assert found.normalisation.status == "ok"


def test_equal_values_support_each_other_and_others_are_candidates() -> None:
    document = document_of("A 9.00 B 9.00 C 20.00 D 3.00")
    spans = [
        Span("total", 1, 2, (0.6,)),
        Span("total", 3, 4, (0.7,)),
        Span("total", 5, 6, (0.9,)),
        Span("total", 7, 8, (0.1,)),
    ]
    found = _total(*spans, document=document)
    assert (found.text, found.words) == ("9.00", [3])
    assert found.confidence == pytest.approx(0.7 * 1.3 / 2.3, abs=_ROUNDED)
    assert [candidate.text for candidate in found.candidates] == ["20.00", "3.00"]
    assert found.candidates[0].confidence == pytest.approx(0.9 * 0.9 / 2.3, abs=_ROUNDED)


ORDER = """
[fields.issued]
kind = "date"

[fields.due]
kind = "date"

[[check]]
name = "due after it is issued"
rules = ["issued <= due"]
"""


@pytest.mark.parametrize(
    ("line", "issued", "due", "reason"),
    [
        pytest.param("7/9/18 9/7/18", "2018-07-09", "2018-09-07", "otherwise a date", id="month"),
        pytest.param("9/7/18 7/9/18", "2018-07-09", "2018-09-07", "nothing told", id="day"),
        pytest.param("9/9/18 7/9/18", "2018-09-09", "2018-09-07", "nothing told", id="neither"),
        pytest.param("13/9/18 7/9/18", "2018-09-13", "2018-09-07", None, id="order_shown"),
    ],
)
def test_dates_follow_one_another_where_nothing_else_tells_their_order(
    line: str, issued: str, due: str, reason: str | None
) -> None:
    fields = parse_fields(ORDER)
    spans = [Span("issued", 0, 1, (0.9,)), Span("due", 1, 2, (0.9,))]
    resolved = resolve_all(
        document_of(line), spans, fields, Calibration(), parse_checks(ORDER, fields)
    )
    found = {name: _one(answer) for name, answer in resolved.fields.items()}
    assert (found["issued"].value, found["due"].value) == (issued, due)
    last = found["due"].normalisation
    assert last.status == ("ok" if reason is None else "ambiguous")
    assert (reason or "") in (last.reason or "")
    [check] = resolved.checks
    assert check.ok == (issued <= due)


def test_values_below_the_answer_threshold_are_not_given() -> None:
    spans = [
        Span("party", 12, 13, (0.9,)),
        Span("party", 11, 12, (0.4,)),
        Span("total", 7, 9, (0.4, 0.4)),
    ]
    at = {name: FieldCalibration(answer_threshold=0.5) for name in ("party", "total")}
    found = resolve_all(DOCUMENT, spans, [PARTY, TOTAL], Calibration(at)).fields
    assert isinstance(found["party"], list)
    assert [value.text for value in found["party"]] == ["BOLT"]
    assert found["total"] is None


def test_places_of_one_of_many_values_add_up() -> None:
    document = document_of("ACME INC. met | Acme, Incorporated", "ACME and BOLT LLC")
    spans = [
        Span("party", 0, 2, (0.6, 0.6)),
        Span("party", 3, 5, (0.5, 0.5)),
        Span("party", 5, 6, (0.5,)),
        Span("party", 7, 9, (0.7, 0.7)),
    ]
    found = resolve_all(document, spans, [PARTY], Calibration()).fields["party"]
    assert isinstance(found, list)
    assert [value.text for value in found] == ["ACME INC.", "BOLT LLC"]
    assert [value.confidence for value in found] == pytest.approx([0.9, 0.7], abs=1e-5)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param("ADVERTISER RED PINE FOR | SENATE", "RED PINE FOR SENATE", id="goes_on_below"),
        pytest.param("ADVERTISER RED PINE FOR | RED PINE FOR", "RED PINE FOR", id="said_twice"),
    ],
)
def test_name_that_a_column_cut_is_one(lines: str, expected: str) -> None:
    words = list(document_of(lines).words())
    page, first = words[1]
    moved = []
    for _, token in words:  # every word of the second line stands below the name, not the caption
        shift = first.box.x0 - words[4][1].box.x0 if token.line == 1 else 0.0
        box = token.box
        moved.append(replace(token, box=Box(box.x0 + shift, box.top, box.x1 + shift, box.bottom)))
    # Another column's word between the two lines keeps them from touching in reading order.
    other = replace(
        words[3][1], text="STATION", box=Box(0.9, first.box.top, 0.95, first.box.bottom)
    )
    tokens = (*moved[:4], other, *moved[4:])
    document = replace(document_of(lines), pages=(replace(page, tokens=tokens),))
    spans = [
        Span("name", 1, 4, (0.9,) * 3),
        Span("name", 5, len(tokens), (0.9,) * (len(tokens) - 5)),
    ]
    found = _one(
        resolve_all(document, spans, [FieldSpec("name", Kind.NAME)], Calibration()).fields["name"]
    )
    assert found.text == expected
    if expected.endswith("SENATE"):
        assert found.words == [1, 2, 3, 5]


def test_at_most_five_candidates_are_shown() -> None:
    document = document_of(" ".join(f"{n}.00 x" for n in range(1, 9)))
    found = _total(*[Span("total", 2 * n, 2 * n + 1, (0.5,)) for n in range(8)], document=document)
    assert len(found.candidates) == 5


def test_each_of_many_values_is_judged_alone_in_document_order() -> None:
    spans = [Span("party", 12, 13, (0.9,)), Span("party", 11, 12, (0.4,))]
    found = resolve_all(DOCUMENT, spans, [PARTY], Calibration()).fields["party"]
    assert isinstance(found, list)
    assert [value.text for value in found] == ["ACME", "BOLT"]
    assert [value.confidence for value in found] == pytest.approx([0.4, 0.9], abs=1e-5)


def test_touching_spans_of_one_value_are_one() -> None:
    spans = [Span("address", 0, 2, (0.9, 0.9)), Span("address", 2, 4, (0.9, 0.9))]
    found = _one(resolve_all(DOCUMENT, spans, [ADDRESS], Calibration()).fields["address"])
    assert found.words == [0, 1, 2, 3]


def test_text_is_what_is_printed_and_value_is_as_labels_write_it() -> None:
    span = Span("address", 0, 4, (0.9,) * 4)
    styled = Calibration(styles={"address": {",\n": ",", ".$": ""}})
    plain, written = (
        _one(resolve_all(DOCUMENT, [span], [ADDRESS], calibration).fields["address"])
        for calibration in (Calibration(), styled)
    )
    assert plain.text == written.text == "NO 5, JALAN X."
    assert plain.value["formatted"] == "NO 5, JALAN X."
    assert written.value["formatted"] == "NO 5,JALAN X"
    assert written.value["lines"] == ["NO 5,", "JALAN X."]
    assert written.value["street"] == "JALAN X."


def test_confidence_is_calibrated_and_sets_the_review() -> None:
    span = Span("total", 8, 9, (0.8,))
    sure = Calibration({"total": FieldCalibration(2.0, 1.0, 0.9)})
    assert _total(span).needs_review  # 0.8 is below the default of 0.9
    found = _total(span, calibration=sure)
    right = FieldCalibration(2.0, 1.0).probability(0.8)
    assert found.confidence == pytest.approx(right, abs=_ROUNDED)
    assert not found.needs_review


def test_value_that_is_none_needs_review_however_sure_the_tagger_is() -> None:
    found = _total(Span("total", 6, 7, (0.999,)))
    assert (found.text, found.value) == ("TOTAL", None)
    assert found.normalisation.status == "failed"
    assert found.normalisation.reason
    assert found.needs_review


def test_words_read_with_doubt_lower_the_confidence() -> None:
    [page, *rest] = DOCUMENT.pages
    tokens = [replace(token, confidence=0.25) for token in page.tokens]
    doubtful = replace(DOCUMENT, pages=(replace(page, tokens=tuple(tokens)), *rest))
    span = Span("total", 8, 9, (0.8,))
    half = _total(span).confidence / 2
    assert _total(span, document=doubtful).confidence == pytest.approx(half, abs=_ROUNDED)


def test_span_over_two_pages_shows_its_part_on_the_first() -> None:
    found = _total(Span("total", 8, 11, (0.9, 0.9, 0.9)))
    words = [token for _, token in DOCUMENT.words()]
    assert (found.page, found.words) == (1, [8, 9, 10])
    assert found.box == words[8].box.as_list()


@given(st.data())
def test_any_spans_have_an_answer_with_finite_confidences(data: st.DataObject) -> None:
    count = len(list(DOCUMENT.words()))
    spans, place = [], 0
    while place < count:
        place += data.draw(st.integers(0, 3))
        end = place + data.draw(st.integers(1, 3))
        if end > count:
            break
        scores = data.draw(st.lists(st.floats(0, 1), min_size=end - place, max_size=end - place))
        name = data.draw(st.sampled_from([spec.name for spec in FIELDS]))
        spans.append(Span(name, place, end, tuple(scores)))
        place = end
    found = resolve_all(DOCUMENT, spans, FIELDS, Calibration()).fields
    for spec in FIELDS:
        answer = found[spec.name]
        values = answer if isinstance(answer, list) else [answer] if answer is not None else []
        own = [span for span in spans if span.field == spec.name]
        assert bool(values) == bool(own)
        covered = {i for span in own for i in range(span.start, span.end)}
        if spec.kind is Kind.DATE:  # a part of one takes in free words on either side
            tagged = {i for span in spans for i in range(span.start, span.end)}
            covered |= {i + step for i in covered for step in (-2, -1, 1, 2)} - tagged
        for value in values:
            assert 0 <= value.confidence <= 1
            assert set(value.words) <= covered


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6), st.floats(0.1, 3.0), st.floats(-3, 3))
def test_no_candidate_is_surer_than_what_the_answer_leaves(
    scores: list[float], slope: float, intercept: float
) -> None:
    amounts = [f"{number}.00" for number in range(1, len(scores) + 1)]
    spans = [Span("total", at, at + 1, (score,)) for at, score in enumerate(scores)]
    calibration = Calibration({"total": FieldCalibration(slope, intercept)})
    found = _total(
        *_apart(spans), document=document_of(" X ".join(amounts)), calibration=calibration
    )
    for candidate in found.candidates:
        assert 0.0 <= candidate.confidence <= 1.0 - found.confidence + 1e-9


def _apart(spans: list[Span]) -> list[Span]:
    return [Span(s.field, 2 * s.start, 2 * s.start + 1, s.token_scores) for s in spans]


def test_name_that_begins_anew_in_another_line_is_another_name() -> None:
    document = document_of("ASIA DINER | CHEF LEE SDN BHD | NO 5")
    spans = [Span("seller", 0, 2, (0.9, 0.5)), Span("seller", 2, 6, (0.9, 0.9, 0.9, 0.9))]
    found = _one(resolve_all(document, spans, [SELLER], Calibration()).fields["seller"])
    assert (found.text, found.words) == ("CHEF LEE SDN BHD", [2, 3, 4, 5])
    assert [candidate.text for candidate in found.candidates] == ["ASIA DINER"]


def test_name_in_two_spans_of_one_line_is_one() -> None:
    document = document_of("ASIA DINER CHEF LEE SDN BHD | NO 5")
    spans = [Span("seller", 0, 2, (0.9, 0.5)), Span("seller", 2, 6, (0.9, 0.9, 0.9, 0.9))]
    found = _one(resolve_all(document, spans, [SELLER], Calibration()).fields["seller"])
    assert found.text == "ASIA DINER CHEF LEE SDN BHD"


def test_a_stray_sign_is_no_value() -> None:
    document = document_of("SELLER | ACME BOLT | ~ TOTAL")
    spans = [Span("seller", 1, 3, (0.9, 0.9)), Span("seller", 3, 4, (0.8,))]
    assert [token.text for _, token in document.words()][3] == "~"
    found = resolve_all(document, spans[1:], [SELLER], Calibration()).fields
    assert found == {"seller": None}
    found = resolve_all(document, spans, [SELLER], Calibration()).fields
    assert _one(found["seller"]).candidates == []


@pytest.mark.parametrize("weight", ["2,071.50 kgs", "18.40 m3"])
def test_a_weight_is_no_sum_of_money(weight: str) -> None:
    document = document_of(f"gross {weight} | TOTAL 99.00")
    spans = [Span("total", 1, 2, (0.9,)), Span("total", 4, 5, (0.6,))]
    found = _total(*spans, document=document)
    assert (found.text, found.candidates) == ("99.00", [])
