"""Patterns that are compiled late."""

from __future__ import annotations

import copy
import re

import pytest

from pipeline.values.patterns import lazy_pattern


def test_a_lazy_pattern_does_what_a_compiled_one_does() -> None:
    text = "Total 12.00, total 3.50"
    lazy, compiled = (
        make(r"total (?P<amount>[\d.]+)", re.IGNORECASE) for make in (lazy_pattern, re.compile)
    )
    assert [m["amount"] for m in lazy.finditer(text)] == ["12.00", "3.50"]
    assert lazy.sub("", text) == compiled.sub("", text)
    assert lazy.groupindex == compiled.groupindex
    assert lazy.pattern == compiled.pattern


def test_nothing_is_compiled_before_the_first_use() -> None:
    wrong = lazy_pattern("(")
    with pytest.raises(re.error, match="unterminated"):
        wrong.search("")


def test_a_lazy_pattern_can_be_copied() -> None:
    assert copy.copy(lazy_pattern("a+")).fullmatch("aaa")
