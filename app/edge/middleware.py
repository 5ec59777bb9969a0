"""The edge of the API: request ids, security headers and the log line."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.problems import is_probe, problem
from store.traces import Traces

log = logging.getLogger(__name__)

Observer = Callable[[str, str, int, float], None]
"""Told of each answer: method, template of the route, status, seconds."""

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HSTS = (b"strict-transport-security", b"max-age=31536000")
SAFE_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Edge:
    """Gives each request an id, each answer its headers, and each fault of ours a clean 500."""

    def __init__(self, app: ASGIApp, observe: Observer, traces: Traces) -> None:
        self.app = app
        self.observe = observe
        self.traces = traces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        with self.traces.request(scope["method"], request.headers) as known:
            await self._serve(request, receive, send, known)

    async def _serve(
        self, request: Request, receive: Receive, send: Send, known: dict[str, Any]
    ) -> None:
        scope = request.scope
        given = request.headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex[:16]
        request.state.request_id = request_id
        request.state.peer = scope.get("client")  # a believed proxy's word may change the client
        started, status = time.perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                said = {name.lower() for name, _ in message.get("headers", [])}
                own = [header for header in SAFE_HEADERS if header[0] not in said]
                own.append((b"x-request-id", request_id.encode()))
                if scope["scheme"] == "https":  # by a proxy too, where its word is believed
                    own.append(_HSTS)
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        # Of an answer to HEAD the server sends the headers only.
        inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        try:
            await self.app(inner, receive, answer)
        except Exception:
            log.exception("request failed", extra={"request": request_id})
            if status:  # half an answer is out: the server has to break the connection
                raise
            detail = "The service met a fault of its own."
            advice = "Try again; if it happens again, report the request id."
            await problem(request, "internal", detail, advice)(scope, receive, answer)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(inner.get("route"), "path", "")
            self.observe(scope["method"], route, status, seconds)
            known |= {"route": route, "status": status}
            probe = is_probe(inner) and status in (200, 503)
            (log.debug if probe else log.info)(
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
