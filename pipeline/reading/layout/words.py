"""Words as readers deliver them: cleaned, cut where they are several things, lines split up."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from models.geometry import Box
from pipeline.document import Token

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
_DAY_WORD, _MONTH_WORD = re.compile(rf"{_DAY},?"), re.compile(r"[^\W\d_]{3,9}[.,]?")


def clean_word(text: str) -> str:
    """Return a word without white space and without characters that cannot be shown.

    Control and format characters, private-use and unassigned code points and lone surrogates go:
    they break JSON, databases and terminals, and carry no text. The result may be empty.
    """
    return "".join(character for character in text if character.isprintable() and character != " ")


def cut_glued(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens, each that is several things at once as one token a thing.

    A bracketed number that is glued to letters is a name and its number, a number behind a colon
    is a caption and its value, a range of dates without spaces is two dates and a dash; spans are
    made of whole tokens. The parts share the box by their characters and touch exactly, which tells
    `glued` that no space is printed between them.
    """
    tokens = list(tokens)
    texts = ["", *(token.text for token in tokens), ""]
    for token, before, after in zip(tokens, texts, texts[2:], strict=False):
        cuts = _cuts(token.text) or _cuts_within(before, token.text, after)
        if not cuts:
            yield token
            continue
        box, size = token.box, len(token.text)
        edges = [0, *cuts, size]
        places = [box.x0 + box.width * at / size for at in edges]
        places = [box.x0, *(min(max(place, box.x0), box.x1) for place in places[1:-1]), box.x1]
        for part, (start, end) in enumerate(itertools.pairwise(edges)):
            part_box = Box(places[part], box.top, places[part + 1], box.bottom)
            yield replace(token, text=token.text[start:end], box=part_box)


def _cuts(text: str) -> tuple[int, ...]:
    """Return the places, inside a word, where another thing begins."""
    if (bracket := _GLUED.search(text)) is not None:
        return (bracket.start(),)
    if (caption := _CAPTION.search(text)) is not None:
        at = caption.start()
        return (at, *(at + cut for cut in _cuts(text[at:])))
    if (dates := _RANGE.fullmatch(text)) is not None:
        return dates.span("dash")
    return ()


def _cuts_within(before: str, text: str, after: str) -> tuple[int, ...]:
    """Return the places where a year ends, and where the month or day behind its dash begins."""
    if (found := _YEAR_AND.fullmatch(text)) is None:
        return ()
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
            or _is_dash(first.text)
            or _is_dash(second.text)
        )
    )


def _is_dash(text: str) -> bool:
    return not text.strip(_DASHES)


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
