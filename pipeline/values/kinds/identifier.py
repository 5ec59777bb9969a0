"""Numbers of invoices, contracts and accounts: the clean string without its caption."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.values.context import DocumentContext
from pipeline.values.normalised import Normalised, failed, string
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded
from pipeline.values.texts.identifiers import clean_identifier, is_missing, printed_identifier
from pipeline.values.texts.strings import clean
from pipeline.values.times.written import is_written_date

# 12345, 12346: two numbers alike in length
_TWO = re.compile(r"(\S*\d\S*?)(?:[,;]|\s(?:and|und|et|y|e|en|&|и))\s(\S*\d\S*)")
_CODE = re.compile(r"[A-Z]{2,12}(?:[\s/._-]{1,3}[A-Z]{1,12}){0,3}")  # JD/MK
_MONTHS = re.compile(r"[^\W\d_]+[-/]")  # SEP-2024-01, the first one of a month
_WORD = re.compile(r"[^\W\d_]{3}")  # V2496 is no May
_DAY = re.compile(r"\d{1,2}(?P<mark>[./-])\d{1,2}(?P=mark)(?:19|20)\d\d")
_SAID_NUMBER = re.compile(
    r"(?<![^\W_])(?:n[or]?|n[uú]m\w*|č|číslo|sorszám)(?![^\W_])|nummer|nr(?![^\W_])|n[°º]|[#№号號]",
    re.IGNORECASE,
)
_NUMBERED_BY_MONTH = frozenset({"PL"})  # 12/03/2024 is an invoice of March there, no date
_LEAST = 4  # characters of each


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the identifier without its caption, split numbers closed up; of two both, in doubt."""
    if is_missing(source.text):
        return failed(source, "The text is a caption, an amount, or says that there is no number.")
    cleaned = clean(source.text)
    months = _WORD.search(cleaned) is not None and not _MONTHS.match(cleaned)
    if months and is_written_date(cleaned):
        return failed(source, "The text is a date.")
    found = string(printed_identifier(source.printed), clean_identifier(source.text))
    if found.value and not any(map(str.isdecimal, found.text)) and not _CODE.fullmatch(found.text):
        return replace(found, status="ambiguous", reason="The text has no figure.")
    day = _DAY.fullmatch(found.text)
    if day is not None and not (day["mark"] == "/" and context.country in _NUMBERED_BY_MONTH):
        before = source.text.partition(found.text)[0]
        if _SAID_NUMBER.search(before) is None:
            return replace(found, status="ambiguous", reason="The text can be a date.")
    two = _TWO.fullmatch(printed_identifier(source.text))
    if two is None or len(two[1]) != len(two[2]) or len(two[1]) < _LEAST:
        return found
    reason = "The text holds more than one number."
    return replace(found, status="ambiguous", reason=reason, alternatives=two.groups())
