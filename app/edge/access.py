"""Who may do what: keys, rates and scopes are checked before a byte of a body is read.

One table says which addresses are open and which want more than a key; what it does not name is
never open. Reading wants the scope ``read``, reviews ``review``, teaching and what is in service
``train``, anything else ``extract``. Whose objects a caller sees is decided further in: every query
takes `Principal.owner_scope`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.edge.keyring import Doorkeeper
from app.edge.rates import Rates
from app.errors import KeyInvalid, KeyMissing, RateLimited, ScopeMissing
from app.problems import problem
from app.settings import ApiSettings
from pipeline.errors import FieldwrightError
from store.access import Principal
from store.actor import acting

Need: TypeAlias = Literal["nothing", "key", "read", "extract", "review", "train", "admin"]

_COUNTING = CapacityLimiter(40)  # no thread of those who wait for a store of documents
_READING = ("GET", "HEAD", "OPTIONS")
_OPEN = ("/livez", "/readyz")
_PAGES = ("/", "/review", "/teach")  # and what they are made of
_DOCS = ("/docs", "/openapi.json")
_TEACHING = ("datasets", "trainings")
_IN_SERVICE = ("/promote", "/rollback", "/shadow")
_PUBLIC = ("models", "limits")  # what anybody with a key may know
_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A key of this service"},
    "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}


def need_of(method: str, path: str, settings: ApiSettings) -> Need:
    """Return what a request needs: nothing, any valid key, or one with a scope.

    Args:
        method: of the request, in capitals.
        path: as the routes see it, with or without ``/v1``.
        settings: of the installation.
    """
    plain = path.removeprefix("/v1") if path.startswith("/v1/") else path
    if plain in _OPEN or plain in _PAGES or plain.startswith("/web/"):
        return "nothing"
    if plain == "/session":  # who signs in has no other key yet
        return "key" if method in _READING else "nothing"
    if plain in _DOCS or plain.startswith("/docs/assets/"):
        return "key" if settings.docs == "keys" else "nothing"
    if plain == "/metrics":
        return "nothing" if settings.metrics_open else "admin"
    first = plain.partition("/")[2].partition("/")[0]
    if first in _TEACHING or (first == "models" and plain.endswith(_IN_SERVICE)):
        return "train"
    if first in _PUBLIC:
        return "key" if method in _READING else "admin"
    if first == "reviews":
        return "review"
    return "read" if method in _READING else "extract"


class Access:
    """Lets a request in where its key may do what it asks for; says who calls to the routes."""

    def __init__(
        self, app: ASGIApp, settings: ApiSettings, doorkeeper: Doorkeeper, rates: Rates
    ) -> None:
        self.app = app
        self.settings = settings
        self.doorkeeper = doorkeeper
        self.rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        need: Need = "nothing"
        if scope["type"] == "http":
            need = need_of(scope["method"], scope["path"], self.settings)
        if need == "nothing":
            await self.app(scope, receive, send)
            return
        request, headers = Request(scope), dict[str, str]()

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        try:
            principal = await self.doorkeeper.caller(request)
            request.state.principal = principal
            await count(principal, self.rates, self.settings, headers)
            _check_scope(principal, need)
        except FieldwrightError as error:
            response = problem(request, error.code, error.detail, error.advice)
            response.headers.update(_told(error, need))
            await response(scope, receive, answer)
            return
        with acting(principal.actor):
            await self.app(scope, receive, answer)


async def count(
    principal: Principal, rates: Rates, settings: ApiSettings, headers: dict[str, str]
) -> None:
    """Count a request of a key and note its limit in the headers of the answer.

    Raises:
        RateLimited: the key has sent too many.
    """
    if principal.key_id is None:
        return
    limit = principal.rate_per_minute or settings.default_rate_per_minute
    if rates.local:
        allowance = rates.hit(principal.key_id, limit)
    else:
        allowance = await to_thread.run_sync(rates.hit, principal.key_id, limit, limiter=_COUNTING)
    headers.update(allowance.headers)
    if not allowance.granted:
        headers["Retry-After"] = str(allowance.reset_s)
        raise RateLimited(
            f"This key may send {limit} requests a minute.", retry_after=allowance.reset_s
        )


async def principal_of(request: Request) -> Principal:
    """Return the caller of a request, as the door let it in."""
    principal = getattr(request.state, "principal", None)
    if not isinstance(principal, Principal):
        raise KeyMissing("This service wants a key.")  # the address is open to everybody
    return principal


PrincipalDep = Annotated[Principal, Depends(principal_of)]


def describe(document: dict[str, Any], settings: ApiSettings) -> None:
    """Add to an OpenAPI document which keys its operations want, and how they are refused."""
    document["components"]["securitySchemes"] = _SCHEMES
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            need = need_of(method.upper(), path, settings)
            if need == "nothing":
                continue
            operation["security"] = [{name: []} for name in _SCHEMES]
            lacking = "" if need == "key" else f"The key lacks the scope `{need}`, or "
            refusals = {
                "401": "No key, or not a valid one",
                "403": f"{lacking}a page of another site asks".capitalize(),
                "429": "Too many requests of the key",
            }
            for status, reason in refusals.items():
                operation["responses"].setdefault(status, refusal(reason))


def _check_scope(principal: Principal, need: Need) -> None:
    looking = {"review", "train"} if need == "read" else set()  # who decides may look
    enough = {need, "admin"} | looking
    if need != "key" and not principal.scopes & enough:
        raise ScopeMissing(f"This request needs a key with the scope {need!r}.")


def _told(error: FieldwrightError, need: Need) -> dict[str, str]:
    """Return the headers that RFC 6750 wants with a refusal."""
    told: dict[type[FieldwrightError], str] = {
        KeyMissing: "",
        KeyInvalid: ', error="invalid_token"',
        ScopeMissing: f', error="insufficient_scope", scope="{need}"',
    }
    if type(error) not in told:
        return {}
    return {"WWW-Authenticate": f'Bearer realm="fieldwright"{told[type(error)]}'}


def refusal(reason: str) -> dict[str, Any]:
    """Return the OpenAPI entry of an error, and when it is answered."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": reason, "content": {"application/problem+json": {"schema": schema}}}
