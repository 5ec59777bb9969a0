"""Identifiers (invoice, contract, account numbers): without caption, without stray spaces."""

from __future__ import annotations

import re

from pipeline.values.texts.strings import clean

# One to five caption words, the last of them a word for "number", or a "#" or ":".
_CAPTION = re.compile(
    r"(?:n[°º]\s?)?(?:[^\W\d_]{1,20}[.\s/]{1,2}){0,4}?"
    r"(?:(?:no|nos|nr|num|number|numer|numero|número|numéro|ref|reference|id|code|iban|bic|swift"
    r"|[^\W\d_]{0,20}nummer|[^\W\d_]{2,20}nr)(?![^\W_])\s?[.:#-]{0,3}"
    r"|(?:[^\W\d_]{1,20}\.?-){1,2}(?:nr|no|nummer|id|code)(?![^\W_-])\s?[.:]{0,2}(?=\s)"
    r"|(?:n[°º]|№)\.?\s?:?|(?:n|č|sz)\.\s?:?"
    r"|#|(?<=[°º])\s?:?|[^\W\d_]{2,20}\.?\s?[:#]{1,2})"
    r"\s{0,3}",
    re.IGNORECASE,
)
_INNER_SPACE = re.compile(r"(?<=[\d/.-]) (?=[\d/.-])")


def printed_identifier(text: str) -> str:
    """Return an identifier as printed, without its caption ("Invoice No:", "#") and stray ends.

    A caption goes only where something with a digit is left.
    """
    current = clean(text)
    while (caption := _CAPTION.match(current)) is not None:
        rest = clean(current[caption.end() :])
        if caption.end() == 0 or not any(c.isdecimal() for c in rest):
            break
        current = rest
    return current


def clean_identifier(text: str) -> str:
    """Return an identifier as `printed_identifier` does, split numbers closed up.

    Spaces go where reading or print split a number ("272355 / 3", "1234 5678"), not beside
    letters ("9752880 (Rev 0)").
    """
    return _INNER_SPACE.sub("", printed_identifier(text))
