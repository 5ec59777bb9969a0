"""Where a known value is printed: found by its letters and digits, without a model."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

from models.geometry import union
from pipeline.document import Document
from pipeline.tagging import line_texts
from pipeline.values.normalise import DocumentContext, infer_context, normalise
from pipeline.values.schema import FieldSpec, Kind

Window = tuple[int, int | None]
"""Words among which is searched: the first, and the one behind the last; None for all."""

_FIGURES = (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT)
_MOST_WORDS = 3  # of a date or figure
_SIGNS = re.compile(r"[\s.,'’+\-−–()%]|[A-Z]{1,2}\$|[A-Za-z]{3}|[€$£¥]")
_CENTS = Decimal("0.01")


class Print:
    """The words of a document, to be searched."""

    def __init__(self, document: Document) -> None:
        self._words = list(document.words())
        parts = ["".join(filter(str.isalnum, token.text)).casefold() for _, token in self._words]
        self._folded = "".join(parts)
        self._starts: list[int] = []
        place = 0
        for part in parts:
            self._starts.append(place)
            place += len(part)
        self._context: DocumentContext | None = None
        self._document = document

    def find(self, kind: Kind, wanted: str, window: Window = (0, None)) -> list[int]:
        """Return the words that first say a value; empty where none do.

        Args:
            kind: of the value.
            wanted: in plain form: dates ISO 8601, figures with a decimal point.
            window: of words to search.
        """
        first, last = window[0], len(self._words) if window[1] is None else window[1]
        last = min(last, len(self._words))
        if not wanted or first >= last:
            return []
        if kind in _FIGURES:
            return next(self._figures(wanted, first, last), [])
        if kind is Kind.DATE:
            return self._date(wanted, first, last)
        return self._text(wanted, first, last)

    def figures(self, wanted: str) -> Iterator[list[int]]:
        """Yield the words of every place that prints a figure's digits, whatever its sign.

        Args:
            wanted: in plain form, with a decimal point.
        """
        return self._figures(wanted, 0, len(self._words))

    def text(self, words: Sequence[int]) -> str:
        """Return words as printed, joined by spaces."""
        return " ".join(self._words[index][1].text for index in words)

    def place(self, words: Sequence[int]) -> tuple[int, list[float]]:
        """Return the page of the first of some words and their box on it."""
        page = self._words[words[0]][0]
        tokens = (self._words[index] for index in words)
        return page.number, union(token.box for at, token in tokens if at is page).as_list()

    def words_in(self, page: int, box: Sequence[float]) -> list[int]:
        """Return the words of a page whose middle is in a box."""
        if not box:
            return []
        x0, top, x1, bottom = box
        found = []
        for index, (at, token) in enumerate(self._words):
            left, upper, right, lower = token.box.as_list()
            inside = x0 <= (left + right) / 2 <= x1 and top <= (upper + lower) / 2 <= bottom
            if at.number == page and inside:
                found.append(index)
        return found

    def _text(self, wanted: str, first: int, last: int) -> list[int]:
        sought = "".join(filter(str.isalnum, wanted)).casefold()
        if not sought:
            return []
        end = self._starts[last] if last < len(self._starts) else len(self._folded)
        at = self._folded.find(sought, self._starts[first], end)
        while at >= 0:
            word = bisect.bisect_left(self._starts, at)
            behind = bisect.bisect_left(self._starts, at + len(sought))
            whole = behind == len(self._starts) or self._starts[behind] == at + len(sought)
            if word < len(self._starts) and self._starts[word] == at and whole:
                taken = range(word, behind)
                return [index for index in taken if self._length(index)]
            at = self._folded.find(sought, at + 1, end)
        return []

    def _length(self, index: int) -> int:
        following = index + 1
        end = self._starts[following] if following < len(self._starts) else len(self._folded)
        return end - self._starts[index]

    def _windows(self, first: int, last: int) -> Iterator[list[int]]:
        """Yield words of one line that follow each other, the shorter ones first."""
        for count in range(1, _MOST_WORDS + 1):
            for start in range(first, last - count + 1):
                page, token = self._words[start]
                at, end = self._words[start + count - 1]
                if at is page and end.line == token.line:
                    yield list(range(start, start + count))

    def _figures(self, wanted: str, first: int, last: int) -> Iterator[list[int]]:
        try:
            number = abs(Decimal(wanted))
            in_cents = number.quantize(_CENTS)
        except InvalidOperation:  # no number, or one of more digits than are ever printed
            return
        forms = {f"{number:f}".replace(".", "")}
        if number == in_cents:
            forms.add(f"{in_cents:f}".replace(".", ""))
        if number == number.to_integral_value():
            forms.add(f"{number.to_integral_value():f}")
        lengths = {len(form) for form in forms}
        for words in self._windows(first, last):
            if any(not any(map(str.isdigit, self._words[i][1].text)) for i in words):
                continue
            digits = _SIGNS.sub("", self.text(words))
            if len(digits) in lengths and digits in forms:
                yield words

    def _date(self, wanted: str, first: int, last: int) -> list[int]:
        year, _, day = wanted.split("-")
        if self._context is None:
            self._context = infer_context(line_texts(self._document))
        spec = FieldSpec("date", Kind.DATE)
        for words in self._windows(first, last):
            shown = self.text(words)
            if year[2:] not in shown or str(int(day)) not in shown or len(shown) > 40:
                continue
            read = normalise(shown, spec, self._context)
            if read.value == wanted or wanted in read.alternatives:
                return words
        return []
