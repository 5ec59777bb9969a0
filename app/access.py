"""Who calls: the principal that routes are given."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from workers.keys import OPEN, Principal


def principal_of(request: Request) -> Principal:
    """Return the caller of a request; everybody where the service has no keys."""
    principal = getattr(request.state, "principal", OPEN)
    return principal if isinstance(principal, Principal) else OPEN


PrincipalDep = Annotated[Principal, Depends(principal_of)]
