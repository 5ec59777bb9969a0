"""Whose objects a caller may see: one condition for every query that takes an id from outside."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, true


class AllOwners(Enum):
    """The type of `ANY_OWNER`."""

    ANY = "any"


ANY_OWNER: Final = AllOwners.ANY
"""Objects of all owners: what administrators, workers, and all callers of an open service see."""

OwnerScope: TypeAlias = str | AllOwners | None
"""The owner whose objects are seen: the id of a key, None for objects without one, or all."""


def owned(owner: Any, scope: OwnerScope) -> ColumnElement[bool]:
    """Return the SQL condition that the owner of a row is in scope.

    Args:
        owner: column that holds the id of the owning key.
        scope: as of `Principal.owner_scope`.
    """
    if scope is ANY_OWNER:
        return true()
    condition: ColumnElement[bool] = owner.is_(None) if scope is None else owner == scope
    return condition
