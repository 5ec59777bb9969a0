"""Names of worker processes: ``HOST/ROLE-RANDOM``, at most 64 characters."""

from __future__ import annotations

import hashlib
import socket
import uuid

_LONGEST = 32  # characters of a host's name that stand in a worker's as they are


def this_host() -> str:
    """Return the label of this host in the names of its workers."""
    return host_label(socket.gethostname())


def host_label(host: str) -> str:
    """Return a host's name, cut and with a hash of all of it where it is long."""
    if len(host) <= _LONGEST:
        return host
    digest = hashlib.sha256(host.encode()).hexdigest()[:12]
    return f"{host[: _LONGEST - 13]}-{digest}"


def worker_name(role: str) -> str:
    """Return a name for a process of this host that no other process has or had.

    Args:
        role: what it does, at most 20 characters.
    """
    return f"{this_host()}/{role}-{uuid.uuid4().hex[:8]}"
