"""Finds out who calls, from the valid keys in memory, which are read again when they change."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address
from typing import Literal
from urllib.parse import urlsplit

from anyio import CapacityLimiter, to_thread
from fastapi import Request

from app.clients import address_of
from app.errors import ForeignPage, KeyInvalid, KeyMissing
from pipeline.errors import FieldwrightError, ServiceError
from store.access import OPEN, TOUCH_SECONDS, KeyRing, Keys, Principal, Sessions
from store.access.keys import ValidKey
from store.errors import StoreUnavailable

log = logging.getLogger(__name__)

SESSION_COOKIE = "fieldwright_session"

_READING = CapacityLimiter(1)  # its own: who watches the service needs a key, too
_MAX_AGE = 2.0  # seconds between two looks for a change; a revoked key works so long at most
_MIN_AGE = 0.25  # seconds; a key that is not known is looked for in the store no more often
# What proxies, balancers and meshes add (lower case); their clients are never this machine.
_FORWARDING = {
    *("forwarded", "via", "client-ip", "true-client-ip", "fastly-client-ip", "fly-client-ip"),
    *("x-azure-clientip", "x-client-ip", "x-cluster-client-ip", "x-originating-ip"),
    *("x-real-ip", "x-remote-addr", "x-remote-ip"),
}
_FORWARDING_PREFIXES = ("x-forwarded", "x-original-", "x-envoy-", "cf-", "cdn-")


class Doorkeeper:
    """Knows the caller of each request; keys are wanted as the setting `access` says.

    Args:
        keys: of the installation.
        access: see `ApiSettings.access`.
    """

    def __init__(self, keys: Keys, access: Literal["auto", "keys", "open"]) -> None:
        self._keys = keys
        self._sessions = Sessions(keys.database)
        self._access = access
        self._ring: KeyRing | None = None
        self._unread: str | None = None  # why the ring may lack the newest keys
        self._read_at = 0.0
        self._reading = asyncio.Lock()
        self._noted: dict[str, float] = {}
        self._notes: set[asyncio.Task[None]] = set()

    async def caller(self, request: Request) -> Principal:
        """Return who sent a request.

        Raises:
            KeyMissing: a key is wanted and there is none.
            KeyInvalid: the key is not a valid one.
            ForeignPage: no key is wanted, but not a program of this machine asks.
            StoreUnavailable: the keys could not be read since the process started.
        """
        if self._access == "open":
            return OPEN
        ring = await self._keys_within(_MAX_AGE)
        if self._access == "auto" and not ring.used and _on_this_machine(request):
            _check_page(request)
            return OPEN
        presented = presented_key(request)
        if presented is None:
            key = await self._signed_in(request)
        else:
            key = await self._key(presented)
        self._note(key.id)
        return key.principal

    async def signing_in(self, request: Request, presented: str) -> ValidKey:
        """Return the key with which a browser wants to sign in.

        Raises:
            KeyInvalid: the key is not a valid one.
            ForeignPage: a page of another site asks.
        """
        _check_origin(request)
        return await self._key(presented)

    async def sign_in(self, key: ValidKey) -> str:
        """Return the token of a new session; raises StoreUnavailable."""
        token = await to_thread.run_sync(self._sessions.start, key.id)
        self._read_at = float("-inf")  # so that the next request finds it
        return token

    async def sign_out(self, request: Request) -> None:
        """End the session of a browser, if it has one.

        Raises:
            ForeignPage: a page of another site asks.
            StoreUnavailable: the session could not be ended.
        """
        _check_origin(request)
        token = request.cookies.get(SESSION_COOKIE)
        if token:
            await to_thread.run_sync(self._sessions.end, token)
            self._read_at = float("-inf")

    async def _signed_in(self, request: Request) -> ValidKey:
        """Return the key that the browser of a request signed in with.

        Its cookie comes with requests of its own pages alone (``SameSite=Strict``); that is looked
        at here again, by what browsers say of where a request comes from.

        Raises:
            KeyMissing: it did not, or too long ago.
            StoreUnavailable: it may have lately.
            ForeignPage: a page of another site asks.
        """
        token = request.cookies.get(SESSION_COOKIE, "")
        if not token:
            raise KeyMissing("This service wants a key.")
        if request.method not in ("GET", "HEAD"):
            _check_origin(request)
        elif _asked_elsewhere(request):
            raise ForeignPage("A page of another site asks with the session of this one.")
        return await self._found(KeyRing.find_session, token, KeyMissing("The session is over."))

    async def _key(self, presented: str) -> ValidKey:
        """Return the valid key of a text; raises KeyInvalid, or StoreUnavailable: it may be new."""
        return await self._found(KeyRing.find, presented, KeyInvalid("The key is not valid."))

    async def _found(
        self, find: Callable[[KeyRing, str], ValidKey | None], text: str, refusal: FieldwrightError
    ) -> ValidKey:
        """Return the valid key that is found by a text; raises the refusal, or StoreUnavailable."""
        for age in (_MAX_AGE, _MIN_AGE):
            # Any key that is not valid takes this way, so the time tells nothing of why it is not.
            if key := find(await self._keys_within(age), text):
                return key
        # What is not in the ring may be new.
        raise refusal if self._unread is None else StoreUnavailable(self._unread)

    async def _keys_within(self, seconds: float) -> KeyRing:
        """Return the valid keys as they stood so many seconds ago, or later."""
        if self._ring is None or time.monotonic() - self._read_at > seconds:
            async with self._reading:
                if self._ring is None or time.monotonic() - self._read_at > seconds:
                    try:
                        self._ring = await to_thread.run_sync(
                            self._keys.ring, self._ring, limiter=_READING
                        )
                        self._unread = None
                    except ServiceError as error:
                        if self._ring is None:
                            raise
                        log.warning("keys could not be read again")
                        self._unread = error.detail
                    self._read_at = time.monotonic()
        return self._ring

    def _note(self, key_id: str) -> None:
        """Have the use of a key noted, once a minute and while nobody waits for it."""
        now = time.monotonic()
        if now - self._noted.get(key_id, -TOUCH_SECONDS) < TOUCH_SECONDS:
            return
        self._noted[key_id] = now
        task = asyncio.create_task(self._touch(key_id))
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def _touch(self, key_id: str) -> None:
        try:
            await to_thread.run_sync(self._keys.touch, key_id)
        except ServiceError:
            log.warning("use of a key was not noted", extra={"key": key_id})


def presented_key(request: Request) -> str | None:
    """Return the key in the headers of a request, None where there is none."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and value.strip():
        return value.strip()
    return request.headers.get("x-api-key", "").strip() or None


