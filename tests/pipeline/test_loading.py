"""Libraries are imported without collections, which go on afterwards, without them."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

from pipeline.loading import loading


@pytest.fixture(autouse=True)
def unfrozen() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.freeze()


def test_nothing_is_collected_meanwhile_nor_looked_at_afterwards() -> None:
    with loading("a_library_of_nobody"):
        assert not gc.isenabled()
        made = [[] for _ in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() > len(made)


def test_a_library_that_is_there_changes_nothing() -> None:
    assert "sys" in sys.modules
    with loading("sys"):
        assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_an_import_that_fails_leaves_the_collector_on() -> None:
    with pytest.raises(ImportError), loading("a_library_of_nobody"):
        raise ImportError
    assert gc.isenabled()


def test_whoever_switched_the_collector_off_finds_it_so() -> None:
    gc.disable()
    try:
        with loading("a_library_of_nobody"):
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
