"""Reads page ranges such as `1-3,5,-2`."""

from __future__ import annotations

import re

from pipeline.errors import BadPageRange

_MAX_LENGTH = 1000  # characters; bounds the work of parsing
_ITEM = re.compile(r"(-?[0-9]{1,7})(?:-(-?[0-9]{1,7}))?")


def select_pages(spec: str, page_count: int) -> tuple[int, ...]:
    """Return the page numbers, from 1 and ascending, that a page range names; each once.

    Items are parted by commas: a page (`5`), a page from the end (`-2` is the last but one) or a
    range (`1-3`, `2--1`). A range may run past the end of the document, which cuts it; an item
    that names no page at all is an error.

    Args:
        spec: the range as written by the user.
        page_count: pages of the document, at least 1.

    Raises:
        BadPageRange: the range cannot be parsed, runs backwards, or an item names no page.
    """
    chosen: set[int] = set()
    for match in parse_pages(spec):
        first = _number(match[1], page_count)
        last = first if match[2] is None else _number(match[2], page_count)
        if last < first:
            raise BadPageRange(f"The page range {match[0]!r} runs backwards.")
        named = range(max(first, 1), min(last, page_count) + 1)
        # Page 0 and pages before the first are slips of the writer; only the end may be cut.
        if not named or first < 1:
            raise BadPageRange(
                f"{match[0]!r} names no page: the document has pages 1 to {page_count}."
            )
        chosen.update(named)
    return tuple(sorted(chosen))


def parse_pages(spec: str) -> list[re.Match[str]]:
    """Return the items of a page range, each with its first page and its last or None.

    Raises:
        BadPageRange: the range cannot be parsed, whatever the document is.
    """
    if len(spec) > _MAX_LENGTH:
        raise BadPageRange(f"The page range is longer than {_MAX_LENGTH} characters.")
    items = [_ITEM.fullmatch(item.strip()) for item in spec.split(",")]
    matches = [match for match in items if match is not None]
    if len(matches) < len(items):
        raise BadPageRange(f"The page range {spec!r} cannot be read.")
    return matches


def _number(text: str, page_count: int) -> int:
    value = int(text)
    return value if value >= 0 else page_count + 1 + value
