"""The edge of the API: request ids, security headers, the log line, and the limit of a body."""

from __future__ import annotations

import asyncio
import logging
import re
import time
import uuid
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

ProblemMaker = Callable[[Request, str, str, str], Response]
Observer = Callable[[str, str, int, float], None]

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HSTS = (b"strict-transport-security", b"max-age=31536000")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
)


class Edge:
    """Gives each request an id, each answer its headers, and each fault of ours a clean 500.

    Args:
        app: what stands behind.
        problem: makes an error answer from request, code, detail and advice.
        observe: told of each answer: method, template of the route, status, seconds.
    """

    def __init__(self, app: ASGIApp, problem: ProblemMaker, observe: Observer) -> None:
        self.app = app
        self.problem = problem
        self.observe = observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        given = request.headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex[:16]
        request.state.request_id = request_id
        started, status = time.perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = [*_HEADERS, (b"x-request-id", request_id.encode())]
                if scope["scheme"] == "https":  # by a proxy too, where its word is believed
                    own.append(_HSTS)
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        try:
            await self.app(scope, receive, answer)
        except Exception:
            log.exception("request failed", extra={"request": request_id})
            if status:  # half an answer is out: the server has to break the connection
                raise
            detail = "The service met a fault of its own."
            advice = "Try again; if it happens again, report the request id."
            await self.problem(request, "internal", detail, advice)(scope, receive, answer)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(scope.get("route"), "path", "")
            self.observe(scope["method"], route, status, seconds)
            log.info(
                "request",
                extra={
                    "request": request_id,
                    "method": scope["method"],
                    "path": scope["path"][:200],
                    "key": getattr(getattr(request.state, "principal", None), "key_id", None),
                    "status": status,
                    "seconds": round(seconds, 4),
                },
            )


class Uploads:
    """Takes in so many bodies at the same time, and sends the others away before they are read.

    Args:
        app: what stands behind.
        problem: makes an error answer from request, code, detail and advice.
        most: bodies on their way at the same time.
    """

    def __init__(self, app: ASGIApp, problem: ProblemMaker, *, most: int) -> None:
        self.app = app
        self.problem = problem
        self.most = most
        self.arriving = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] not in ("POST", "PUT", "PATCH"):
            await self.app(scope, receive, send)
            return
        if self.arriving >= self.most:
            detail = f"{self.arriving} documents are arriving at this moment."
            advice = "Send the document again after the seconds of the header Retry-After."
            response = self.problem(Request(scope), "too_many_uploads", detail, advice)
            await response(scope, receive, send)
            return
        self.arriving += 1
        here = True

        def arrived() -> None:
            nonlocal here
            self.arriving -= here
            here = False

        async def watched() -> Message:
            message = await receive()
            if not message.get("more_body", False):  # the end, or the client is gone
                arrived()
            return message

        try:
            await self.app(scope, watched, send)
        finally:
            arrived()


class BodyLimit:
    """Refuses bodies that are too large or come too slowly, before they are buffered.

    A declared length over the limit is refused before a byte is read; without one, the body is
    cut where it passes the limit.

    Args:
        app: what stands behind.
        problem: makes an error answer from request, code, detail and advice.
        limit: most bytes of a body.
        batch_limit: most bytes of the body of a batch.
        grace: seconds that any body may take.
        rate: bytes that buy one second more.
    """

    def __init__(
        self,
        app: ASGIApp,
        problem: ProblemMaker,
        *,
        limit: int,
        batch_limit: int,
        grace: float,
        rate: int,
    ) -> None:
        self.app = app
        self.problem = problem
        self.limit = limit
        self.batch_limit = batch_limit
        self.grace = grace
        self.rate = rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        limit, too_large = self.limit, "file_too_large"
        if scope["path"].removeprefix("/v1") == "/batches":
            limit, too_large = self.batch_limit, "batch_too_large"
        declared = request.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > limit:
            await self._refuse(request, too_large, limit)(scope, receive, send)
            return
        received, fault, complete, answering = 0, "", False, False
        started = time.monotonic()

        async def counted() -> Message:
            nonlocal received, fault, complete
            if complete:  # what follows is only the client's goodbye, which may take any time
                return await receive()
            if fault:
                return {"type": "http.disconnect"}
            allowed = self.grace + received / self.rate - (time.monotonic() - started)
            try:
                message = await asyncio.wait_for(receive(), max(0.0, allowed))
            except TimeoutError:
                fault = "upload_too_slow"
                return {"type": "http.disconnect"}
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                complete = not message.get("more_body", False)
                if received > limit:
                    fault = too_large
                    return {"type": "http.disconnect"}
            return message

        async def answer(message: Message) -> None:
            nonlocal answering
            if fault and not answering:
                return  # whatever the routes make of the cut body, the client gets the reason
            answering = True
            await send(message)

        try:
            await self.app(scope, counted, answer)
        except Exception:
            if not fault or answering:
                raise
        if fault and not answering:
            await self._refuse(request, fault, limit)(scope, receive, send)

    def _refuse(self, request: Request, code: str, limit: int) -> Response:
        detail = f"The request has more than {limit} bytes."
        advice = "Split the document or lower the resolution of the scan; see /limits."
        if code == "batch_too_large":
            advice = "Send the documents in several batches; see /limits."
        elif code == "upload_too_slow":
            detail = "The document arrived too slowly."
            advice = "Send it over a faster connection, or a smaller file."
        response = self.problem(request, code, detail, advice)
        response.headers["connection"] = "close"
        return response
