"""What stands beside a word: before it in its line, and above it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from pipeline.answers.places.columns import NARROW, WIDE, in_text
from pipeline.answers.places.evidence import Evidence

_MOST_CAPTION = 6  # words
_FAR = 1000  # words back in which a caption above is looked for
_ALIGNED = 0.5  # heights of a line between the left edges of a cell and of its caption, at most
_ABOVE = 2.5  # heights of a line between a caption and the value under it
_BREAK = re.compile(r".{2,}[:;,]$|^[^\w#&/()°]+$")  # ends a text: what stands before is another
_FULL_STOP = re.compile(r"\w{2,}\.$")  # ends one too, or shortens a word: "Réf. client"


def pages_of(evidence: Evidence) -> Iterator[WordsOfPage]:
    """Yield the words of each page that has any."""
    words = evidence.words
    for _, of_page in groupby(range(len(words)), key=lambda at: words[at][0].number):
        yield WordsOfPage(evidence, tuple(of_page))


class WordsOfPage:
    """The words of one page, to ask what stands above one of them.

    Args:
        evidence: the document as tagged.
        indices: of the page's words, which stand one behind the other.
    """

    def __init__(self, evidence: Evidence, indices: Sequence[int]) -> None:
        self.indices = indices
        tokens = [evidence.words[index][1] for index in indices]
        self._lines = np.array([token.line for token in tokens])
        self._boxes = np.array([token.box.as_list() for token in tokens])

    def above(self, index: int) -> int | None:
        """Return the nearest word above a word, before it in reading order; None without one."""
        at = index - self.indices[0]
        start = max(0, at - _FAR)
        x0, top, x1, bottom = self._boxes[at]
        left, _, right, lower = self._boxes[start:at].T
        space, height = top - lower, bottom - top
        over = (left < x1) & (x0 < right) & (self._lines[start:at] != self._lines[at])
        near = (space >= -0.5 * height) & (space <= _ABOVE * height)
        found = np.flatnonzero(over & near)[::-1]  # of words of one line, the last comes first
        return int(self.indices[start + found[lower[found].argmax()]]) if len(found) else None


def text_before(first: int, evidence: Evidence) -> Iterator[str]:
    """Yield what stands before a word in its line, back to a gap, a figure or another text.

    A full stop may shorten a word or end a text: what stands behind the last one comes too.
    """
    found: list[str] = []
    for index in range(first - 1, -1, -1):
        text = evidence.words[index][1].text
        beside = goes_on(index, evidence) if found else evidence.same_line(index, first)
        if not beside or has_digit(text):
            break
        if found and _BREAK.search(text):
            break
        found.insert(0, text)
        if len(found) > _MOST_CAPTION:
            return
    yield " ".join(found)
    stops = [at for at, text in enumerate(found[:-1]) if _FULL_STOP.search(text)]
    if stops:
        yield " ".join(found[stops[-1] + 1 :])


def text_around(index: int, evidence: Evidence) -> str:
    """Return the text of a line around a word, up to gaps; empty for more than a caption."""
    start = end = index
    while start and end - start < _MOST_CAPTION and goes_on(start - 1, evidence):
        start -= 1
    while end - start < _MOST_CAPTION and goes_on(end, evidence):
        end += 1
    if end - start >= _MOST_CAPTION:
        return ""
    return " ".join(word.text for _, word in evidence.words[start : end + 1])


def text_of_cell(first: int, above: int, evidence: Evidence) -> str:
    """Return the text above the first word of a narrow table's cell; empty where there is none.

    It begins at the left edge of the cell, and ends where the next cell of the line begins.

    Args:
        first: of the cell.
        above: a word above it.
        evidence: the document as tagged.
    """
    words = evidence.words
    page, token = words[first]
    behind = first + 1
    while behind - first < 2 * _MOST_CAPTION and goes_on(behind - 1, evidence, NARROW):
        behind += 1
    in_line = behind < len(words) and evidence.same_line(first, behind)
    slack = _ALIGNED * token.box.height * page.height / page.width
    left, right = token.box.x0 - slack, (words[behind][1].box.x0 if in_line else 1.0) - slack
    start = above
    while start and words[start][1].box.x0 > left and evidence.same_line(start - 1, above):
        start -= 1
    found: list[str] = []
    for index in range(start, min(len(words), start + 2 * _MOST_CAPTION)):
        x0 = words[index][1].box.x0
        if not evidence.same_line(index, above) or x0 >= right:
            break
        if x0 >= left:
            if not found and x0 > token.box.x0 + slack:
                break
            found.append(words[index][1].text)
    return " ".join(found) if len(found) <= _MOST_CAPTION else ""


def goes_on(index: int, evidence: Evidence, wide: float = WIDE) -> bool:
    """Return whether the word behind a word belongs to its text; see `in_text`."""
    return in_text(index + 1, evidence.words, wide)


def has_digit(text: str) -> bool:
    """Return whether a text holds a digit."""
    return any(map(str.isdecimal, text))
