"""Labels that say where their values are printed."""

from __future__ import annotations

from pathlib import Path

from models.geometry import Box
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of
from training.data import Row
from training.data.autotag import autotag
from training.data.dataset import Place

DOCUMENT = document_of("Oak Ltd · Elm Road 5 | Total      10.00", "Total 10.00")
FIELDS = (FieldSpec("address", Kind.ADDRESS), FieldSpec("total", Kind.AMOUNT))


def _around(first: int, last: int) -> Box:
    words = [token.box for _, token in DOCUMENT.words()]
    return Box(words[first].x0, words[first].top, words[last].x1, words[last].bottom)


def _tagged(*places: Place) -> list[tuple[str, int, int]]:
    row = Row("a", Path("a.pdf"), None, {}, places=places)
    tags = autotag([row], {"a": DOCUMENT}, FIELDS)["a"]
    assert [match.how for match in tags.matches] == ["placed"] * len(tags.spans)
    return [(span.field, span.start, span.end) for span in tags.spans]


def test_words_in_the_places_are_the_value_and_no_others() -> None:
    assert _tagged(Place("total", "10.00", ((1, _around(7, 7)),))) == [("total", 7, 8)]
    assert _tagged(Place("total", "10.00", ((2, _around(7, 7)),))) == []
    assert _tagged(Place("other", "10.00", ((1, _around(7, 7)),))) == []


def test_marks_between_the_parts_of_a_value_are_its_own() -> None:
    parts = ((1, _around(0, 1)), (1, _around(3, 5)))
    assert _tagged(Place("address", "Oak Ltd Elm Road 5", parts)) == [("address", 0, 6)]


def test_words_belong_to_one_place() -> None:
    both = [Place(name, "", ((1, _around(7, 7)),)) for name in ("total", "address")]
    assert _tagged(*both) == [("total", 7, 8)]


def test_places_without_words_are_misses() -> None:
    row = Row("a", Path("a.pdf"), None, {}, places=(Place("total", "1", ((9, Box(0, 0, 1, 1)),)),))
    [miss] = autotag([row], {"a": DOCUMENT}, FIELDS)["a"].misses
    assert (miss.field, miss.value) == ("total", "1")


def test_fields_without_places_are_searched_for_in_the_other_words() -> None:
    total = Place("total", "10.00", ((1, _around(7, 7)),))
    fields = {"total": ("10.00",), "address": ("Elm Road 5",), "net": ("10.00",)}
    row = Row("a", Path("a.pdf"), None, fields, places=(total,))
    tags = autotag([row], {"a": DOCUMENT}, (*FIELDS, FieldSpec("net", Kind.AMOUNT)))["a"]
    found = [(match.field, match.start, match.end, match.how) for match in tags.matches]
    assert found == [("address", 3, 6, "exact"), ("total", 7, 8, "placed"), ("net", 9, 10, "value")]
    assert [(span.field, span.start) for span in tags.spans] == [
        ("address", 3),
        ("total", 7),
        ("net", 9),
    ]
    assert tags.misses == ()
