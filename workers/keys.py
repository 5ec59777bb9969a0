"""Access keys: who calls, what the caller may do, and whose objects the caller sees."""

from __future__ import annotations

from dataclasses import dataclass

from workers.ownership import ANY, Reach

SCOPES = ("extract", "read", "admin")


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller of one request.

    Attributes:
        key_id: what the caller owns is stored under; None where the service has no keys.
        scopes: ``extract`` to submit and remove, ``read`` to look, ``admin`` for all owners.
        rate_per_minute: most requests of the key a minute, None for the installation's.
        max_queued: most unfinished jobs of the key, None for the installation's.
    """

    key_id: str | None
    scopes: frozenset[str]
    rate_per_minute: int | None = None
    max_queued: int | None = None

    @property
    def reach(self) -> Reach:
        """Whose objects the caller sees: its own, or with ``admin`` all."""
        return ANY if "admin" in self.scopes else self.key_id


OPEN = Principal(None, frozenset(SCOPES))
"""The caller of a service without keys: everybody may do everything."""
