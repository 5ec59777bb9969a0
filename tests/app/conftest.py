"""Running services for the tests of the API, open and with keys; documents that slow them down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from store.access import Key, Keys
from store.sql.database import Database
from tests.builders import make_receipt, receipt_pdf
from tests.service import CALM, Service, digest, serving
from tests.stores import install_tables

SLOW = receipt_pdf(make_receipt(99), pages=3)  # a second a page, by a fault hook
MAX_BYTES = 200_000


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service with small limits."""
    with serving(
        Path(tmp_path_factory.mktemp("service")),
        max_bytes=MAX_BYTES,
        max_pages=3,
        slow_upload_s=2,
        fault=f"in_read@{digest(SLOW)}:sleep:1",
        **CALM,
    ) as running:
        yield running


@dataclass(frozen=True)
class Guarded:
    """A running service that wants keys.

    Attributes:
        service: it, its client without a key.
        keys: of its store, as the operator makes them.
        shown: for the names ``a``, ``b``, ``admin``, ``reader`` and ``sender`` the text of a key.
        known: the keys themselves.
    """

    service: Service
    keys: Keys
    shown: dict[str, str]
    known: dict[str, Key]

    def headers(self, name: str) -> dict[str, str]:
        """Return the headers that a client with this key sends."""
        return {"Authorization": f"Bearer {self.shown[name]}"}


@pytest.fixture(scope="package")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A running service with keys: two equal ones, and one for each scope alone."""
    home = Path(tmp_path_factory.mktemp("guarded"))
    install_tables(home)
    database = Database(f"sqlite:///{home / 'jobs.db'}")
    keys = Keys(database)
    scopes = {
        "a": ("extract", "read", "review", "train"),
        "b": ("extract", "read", "review", "train"),
        "admin": ("admin",),
        "reader": ("read",),
        "sender": ("extract",),
    }
    made = {name: keys.create(name, wanted) for name, wanted in scopes.items()}
    settings: dict[str, object] = {
        "max_uploads": 2,
        "trusted_proxies": "127.0.0.1",
        "default_rate_per_minute": 5000,
        "webhook_allow": "127.0.0.1",
        "webhook_http": True,
        "webhook_ports": "9",
    }
    with serving(home, **settings, **CALM) as service:
        shown = {name: text for name, (_, text) in made.items()}
        yield Guarded(service, keys, shown, {name: key for name, (key, _) in made.items()})
    database.close()
