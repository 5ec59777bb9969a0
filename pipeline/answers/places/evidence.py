"""What a document offers its fields: words, tagged spans, and how its dates and amounts look."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Self

from models.labels import Span
from pipeline.answers.places.columns import (
    address_alone,
    by_column,
    ended,
    goes_on_with,
    in_text,
    said_again,
    same_line,
    stitch,
    with_last_word,
)
from pipeline.answers.places.mentions import Mention, Words, join_runs
from pipeline.document import Document
from pipeline.reading.layout import glued
from pipeline.tagging import line_texts
from pipeline.values.normalise import DocumentContext, infer_context, normalise
from pipeline.values.schema import LONG, FieldSpec, Kind
from pipeline.values.texts.strings import lenient
from pipeline.values.texts.surface import LINE_END

_CHECKED = (Kind.IBAN, Kind.TAX_ID)  # numbers with check digits
_SURE = 0.9  # score of a number that does not go on behind a stroke of a lower one
_TELLING = 3  # letters and digits of a text that is looked for elsewhere


@dataclass(frozen=True, slots=True)
class Evidence:
    """A document as tagged.

    Attributes:
        words: all words with their pages, in reading order; spans count them from 0.
        spans: the tagger's, in any order.
        context: how the document writes its dates and amounts.
        folded: all words in one string, in the form of `lenient`.
    """

    words: Words
    spans: Sequence[Span]
    context: DocumentContext
    folded: str = ""

    @classmethod
    def of(cls, document: Document, spans: Sequence[Span]) -> Self:
        """Return the evidence of a document and of the spans over its words.

        A second look may find a word as another field again: of spans that begin at one word the
        last counts.
        """
        words = list(document.words())
        folded = "".join(lenient(token.text) for _, token in words)
        by_place = {span.start: span for span in spans}
        return cls(words, list(by_place.values()), infer_context(line_texts(document)), folded)

    def mentions(self, spec: FieldSpec, names: Collection[str] = ()) -> list[Mention]:
        """Return the places that say values of a field.

        Args:
            spec: the field.
            names: that the document gives: no part of its addresses.
        """
        own = [span for span in self.spans if span.field == spec.name]
        if spec.many:  # many values may stand side by side or below each other
            return [Mention((part,)) for span in own for part in by_column(span, self.words)]
        if spec.kind is Kind.IDENTIFIER:  # a number in the next box is another one
            joined = join_runs(own, self._is_parted)
            return [Mention((part,)) for run in joined for part in by_column(run, self.words)]
        if spec.kind in _CHECKED or spec.kind is Kind.DATE:  # how it reads tells what goes on below
            stitched = stitch(join_runs(own), self.words, numbers=True)
            return [one for mention in stitched for one in self._whole_or_parts(mention, spec)]
        if spec.kind not in LONG:
            return [Mention((span,)) for span in join_runs(own)]
        joined = join_runs(own, partial(self._two_values, spec))
        runs = [part for run in joined for part in by_column(run, self.words)]
        if spec.kind is Kind.ADDRESS:
            stitched = stitch(runs, self.words)
            return [address_alone(mention, self.words, names) for mention in stitched]
        if spec.kind is not Kind.NAME:
            return stitch(runs, self.words)
        tagged = self.tagged()
        stitched = stitch(runs, self.words, names=True)
        whole = [with_last_word(mention, self.words, tagged) for mention in stitched]
        return [ended(mention, self.words) for mention in whole]

    def tagged(self, *, but: str | None = None) -> set[int]:
        """Return the words that are tagged as any field, or as any field but one."""
        return {i for span in self.spans if span.field != but for i in range(span.start, span.end)}

    def text(self, mention: Mention) -> str:
        """Return a mention as printed, a LINE_END where the next word stands in another line."""
        parts = [self.words[mention.start][1].text]
        for one, other in itertools.pairwise(mention.words):
            (_, token), (_, following) = self.words[one], self.words[other]
            same = self.same_line(one, other)
            between = LINE_END if not same else "" if glued(token, following) else " "
            parts += [between, following.text]
        return "".join(parts)

    def printed(self, text: str) -> int:
        """Return how often the document prints a text; 0 for one too short to say anything."""
        wanted = lenient(text)
        return self.folded.count(wanted) if len(wanted) >= _TELLING else 0

    def same_line(self, index: int, other: int) -> bool:
        """Return whether two words stand in one line of one page."""
        return same_line(index, other, self.words)

    def is_measure(self, spec: FieldSpec, text: str, last: int) -> bool:
        """Return whether a unit stands behind a figure: "2,071.50 kgs" is no sum of money.

        Args:
            spec: a field with amounts.
            text: the figure as printed.
            last: its last word.
        """
        behind = last + 1
        if not in_text(behind, self.words):
            return False
        with_unit = f"{text} {self.words[behind][1].text}"
        return normalise(with_unit, spec, self.context).status == "failed"

    def _whole_or_parts(self, mention: Mention, spec: FieldSpec) -> list[Mention]:
        """Return parts below each other as one value where they are one, else each by itself."""
        parts = [Mention((part,)) for part in mention.parts]
        if len(parts) == 1:
            return parts
        said = normalise(self.text(mention), spec, self.context)
        if spec.kind is not Kind.DATE:
            return [mention] if said.status == "ok" else parts
        readings = (normalise(self.text(part), spec, self.context) for part in parts)
        apart = said.precision != "day" or any(one.precision == "day" for one in readings)
        return parts if apart else [mention]

    def _is_parted(self, one: Span, other: Span) -> bool:
        """Return whether a number begins anew at a stroke: "4711 / K12" is whose order it is.

        The tagger is less sure of that than of the number; of "26 / 0217" it is of all parts.
        """
        stroke = not lenient(self.words[other.start][1].text)
        return stroke and other.score < _SURE <= one.score

    def _two_values(self, spec: FieldSpec, one: Span, other: Span) -> bool:
        """Return whether two spans that touch are two values.

        A name that the tagger begins anew in another line is another name, such as a brand above
        the company, but not behind "and"; an address goes on there, unless it is the one said once
        more.
        """
        last = other.start - 1
        anew = not self.same_line(last, other.start) and not goes_on_with(self.words[last][1].text)
        anew &= spec.kind is Kind.NAME
        return anew or said_again([one], other, self.words)
