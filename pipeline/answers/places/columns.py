"""Values in columns: cut at the column's edge, continued in the line below at its left edge."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from models.labels import Span
from pipeline.answers.places.mentions import Mention, Words
from pipeline.document import Page, Token
from pipeline.values.texts.address_lines import has_caption, is_number_beside_address
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
_SHORTEST = 3  # letters of a name that is told from an address
_OF = "DE"  # between two legal forms: "S.A. de C.V."
_AND = frozenset({"&", "+", "and", "und", "et", "y", "e", "en"})
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
    words: Words,
    *,
    names: bool = False,
    numbers: bool = False,
) -> list[Mention]:
    """Return the mentions of one field's spans: those that a column's edge parted are one.

    The column begins at the value's left edge, or, but for names, where the text begins that the
    value stands in: an address may stand behind the name, or behind a caption in each line, and so
    may a name that ends with "and". What begins with its own text does not go on behind other words
    in the line below.

    Args:
        spans: disjoint spans of one field.
        words: the document's words with their pages, see `Document.words`.
        names: whether they are names: what stands behind a caption of its own is another one.
        numbers: whether how they read tells later which parts are one: they may also go on at the
            left edge of their caption.
    """
    mentions: list[list[Span]] = []
    begins = {span.start: text_begins(span.start, words) for span in spans}
    for span in sorted(spans, key=lambda span: span.start):
        is_other = names and _stands_at_a_caption(span.start, words)
        text = begins[span.start]
        for mention in () if is_other else reversed(mentions):
            upper, first = words[mention[-1].end - 1], mention[0].start
            if mention[-1].end == span.start:  # nothing stands between them: they were parted
                continue
            edges = {(span.start, first), (span.start, begins[first] if numbers else first)}
            in_texts = not names or goes_on_with(upper[1].text)
            if in_texts and (text == span.start or begins[first] != first):
                edges.add((text, begins[first]))
            if any(
                goes_on_below(upper, words[lower], words[left][1]) for lower, left in edges
            ) and not said_again(mention, span, words):
                mention.append(span)
                break
        else:
            mentions.append([span])
    return [Mention(tuple(parts)) for parts in mentions]


def with_last_word(mention: Mention, words: Words, taken: Collection[int]) -> Mention:
    """Return a name's mention with the one word in capitals more that its text ends with, if any.

    "Paxton | Farm" lacks that; not so a name in full or with a mark at its end, nor one before a
    title or a caption. The word is scored as the mention is.

    Args:
        mention: of a name.
        words: the document's words with their pages.
        taken: words that are part of a value already.
    """
    first, end = mention.parts[-1].start, mention.words[-1] + 1
    text = words[end - 1][1].text
    begins = text_begins(first, words) == first or _stands_at_a_caption(first, words)
    if not begins or is_legal_form(text) or not text.isalpha():
        return mention
    if end in taken or not in_text(end, words):
        return mention
    more, behind = words[end][1].text, end + 1
    ends = not in_text(behind, words) or words[behind][1].text.startswith("#")  # of a branch
    if not (ends and more.isalpha() and more[0].isupper()) or is_no_name(more):
        return mention
    return mention.of(mention.scores | {end: mention.score})


def ended(mention: Mention, words: Words) -> Mention:
    """Return a name's mention up to its legal form, at a line's end, a comma or "trading as".

    What stands below "Smith Ltd" or behind "Smith Ltd," is somebody's attention, the town or the
    street, unless it goes on with a legal form or a mark: "Smith & Co" above "KG", "S.A." above
    "de C.V.".
    """
    texts = [words[index][1].text for index in mention.words]
    for place, (index, following) in enumerate(itertools.pairwise(mention.words), 1):
        text, behind = texts[place - 1], texts[place]
        apart = not same_line(index, following, words) or text.endswith(",")
        more = (word for word in texts[place:] if lenient(word) != _OF)
        goes_on = is_legal_form(next(more, "")) or not behind[:1].isalnum()
        if is_legal_form(text) and (lenient(behind) in _TRADES or (apart and not goes_on)):
            return mention.only(mention.words[:place])
    return mention


def address_alone(mention: Mention, words: Words, names: Collection[str]) -> Mention:
    """Return an address's mention without what stands around it and the captions of its lines.

    Lines at its ends that are a phone's or a register's go, and the first words of such a line:
    "0803" of "0803 555 0144"; so do first lines that say the last words of a name.

    Args:
        mention: of an address.
        words: the document's words with their pages.
        names: that the document gives.
    """

    def is_number(line: Sequence[int]) -> bool:
        end = line[-1] + 1
        while in_text(end, words):
            end += 1
        texts = [words[index][1].text for index in range(text_begins(line[0], words), end)]
        printed = " ".join(words[index][1].text for index in line)
        return any(map(is_number_beside_address, (printed, " ".join(texts))))

    named = [list(map(lenient, name.split())) for name in names]

    def is_name(line: Sequence[int]) -> bool:
        said = [lenient(words[index][1].text) for index in line]
        return sum(map(len, said)) >= _SHORTEST and any(
            said == name[-len(said) :] for name in named
        )

    by_line = itertools.groupby(mention.words, lambda at: (words[at][0].number, words[at][1].line))
    lines = [tuple(line) for _, line in by_line]
    lines = list(itertools.dropwhile(lambda line: is_number(line) or is_name(line), lines))
    while lines and is_number(lines[-1]):
        lines.pop()
    alone = [
        index
        for line in lines
        for index in line[has_caption([words[index][1].text for index in line]) :]
    ]
    return mention.only(alone) if alone else mention


def by_column(span: Span, words: Words) -> list[Span]:
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


def goes_on_with(text: str) -> bool:
    """Return whether no name ends with a word: another follows "&"."""
    return text.casefold() in _AND


def _stands_at_a_caption(index: int, words: Words) -> bool:
    """Return whether a colon stands right before a word, in its line: "Paid for by: Lee Ltd"."""
    before = index - 1
    return before >= 0 and same_line(before, index, words) and words[before][1].text.endswith(":")


def text_begins(index: int, words: Words) -> int:
    """Return the first word of the text in a word's line: the one behind the gap before it."""
    while in_text(index, words):
        index -= 1
    return index


