"""What the routes are given: the queue, the settings, and the documented problems.

Coroutines, all of them: plain functions would each be sent to a thread, at every request.
"""

from __future__ import annotations

from typing import Annotated, Any

from anyio import CapacityLimiter
from fastapi import Depends, Header, Query, Request
from pydantic import BaseModel

from app.catalogue import Catalogue
from app.edge.access import PrincipalDep, refusal
from app.intake import Submissions
from app.intake.fingerprints import body_print
from app.readiness import Inspector
from app.settings import ApiSettings
from app.teaching import Releases, Teaching
from pipeline.errors import InvalidOption
from store.batches import Batches
from store.idempotency import Once, Route
from store.jobs import Jobs
from store.webhooks import Webhooks


def _of_application(name: str) -> Any:
    """Return a dependency: what the application was built with, by its name in `app.state`."""

    async def built(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(built)


async def prefix_of(request: Request) -> str:
    """Return where the routes of this request are mounted: empty or ``/v1``."""
    return "/v1" if request.url.path.startswith("/v1/") else ""


WATCHING = CapacityLimiter(8)
"""Threads of what watches the service: it answers while all others wait for a store that hangs."""

MOST_WAIT = (
    "more than `wait_max_s` of GET /limits "
    f"({ApiSettings.model_fields['wait_max_s'].default:g} unless FIELDWRIGHT_WAIT_MAX_S is set) "
    "is cut to that"
)
"""What descriptions of `wait` say of its bound."""

BAD_CURSOR = "A parameter is not allowed, or the cursor is not of this service"
"""What descriptions of a list say of the status 422."""

BODY = {"s400": "The body cannot be read", "s413": "The body is too large"}
"""What `problems` are told of a route with a body."""

JobsDep = Annotated[Jobs, _of_application("jobs")]
BatchesDep = Annotated[Batches, _of_application("batches")]
WebhooksDep = Annotated[Webhooks, _of_application("webhooks")]
SubmissionsDep = Annotated[Submissions, _of_application("submissions")]
CatalogueDep = Annotated[Catalogue, _of_application("catalogue")]
InspectorDep = Annotated[Inspector, _of_application("inspector")]
TeachingDep = Annotated[Teaching, _of_application("teaching")]
ReleasesDep = Annotated[Releases, _of_application("releases")]
SettingsDep = Annotated[ApiSettings, _of_application("settings")]
PrefixDep = Annotated[str, Depends(prefix_of)]
CursorQuery = Annotated[str | None, Query(description="`next` of the page before")]
IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=255,
        pattern="^[ -~]+$",
        description="Makes the request repeatable: the same key again makes nothing new, and is "
        "answered with what it made first",
    ),
]


async def shown_catalogue_of(submissions: SubmissionsDep, principal: PrincipalDep) -> Catalogue:
    """Return the models that the caller may ask for."""
    return Catalogue(submissions.models(principal.owner_scope))


ShownCatalogueDep = Annotated[Catalogue, Depends(shown_catalogue_of)]


class Repeats:
    """Tells a request that is sent again, by its Idempotency-Key."""

    def __init__(
        self,
        request: Request,
        jobs: JobsDep,
        principal: PrincipalDep,
        idempotency_key: IdempotencyKey = None,
    ) -> None:
        self._path = request.url.path.removeprefix("/v1")
        self._keys = jobs.idempotency
        self._owner = principal.key_id
        self._key = idempotency_key

    def once(self, route: Route, body: BaseModel | None = None) -> Once | None:
        """Return the request with its key, None where it has none."""
        if self._key is None:
            return None
        asked = body_print(self._path, {} if body is None else body.model_dump(mode="json"))
        return Once(self._keys, self._owner, route, self._key, asked)


RepeatsDep = Annotated[Repeats, Depends()]


async def refuse_password_in_address(request: Request) -> None:
    """Raise InvalidOption where a password stands in the address."""
    if "password" in request.query_params:
        raise InvalidOption(
            "A password in the address would end up in logs.",
            advice="Send the option `password` in the body, as a field of the form or of the JSON.",
        )


def has(request: Request, tag: str) -> bool:
    """Say whether a client has the answer of a tag already, by its If-None-Match.

    That may name several; and a proxy that packs answers makes their tags weak.
    """
    named = [one.strip() for one in request.headers.get("if-none-match", "").split(",")]
    return "*" in named or tag in [one.removeprefix("W/") for one in named]


def problems(**reasons: str) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI entries of the errors of a route.

    Where none is given for 422, `app.main` says that a parameter is not allowed; not of health.

    Args:
        reasons: for each status, written ``s404``, when it is answered.
    """
    return {int(status[1:]): refusal(reason) for status, reason in {**_ANY, **reasons}.items()}


_ANY = {
    "s408": "The request arrived too slowly",
    "s414": "The path and the query are too long",
    "s415": "The body is compressed (Content-Encoding)",
    "s431": "The headers are too large",
    "s500": "A fault of the service; the log has the request id",
    "s503": "The store does not answer",
}
