"""Addresses as clean strings: lines joined, the printed punctuation kept."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipeline.postprocess.strings import clean, fold_space

_CAPTION = re.compile(
    r"(?:(?:registered|business|mailing|postal|company|our)\s)?(?:address|addr|alamat|add)"
    r"(?:\s?[:;.-]\s?|\s?$)",
    re.IGNORECASE,
)
_SPACE_BEFORE_MARK = re.compile(r" (?=[,;.](?: |$))")


def join_lines(lines: Iterable[str]) -> str:
    """Return the lines of an address as one: a space between them, the punctuation as printed.

    People who copy an address keep its commas and full stops and add none at a line's end.
    """
    return fold_space(" ".join(lines))


def printed_address(text: str) -> str:
    """Return an address as printed, without a caption ("Address:"); a comma at its end stays."""
    current = clean(text, keep=",")
    while (caption := _CAPTION.match(current)) is not None:
        current = clean(current[caption.end() :], keep=",")
    return current


def clean_address(text: str) -> str:
    """Return an address as one clean line: no caption, no stray ends, no space before a comma."""
    return clean(_SPACE_BEFORE_MARK.sub("", printed_address(text)))
