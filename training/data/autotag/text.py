"""A document's words as one text to search, for auto-tagging."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from pipeline.document import Document
from pipeline.reading.layout import glued
from pipeline.tagging import lines_of
from pipeline.values.normalise import DocumentContext, infer_context
from pipeline.values.texts.names import word_key
from pipeline.values.texts.strings import lenient


class Skeleton:
    """The part of each word that counts in a comparison, as one string with the way back to words.

    Args:
        parts: one for each word; empty for a word that does not count.
    """

    def __init__(self, parts: Sequence[str]) -> None:
        self.parts = parts
        self.text = "".join(parts)
        self._bounds = [0]
        for part in parts:
            self._bounds.append(self._bounds[-1] + len(part))

    def words(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open range of words that characters [start, end) touch."""
        return bisect_right(self._bounds, start) - 1, bisect_right(self._bounds, end - 1)

    def of(self, start: int, end: int) -> str:
        """Return what counts of words [start, end)."""
        return self.text[self._bounds[start] : self._bounds[end]]

    def find(self, wanted: str, *, parts_count: bool) -> Iterator[tuple[int, int]]:
        """Yield the ranges of words that hold `wanted`, left to right.

        Args:
            wanted: what counts of the value looked for; not empty.
            parts_count: a range counts too where its first or last word holds more than `wanted`.
        """
        position = self.text.find(wanted)
        while position >= 0:
            start, end = self.words(position, position + len(wanted))
            taken = parts_count or self.of(start, end) == wanted
            if taken:
                yield start, end
            # "1 11" holds "11" from its second letter on: only what was taken is passed over.
            position = self.text.find(wanted, position + (len(wanted) if taken else 1))


class Text:
    """A document's words as one string to search, with the way back from characters to words.

    Attributes:
        placed: each word with its page.
        words: their texts.
        lines: indices of the words of each line.
        line_of: number of each word's line.
        context: what the document shows about its dates and amounts.
        text: the words as printed, lines parted by line ends.
        letters: letters and digits of the words.
    """

    def __init__(self, document: Document) -> None:
        self.placed = list(document.words())
        tokens = [token for _, token in self.placed]
        self.words = [token.text for token in tokens]
        self.lines = lines_of(document)
        self.line_of = [number for number, line in enumerate(self.lines) for _ in line]
        self.context: DocumentContext = infer_context(
            [" ".join(self.words[index] for index in line) for line in self.lines]
        )
        parts: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        position = 0
        for line in self.lines:
            for place, index in enumerate(line):
                word = self.words[index]
                self._starts.append(position)
                self._ends.append(position + len(word))
                last = place == len(line) - 1
                between = "\n" if last else "" if glued(tokens[index], tokens[index + 1]) else " "
                parts += [word, between]
                position += len(word) + len(between)
        self.text = "".join(parts)
        self.letters = Skeleton([lenient(word) for word in self.words])

    @cached_property
    def names(self) -> Skeleton:
        """The words as names compare them, see `pipeline.values.texts.names.word_key`."""
        return Skeleton([word_key(word) for word in self.words])

    def words_at(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open range of words that characters [start, end) of `text` touch."""
        first = bisect_right(self._ends, start)
        last = bisect_right(self._starts, end - 1)
        return first, last

    def printed(self, start: int, end: int) -> str:
        """Return words [start, end) as printed, line ends kept."""
        return self.text[self._starts[start] : self._ends[end - 1]]
