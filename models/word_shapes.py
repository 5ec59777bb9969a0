"""How words are written: case, digits and marks, which a tokenizer that lowers case takes away.

The shape of a word has X and x for its letters, 9 for its digits, and long runs shortened, as the
feature of that name in spaCy. Shapes are hashed into the rows of a table.
"""

from __future__ import annotations

from binascii import crc32
from functools import lru_cache
from itertools import groupby

NO_SHAPE = 0
"""Row of what is no word: specials, line separators, padding, hidden words."""

_MOST = {"X": 2, "x": 2, "9": 4}  # of one run; of other characters one
_LONGEST = 16  # characters of a shape; words are not told apart beyond


def shape_of(word: str) -> str:
    """Return how a word is written: ``XX-9999`` for ``ACME-20261``, ``Xxx`` for ``Acme``."""
    runs = ((kind, sum(1 for _ in run)) for kind, run in groupby(map(_kind, word)))
    return "".join(kind * min(count, _MOST.get(kind, 1)) for kind, count in runs)[:_LONGEST]


@lru_cache(maxsize=4096)
def shape_row(word: str, rows: int) -> int:
    """Return the row of a word's shape, from 1 to ``rows - 1``; two shapes may share one."""
    return 1 + crc32(shape_of(word).encode()) % (rows - 1)


def _kind(character: str) -> str:
    if character.isdecimal():
        return "9"
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return character
