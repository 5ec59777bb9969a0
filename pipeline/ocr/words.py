"""Cleans the text of words at the door, whichever reader they come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from models.geometry import Box
from pipeline.document import Token

# A bracket with a number in it, glued to a name: "BHD(728384-M)" is a name and its number.
_GLUED = re.compile(r"(?<=[^\W\d_]{2})(?=\([^()]*\d[^()]*\)?\W?$)")


def clean_word(text: str) -> str:
    """Return a word without white space and without characters that cannot be shown.

    Control and format characters, private-use and unassigned code points and lone surrogates go:
    they break JSON, databases and terminals, and carry no text. The result may be empty.
    """
    return "".join(character for character in text if character.isprintable() and character != " ")


def cut_glued(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens, a bracketed number that is glued to letters as a token of its own.

    A name and its registration number are two things, and spans are made of whole tokens. The
    parts share the box by their characters and touch exactly, which tells `glued` that no space
    is printed between them.
    """
    for token in tokens:
        match = _GLUED.search(token.text)
        if match is None:
            yield token
            continue
        at, box = match.start(), token.box
        middle = box.x0 + box.width * at / len(token.text)
        middle = min(max(middle, box.x0), box.x1)
        yield replace(token, text=token.text[:at], box=Box(box.x0, box.top, middle, box.bottom))
        yield replace(token, text=token.text[at:], box=Box(middle, box.top, box.x1, box.bottom))


def glued(first: Token, second: Token) -> bool:
    """Return whether two tokens in sequence are parts that `cut_glued` made of one word."""
    return (
        first.line == second.line
        and first.box.x1 == second.box.x0
        and (first.box.top, first.box.bottom) == (second.box.top, second.box.bottom)
        and second.text.startswith("(")
    )