def _check_origin(request: Request) -> None:
    """Raise ForeignPage unless a page of this very service sends the request.

    Browsers name the page's site with every request that changes something.
    """
    origin = request.headers.get("origin", "")
    if not origin or origin.lower().partition("://")[2] != request.headers.get("host", "").lower():
        raise ForeignPage("Not a page of this service asks.")


def _on_this_machine(request: Request) -> bool:
    """Say whether a request comes from this machine: to and from loopback, by no proxy.

    A proxy on this machine connects from loopback whoever its client is. One that says that it
    forwards is noticed; what it says of the client is believed only of a trusted one, and only
    where that named a client (`X-Forwarded-For`).
    """
    client = request.scope.get("client")
    named = client != getattr(request.state, "peer", client)  # by a trusted proxy
    if not named and any(map(_forwarding, request.headers)):
        return False
    reached = _arrived_at(request)
    if reached is None:
        return not named
    sender = address_of(client[0]) if client else None
    return reached.is_loopback and sender is not None and sender.is_loopback


def _forwarding(header: str) -> bool:
    """Say whether a header is one that proxies add to what they forward."""
    return header in _FORWARDING or header.startswith(_FORWARDING_PREFIXES)


def _arrived_at(request: Request) -> IPv4Address | IPv6Address | None:
    """Return the address that a request came to, None where it did not come over a network."""
    return address_of((request.scope.get("server") or ("",))[0])


def _check_page(request: Request) -> None:
    """Refuse what a browser of this machine sends for a page of another site.

    Such a page may post here as it may anywhere, which its Origin tells. Where the name of its own
    site is made to lead to this machine (DNS rebinding), it may read the answers, too: to the
    browser it is one site then, and only Host tells the name. Addresses cannot be made to lead
    elsewhere.

    Raises:
        ForeignPage: it is one.
    """
    if _arrived_at(request) is None:  # no browser comes this way
        return
    host = request.headers.get("host", "")
    name = _name_in(f"//{host}")
    own = not name or name == "localhost" or name.endswith(".localhost")
    if not own and address_of(name) is None:
        raise ForeignPage(
            "The service wants no keys, and is asked for by another name than its own."
        )
    origin = request.headers.get("origin")
    foreign = origin is not None and origin.lower().partition("://")[2] != host.lower()
    if foreign or _asked_elsewhere(request):  # pictures are asked for without an Origin
        raise ForeignPage("The service wants no keys, and a page of another site asks.")


def _asked_elsewhere(request: Request) -> bool:
    """Say whether a browser sends a request for a page of another site, as far as it tells."""
    return request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


def _name_in(url: str) -> str:
    """Return the host's name in an address; "?" where it cannot be told."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return "?"
