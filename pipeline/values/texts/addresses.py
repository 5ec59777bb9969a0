"""Addresses as clean strings, the printed punctuation kept."""

from __future__ import annotations

import re

from pipeline.values.texts.strings import clean

_CAPTION = re.compile(
    r"(?:(?:registered|business|mailing|postal|company|our)\s)?(?:address|addr|alamat|add)"
    r"(?:\s?[:;.-]\s?|\s?$)",
    re.IGNORECASE,
)
_SPACE_BEFORE_MARK = re.compile(r" (?=[,;.](?: |$))")


def printed_address(text: str) -> str:
    """Return an address as printed, without a caption ("Address:"); a comma at its end stays."""
    current = clean(text, keep=",")
    while (caption := _CAPTION.match(current)) is not None:
        current = clean(current[caption.end() :], keep=",")
    return current


def clean_address(text: str) -> str:
    """Return an address as one clean line: no caption, no stray ends, no space before a comma."""
    return clean(_SPACE_BEFORE_MARK.sub("", printed_address(text)))
