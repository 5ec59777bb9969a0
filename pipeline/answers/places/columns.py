"""Values in columns: cut at the column's edge, continued in the line below at its left edge."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence

from models.labels import Span
from pipeline.answers.places.mentions import Mention
from pipeline.document import Page, Token
from pipeline.values.texts.address_lines import is_number_beside_address
from pipeline.values.texts.around_names import is_no_name
from pipeline.values.texts.legal_forms import is_legal_form
from pipeline.values.texts.strings import lenient

# In heights of a line:
_ALIGNED = 1.2  # left edges of a column's lines are at most this far apart
_GAP = 1.0  # the space between a line and the next is at most this high
WIDE = 2.0  # words of a line with at least this much space between them stand in two columns
NARROW = 0.8  # as much parts the cells of a narrow table, and the words of a loose text
# In words:
NEAR = 40  # the line below begins at most this many words after a line's end
_MOST_MORE = 6  # an unfinished name takes in at most this many
# What no name ends with: "Smith for". A comma is another matter: a sentence may go on behind it.
_UNFINISHED = re.compile(r"[/&–-]$|^(?:for|of|the|and|to|in|at|by|de)$", re.IGNORECASE)
_TRADES = frozenset({"TRADING", "TA", "DBA", "DOING"})  # as: what a company calls itself follows


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


def stitch(
    spans: Sequence[Span],
    words: Sequence[tuple[Page, Token]],
    *,
    names: bool = False,
    numbers: bool = False,
) -> list[Mention]:
    """Return the mentions of one field's spans: those that a column's edge parted are one.

    The column begins at the value's left edge, or, but for names, where the text begins that the
    value stands in: an address may stand behind the name, or behind a caption in each line. What
    begins with its own text does not go on behind other words in the line below.

    Args:
        spans: disjoint spans of one field.
        words: the document's words with their pages, see `Document.words`.
        names: whether they are names: what stands behind a caption of its own is another one.
        numbers: whether check digits tell later which parts are one: they may also go on at the
            left edge of their caption.
    """
    mentions: list[list[Span]] = []
    begins = {} if names else {span.start: text_begins(span.start, words) for span in spans}
    for span in sorted(spans, key=lambda span: span.start):
        is_other = names and _stands_at_a_caption(span.start, words)
        text = begins.get(span.start)
        for mention in () if is_other else reversed(mentions):
            upper, first = words[mention[-1].end - 1], mention[0].start
            if mention[-1].end == span.start:  # nothing stands between them: they were parted
                continue
            edges = {(span.start, first), (span.start, begins[first] if numbers else first)}
            if text is not None and (text == span.start or begins[first] != first):
                edges.add((text, begins[first]))
            if any(
                goes_on_below(upper, words[lower], words[left][1]) for lower, left in edges
            ) and not said_again(mention, span, words):
                mention.append(span)
                break
        else:
            mentions.append([span])
    return [Mention(tuple(parts)) for parts in mentions]


def finished(
    mention: Mention, words: Sequence[tuple[Page, Token]], taken: Collection[int]
) -> Mention:
    """Return a name's mention with the words that it cannot end without, where it has a loose end.

    A name that ends in a stroke or a word such as "for" goes on: beside it, or in the line below
    where its column ends; one that ends in a comma, below alone: beside it the sentence may go on.
    The words taken in are scored as the mention is.

    Args:
        mention: of a name.
        words: the document's words with their pages.
        taken: words that are part of a value already.
    """
    last = mention.words[-1]
    text = words[last][1].text
    start = last + 1
    beside = start < len(words) and _goes_on_beside(start, words)
    if not (_UNFINISHED.search(text) or (text.endswith(",") and not beside)):
        lacks = _lacks_last_word(mention, words, taken)
        return _with_more(mention, range(start, start + 1)) if lacks else mention
    if not beside:
        left = words[mention.start][1]
        near = range(start, min(len(words), start + NEAR))
        below = (i for i in near if goes_on_below(words[last], words[i], left))
        start = next(below, len(words))
    end = start
    while end < min(len(words), start + _MOST_MORE) and end not in taken:
        if end > start and not _goes_on_beside(end, words):
            break
        end += 1
    return _with_more(mention, range(start, end)) if end > start else mention


def _with_more(mention: Mention, more: range) -> Mention:
    """Return a mention with the words behind it, which are scored as it is."""
    scores = (mention.score,) * len(more)
    return Mention((*mention.parts, Span(mention.parts[0].field, more.start, more.stop, scores)))


def _lacks_last_word(
    mention: Mention, words: Sequence[tuple[Page, Token]], taken: Collection[int]
) -> bool:
    """Return whether the text of a name ends with one word more, in capitals: "Paxton | Farm".

    Not behind a name in full or with a mark at its end, nor where the word is a title or a caption.
    """
    first, last = mention.parts[-1].start, mention.words[-1]
    text, end = words[last][1].text, last + 1
    begins = text_begins(first, words) == first or _stands_at_a_caption(first, words)
    if not begins or is_legal_form(text) or not text.isalpha():
        return False
    if end in taken or end == len(words) or not _in_text(end, words):
        return False
    more, behind = words[end][1].text, end + 1
    ends = behind == len(words) or not _in_text(behind, words)
    ends = ends or words[behind][1].text.startswith("#")  # of a branch
    return ends and more.isalpha() and more[0].isupper() and not is_no_name(more)


def ended(mention: Mention, words: Sequence[tuple[Page, Token]]) -> Mention:
    """Return a name's mention up to its legal form, at a line's end, a comma or "trading as".

    What stands below "Smith Ltd" or behind "Smith Ltd," is somebody's attention, the town or the
    street, unless it goes on with a legal form or a mark: "Smith & Co" above "KG".
    """
    for place, (index, following) in enumerate(itertools.pairwise(mention.words), 1):
        (page, token), (next_page, below) = words[index], words[following]
        apart = page is not next_page or token.line != below.line or token.text.endswith(",")
        goes_on = is_legal_form(below.text) or not below.text[:1].isalnum()
        trades = lenient(below.text) in _TRADES
        if is_legal_form(token.text) and (trades or (apart and not goes_on)):
            return Mention(tuple(_parts(mention, 0, place)))
    return mention


def without_numbers(mention: Mention, words: Sequence[tuple[Page, Token]]) -> Mention:
    """Return an address's mention without lines at its ends that are a phone's or a register's."""

    def is_number(line: Sequence[int]) -> bool:
        return is_number_beside_address(" ".join(words[index][1].text for index in line))

    by_line = itertools.groupby(mention.words, lambda at: (words[at][0].number, words[at][1].line))
    lines = [tuple(line) for _, line in by_line]
    start = sum(map(len, itertools.takewhile(is_number, lines)))
    end = len(mention.words) - sum(map(len, itertools.takewhile(is_number, reversed(lines))))
    return Mention(tuple(_parts(mention, start, end))) if start < end else mention


