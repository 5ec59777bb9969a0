"""Digits and separators to exact values: which separator is the decimal one, and which group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal

SEPARATORS = frozenset(".,'’")
LONGEST = 24
"""Characters in the longest number that is believed to be an amount."""

OPEN = "The separator can mark thousands or decimals, and nothing told which."
"""Why a number such as 1.234 is in doubt."""

_GROUPS = re.compile(r"[.,'’ \u00a0\u202f\u2009]")


def winner_of(votes: Iterable[str]) -> str | None:
    """Return what at least four in five of the votes are for, or None."""
    ranked = Counter(votes)
    if not ranked:
        return None
    winner, count = ranked.most_common(1)[0]
    return winner if count * 5 >= ranked.total() * 4 else None


def decimal_mark(run: str) -> str | None:
    """Return the separator of `run` that can only be the decimal one, or None.

    Two kinds of separator, one or two digits behind the last, or a group that cannot be thousands
    (0.350, 1234.567) leave no choice; 1.234 and 1,234 do.
    """
    marks = [c for c in run if c in SEPARATORS]
    if not marks or marks[-1] in "'’":
        return None
    last, tail = marks[-1], len(run) - run.rindex(marks[-1]) - 1
    if len(set(marks)) > 1:
        return last if marks.count(last) == 1 else None
    if len(marks) == 1 and (tail != 3 or run.index(last) > 3 or run.startswith(("0", last))):
        return last
    # "5,950,00": the last comma cannot group, as a typist or OCR made it of a point.
    return last if len(marks) > 1 and tail in (1, 2) and len(run.split(last)[-2]) == 3 else None


def read_number(run: str, *, decimal: str | None = None) -> tuple[Decimal, ...]:
    """Return the values that an unsigned run of digits and separators can have, the likely first.

    Empty where it is no number (12.01.2018) or longer than `LONGEST`; one value where it is clear
    or `decimal` decides; two for 1.234 and 1,234 without `decimal`, the English reading first.
    """
    if len(run) > LONGEST or not run[-1:].isdecimal():
        return ()
    mark = decimal_mark(run)
    if mark is not None:
        whole, _, fraction = run.rpartition(mark)
        return grouped_values([(whole, fraction)])
    marks = [c for c in run if c in SEPARATORS]
    if len(marks) != 1 or marks[0] in "'’":
        return grouped_values([(run, "")])
    whole, _, fraction = run.rpartition(marks[0])
    as_decimals, as_thousands = (whole, fraction), (run, "")
    if decimal is not None:
        return grouped_values([as_decimals if marks[0] == decimal else as_thousands])
    order = [as_decimals, as_thousands] if marks[0] == "." else [as_thousands, as_decimals]
    return grouped_values(order)


def grouped_values(parts: Iterable[tuple[str, str]]) -> tuple[Decimal, ...]:
    """Return the value of each (whole part, decimals) whose whole part is grouped properly.

    Proper are no groups, groups of three, and the Indian twos before a last three (12,34,567).
    """
    values = []
    for whole, fraction in parts:
        groups = _GROUPS.split(whole)
        if len(groups) > 1:
            separators = {c for c in whole if not c.isdecimal()}
            thousands = all(len(group) == 3 for group in groups[1:])
            lakhs = len(groups[-1]) == 3 and all(len(group) == 2 for group in groups[1:-1])
            if len(separators) > 1 or not 1 <= len(groups[0]) <= 3 or not (thousands or lakhs):
                continue
        digits = "".join(groups) or "0"
        values.append(Decimal(f"{digits}.{fraction}" if fraction else digits))
    return tuple(values)


def times(value: Decimal, scale: int) -> Decimal:
    """Return a value times a scale such as a million, without decimals where it is a whole number.

    It stays what it is where the product would have more digits than any number on a document.
    """
    if value.adjusted() + len(str(scale)) > LONGEST:
        return value
    product = value * scale
    return product.quantize(Decimal(1)) if product == product.to_integral_value() else product
