"""Page ranges: the grammar, and what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import BadPageRange
from pipeline.reading.page_ranges import select_pages


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("1", (1,)),
        ("1-3", (1, 2, 3)),
        ("1-3,5,-2", (1, 2, 3, 5, 9)),
        ("-1", (10,)),  # the last page
        ("-3--1", (8, 9, 10)),
        ("2--8", (2, 3)),
        (" 4 , 2 ", (2, 4)),  # document order
        ("3,3,2-4", (2, 3, 4)),  # each once
        ("9-99", (9, 10)),  # the end of the document cuts a range
    ],
)
def test_ranges_of_a_document_of_ten_pages(spec: str, expected: tuple[int, ...]) -> None:
    assert select_pages(spec, 10) == expected


@pytest.mark.parametrize(
    "spec",
    ["", ",", "1,", "a", "1-2-3", "--", "1.5", "0", "0-3", "11", "11-12", "-11", "3-1", "-1--3",
     "٣", "1" * 2000],
)  # fmt: skip
def test_refused(spec: str) -> None:
    with pytest.raises(BadPageRange):
        select_pages(spec, 10)


@given(st.text("0123456789-, ", max_size=20), st.integers(1, 30))
def test_a_range_names_pages_of_the_document_or_is_refused(spec: str, page_count: int) -> None:
    try:
        pages = select_pages(spec, page_count)
    except BadPageRange:
        return
    assert pages
    assert list(pages) == sorted(set(pages))
    assert set(pages) <= set(range(1, page_count + 1))
