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

from app.edge.middleware import is_probe
from app.schemas.common import Problem
from pipeline.errors import FieldwrightError

log = logging.getLogger(__name__)

# Status of each error code: the only place where a code meets HTTP. What a document causes is
# never a 5xx, not even one that crashes its worker.
STATUS = {
    "unsupported_media_type": 415,
    "file_too_large": 413,
    "pdf_encrypted": 422,
    "pdf_password_wrong": 422,
    "pdf_portfolio": 422,
    "document_corrupt": 422,
    "document_empty": 422,
    "too_many_pages": 422,
    "page_too_large": 422,
    "processing_timeout": 422,
    "resource_limit": 422,
    "reader_crashed": 422,
    "no_fitting_model": 422,
    "invoice_incomplete": 422,
    "archive_unsafe": 422,
    "archive_corrupt": 422,
    "worker_crashed": 422,
    "key_missing": 401,
    "key_invalid": 401,
    "foreign_page": 403,
    "scope_missing": 403,
    "rate_limited": 429,
    "too_many_uploads": 503,
    "too_many_client_uploads": 429,
    "page_range_invalid": 400,
    "request_malformed": 400,
    "model_unknown": 404,
    "job_unknown": 404,
    "page_unknown": 404,
    "page_not_drawn": 503,
    "batch_unknown": 404,
    "batch_too_large": 413,
    "body_too_large": 413,
    "webhook_unknown": 404,
    "delivery_unknown": 404,
    "webhook_disabled": 409,
    "too_many_webhooks": 409,
    "webhook_target_refused": 422,
    "url_refused": 422,
    "document_not_fetched": 422,
    "not_found": 404,
    "method_not_allowed": 405,
    "upload_too_slow": 408,
    "request_too_slow": 408,
    "address_too_long": 414,
    "headers_too_large": 431,
    "too_many_connections": 429,
    "job_not_finished": 409,
    "dataset_unknown": 404,
    "dataset_document_unknown": 404,
    "too_many_datasets": 409,
    "dataset_full": 413,
    "too_few_labels": 422,
    "model_name_taken": 409,
    "training_unknown": 404,
    "fields_changed": 409,
    "training_running": 409,
    "training_not_finished": 409,
    "training_crashed": 422,
    "shadow_unknown": 404,
    "review_claimed": 409,
    "idempotency_in_flight": 409,
    "job_expired": 410,
    "document_missing": 410,
    "job_cancelled": 409,
    "option_invalid": 422,
    "idempotency_key_reused": 422,
    "too_many_jobs": 429,
    "request_invalid": 422,
    "dataset_invalid": 422,
    "internal": 500,
    "model_package_invalid": 503,
    "dependency_missing": 503,
    "store_unavailable": 503,
    "secret_key_missing": 503,
    "not_ready": 503,
    "overloaded": 503,
    "storage_full": 507,
}
_RETRY_AFTER = {
    "too_many_uploads": "1",
    "too_many_client_uploads": "1",
    "store_unavailable": "2",
    "not_ready": "2",
    "page_not_drawn": "1",
    "job_not_finished": "1",
}
_SHOWN_FAULTS = 10
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
    own = {"Retry-After": _RETRY_AFTER[code]} if code in _RETRY_AFTER else {}
    return JSONResponse(
        body.model_dump(exclude_none=True),
        status,
        {**own, **(headers or {})},
        "application/problem+json",
    )


def _cut(text: str, length: int) -> str:
    """Return the first `length` characters of a text; the last is an ellipsis if it was longer."""
    return text if len(text) <= length else text[: length - 1] + "…"


async def _on_own(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, FieldwrightError):
        raise error
    if STATUS.get(error.code, 500) >= 500 and not is_probe(request.scope):
        log.warning("problem", extra={"code": error.code, "request": request.state.request_id})
    headers = {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    return problem(request, error.code, error.detail, error.advice, headers=headers)


async def _on_invalid(request: Request, error: Exception) -> JSONResponse:
    """Say which part of a request is wrong, without repeating what was sent."""
    if not isinstance(error, RequestValidationError):
        raise error
    found = error.errors()
    faults = [
        {"where": _cut(".".join(map(str, item["loc"])), 100), "what": _cut(item["msg"], 200)}
        for item in found[:_SHOWN_FAULTS]
    ]
    first = f"{faults[0]['where']}: {faults[0]['what']}." if faults else ""
    if len(found) > len(faults):
        first += f" {len(found)} faults in all; the first {len(faults)} are listed."
    advice = "See /docs for the parameters of this call."
    return problem(
        request, "request_invalid", f"The request is not valid. {first}", advice, errors=faults
    )


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    """Give the errors of the framework the same form."""
    if not isinstance(error, HTTPException):
        raise error
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
