"""What stands around a value: the words that say what it is, and the column that it adds up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from pipeline.answers.places.mentions import Words
from pipeline.document import Token

_BESIDE = 5  # words before a value, in its line, that may be its caption
_FAR = 400  # words back in which the head of a column is looked for
_LONGEST = 40  # figures of a column that are added up
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def named_by(words: Words, first: int) -> frozenset[str]:
    """Return the words that may say what a value is, with where they stand.

    ``beside`` it, in its line before it; ``over`` it, in the nearest line above it that has letters
    in its column: a caption, or the head of a table.

    Args:
        words: of the document, in reading order.
        first: number of the value's first word.
    """
    page, token = words[first]
    found: set[str] = set()
    for index in range(first - 1, max(-1, first - 1 - _BESIDE), -1):
        other_page, other = words[index]
        if other_page is not page or other.line != token.line:
            break
        found |= {f"beside {word}" for word in _letters(other.text)}
    line = None
    for other in _column(words, first, -1):
        if line is not None and other.line != line:
            break
        if letters := _letters(other.text):
            line = other.line
            found |= {f"over {word}" for word in letters}
    return frozenset(found)


def adds_up(words: Words, first: int, figure: Callable[[str], Decimal | None]) -> float:
    """Return 1 for a sum of its column, -1 for a part of one, and 0 for any other figure.

    A sum is what two figures or more come to that stand right above it, with nothing between.

    Args:
        words: of the document, in reading order.
        first: number of the figure's first word.
        figure: reads a word; None where it is no figure.
    """
    own = figure(words[first][1].text)
    if not own:
        return 0.0
    above = list(_figures(_column(words, first, -1), figure))
    if _sums(own, above):
        return 1.0
    run = [own, *above]  # from the nearest upwards; what comes below is put before it
    for between, below in enumerate(_figures(_column(words, first, 1), figure)):
        if _sums(below, run, least=between + 1):
            return -1.0
        run.insert(0, below)
    return 0.0


def _sums(total: Decimal, above: Sequence[Decimal], least: int = 0) -> bool:
    """Return whether figures that end right above a total come to it: two, and at least so many."""
    so_far = Decimal(0)
    for count, one in enumerate(above, 1):
        so_far += one
        if count >= max(least, 2) and so_far == total:
            return True
    return False


def _figures(column: Iterator[Token], figure: Callable[[str], Decimal | None]) -> Iterator[Decimal]:
    """Yield the figures of a column up to the first word that is none."""
    for count, token in enumerate(column):
        if not any(map(str.isalnum, token.text)):
            continue  # a currency sign by itself, a rule
        found = figure(token.text)
        if found is None or count >= _LONGEST:
            return
        yield found


def _column(words: Words, first: int, step: int) -> Iterator[Token]:
    """Yield the words that stand over or under a word, the nearest in reading order first."""
    page, token = words[first]
    index, left = first + step, _FAR
    while 0 <= index < len(words) and left:
        other_page, other = words[index]
        if other_page is not page:
            return
        beyond = other.line < token.line if step < 0 else other.line > token.line
        if beyond and other.box.x0 < token.box.x1 and token.box.x0 < other.box.x1:
            yield other
        index, left = index + step, left - 1


def _letters(text: str) -> list[str]:
    return _LETTERS.findall(text.casefold())
