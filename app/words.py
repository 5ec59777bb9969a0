"""The words of a document, as places that labels stand at."""

from __future__ import annotations

import bisect
import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipeline.errors import InvalidOption


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word: its page, from 1, its text, its place in fractions of the page, its line."""

    page: int
    text: str
    box: tuple[float, float, float, float]
    line: int


@dataclass(frozen=True, slots=True)
class _Spelt:
    """The text of words but for case, marks and spaces; where in it which of them begin and end.

    It is made once, for a request may look for hundreds of texts.
    """

    text: str
    begins: list[int]
    ends: list[int]
    numbers: list[int]


class DocumentWords:
    """All words of a document in reading order, numbered from 0.

    Args:
        kept: the blob that the last stage of a job leaves, or None.
    """

    def __init__(self, kept: bytes | None) -> None:
        pages = json.loads(kept or b'{"pages": []}')["pages"]
        self.all = [
            PlacedWord(page["number"], word["text"], tuple(word["box"]), word["line"])
            for page in pages
            for word in page["words"]
        ]
        self._found: dict[str, list[int]] = {}

    def lines(self) -> list[str]:
        """Return the lines of the document, words joined by one space."""
        lines = itertools.groupby(self.all, key=lambda word: (word.page, word.line))
        return [" ".join(word.text for word in line) for _, line in lines]

    def label(self, numbers: Iterable[int], text: str | None = None) -> dict[str, Any]:
        """Return a label that stands at words.

        Args:
            numbers: of the words.
            text: that the value has; None for that of the words.

        Raises:
            InvalidOption: there are no such words.
        """
        chosen = sorted(set(numbers))
        if not chosen or not 0 <= chosen[0] <= chosen[-1] < len(self.all):
            raise InvalidOption(
                "There are no such words.",
                advice="Words are counted from 0, as in `words` of the document.",
            )
        words = [self.all[number] for number in chosen]
        places = [
            {"page": page, "box": _around([word.box for word in line])}
            for (page, _), line in itertools.groupby(words, lambda word: (word.page, word.line))
        ]
        page = words[0].page
        return {
            "text": " ".join(word.text for word in words) if text is None else text,
            "page": page,
            "box": _around([word.box for word in words if word.page == page]),
            "words": chosen,
            "places": places,
        }

    def within(self, page: int, box: Sequence[float]) -> list[int]:
        """Return the numbers of the words whose centres lie in a box."""
        x0, top, x1, bottom = box
        return [
            number
            for number, word in enumerate(self.all)
            if word.page == page
            and x0 <= (word.box[0] + word.box[2]) / 2 <= x1
            and top <= (word.box[1] + word.box[3]) / 2 <= bottom
        ]

    def find(self, text: str) -> list[int]:
        """Return the first words in a row that spell a text but for case and marks; [] for none."""
        from pipeline.values.texts.strings import lenient

        # A request may ask thousands of times for what stands in every word and is none.
        wanted = lenient(text)
        if wanted not in self._found:
            self._found[wanted] = self._find(wanted)
        return self._found[wanted]

    def _find(self, wanted: str) -> list[int]:
        spelt = self._spelt
        at = spelt.text.find(wanted) if wanted else -1
        while at >= 0:
            following = bisect.bisect_right(spelt.begins, at)
            last = bisect.bisect_left(spelt.ends, at + len(wanted))
            if spelt.begins[following - 1] == at and spelt.ends[last] == at + len(wanted):
                return list(range(spelt.numbers[following - 1], spelt.numbers[last] + 1))
            if following == len(spelt.begins):
                break
            at = spelt.text.find(wanted, spelt.begins[following])
        return []

    @cached_property
    def _spelt(self) -> _Spelt:
        from pipeline.values.texts.strings import lenient

        forms = [(number, lenient(word.text)) for number, word in enumerate(self.all)]
        forms = [(number, form) for number, form in forms if form]
        ends = list(itertools.accumulate(len(form) for _, form in forms))
        numbers = [number for number, _ in forms]
        return _Spelt("".join(form for _, form in forms), [0, *ends[:-1]], ends, numbers)


def _around(boxes: Sequence[Sequence[float]]) -> list[float]:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return [min(lefts), min(tops), max(rights), max(bottoms)]