def _parts(mention: Mention, start: int, end: int) -> Iterator[Span]:
    """Yield the parts of a mention's words from one to before another, counted from its first."""
    for part in mention.parts:
        size = part.end - part.start
        first, last = max(start, 0), min(end, size)
        if first < last:
            scores = part.token_scores[first:last]
            yield Span(part.field, part.start + first, part.start + last, scores)
        start, end = start - size, end - size


def by_column(span: Span, words: Sequence[tuple[Page, Token]]) -> list[Span]:
    """Return a span parted where it runs from one column into the next.

    A form is read line by line: a space too wide for two words of one text parts two of its boxes.
    """
    inner = range(span.start + 1, span.end)
    edges = [span.start, *(i for i in inner if column_begins(i, words)), span.end]
    scores = span.token_scores
    return [
        Span(span.field, start, end, scores[start - span.start : end - span.start])
        for start, end in itertools.pairwise(edges)
    ]


def without_caption(span: Span, words: Sequence[tuple[Page, Token]]) -> Span:
    """Return a name's span without the caption that it begins with: "Owned by: Lee Ltd"."""
    captions = [i for i in range(span.start, span.end - 1) if words[i][1].text.endswith(":")]
    if not captions:
        return span
    start = captions[-1] + 1
    return Span(span.field, start, span.end, span.token_scores[start - span.start :])


def _stands_at_a_caption(index: int, words: Sequence[tuple[Page, Token]]) -> bool:
    """Return whether a colon stands right before a word, in its line: "Paid for by: Lee Ltd"."""
    if not index:
        return False
    (page, before), (other_page, word) = words[index - 1], words[index]
    return page is other_page and before.line == word.line and before.text.endswith(":")


def text_begins(index: int, words: Sequence[tuple[Page, Token]]) -> int:
    """Return the first word of the text in a word's line: the one behind the gap before it."""
    while index:
        (page, before), (other_page, word) = words[index - 1], words[index]
        if page is not other_page or before.line != word.line or column_begins(index, words):
            break
        index -= 1
    return index


def _goes_on_beside(index: int, words: Sequence[tuple[Page, Token]]) -> bool:
    """Return whether a word may go on in the text of the word before it, in the same line."""
    return _in_text(index, words) and not words[index][1].text.endswith(":")


def _in_text(index: int, words: Sequence[tuple[Page, Token]]) -> bool:
    """Return whether a word stands in the text of the word before it, in the same line."""
    (page, before), (other_page, word) = words[index - 1], words[index]
    in_line = page is other_page and before.line == word.line
    return in_line and not column_begins(index, words)


def column_begins(index: int, words: Sequence[tuple[Page, Token]], wide: float = WIDE) -> bool:
    """Return whether a word stands in the line of the word before it, but in another column.

    Args:
        index: the word.
        words: the document's words with their pages.
        wide: least space between two columns, in heights of the line.
    """
    (page, before), (other_page, word) = words[index - 1], words[index]
    if page is not other_page or before.line != word.line:
        return False
    height = max(before.box.height, word.box.height) * page.height
    return (word.box.x0 - before.box.x1) * page.width > wide * height


def said_again(mention: Sequence[Span], span: Span, words: Sequence[tuple[Page, Token]]) -> bool:
    """Return whether a span begins as the mention does: that is the value said once more."""
    said, new = (
        lenient(
            "".join(words[index][1].text for part in parts for index in range(part.start, part.end))
        )
        for parts in (mention, [span])
    )
    return said.startswith(new) or new.startswith(said)
