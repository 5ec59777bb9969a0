"""A document becomes an example whose words keep their indices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.labels import Span
from pipeline.affine import turned_box
from pipeline.document import Page
from pipeline.tagging import example_of, line_texts, lines_of
from tests.builders import document_of

DOCUMENT = document_of("KEDAI BUKU | TOTAL 9.00", "PAGE TWO")


def test_words_keep_their_order_and_places() -> None:
    example = example_of(DOCUMENT)
    words = list(DOCUMENT.words())
    assert example.words == tuple(token.text for _, token in words)
    np.testing.assert_allclose(example.boxes, [token.box.as_list() for _, token in words])
    assert example.boxes.dtype == np.float32
    assert example.page.tolist() == [0, 0, 0, 0, 1, 1]
    assert example.aspect.tolist() == pytest.approx([595 / 842] * 6)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_turned_pages_are_seen_upright(degrees: int) -> None:
    def delivered(page: Page) -> Page:
        sides = (page.width, page.height) if degrees == 180 else (page.height, page.width)
        tokens = [replace(t, box=turned_box(t.box, -degrees)) for t in page.tokens]
        return replace(
            page, width=sides[0], height=sides[1], rotation=degrees, tokens=tuple(tokens)
        )

    turned = replace(DOCUMENT, pages=tuple(map(delivered, DOCUMENT.pages)))
    upright, seen = example_of(DOCUMENT), example_of(turned)
    np.testing.assert_allclose(seen.boxes, upright.boxes, atol=1e-6)
    np.testing.assert_allclose(seen.aspect, upright.aspect, rtol=1e-6)
    assert seen.words == upright.words


def test_lines_are_numbered_over_all_pages() -> None:
    assert example_of(DOCUMENT).line.tolist() == [0, 0, 1, 1, 2, 2]
    assert lines_of(DOCUMENT) == [[0, 1], [2, 3], [4, 5]]
    assert line_texts(DOCUMENT) == ["KEDAI BUKU", "TOTAL 9.00", "PAGE TWO"]


def test_equal_line_numbers_of_two_pages_are_two_lines() -> None:
    document = document_of("ONE", "TWO")
    assert example_of(document).line.tolist() == [0, 1]
    assert lines_of(document) == [[0], [1]]


def test_pages_are_counted_as_read_whatever_their_number() -> None:
    pages = tuple(replace(page, number=page.number * 10) for page in DOCUMENT.pages)
    assert example_of(replace(DOCUMENT, pages=pages)).page.tolist() == [0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("pages", [(), ("",), ("", "")])
def test_document_without_words_is_an_empty_example(pages: tuple[str, ...]) -> None:
    example = example_of(document_of(*pages))
    assert example.words == ()
    assert example.boxes.shape == (0, 4)
    assert line_texts(document_of(*pages)) == []


def test_name_and_spans_go_along() -> None:
    span = Span("total", 3, 4)
    assert example_of(DOCUMENT, "r1", (span,)).spans == (span,)
    assert example_of(DOCUMENT, "r1").id == "r1"
    assert example_of(DOCUMENT).id == DOCUMENT.sha256
