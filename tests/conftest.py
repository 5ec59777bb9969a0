"""For all tests: hypothesis without a deadline, one thread for tiny models, real servers."""

from __future__ import annotations

import os

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
    "repeatable",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("exploring", settings.get_profile("repeatable"), derandomize=False)
settings.load_profile("repeatable")

# Files that start services take minutes: they come first, so that no process ends with one alone.
_LONG = ("app", "client", "faults", "web", "workers")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long before the rest, and what shares a service into one process.

    The order is kept otherwise. A group of `--dist loadgroup` is a file, or all files of a package
    that ask for a fixture of that package: such a service is started once, and not in each process.
    """
    items.sort(key=lambda item: not item.nodeid.startswith(tuple(f"tests/{n}/" for n in _LONG)))
    groups = {item.path: str(item.path.relative_to(item.config.rootpath)) for item in items}
    for item in items:
        if package := _package_of(item):
            groups[item.path] = package
    for item in items:
        item.add_marker(pytest.mark.xdist_group(groups[item.path]))


def _package_of(item: pytest.Item) -> str:
    """Return where the fixture of a package that a test asks for is defined; empty without one."""
    assert isinstance(item, pytest.Function)
    known = item._fixtureinfo.name2fixturedefs
    asked = (known[name][-1] for name in item.fixturenames if name in known)
    return next((fixture.baseid for fixture in asked if fixture.scope == "package"), "")
