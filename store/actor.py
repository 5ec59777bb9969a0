"""Who acts: the key or the operator that the audit log names for what is changed meanwhile."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_actor = ContextVar("actor", default="service")


def actor() -> str:
    """Return who acts: ``key:fw_PREFIX``, ``operator:USER``, ``anyone`` or ``service``."""
    return _actor.get()


@contextmanager
def acting(name: str) -> Iterator[None]:
    """Have what is changed within the context be this one's doing, in its threads too."""
    token = _actor.set(name)
    try:
        yield
    finally:
        _actor.reset(token)


def this_operator() -> str:
    """Return the name of whoever runs this process."""
    try:
        return f"operator:{getpass.getuser()}"
    except (KeyError, OSError):  # a user without a name, as in a container
        return f"operator:{os.getuid()}"
