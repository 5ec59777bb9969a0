"""Judges whether the text layer of a PDF page holds the text that the page shows."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.document import BESIDE_PICTURES
from pipeline.reading.text_layer.coverage import Coverage

NO_TEXT = "no text layer"
HIDDEN = "hidden text that is not what is printed"

_MAX_UNMAPPED = 0.1  # share of characters
_MIN_LETTERS = 0.3  # share of characters that are letters or digits
_MAX_SINGLE = 0.7  # share of words of one letter: text set letter by letter
_MAX_LONG, _LONG = 0.2, 40  # share of words, characters: text that lost its spaces
_ENOUGH_WORDS = 20  # below, shares of words say nothing
_MIN_ALIGNMENT = 0.2  # false layers reach .12, those of OCR engines begin at .3
_MIN_COVERED = 0.15  # share of the ink of a scan: rules, logos and noise are never under words
_MIN_DRAWN = 0.05  # the same of a page that is drawn: tables and charts can be nearly all of it
_MIN_REACH = 0.5  # share of the height of what is printed that the words must span

# Letters in a thousand, rounded means of the published frequencies of ten European languages
# (English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Turkish).
_PER_MILLE = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        (90, 16, 29, 41, 129, 12, 19, 27, 80, 8, 20, 46, 29,
         71, 60, 25, 5, 64, 60, 64, 40, 15, 12, 2, 13, 14),
        strict=True,
    )
)  # fmt: skip
_BITS = {
    letter: -math.log2(count / sum(_PER_MILLE.values())) for letter, count in _PER_MILLE.items()
}
# Text in those languages costs 4.1 to 4.6 bits a letter by this table, letters at random 5.2, and
# text whose letters are all shifted, as by a font without its encoding, 5 to 6.5.
_MAX_BITS = 4.9
_ENOUGH_LETTERS = 200
_CID = re.compile(r"\(cid:\d+\)")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the text layer is used, and why (or why not) in one phrase."""

    trusted: bool
    reason: str


def belongs(coverage: Coverage) -> bool:
    """Return whether hidden words stand where the page's print does."""
    return coverage.alignment >= _MIN_ALIGNMENT


def judge(
    words: Sequence[str],
    *,
    unmapped: float,
    coverage: Coverage | None,
    scan: bool = True,
    lost: bool = False,
    unread: bool = False,
) -> Verdict:
    """Return whether a text layer is real text.

    Args:
        words: those that the page shows, and hidden ones that belong to its print.
        unmapped: share of the characters that mean nothing outside their font, 0 to 1.
        coverage: how the words cover the ink; None where all that is printed is bound to be text.
        scan: the ink is that of a scan, not of shapes.
        lost: a whole word of what the page shows has no meaning outside its font.
        unread: pictures or shapes of the page may be text that the layer lacks.
    """
    text = "".join(words)
    if not text:
        return Verdict(False, NO_TEXT)
    unmapped = max(unmapped, sum(map(len, _CID.findall(text))) / len(text))
    if unmapped > _MAX_UNMAPPED:
        return Verdict(False, f"text layer has {unmapped:.0%} unmapped characters")
    if lost:
        return Verdict(False, "text layer has words without a meaning outside their font")
    if sum(map(str.isalnum, text)) < _MIN_LETTERS * len(text):
        return Verdict(False, "text layer has hardly any letters")
    if len(words) >= _ENOUGH_WORDS:
        if sum(len(word) == 1 for word in words) > _MAX_SINGLE * len(words):
            return Verdict(False, "text layer has its letters spaced out")
        if sum(len(word) > _LONG for word in words) > _MAX_LONG * len(words):
            return Verdict(False, "text layer has lost its spaces")
    if bits_per_letter(text) > _MAX_BITS:
        return Verdict(False, "text layer has letters that form no words")
    if coverage is not None and not scan and coverage.covered < _MIN_DRAWN:
        return Verdict(False, "text layer that covers little of what is drawn")
    if coverage is not None and scan:
        if coverage.covered < _MIN_COVERED:
            return Verdict(False, "scan with a text layer that covers little of it")
        if coverage.reach < _MIN_REACH:
            return Verdict(False, "scan with a text layer that does not cover the page")
    return Verdict(True, BESIDE_PICTURES if unread else "text layer holds text")


def bits_per_letter(text: str) -> float:
    """Return the mean cost of the Latin letters of a text, in bits, by how common letters are.

    Letters count without case and accents. Where there are too few to tell, or where most letters
    are of another script, the answer is 0.
    """
    letters = Counter(text.casefold())
    common: Counter[str] = Counter()
    foreign = 0
    for letter, count in letters.items():
        base = unicodedata.normalize("NFD", letter)[0]
        if base in _BITS:
            common[base] += count
        elif letter.isalpha():
            foreign += count
    known = common.total()
    if known < _ENOUGH_LETTERS or foreign > known:
        return 0.0
    return sum(_BITS[letter] * count for letter, count in common.items()) / known
