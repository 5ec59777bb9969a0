"""Where a stranger may have requests sent: names are resolved, every address behind them is judged.

A webhook, or a document to be fetched, points this service anywhere (SSRF). So nothing is sent
to this host, to its own network, or to services of a cloud that answer only from inside. What is
judged is the address itself: the sender connects to one that was judged here and never resolves
the name again, so a name that changes between two look-ups (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from typing import TYPE_CHECKING

from store.errors import WebhookTargetRefused
from store.networks import Policy

if TYPE_CHECKING:
    import httpx  # the images of workers do not hold it

URL_LENGTH = 2048
_MOST_ADDRESSES = 4  # of one name that are tried
_PORTS = {"https": 443, "http": 80}

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Returns the addresses of a host name and port as text; raises OSError where there are none."""

# What `inet_aton` takes for an IPv4 address: 0x7f000001, 2130706433, 127.1, 0177.0.0.1.
_NUMERIC = re.compile(r"(?:.*\.)?(?:0[xX][0-9a-fA-F]*|[0-9]+)\.?")
_LETTERS = re.compile(r"[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?")


@dataclass(frozen=True, slots=True)
class Target:
    """Where one webhook goes, judged: the requests go to `addresses` and nowhere else."""

    url: httpx.URL
    addresses: tuple[str, ...]


class NameNotResolved(Exception):
    """The name of a host has no address at the moment; it may have one later."""


async def resolved(host: str, port: int) -> list[str]:
    """Return the addresses of a host, as the system finds them; raises OSError.

    Each name has a thread of its own, which nobody waits for: a name server that never answers
    holds up nothing but its own webhook.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def give(found: list[str] | OSError) -> None:
        if answer.done():  # given up meanwhile
            return
        if isinstance(found, OSError):
            answer.set_exception(found)
        else:
            answer.set_result(found)

    def look() -> None:
        found: list[str] | OSError
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found = [str(entry[4][0]) for entry in entries]
        except OSError as error:
            found = error
        except UnicodeError:  # of a label that names cannot have
            found = []
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(give, found)

    threading.Thread(target=look, name="resolve", daemon=True).start()
    return await answer


async def judged(url: str, policy: Policy, resolve: Resolver = resolved) -> Target:
    """Return where requests for an address go, if they may.

    Raises:
        WebhookTargetRefused: it may not; the detail says why, and names no address.
        NameNotResolved: its host has no address at the moment.
    """
    parsed = _parsed(url, policy)
    host = parsed.host
    try:
        texts = [str(ip_address(host))]
    except ValueError:
        texts = await _addresses(parsed, resolve)
    for text in texts:
        if not policy.admits(text):
            raise not_public()
    return Target(parsed, tuple(dict.fromkeys(texts))[:_MOST_ADDRESSES])


async def send(
    transport: httpx.AsyncBaseTransport,
    target: Target,
    method: str,
    *,
    headers: Mapping[str, str],
    content: bytes = b"",
    timeout: float,
) -> httpx.Response:
    """Send a request to the addresses of a target, one after another, until one takes it.

    Args:
        transport: without a proxy, which would resolve the name anew.
        target: judged.
        method: such as ``GET``.
        headers: besides Host.
        content: the body.
        timeout: seconds for each step of the request, a third of them for the connection.

    Returns:
        The answer, whose body is still to be read; to be closed.

    Raises:
        httpx.TransportError: none took it, or the connection broke.
    """
    import httpx

    limits = httpx.Timeout(timeout, connect=timeout / 3)
    fault: httpx.TransportError | None = None
    for address in target.addresses:
        request = httpx.Request(
            method,
            target.url.copy_with(host=address),
            headers={"Host": target.url.netloc.decode("ascii"), **headers},
            content=content,
            # The name is what the receiver's certificate has to be for.
            extensions={
                "sni_hostname": target.url.raw_host.decode("ascii"),
                "timeout": limits.as_dict(),
            },
        )
        try:
            return await transport.handle_async_request(request)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            fault = error
    raise fault or httpx.ConnectError("no address")


def not_public() -> WebhookTargetRefused:
    """Return the refusal of a host without a public address; which kind of none is not told."""
    return _refused("Its host has no public address, or none at all", _ALLOW)


_ALLOW = (
    "Check how the name is written. Choose a public address, or ask the operator to allow its "
    "network with FIELDWRIGHT_WEBHOOK_ALLOW."
)
_HTTPS = "Choose an https address, or ask the operator to set FIELDWRIGHT_WEBHOOK_HTTP=true."
_PLAIN = "Write it as https://HOST/PATH."


def _parsed(url: str, policy: Policy) -> httpx.URL:
    """Return the parts of an address whose form is allowed."""
    if len(url) > URL_LENGTH:
        raise _refused(f"It has more than {URL_LENGTH} characters", _PLAIN)
    import httpx

    try:
        parsed = httpx.URL(url)
        # As it is written: what stands there is neither decoded nor repaired.
        plain = parsed.scheme in _PORTS and _well_formed(parsed)
    except (httpx.InvalidURL, ValueError):
        plain = False
    if not plain:
        raise _refused("It is not an address of the form https://HOST/PATH", _PLAIN)
    if parsed.userinfo:
        raise _refused("It has a user name or a password in it", _PLAIN)
    if parsed.scheme == "http" and not policy.http:
        raise _refused("It is not https", _HTTPS)
    port = _port(parsed)
    if not policy.admits_port(port):
        raise _refused(
            f"Its port {port} is not allowed",
            "Choose another port, or ask the operator to allow it with FIELDWRIGHT_WEBHOOK_PORTS.",
        )
    return parsed


def _port(parsed: httpx.URL) -> int:
    return _PORTS[parsed.scheme] if parsed.port is None else parsed.port


def _well_formed(parsed: httpx.URL) -> bool:
    host = parsed.raw_host.decode("ascii")
    if ":" in host:  # IPv6, its brackets taken off
        return "%" not in host and bool(ip_address(host))
    if _NUMERIC.fullmatch(host):
        return str(IPv4Address(host)) == host
    return bool(_LETTERS.fullmatch(host)) and len(host) <= 253


async def _addresses(parsed: httpx.URL, resolve: Resolver) -> list[str]:
    name = parsed.raw_host.decode("ascii")
    try:
        found = await resolve(name, _port(parsed))
    except OSError:
        found = []
    if not found:
        raise NameNotResolved("The name of the webhook's host has no address.")
    return found


def _refused(reason: str, advice: str) -> WebhookTargetRefused:
    detail = f"This service makes no request to that address. {reason}."
    return WebhookTargetRefused(detail, advice=advice)
