"""Doubtful values are marked, wherever they stand; the others stay as they are."""

from __future__ import annotations

from pipeline.answers.doubts import doubted, marked
from pipeline.answers.resolve import Answer, Groups
from pipeline.result import DocumentInfo, Extraction, FieldValue, ModelInfo
from tests.builders import field_value


def _value(text: str) -> FieldValue:
    return field_value("text", text, text)


def test_values_lists_and_cells_are_marked_by_name_and_value() -> None:
    fields: dict[str, Answer] = {
        "total": _value("9"),
        "party": [_value("A"), _value("B")],
        "date": None,
    }
    groups: Groups = {"items": [{"amount": _value("4"), "unit": None}, {"amount": _value("5")}]}
    wanted = {("total", "9"), ("party", "B"), ("items.amount[1]", "5")}
    asked: list[str] = []

    def doubtful(name: str, value: FieldValue) -> bool:
        asked.append(name)
        return (name, value.text) in wanted

    looked_at, rows = doubted(fields, groups, doubtful)
    assert asked == ["total", "party", "party", "items.amount[0]", "items.amount[1]"]
    total, parties = looked_at["total"], looked_at["party"]
    assert isinstance(total, FieldValue)
    assert isinstance(parties, list)
    assert total.needs_review
    assert [party.needs_review for party in parties] == [False, True]
    assert looked_at["date"] is None
    cells = [row["amount"] for row in rows["items"]]
    assert [cell and cell.needs_review for cell in cells] == [False, True]
    assert rows["items"][0]["unit"] is None
    given = fields["total"]
    assert isinstance(given, FieldValue)
    assert not given.needs_review  # what was given is left as it was


def test_an_answer_asks_for_review_where_a_value_does_or_none_was_found() -> None:
    info = DocumentInfo(sha256="a", media_type="", page_count=1, word_count=0, pages=[])
    model = ModelInfo(name="m", version="1", sha256="")

    def answer(*cells: FieldValue, **given: Answer) -> Extraction:
        rows: Groups = {"items": [{"amount": cell} for cell in cells]}
        return Extraction(id="1", document=info, model=model, fields=given, groups=rows, timings={})

    assert answer(total=None).with_need().needs_review
    assert not answer(total=_value("9")).with_need().needs_review
    assert answer(total=_value("9")).with_need(doubted=True).needs_review
    assert answer(total=marked(_value("9"))).with_need().needs_review
    assert answer(marked(_value("4")), total=_value("9")).with_need().needs_review
