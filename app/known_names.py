"""Names that a route does not have, or that come twice: refused, so that no value is lost unseen.

The bodies of `app.schemas.common.Asked` do the same by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute


def refuse_unknown(place: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Raise RequestValidationError where a name is given that is not among those known.

    Args:
        place: of the names in the request: ``body`` or ``query``.
        given: as the request has them.
        known: as the route has them, in the order in which they are told.
    """
    unknown = [name for name in dict.fromkeys(given) if name not in known]
    if not unknown:
        return
    allowed = f"allowed are {', '.join(known)}" if known else "there are none here"
    message = f"Extra inputs are not permitted; {allowed}"
    # Half of a surrogate pair, which JSON may name, has no UTF-8.
    told = [name.encode("utf-8", "backslashreplace").decode() for name in unknown]
    raise RequestValidationError([{"loc": (place, name), "msg": message} for name in told])


def refuse_repeated(place: str, given: Iterable[str]) -> None:
    """Raise RequestValidationError where a name is given more than once: one value counts."""
    repeated = [name for name, number in Counter(given).items() if number > 1]
    if repeated:
        raise RequestValidationError([{"loc": (place, repeated[0]), "msg": "Given more than once"}])


def invalid(message: str, *place: str) -> RequestValidationError:
    """Return the error of a body, or of a `place` in it."""
    return RequestValidationError([{"loc": ("body", *place), "msg": message}])


async def refuse_unknown_query(request: Request) -> None:
    """Raise RequestValidationError where a query parameter is not the route's, or comes twice."""
    if request.query_params:
        route = cast(APIRoute, request.scope["route"])
        refuse_unknown("query", request.query_params, list(_query_names(route.dependant)))
        refuse_repeated("query", (name for name, _ in request.query_params.multi_items()))


def form_names(route: APIRoute) -> list[str]:
    """Return the names of a route's form fields."""
    return [field.alias for field in route.dependant.body_params]


def _query_names(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params)
    for part in dependant.dependencies:
        yield from _query_names(part)