def same_line(index: int, other: int, words: Words) -> bool:
    """Return whether two words stand in one line of one page."""
    (page, token), (other_page, following) = words[index], words[other]
    return page is other_page and token.line == following.line


def in_text(index: int, words: Words, wide: float = WIDE) -> bool:
    """Return whether a word stands in the text of the word before it, in the same line.

    Args:
        index: the word, or the place behind the last one.
        words: the document's words with their pages.
        wide: least space between two texts, in heights of the line.
    """
    return (
        0 < index < len(words)
        and same_line(index - 1, index, words)
        and not column_begins(index, words, wide)
    )


def column_begins(index: int, words: Words, wide: float = WIDE) -> bool:
    """Return whether a word stands in the line of the word before it, but in another column.

    Args:
        index: the word.
        words: the document's words with their pages.
        wide: least space between two columns, in heights of the line.
    """
    if not same_line(index - 1, index, words):
        return False
    (page, before), (_, word) = words[index - 1], words[index]
    height = max(before.box.height, word.box.height) * page.height
    return (word.box.x0 - before.box.x1) * page.width > wide * height


def said_again(mention: Sequence[Span], span: Span, words: Words) -> bool:
    """Return whether a span says the beginning of the mention, or words of it, once more."""
    said, new = (
        lenient(
            "".join(words[index][1].text for part in parts for index in range(part.start, part.end))
        )
        for parts in (mention, [span])
    )
    again = new in said and span.end - span.start > 1
    return again or said.startswith(new) or new.startswith(said)
