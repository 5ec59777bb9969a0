"""Sessions: a browser signs in with a key, and is known by a cookie that no script can read."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from app.deps import SettingsDep, problems
from app.edge.access import PrincipalDep, count
from app.edge.keyring import SESSION_COOKIE, Doorkeeper
from store.access import SESSION_SECONDS

router = APIRouter(tags=["session"])

_FOREIGN = "A page of another site asks, or not a browser"


class SignIn(BaseModel):
    """What a browser signs in with."""

    key: Annotated[str, Field(min_length=1, max_length=200, description="A key of this service")]


class SessionView(BaseModel):
    """Who asks."""

    name: Annotated[str | None, Field(description="Of the key; null where the service wants none")]
    scopes: Annotated[list[str], Field(description="What the key is for")]


@router.get("/session", summary="Say who is signed in", responses=problems())
def get_session(principal: PrincipalDep) -> SessionView:
    """Return the name of the caller's key, however it came, and what it is for."""
    return SessionView(name=principal.name, scopes=sorted(principal.scopes))


@router.post(
    "/session",
    status_code=204,
    summary="Sign in with a key",
    responses=problems(
        s400="The body cannot be read",
        s401="Not a valid key",
        s403=_FOREIGN,
        s413="Too long",
        s422="There is no key",
        s429="Too many requests of the key",
    ),
)
async def sign_in(wanted: SignIn, request: Request, settings: SettingsDep) -> Response:
    """Start a session of twelve hours; it ends with its key, if that ends sooner.

    It counts as a request of the key. Of one key the twenty sessions that began last are kept.
    """
    doorkeeper, headers = _doorkeeper(request), dict[str, str]()
    key = await doorkeeper.signing_in(request, wanted.key)
    await count(key.principal, request.app.state.rates, settings, headers)
    token = await doorkeeper.sign_in(key)
    response = Response(status_code=204, headers=headers)
    response.set_cookie(
        SESSION_COOKIE,
        token,
        max_age=int(SESSION_SECONDS),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.delete(
    "/session",
    status_code=204,
    summary="Sign out",
    responses=problems(s403=_FOREIGN),
)
async def sign_out(request: Request) -> Response:
    """End the session of the browser that asks."""
    await _doorkeeper(request).sign_out(request)
    response = Response(status_code=204)
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="strict")
    return response


def _doorkeeper(request: Request) -> Doorkeeper:
    return cast(Doorkeeper, request.app.state.doorkeeper)
