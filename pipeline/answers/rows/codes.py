"""Codes of articles, told by their column: one word a row before the texts, most of them unlike.

A tagger finds few of the codes that strangers print; but they stand below one another. What goes up
by equal steps numbers the rows, and what is a date says when.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from pipeline.answers.places.columns import in_text
from pipeline.answers.places.mentions import Words, placed
from pipeline.answers.rows.cells import (
    Row,
    line_of,
    words_by_line,
)
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind

CODE = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z\d][A-Z\d./-]{2,}")
"""A word of capitals and digits: no word of a text."""
# The numbers of positions, "01.010", are none.
_NUMBER = re.compile(r"(?!0\d*\.)(?=(?:\D*\d){4})\d[\d-]*(?:\.\d{3})*(?:[/-]\d+)*")
_CAPITALS = re.compile(r"[A-Z\d]+(?:[./-][A-Z\d]+)*")  # a code where others stand below it
_JOINED = re.compile(r"[A-Z\d]+-[A-Z\d-]+")  # the same as the first word of a text
_ALIGNED = 0.6  # heights of a word from where one of a column begins to where the next one does
_ALONE = 0.5  # heights of a word to the one beside it, at least
_FEWEST = 2  # words that look like codes,
_FEWEST_NUMBERS = 3  # and numbers that do
_UNLIKE = 2 / 3  # of a column, at least

_Candidate = tuple[float, int, int, bool]  # left edge, row, word, whether it is in the row's text


def with_codes(rows: Sequence[Row], name: str, spec: FieldSpec, words: Words) -> list[Row]:
    """Return rows with the codes of the column that most have one in, and texts without those.

    Codes that the tagger gives elsewhere stay, where at least as many rows have one.

    Args:
        rows: mentions by column.
        name: column of the texts.
        spec: column of the codes.
        words: of the document with their pages, which the mentions count.
    """
    found = list(rows)
    texts = sum(name in row for row in rows)
    given = {
        at: row[spec.column].words[0]
        for at, row in enumerate(rows)
        if name in row and spec.column in row
    }
    best = given if _are_codes(given, words) else {}
    for column in _columns(sorted(_candidates(rows, name, spec.column, words)), words):
        of_row = {at: index for _, at, index, _ in reversed(column)}
        told = not all(in_text for *_, in_text in column) and _are_codes(of_row, words)
        if told and 2 * len(of_row) > texts and len(of_row) > len(best):
            best = of_row
    for at, index in best.items():
        row = found[at]
        left = set(row[name].words) - {index}
        if left:
            code = row.get(spec.column)
            if code is None or index not in code.words:
                code = placed(spec.name, [index])
            found[at] = row | {name: row[name].only(left), spec.column: code}
    return found


def _candidates(rows: Sequence[Row], name: str, code: str, words: Words) -> Iterator[_Candidate]:
    """Yield what may be a code in the lines of a row's text: what it begins with, or before it."""
    by_line = words_by_line(words)
    owners = {i: column for row in rows for column, cell in row.items() for i in cell.words}
    for at, row in enumerate(rows):
        firsts: dict[tuple[int, int], int] = {}
        for index in row[name].words if name in row else ():
            firsts.setdefault(line_of(index, words), index)
        for line, first in firsts.items():
            for index in (index for index in by_line[line] if index <= first):
                text = words[index][1].text
                own = owners.get(index)
                if own == name:
                    fits = CODE.fullmatch(text) or _JOINED.fullmatch(text)
                else:
                    fits = _CAPITALS.fullmatch(text) or _NUMBER.fullmatch(text)
                if fits and (own in (name, code) or (own is None and _is_alone(index, words))):
                    yield words[index][1].box.x0, at, index, own == name


def _columns(codes: Sequence[_Candidate], words: Words) -> Iterator[list[_Candidate]]:
    """Yield the words of each column, from left to right."""
    column: list[_Candidate] = []
    for code in codes:
        page, token = words[code[2]]
        apart = (code[0] - column[-1][0]) * page.width if column else 0.0
        if apart > _ALIGNED * token.box.height * page.height:
            yield column
            column = []
        column.append(code)
    yield column


def _are_codes(column: Mapping[int, int], words: Words) -> bool:
    """Return whether most words of a column, by row, are unlike, and none numbers the rows."""
    texts = [words[index][1].text for _, index in sorted(column.items())]
    if len(set(texts)) < _UNLIKE * len(texts) or 2 * sum(map(_is_date, texts)) > len(texts):
        return False
    if any(map(CODE.fullmatch, texts)):
        return sum(1 for text in texts if CODE.fullmatch(text)) >= _FEWEST
    numbers = [int(re.sub(r"\D", "", text)) for text in texts if _NUMBER.fullmatch(text)]
    steps = {two - one for one, two in itertools.pairwise(numbers)}
    return len(numbers) >= _FEWEST_NUMBERS and len(steps) > 1


def _is_date(text: str) -> bool:
    return normalise(text, FieldSpec("date", Kind.DATE), DocumentContext()).status != "failed"


def _is_alone(index: int, words: Words) -> bool:
    """Return whether there is more than a space between a word and those beside it."""
    return not (in_text(index, words, _ALONE) or in_text(index + 1, words, _ALONE))
