"""For all tests: hypothesis without a deadline, one thread for tiny models, real servers."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from tests.servers import object_store, pgbouncer, postgres, postgres_url, redis, s3

__all__ = ["object_store", "pgbouncer", "postgres", "postgres_url", "redis", "s3"]  # fixtures

# Before torch is imported, and for every process that a test starts: threads that wait for each
# other cost more than these models need.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# No test measures time, and every run of the same code has the same outcome. To look for new
# counterexamples: make test ARGS=--hypothesis-profile=exploring
settings.register_profile(
    "repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("exploring", settings.get_profile("repeatable"), derandomize=False)
settings.load_profile("repeatable")

# Files that start services take minutes: they come first, so that no process ends with one alone.
_LONG = ("app", "client", "faults", "web", "workers")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long before the rest; the order is kept otherwise."""
    items.sort(key=lambda item: not item.nodeid.startswith(tuple(f"tests/{n}/" for n in _LONG)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector what is imported and collected: a million objects that stay.

    It would go through them again and again, while they come and in every test.
    """
    gc.disable()
    result = yield
    gc.collect()
    gc.freeze()
    gc.enable()
    return result
