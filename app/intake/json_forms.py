"""Documents in JSON: their bytes as base64, or an address that they are fetched from.

The body goes to the disk as it arrives, and bodies are parsed one at a time: text of JSON takes
several times its size in memory. What is fetched goes to the disk likewise.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from urllib.parse import unquote

import httpx
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from app.errors import DocumentNotFetched, UrlRefused
from app.intake import Spool, Upload
from app.known_names import invalid, refuse_unknown
from app.settings import ApiSettings
from pipeline.errors import FileTooLarge
from store.errors import WebhookTargetRefused
from store.webhooks import NameNotResolved, judged, send

URL, BASE64, FILENAME = "url", "base64", "filename"
_MOST_BYTES = 8 << 20  # of a body; parsing takes three times as much memory
_MOST_MARKS = 200  # commas and brackets; base64 has none, and each of them may become an object
_PARSING = CapacityLimiter(1)
_CHUNK = 1 << 16
_GOVERNED = (
    "Or send the document itself. FIELDWRIGHT_WEBHOOK_ALLOW, FIELDWRIGHT_WEBHOOK_HTTP and "
    "FIELDWRIGHT_WEBHOOK_PORTS govern the addresses of documents, too."
)


async def read_json_form(
    request: Request, new_spool: Callable[[], Spool], names: Sequence[str], settings: ApiSettings
) -> tuple[dict[str, str], Upload, Spool]:
    """Return the fields of a JSON object and its document, on the disk until the spool is closed.

    Args:
        request: its body is read here.
        new_spool: makes a file on the disk.
        names: of the fields that there may be.
        settings: bounds and the addresses that documents may be fetched from.

    Raises:
        RequestValidationError: it is no such object.
        FileTooLarge: the body, or what was fetched.
        UrlRefused, DocumentNotFetched: the address.
        StorageFull: no room on the disk.
    """
    spool = await to_thread.run_sync(new_spool)
    try:
        size = await _spooled(request, spool)
        fields, document = await to_thread.run_sync(_parsed, spool, size, names, limiter=_PARSING)
        if document is None:
            within = request.state.within(settings.fetch_timeout_s)
            url, filename = fields.pop(URL), fields.pop(FILENAME, "")
            document = await _fetched(url, filename, spool, settings, within)
        return fields, document, spool
    except BaseException:
        await to_thread.run_sync(spool.close)
        raise


async def _spooled(request: Request, spool: Spool) -> int:
    """Write the body to the disk; return its size."""
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > _MOST_BYTES:
            raise FileTooLarge(
                f"The JSON has more than {_MOST_BYTES} bytes.",
                advice="Send larger documents as a form, or name their address.",
            )
        await to_thread.run_sync(spool.append, chunk)
    return size


def _parsed(spool: Spool, size: int, names: Sequence[str]) -> tuple[dict[str, str], Upload | None]:
    """Return the fields, and the document where it is among them."""
    body = spool.window(0, size).read()
    if sum(map(body.count, (b",", b"{", b"["))) > _MOST_MARKS:
        raise invalid("Send one plain object")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise invalid("The body is no JSON") from error
    del body
    plain = str | int | float | None
    if not isinstance(found, dict) or not all(isinstance(one, plain) for one in found.values()):
        raise invalid("Send one plain object: names with texts, numbers, true or false")
    refuse_unknown("body", found, (BASE64, URL, FILENAME, *names))
    fields = {name: _text(value) for name, value in found.items() if value is not None}
    del found
    if halves := [name for name, text in fields.items() if not _whole(text)]:
        raise invalid("A text holds half a character (of a surrogate pair)", *halves[:1])
    if (URL in fields) == (BASE64 in fields):
        raise invalid("Send the document as `base64`, or its address as `url`")
    if URL in fields:
        return fields, None
    try:
        # In lines, as `base64` of GNU and MIME print it; a list of them would take much memory.
        text = fields.pop(BASE64).replace("\n", "").replace("\r", "")
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        told = "It is no base64 (RFC 4648, with padding, nothing such as `data:` before it)"
        raise invalid(told, BASE64) from error
    start = spool.size
    spool.append(data)
    digest = hashlib.sha256(data).hexdigest()
    return fields, Upload(fields.pop(FILENAME, ""), spool.window(start, len(data)), digest)


async def _fetched(
    url: str,
    filename: str,
    spool: Spool,
    settings: ApiSettings,
    within: AbstractAsyncContextManager[None],
) -> Upload:
    """Return the document at an address, which may be no more than a public one; see `judged`.

    It is fetched in the context `within`, which raises TimeoutError where that takes too long.
    """
    try:
        async with (
            within,
            httpx.AsyncHTTPTransport(trust_env=False) as transport,
        ):
            target = await judged(url, settings.webhook_policy)
            headers = {"User-Agent": "fieldwright", "Accept-Encoding": "identity"}
            response = await send(
                transport, target, "GET", headers=headers, timeout=settings.fetch_timeout_s
            )
            try:
                name = filename or unquote(target.url.path.rpartition("/")[2])
                return await _kept(response, name, spool, settings)
            finally:
                await response.aclose()
    except WebhookTargetRefused as error:
        raise UrlRefused(error.detail, advice=f"{error.advice} {_GOVERNED}") from error
    except NameNotResolved as error:
        raise DocumentNotFetched("The name of the document's host has no address.") from error
    except (TimeoutError, httpx.TimeoutException) as error:
        raise DocumentNotFetched("The document did not arrive in time from its address.") from error
    except httpx.HTTPError as error:
        raise DocumentNotFetched("The address does not answer, or broke off.") from error


async def _kept(
    response: httpx.Response, filename: str, spool: Spool, settings: ApiSettings
) -> Upload:
    """Write the body of an answer to the disk."""
    if response.is_redirect:
        raise DocumentNotFetched(
            "The address leads to another one.", advice="Send the address that it leads to."
        )
    if response.status_code != 200:
        raise DocumentNotFetched(
            f"The address answers with status {response.status_code}, not with the document."
        )
    start, digest = spool.size, hashlib.sha256()
    async for chunk in response.aiter_raw(_CHUNK):
        if spool.size - start + len(chunk) > settings.max_bytes:
            raise FileTooLarge(f"The document has more than {settings.max_bytes} bytes.")
        digest.update(chunk)
        await to_thread.run_sync(spool.append, chunk)
    return Upload(filename, spool.window(start, spool.size - start), digest.hexdigest())


def _text(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _whole(text: str) -> bool:
    """Return whether a text has UTF-8; one with half of a surrogate pair, as JSON may, has none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
