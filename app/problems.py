"""Every error as application/problem+json: one table of statuses, one form for all that fails."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Mount
from starlette.types import Scope

from app.schemas.common import Problem
from pipeline.errors import FieldwrightError

log = logging.getLogger(__name__)

# The error codes of each status: the only place where a code meets HTTP. What a document causes is
# never a 5xx, not even one that crashes its worker.
_CODES = {
    400: "page_range_invalid request_malformed",
    401: "key_missing key_invalid",
    403: "foreign_page scope_missing",
    404: "model_unknown job_unknown page_unknown batch_unknown webhook_unknown "
    "delivery_unknown not_found dataset_unknown dataset_document_unknown "
    "training_unknown shadow_unknown",
    405: "method_not_allowed",
    408: "upload_too_slow request_too_slow",
    409: "webhook_disabled too_many_webhooks job_not_finished too_many_datasets "
    "model_name_taken fields_changed training_running training_not_finished "
    "review_claimed idempotency_in_flight job_cancelled",
    410: "job_expired document_missing",
    413: "file_too_large batch_too_large body_too_large dataset_full",
    414: "address_too_long",
    415: "unsupported_media_type",
    422: "pdf_encrypted pdf_password_wrong pdf_portfolio document_corrupt document_empty "
    "too_many_pages page_too_large processing_timeout resource_limit reader_crashed "
    "no_fitting_model invoice_incomplete archive_unsafe archive_corrupt "
    "worker_crashed webhook_target_refused url_refused document_not_fetched "
    "too_few_labels training_crashed option_invalid idempotency_key_reused "
    "request_invalid dataset_invalid",
    429: "rate_limited too_many_client_uploads too_many_connections too_many_jobs",
    431: "headers_too_large",
    500: "internal",
    503: "too_many_uploads page_not_drawn model_package_invalid dependency_missing "
    "store_unavailable secret_key_missing not_ready overloaded",
    507: "storage_full",
}
STATUS = {code: status for status, codes in _CODES.items() for code in codes.split()}
RETRY_AFTER = {
    "too_many_uploads": "1",
    "too_many_client_uploads": "1",
    "store_unavailable": "2",
    "not_ready": "2",
    "page_not_drawn": "1",
}
_SHOWN_FAULTS = 10
_PROBES = ("/livez", "/v1/livez", "/readyz", "/v1/readyz")
_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
_HTTP_CODES = {400: "request_malformed", 404: "not_found", 405: "method_not_allowed"}


def add_problems(app: FastAPI) -> None:
    """Have an application answer every error with a problem."""
    app.add_exception_handler(FieldwrightError, _on_own)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)


def problem(
    request: Request,
    code: str,
    detail: str,
    advice: str,
    *,
    status: int | None = None,
    errors: list[dict[str, Any]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return an error answer.

    Args:
        request: the request that met the error.
        code: stable name of the error; its status stands in `STATUS`.
        detail: one sentence on what happened.
        advice: one sentence on what to do next.
        status: for codes that the table does not have.
        errors: single faults of the request.
        headers: added to the answer.
    """
    status = status or STATUS.get(code, 500)
    detail = _cut(detail, 500)  # it may name what was sent
    body = Problem(
        type=f"urn:fieldwright:problem:{code}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        code=code,
        advice=advice,
        instance=getattr(request.state, "instance", request.url.path[:200]),
        request_id=getattr(request.state, "request_id", ""),
        errors=errors,
    )
    own = {"Retry-After": RETRY_AFTER[code]} if code in RETRY_AFTER else {}
    return JSONResponse(
        body.model_dump(exclude_none=True),
        status,
        {**own, **(headers or {})},
        "application/problem+json",
    )


def is_probe(scope: Scope) -> bool:
    """Say whether a request asks how the service is: these come by the second.

    What changes is logged by `Inspector`.
    """
    return getattr(scope.get("route"), "path", "") in _PROBES


def _cut(text: str, length: int) -> str:
    """Return the first `length` characters of a text; the last is an ellipsis if it was longer."""
    return text if len(text) <= length else text[: length - 1] + "…"


async def _on_own(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, FieldwrightError)
    if STATUS.get(error.code, 500) >= 500 and not is_probe(request.scope):
        log.warning("problem", extra={"code": error.code, "request": request.state.request_id})
    headers = {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    return problem(request, error.code, error.detail, error.advice, headers=headers)


async def _on_invalid(request: Request, error: Exception) -> JSONResponse:
    """Say which part of a request is wrong, without repeating what was sent."""
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    faults = [
        {"where": _cut(".".join(map(str, item["loc"])), 100), "what": _cut(item["msg"], 200)}
        for item in found[:_SHOWN_FAULTS]
    ]
    first = f"{faults[0]['where']}: {faults[0]['what']}." if faults else ""
    if len(found) > len(faults):
        first += f" {len(found)} faults in all; the first {len(faults)} are listed."
    advice = "See /docs for the parameters of this call."
    form = request.headers.get("content-type", "").lower()
    if faults and faults[0]["where"] == "body" and "json" not in form:
        advice = "Send it as JSON, with the header `Content-Type: application/json`."
    return problem(
        request, "request_invalid", f"The request is not valid. {first}", advice, errors=faults
    )


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    """Give the errors of the framework the same form."""
    assert isinstance(error, HTTPException)
    code = _HTTP_CODES.get(error.status_code, "request_malformed")
    advice = "See /docs for the addresses and methods of this service."
    detail = "There is nothing at this address." if code == "not_found" else f"{error.detail}."
    headers = error.headers
    path = request.scope["path"]
    if code == "not_found" and path.endswith("/") and _allowed(request, path.rstrip("/")):
        advice = "Leave out the slash at the end of the address."
    if code == "method_not_allowed" and (allowed := _allowed(request, path)):
        headers = {"Allow": ", ".join(allowed)}
        detail = f"This address takes {' and '.join(allowed)}, not {request.method[:20]}."
    return problem(request, code, detail, advice, status=error.status_code, headers=headers)


def _allowed(request: Request, path: str) -> list[str]:
    """Return the methods of an address; the framework names those of its first route only."""
    routes = [route for route in request.app.routes if not isinstance(route, Mount)]
    scopes = {method: {**request.scope, "path": path, "method": method} for method in _METHODS}
    found = [
        method
        for method, scope in scopes.items()
        if any(route.matches(scope)[0] is Match.FULL for route in routes)
    ]
    return sorted([*found, "HEAD"] if "GET" in found else found)
