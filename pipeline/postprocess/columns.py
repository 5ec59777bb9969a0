"""Values that a column's edge cut: what goes on in the line below, at the same left edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.labels import Span
from pipeline.document import Page, Token
from pipeline.postprocess.strings import lenient

_ALIGNED = 1.2  # most distance of the left edges, in heights of a line
_GAP = 1.0  # most space between a line and the next, in heights of a line


@dataclass(frozen=True, slots=True)
class Mention:
    """One place that says a value: a span, or the parts of one that stand below each other.

    Attributes:
        parts: spans of one field, in the order in which they are read.
    """

    parts: tuple[Span, ...]

    @property
    def start(self) -> int:
        """Its first word."""
        return self.parts[0].start

    @property
    def words(self) -> list[int]:
        """Its words, in the order in which they are read."""
        return [index for part in self.parts for index in range(part.start, part.end)]

    @property
    def score(self) -> float:
        """Geometric mean of the word scores of all parts, as `Span.score`."""
        first = self.parts[0]
        if len(self.parts) == 1:
            return first.score
        scores = [
            score
            for part in self.parts
            for score in part.token_scores or (1.0,) * (part.end - part.start)
        ]
        return Span(first.field, 0, len(scores), tuple(scores)).score


def goes_on_below(upper: tuple[Page, Token], lower: tuple[Page, Token], left: Token) -> bool:
    """Return whether the line of `lower` is where a column's text goes on after `upper`.

    Args:
        upper: last word of the upper line, with its page.
        lower: first word of the lower line, with its page.
        left: first word of the value, which gives the column's left edge.
    """
    (page, above), (other_page, below) = upper, lower
    if page.number != other_page.number:
        return False
    height = max(above.box.height, below.box.height)
    space = below.box.top - above.box.bottom
    # Boxes are fractions of the page: heights become widths through its shape.
    apart = abs(below.box.x0 - left.box.x0) * page.width
    return (
        -0.5 * height <= space <= _GAP * height
        and below.box.top > above.box.top
        and apart <= _ALIGNED * height * page.height
    )


def stitch(spans: Sequence[Span], words: Sequence[tuple[Page, Token]]) -> list[Mention]:
    """Return the mentions of one field's spans: those that a column's edge parted are one.

    Args:
        spans: disjoint spans of one field.
        words: the document's words with their pages, see `Document.words`.
    """
    mentions: list[list[Span]] = []
    for span in sorted(spans, key=lambda span: span.start):
        for mention in reversed(mentions):
            upper, lower = words[mention[-1].end - 1], words[span.start]
            left = words[mention[0].start][1]
            if mention[-1].end == span.start:  # nothing stands between them: they were parted
                continue
            if goes_on_below(upper, lower, left) and not said_again(mention, span, words):
                mention.append(span)
                break
        else:
            mentions.append([span])
    return [Mention(tuple(parts)) for parts in mentions]


def said_again(mention: Sequence[Span], span: Span, words: Sequence[tuple[Page, Token]]) -> bool:
    """Return whether a span begins as the mention does: that is the value said once more."""
    said, new = (
        lenient(
            "".join(words[index][1].text for part in parts for index in range(part.start, part.end))
        )
        for parts in (mention, [span])
    )
    return said.startswith(new) or new.startswith(said)
