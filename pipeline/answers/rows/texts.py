"""Texts of rows: what stands near the row, and in the column of the text.

A tagger marks words like those of descriptions elsewhere on the page too, and what is parted by
rows of figures (`pipeline.answers.rows.groups`) has them in the nearest row. So a text keeps the
lines that follow one another, as lines of one text do, from the figures of its row on. A text that
holds words of another column, such as a unit with the end of a description, gives them back; a line
above the figures that had room for the next word is a heading, and no beginning of the text; an
identifier that stands apart before a text, where its row has none, is the row's; and a line of a
text goes on to its end, where nothing of it is a cell.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from models.labels import Span
from pipeline.answers.places.columns import column_begins, in_text
from pipeline.answers.places.mentions import Mention, Words
from pipeline.answers.rows.cells import (
    PRICE,
    Column,
    Line,
    Row,
    box_of,
    line_of,
    lines_of,
    middles,
    places,
    runs_of,
    shares,
    words_by_line,
)
from pipeline.answers.rows.codes import with_codes
from pipeline.answers.rows.continued import continued
from pipeline.answers.rows.edges import from_the_edge, of_one_column, without_code, without_units
from pipeline.values.schema import LONG, FieldSpec, Kind

_LEADING = 2.0  # heights of a word from one line of a text to the next, at most
_SPACE = 0.3  # heights of a word from one word of a line to the next
_LOOSE = 0.4  # the same where they are no longer one text
_CODE = 6  # digits of a word that is no part of a description
_FEWEST = 3  # texts of one run that show where their column stands
_FIGURES, _TEXT = 0, 1  # what stands in a line
_Place = tuple[int, float, int, Line]  # page, middle, what stands there, line


def settled(
    rows: Sequence[Row], specs: Sequence[FieldSpec], spans: Sequence[Span], words: Words
) -> list[Row]:
    """Return rows whose texts hold what stands near their row and in their column."""
    texts = [spec.column for spec in specs if spec.kind in LONG]
    columns = {name: places(rows, name, words) for name in texts}
    numbers = [spec.column for spec in specs if spec.kind is Kind.NUMBER]
    found = [_given_back(row, columns, numbers, words) for row in rows]
    identifiers = [spec for spec in specs if spec.kind is Kind.IDENTIFIER]
    identifier = identifiers[0] if len(identifiers) == 1 else None
    for name in texts:
        found = [without_code(row, name, identifier, words) for row in found]
    if texts and identifier:
        found = with_codes(found, texts[0], identifier, words)
    of_rows = [[cell for name, cell in row.items() if name not in texts] for row in found]
    for row, figures in zip(found, of_rows, strict=True):
        if figures:
            row |= {name: _near(row[name], figures, words) for name in texts if name in row}
    for name in texts:
        cells = [row[name] for row in found if name in row]
        edge = max((words[i][1].box.x1 for cell in cells for i in cell.words), default=1.0)
        for row, figures in zip(found, of_rows, strict=True):
            if figures and name in row:
                row[name] = _without_headings(row[name], figures, edge, words)
    found = without_units(found, [spec for spec in specs if spec.kind in LONG], words)
    names = {spec.name for spec in specs}
    tagged = {i for span in spans if span.field in names for i in range(span.start, span.end)}
    if texts:
        # The first text of a group is what its rows are about, in as many lines as it takes.
        about = texts[0]
        found = of_one_column(found, about, words)
        found = from_the_edge(found, about, identifier, tagged | _words_of(found), words)
        amounts = [spec.column for spec in specs if spec.kind in (Kind.AMOUNT, Kind.NUMBER)]
        owners = {index: at for at, row in enumerate(found) for index in _words_of([row])}
        for at, more in continued(found, about, amounts, words).items():
            row = found[at]
            added = [index for index in more if owners.get(index, at) == at]
            scores = dict.fromkeys(added, row[about].score) | row[about].scores
            row[about] = row[about].of(scores)
    taken = tagged | _words_of(found)
    for row in found:
        row |= {name: _to_the_end(row[name], taken, words) for name in texts if name in row}
    return found


def _words_of(rows: Sequence[Row]) -> set[int]:
    return {index for row in rows for cell in row.values() for index in cell.words}


def _given_back(
    row: Row, columns: Mapping[str, Column], numbers: Collection[str], words: Words
) -> Row:
    """Return a row whose texts of several places keep the one in their column.

    Where columns do not tell, a text that is not what the row is about, such as a unit, keeps the
    one next to the row's number. The others go to the text of another column that they stand next
    to.
    """
    row = dict(row)
    counted = [index for name in numbers if name in row for index in row[name].words]
    for name, column in columns.items():
        if name not in row or len(runs := runs_of(row[name].words, words)) == 1:
            continue
        own = [run for run in runs if len(column) >= _FEWEST and shares(box_of(run, words), column)]
        of_number = len(own) != 1 and bool(counted) and name != next(iter(columns))
        if of_number:
            nearest = min(runs, key=lambda run: min(abs(i - j) for i in run for j in counted))
            box = box_of(nearest, words)
            place = np.array([(box.x0, box.x1)])
            own = [run for run in runs if shares(box_of(run, words), place)]
        elif len(own) != 1:
            continue
        left = {index for run in own for index in run}
        for other in columns:
            if other == name or other not in row:
                continue
            beside = set(row[other].words)
            apart = [run for run in runs if run not in own and _touches(run, beside, words)]
            if given := {index for run in apart for index in run}:
                more = row[name].only(given).scores
                row[other] = row[other].of(row[other].scores | more)
                row[name] = row[name].only({*row[name].words} - given)
        if of_number:
            row[name] = row[name].only(left)
    return row


def _touches(run: Sequence[int], others: Collection[int], words: Words) -> bool:
    """Return whether words go on one of the others as words of one text do."""
    ends = ((run[0] - 1, run[0]), (run[-1], run[-1] + 1))
    return any(
        (one in others or other in others) and len(runs_of((one, other), words)) == 1
        for one, other in ends
    )


def _near(text: Mention, figures: Sequence[Mention], words: Words) -> Mention:
    """Return the lines of a text that follow one another from the figures of its row on.

    Of a text that stands apart from them as a whole, the nearest line is left.
    """
    lines = middles(text.words, words)
    row = middles([index for figure in figures for index in figure.words], words)
    reach = _LEADING * statistics.median(words[index][1].box.height for index in text.words)
    # From the top down; of those as high, the figures come first.
    stack = sorted(
        [(page, middle, _FIGURES, (page, line)) for (page, line), middle in row.items()]
        + [(page, middle, _TEXT, (page, line)) for (page, line), middle in lines.items()]
    )
    kept = set[Line]()
    nearest = (math.inf, min(lines))
    block: list[_Place] = []
    for place, below in itertools.zip_longest(stack, stack[1:]):
        block.append(place)
        gap = below[1] - place[1] if below and below[0] == place[0] else math.inf
        if below and below[2] != place[2]:
            nearest = min(nearest, (gap, (place if place[2] == _TEXT else below)[3]))
        if gap > reach:
            if any(what == _FIGURES for _, _, what, _ in block):
                kept |= {line for _, _, what, line in block if what == _TEXT}
            block = []
    kept = kept or {nearest[1]}
    return text.only({i for i in text.words if line_of(i, words) in kept})


def _without_headings(
    text: Mention, figures: Sequence[Mention], edge: float, words: Words
) -> Mention:
    """Return a text without the lines above its figures that had room for the next word.

    Args:
        text: of one row.
        figures: of the row.
        edge: right edge of the text's column, a fraction of the page's width.
        words: of the document with their pages.
    """
    held, stand = words_by_line(words, text.words), middles(text.words, words)
    lines = sorted(held, key=lambda line: (line[0], stand[line]))
    row = lines_of(figures, words)
    first = next((at for at, line in enumerate(lines) if line in row), 0)
    while first and not _had_room(held[lines[first - 1]], held[lines[first]][0], edge, words):
        first -= 1
    kept = {index for line in lines[first:] for index in held[line]}
    return text.only(kept)


def _to_the_end(text: Mention, cells: set[int], words: Words) -> Mention:
    """Return a text whose lines go on to a space as wide as between columns.

    They do not where a cell stands there, or more than a space before a price or a number so long
    that it is a code.
    """
    scores, score = text.scores, text.score
    for line in words_by_line(words, text.words).values():
        more: list[int] = []
        for index in range(line[-1] + 1, len(words)):
            if not in_text(index, words):
                break
            more.append(index)
        others = any(
            _is_another(words[index][1].text) and column_begins(index, words, _LOOSE)
            for index in more
        )
        if not others and not cells & set(more):
            scores |= dict.fromkeys(more, score)
    return text.of(scores)


def _is_another(text: str) -> bool:
    """Return whether a word is no part of a description: a price, or a code."""
    return sum(map(str.isdigit, text)) >= _CODE or PRICE.fullmatch(text) is not None


def _had_room(line: Sequence[int], following: int, edge: float, words: Words) -> bool:
    """Return whether a word had fitted behind those of a line, up to an edge."""
    page, word = words[following]
    space = _SPACE * word.box.height * page.height / page.width
    return max(words[index][1].box.x1 for index in line) + space + word.box.width <= edge
