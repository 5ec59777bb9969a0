"""Lists of words as sets and patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that lists them, parted by white space."""
    return frozenset(text.split())


def either(texts: Iterable[str]) -> str:
    """Return a regular expression of any of some texts, the longest that there is."""
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
