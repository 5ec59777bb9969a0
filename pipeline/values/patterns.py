"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
from typing import Any, cast


class _Pattern:
    """What `re.compile` returns, but compiled by the first use of one of its methods."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked for by copy and pickle
            raise AttributeError(name)
        found = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, found)  # from now on it is found without coming here
        return found


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return the pattern of a regular expression.

    The lists of words in many languages make expressions of thousands of characters, which take
    half a second to compile together; a document needs a few of them. What is wrong with an
    expression is told by its first use.
    """
    return cast("re.Pattern[str]", _Pattern(text, flags))
