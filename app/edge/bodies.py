"""Bodies within bounds: bytes by route, a minimum rate, and slots for uploads by client and key."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.clients import client_of
from app.problems import problem
from app.settings import ApiSettings

_LABELS = re.compile(r"(/v1)?/datasets/[^/]+/documents/[^/]+/labels")
_LABELS_BYTES = 1 << 18  # 500 rows of sixteen columns
_BESIDE = 1 << 16  # bytes of a form, beside its documents
_BESIDE_EACH = 1 << 10  # and beside each of many
_LAST_LOOK = 0.05  # seconds; what arrived while the process was busy counts as in time


def uploading(scope: Scope) -> str:
    """Return the code of a body that is too large for an upload's route; "" for other routes."""
    if scope["method"] != "POST":
        return ""
    path = scope["path"].removeprefix("/v1")
    if path.startswith("/datasets/") and path.endswith("/documents"):
        return "batch_too_large"
    return {"/extract": "file_too_large", "/batches": "batch_too_large"}.get(path, "")


def labelling(scope: Scope) -> bool:
    """Say whether a body holds the labels of a document, whose tables may be long."""
    return scope["method"] == "PUT" and _LABELS.fullmatch(scope["path"]) is not None


@dataclass(eq=False, slots=True)
class Upload:
    """A body on its way to the disk.

    Attributes:
        owners: the client and, where it has one, the key that it counts for.
        timeout: of the wait for its next bytes, while there is one.
    """

    owners: tuple[str, ...]
    timeout: asyncio.Timeout | None = None


class Slots:
    """Places for uploads. Who finds none free waits for one, in the order of arrival.

    While somebody waits for others' uploads, slow ones are given up sooner: `pressed`.

    Args:
        most: places in all.
        most_of_one: places of one client, and of one key.
        pressed_s: the patience with slow uploads while somebody waits.
    """

    def __init__(self, most: int, most_of_one: int, pressed_s: float) -> None:
        self.most = most
        self.most_of_one = most_of_one
        self.pressed_s = pressed_s
        self._arriving: set[Upload] = set()
        self._owners: Counter[str] = Counter()
        self._waiting: deque[tuple[Upload, asyncio.Future[None]]] = deque()

    @property
    def pressed(self) -> bool:
        """Whether an upload waits that is kept out by those of others."""
        return any(self.within_own(upload) for upload, _ in self._waiting)

    async def take(self, upload: Upload, patience: float) -> bool:
        """Take a place, at once or within `patience` seconds; say whether it was given one."""
        if not self._waiting and len(self._arriving) < self.most and self.within_own(upload):
            self._admit(upload)
            return True
        granted = asyncio.get_running_loop().create_future()
        entry = (upload, granted)
        self._waiting.append(entry)
        self._grant()
        self._press()
        try:
            async with asyncio.timeout(patience):
                await granted
        except TimeoutError:
            return granted.done() and not granted.cancelled()
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self.give_back(upload)
            raise
        finally:
            if entry in self._waiting:
                self._waiting.remove(entry)
        return True

    def give_back(self, upload: Upload) -> None:
        """Free the place of an upload, if it has one."""
        if upload in self._arriving:
            self._arriving.remove(upload)
            self._owners.subtract(upload.owners)
            self._owners += Counter()  # forgets those that have none left
            self._grant()

    def within_own(self, upload: Upload) -> bool:
        """Say whether its client and its key have a place left."""
        return all(self._owners[owner] < self.most_of_one for owner in upload.owners)

    def _admit(self, upload: Upload) -> None:
        self._arriving.add(upload)
        self._owners.update(upload.owners)

    def _grant(self) -> None:
        for entry in list(self._waiting):
            upload, granted = entry
            if len(self._arriving) >= self.most:
                return
            if self.within_own(upload) and not granted.done():
                self._waiting.remove(entry)
                self._admit(upload)
                granted.set_result(None)

    def _press(self) -> None:
        """Shorten the waits that began while nobody else wanted a place."""
        if self.pressed:
            latest = asyncio.get_running_loop().time() + self.pressed_s
            for upload in self._arriving:
                if upload.timeout is not None and (upload.timeout.when() or latest) > latest:
                    upload.timeout.reschedule(latest)


