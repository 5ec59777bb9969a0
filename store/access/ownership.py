"""Whose objects a caller may see: one condition for every query that takes an id from outside."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, true


class Everyone(Enum):
    """The type of `ANY`."""

    ANY = "any"


ANY: Final = Everyone.ANY
"""Objects of all owners; the reach of administrators, of workers, and of a service without keys."""

Reach: TypeAlias = str | Everyone | None
"""The owner whose objects are seen: the id of a key, None for objects without one, or `ANY`."""


def owned(owner: Any, reach: Reach) -> ColumnElement[bool]:
    """Return the SQL condition that rows are within reach.

    Args:
        owner: column that holds the id of the owning key.
        reach: as of `Principal.reach`.
    """
    if reach is ANY:
        return true()
    condition: ColumnElement[bool] = owner.is_(None) if reach is None else owner == reach
    return condition
