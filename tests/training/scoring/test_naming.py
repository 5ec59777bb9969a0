"""Words around labels, learnt from where they stand in several issuers' documents."""

from __future__ import annotations

from models.labels import Span
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of
from training.data.autotag import Text
from training.scoring.naming import Around, around_labels, names_of

NUMBER = FieldSpec("number", Kind.IDENTIFIER)


def _around(page: str, at: int, group: str) -> Around:
    spans = [Span("number", at, at + 1)]
    return around_labels(Text(document_of(page)), spans, {"number": NUMBER}, group)["number"]


def test_captions_of_labels_and_of_others_are_told_apart() -> None:
    page = "Contract 30052 | Estimate 57141"
    around = _around(page, 1, "a")
    assert around.labels == (frozenset({"beside contract"}),)
    assert around.rivals == (frozenset({"beside estimate"}),)
    names = names_of([around])
    assert names["beside contract"] > 1
    assert names["beside estimate"] < -1


def test_an_issuer_of_many_documents_counts_once() -> None:
    many = [_around("Ref 30052 | Estimate 57141", 1, "a")] * 9
    other = [_around("Estimate 30052 | Ref 57141", 1, "b")]
    names = names_of(many + other)
    assert "beside ref" not in names  # as often around the one as around the other
    assert "beside estimate" not in names


def test_without_anything_to_tell_it_from_nothing_is_learnt() -> None:
    assert names_of([_around("Contract 30052", 1, "a")]) == {}
