"""Patterns that are compiled late."""

from __future__ import annotations

import copy
import gc
import importlib
import pkgutil
import re

import pytest

from pipeline import values
from pipeline.values.patterns import _Pattern, lazy_pattern


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


def test_all_patterns_of_the_project_can_be_compiled() -> None:
    for module in pkgutil.walk_packages(values.__path__, "pipeline.values."):
        importlib.import_module(module.name)
    gc.unfreeze()  # what commands froze that ran in this process
    lazy = [thing for thing in gc.get_objects() if type(thing) is _Pattern]
    assert len(lazy) > 100
    for thing in lazy:
        if thing.pattern != "(":  # of the test above
            re.compile(thing.pattern, thing.flags)
