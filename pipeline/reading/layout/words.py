"""Words as readers deliver them: cleaned, cut where they are several things, lines split up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from models.geometry import Box
from pipeline.document import Token
from pipeline.reading.layout.table import WordTable

# A bracket with a number in it, glued to a name: "BHD(728384-M)" is a name and its number, and so
# is "Senate-D(136462)"; behind a single letter it has to be a long one, unlike that of "4-A(1)".
_LETTER = r"[^\W\d_]"
_GLUED = re.compile(
    rf"(?<={_LETTER}{{2}})(?=\([^()]*\d[^()]*\)?\W?$)|(?<={_LETTER})(?=\(\d{{4,}}\)?\W?$)"
)
# A caption and its value: "DATE:16/03/2018"; a time of day has no letters before its colon.
_CAPTION = re.compile(r"(?<=[^\W\d_]{2}:)(?=\d)")
# Two dates and the dash of their range: "02/17/20-02/23/20" is a beginning and an end, and so are
# "17-Feb-20-23-Feb-20" and "02-17-2020-02-23-2020"; serial numbers have groups beyond days.
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?:(?:19|20)?\d\d)"
_DATE = (
    r"(?:\d{{1,4}}(?P<s{0}>[/.])\d{{1,2}}(?P=s{0})\d{{2,4}}"
    rf"|{_DAY}(?P<n{{0}}>[-/.]?)[^\W\d_]{{{{3,9}}}}\.?(?P=n{{0}}){_YEAR}|{_DAY}-{_DAY}-{_YEAR})"
)
_DASHES = "-–—~"
_RANGE = re.compile(rf"\W?{_DATE.format(1)}(?P<dash>[{_DASHES}]{{1,2}}){_DATE.format(2)}\W?")
# The middle of a range of dates of several words: "Feb 13, 2020-Feb 16, 2020", and with days first.
_YEAR_AND = re.compile(
    rf"(?:19|20)\d\d(?P<dash>[{_DASHES}]{{1,2}})(?:{_DAY}|(?P<month>[^\W\d_]{{3,9}}\.?))"
)
# What leads the eye from a caption to its value: "Total.......12.00".
_LEADER = re.compile(r"(?<=[^\W_])\W{0,2}?(?P<leader>[._·]{4,}|…{2,})(?=\W{0,2}[^\W_])")
_JOINT = re.compile(rf"[{_DASHES}(:_·…]|\.{{4}}")  # what any word that is several things holds
_DAY_WORD, _MONTH_WORD = re.compile(rf"{_DAY},?"), re.compile(r"[^\W\d_]{3,9}[.,]?")


def clean_word(text: str) -> str:
    """Return a word without white space and without characters that cannot be shown.

    Control and format characters, private-use and unassigned code points and lone surrogates go:
    they break JSON, databases and terminals, and carry no text. The result may be empty.
    """
    if text.isprintable() and " " not in text:  # as nearly all are
        return text
    return "".join(character for character in text if character.isprintable() and character != " ")


def cut_glued(words: WordTable) -> WordTable:
    """Return the words, each that is several things at once as one word a thing.

    A bracketed number that is glued to letters is a name and its number, a number behind a colon
    is a caption and its value, as is one behind a leader of dots, a range of dates without spaces
    is two dates and a dash; spans are made of whole words. The parts share the box by their
    characters and touch exactly, which tells `glued` that no space is printed between them.
    """
    texts = words.texts
    cuts = {
        number: found
        for number, text in enumerate(texts)
        if _JOINT.search(text) and (found := _cuts(text) or _cuts_within(texts, number))
    }
    if not cuts:
        return words
    parts: list[str] = []
    whole: list[int] = []  # the word that each part belongs to
    sides: list[tuple[float, float]] = []
    for number, (x0, x1) in enumerate(words.boxes[:, ::2].tolist()):
        text = texts[number]
        edges = [0, *cuts.get(number, ()), len(text)]
        places = [x0, *(min(x0 + (x1 - x0) * at / len(text), x1) for at in edges[1:-1]), x1]
        parts += [text[start:end] for start, end in pairwise(edges)]
        sides += pairwise(places)
        whole += [number] * (len(edges) - 1)
    boxes = words.boxes[whole]
    boxes[:, [0, 2]] = sides
    return WordTable(parts, boxes, words.line[whole], words.block[whole], words.source[whole])


def _cuts(text: str) -> tuple[int, ...]:
    """Return the places, inside a word, where another thing begins."""
    cuts = [edge for leader in _LEADER.finditer(text) for edge in leader.span("leader")]
    if not cuts and (bracket := _GLUED.search(text)) is not None:
        return (bracket.start(),)
    cuts += [caption.start() for caption in _CAPTION.finditer(text)]
    cuts.sort()
    for start, end in pairwise([0, *cuts, len(text)]):
        if (dates := _RANGE.fullmatch(text, start, end)) is not None:
            cuts += dates.span("dash")
    return tuple(sorted(cuts))


def _cuts_within(texts: Sequence[str], number: int) -> tuple[int, ...]:
    """Return the places where a year ends, and where the month or day behind its dash begins."""
    if not 0 < number < len(texts) - 1 or not (found := _YEAR_AND.fullmatch(texts[number])):
        return ()
    before, after = texts[number - 1], texts[number + 1]
    beside = _DAY_WORD if found["month"] else _MONTH_WORD
    return found.span("dash") if beside.fullmatch(before) and beside.fullmatch(after) else ()


def glued(first: Token, second: Token) -> bool:
    """Return whether two tokens in sequence are parts that `cut_glued` made of one word."""
    return (
        first.line == second.line
        and first.box.x1 == second.box.x0
        and (first.box.top, first.box.bottom) == (second.box.top, second.box.bottom)
        and (
            second.text.startswith("(")
            or first.text.endswith(":")
            or _joins(first.text)
            or _joins(second.text)
        )
    )


def _joins(text: str) -> bool:
    return not text.strip(_DASHES) or not text.strip("._·…")


def split_line(text: str, box: Box, line: int) -> list[Token]:
    """Return the words of a transcribed line, its box shared out by numbers of characters.

    Args:
        text: the line; white space parts the words (none gives an empty list).
        box: place of the whole line.
        line: source line number that the words get; the block is 0.
    """
    stripped = text.strip()
    step = box.width / max(len(stripped), 1)
    return [
        Token(
            match.group(),
            Box(
                # The sum can pass the edge by a rounding error.
                min(box.x0 + match.start() * step, box.x1),
                box.top,
                min(box.x0 + match.end() * step, box.x1),
                box.bottom,
            ),
            line=line,
        )
        for match in re.finditer(r"\S+", stripped)
    ]