class Bodies:
    """Bounds bodies before they are kept: a route's bytes, a rate, and a place for an upload.

    A declared length over the limit is refused before a byte is read; without one, the body is
    cut where it passes the limit. What arrives has a patience of `slow_upload_s` seconds, which
    waiting uses up and bytes restore at `slow_upload_rate`: the rate is that of the last seconds,
    whatever was sent before. An upload keeps its place until it is stored, so that the places
    bound what lies in the spool.
    """

    def __init__(self, app: ASGIApp, settings: ApiSettings) -> None:
        self.app = app
        self.settings = settings
        self.slots = Slots(
            settings.max_uploads, settings.max_client_uploads, settings.slow_upload_pressed_s
        )
        self.limits = {
            "": settings.max_json_bytes,
            "file_too_large": settings.max_bytes + _BESIDE,
            "batch_too_large": settings.batch_max_bytes
            + settings.batch_max_files * _BESIDE_EACH
            + _BESIDE,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or not _has_body(scope):
            await self.app(scope, receive, send)
            return
        request, kind = Request(scope), uploading(scope)
        limit, too_large = self.limits[kind], kind or "body_too_large"
        if labelling(scope):
            limit = max(limit, _LABELS_BYTES)
        if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
            await self._refuse(request, "unsupported_media_type", limit)(scope, receive, send)
            return
        declared = request.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > limit:
            await self._refuse(request, too_large, limit)(scope, receive, send)
            return
        upload = Upload(_owners(request))
        if kind and not await self.slots.take(upload, self.settings.upload_wait_s):
            own = self.slots.within_own(upload)
            code = "too_many_uploads" if own else "too_many_client_uploads"
            await self._refuse(request, code, limit)(scope, receive, send)
            return

        def stored() -> None:
            self.slots.give_back(upload)

        request.state.upload_stored = stored
        body = _Body(receive, upload, self.slots, self.settings, limit, too_large)
        request.state.within = body.within
        answering = False

        async def answer(message: Message) -> None:
            nonlocal answering
            if body.fault and not answering:
                return  # whatever the routes make of the cut body, the client gets the reason
            answering = True
            stored()
            await send(message)

        try:
            await self.app(scope, body.receive, answer)
        except Exception:
            if not body.fault or answering:
                raise
        finally:
            stored()
        if body.fault and not answering:
            await self._refuse(request, body.fault, limit)(scope, receive, send)

    def _refuse(self, request: Request, code: str, limit: int) -> Response:
        detail, advice = _REFUSALS[code]
        if code == "body_too_large" and labelling(request.scope):
            advice = _GROUP_BY_GROUP
        response = problem(request, code, detail.format(limit=limit), advice)
        response.headers["connection"] = "close"
        return response


class _Body:
    """The body of one request as the app receives it; `fault` is the code it was cut for."""

    def __init__(
        self,
        receive: Receive,
        upload: Upload,
        slots: Slots,
        settings: ApiSettings,
        limit: int,
        too_large: str,
    ) -> None:
        self._receive = receive
        self._upload = upload
        self._slots = slots
        self._settings = settings
        self._limit = limit
        self._too_large = too_large
        self._patience = settings.slow_upload_s
        self._received = 0
        self._complete = False
        self.fault = ""

    async def receive(self) -> Message:
        """Return the next message of the server, or a disconnection in place of it."""
        if self._complete:  # what follows is only the client's goodbye, which may take any time
            return await self._receive()
        message = await self._next() if not self.fault else None
        if message is None:
            return {"type": "http.disconnect"}
        if message["type"] == "http.request":
            size = len(message.get("body", b""))
            self._received += size
            self._complete = not message.get("more_body", False)
            self._patience = min(
                self._settings.slow_upload_s,
                self._patience + size / self._settings.slow_upload_rate,
            )
            if self._received > self._limit:
                self.fault = self._too_large
                return {"type": "http.disconnect"}
        return message

    @asynccontextmanager
    async def within(self, seconds: float) -> AsyncIterator[None]:
        """Bound a wait for what is fetched for this upload, which keeps its place meanwhile.

        While others wait for a place it is given up as soon as a slow body is; see `fault`.

        Args:
            seconds: of the wait, where nobody does.

        Raises:
            TimeoutError: it took longer.
        """
        now = asyncio.get_running_loop().time
        end = now() + seconds
        granted = min(seconds, self._slots.pressed_s) if self._slots.pressed else seconds
        try:
            async with asyncio.timeout(granted) as self._upload.timeout:
                yield
        except TimeoutError:
            if now() < end:
                self.fault = "upload_too_slow"
            raise
        finally:
            self._upload.timeout = None

    async def _next(self) -> Message | None:
        """Return what comes within the patience, which the wait uses up; None if nothing does."""
        if self._slots.pressed:
            self._patience = min(self._patience, self._settings.slow_upload_pressed_s)
        now = asyncio.get_running_loop().time
        begun = now()
        for seconds in (self._patience, _LAST_LOOK):
            try:
                async with asyncio.timeout(max(0.0, seconds)) as self._upload.timeout:
                    message = await self._receive()
            except TimeoutError:
                continue
            finally:
                self._upload.timeout = None
            self._patience -= now() - begun
            return message
        self.fault = "upload_too_slow"
        return None


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


def _owners(request: Request) -> tuple[str, ...]:
    """Return what the uploads of a request are counted by: its client, and its key."""
    owners = (f"client {client_of(request.client.host)}",) if request.client else ()
    key_id = getattr(getattr(request.state, "principal", None), "key_id", None)
    return owners if key_id is None else (*owners, f"key {key_id}")


_SPLIT = "Split the document or lower the resolution of the scan; see /limits."
_GROUP_BY_GROUP = "Label some fields and groups at a time: those that are not named stay."
_AGAIN = "Send the document again after the seconds of the header Retry-After."
_REFUSALS = {
    "file_too_large": ("The request has more than {limit} bytes.", _SPLIT),
    "batch_too_large": (
        "The request has more than {limit} bytes.",
        "Send the documents in several batches; see /limits.",
    ),
    "body_too_large": (
        "The request has more than {limit} bytes.",
        "Documents go to POST /extract or POST /batches; nothing else is so large.",
    ),
    "unsupported_media_type": (
        "The body is compressed (Content-Encoding), which is not read here.",
        "Send it as it is, without this header.",
    ),
    "upload_too_slow": (
        "The document arrived too slowly.",
        "Send it over a faster connection, or a smaller file.",
    ),
    "too_many_uploads": ("Too many documents are arriving at this moment.", _AGAIN),
    "too_many_client_uploads": ("Too many documents of this client or key are arriving.", _AGAIN),
}
