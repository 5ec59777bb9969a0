"""Places for labels that are values only: where auto-tagging finds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from models.geometry import Box, union
from pipeline.document import Document, Page, Token
from training.data.autotag import Match
from training.data.dataset import Place, Row


def with_places(row: Row, document: Document, matches: Sequence[Match]) -> Row:
    """Return a row whose places are those of its labels, and what auto-tagging found besides."""
    words = list(document.words())
    found = list(row.places or ())
    cells: Counter[tuple[str, str]] = Counter()
    for match in sorted(matches, key=lambda match: match.start):
        if match.how == "placed":
            continue
        number = None
        group, _, column = match.field.rpartition(".")
        if group:
            # A value that several rows have is printed in each of them: in their order.
            where = [
                at for at, cell in enumerate(row.groups[group]) if cell.get(column) == match.value
            ]
            number = where[min(cells[match.field, match.value], len(where) - 1)]
            cells[match.field, match.value] += 1
        boxes = _lines(words, match)
        found.append(Place(match.field, match.value, boxes, number))
    return replace(row, places=tuple(found))


def _lines(words: Sequence[tuple[Page, Token]], match: Match) -> tuple[tuple[int, Box], ...]:
    """Return the page, and the box of each line, of a match."""
    lines: dict[tuple[int, int], list[Box]] = {}
    for page, token in words[match.start : match.end]:
        lines.setdefault((page.number, token.line), []).append(token.box)
    return tuple((page, union(boxes)) for (page, _), boxes in lines.items())
