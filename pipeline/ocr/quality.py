"""Judges whether the text layer of a PDF page holds the text that the page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NO_TEXT = "no text layer"

_MAX_UNMAPPED = 0.1  # share of characters
_MIN_LETTERS = 0.3  # share of characters that are letters or digits
_MAX_SINGLE = 0.7  # share of words of one letter: text set letter by letter
_MAX_LONG, _LONG = 0.2, 40  # share of words, characters: text that lost its spaces
_ENOUGH_WORDS = 20  # below, shares of words say nothing
_SCAN = 0.7  # share of the page that a picture covers to count as a scan of it
_FEW_WORDS = 15
_MIN_REACH = 0.5  # share of the page's height that the text under a scan must span


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the text layer is used, and why (or why not) in one phrase."""

    trusted: bool
    reason: str


def judge(
    characters: Sequence[str], words: Sequence[str], *, picture_share: float, reach: float
) -> Verdict:
    """Return whether a text layer is real text.

    Args:
        characters: text of each character as mapped by the PDF, such as ``a`` or ``(cid:12)``.
        words: the words made of them.
        picture_share: share of the page's area that pictures cover, 0 to 1.
        reach: height from the first to the last word as a share of the page's height.
    """
    marks = [mark for mark in characters if not mark.isspace()]
    if not marks or not words:
        return Verdict(False, NO_TEXT)
    unmapped = sum(map(_unmapped, marks)) / len(marks)
    if unmapped > _MAX_UNMAPPED:
        return Verdict(False, f"text layer has {unmapped:.0%} unmapped characters")
    if sum(mark[:1].isalnum() for mark in marks) < _MIN_LETTERS * len(marks):
        return Verdict(False, "text layer has hardly any letters")
    if len(words) >= _ENOUGH_WORDS:
        if sum(len(word) == 1 for word in words) > _MAX_SINGLE * len(words):
            return Verdict(False, "text layer has its letters spaced out")
        if sum(len(word) > _LONG for word in words) > _MAX_LONG * len(words):
            return Verdict(False, "text layer has lost its spaces")
    if picture_share >= _SCAN:
        if len(words) < _FEW_WORDS:
            return Verdict(False, "scan with few words in its text layer")
        if reach < _MIN_REACH:
            return Verdict(False, "scan with a text layer that does not cover the page")
    return Verdict(True, "text layer holds text")


def _unmapped(mark: str) -> bool:
    """Return whether a character has no meaning outside its font."""
    return mark.startswith("(cid:") or mark == "\ufffd" or not mark.isprintable()
