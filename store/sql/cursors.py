"""Ids and cursors as they come from outside, and long lists in chunks.

A cursor is an opaque mark of where a page ended; it stays right while rows come and go.
"""

from __future__ import annotations

import base64
import binascii
import json
import uuid
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import tuple_

from pipeline.errors import InvalidOption

Listed = TypeVar("Listed")


def chunks(items: Iterable[Listed], size: int = 500) -> Iterator[list[Listed]]:
    """Yield the items in their order, so many at a time: of ids, databases have a limit."""
    left = iter(items)
    while chunk := list(islice(left, size)):
        yield chunk


def cursor(*place: float | str) -> str:
    """Return the cursor that stands for a place in a list."""
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


def page(found: list[Listed], limit: int, *place: str) -> tuple[list[Listed], str | None]:
    """Return one page of a list, and the cursor of the next one or None at the end.

    Args:
        found: rows, one more than a page has where there is more.
        limit: most of a page.
        place: names of what says where a row stands; `created_at` and `id` where there is none.
    """
    if len(found) <= limit:
        return found, None
    marks = (getattr(found[limit - 1], name) for name in place or ("created_at", "id"))
    return found[:limit], cursor(*marks)


def newest_first(query: Any, table: Any, after: str | None, limit: int) -> Any:
    """Return a query of a page's rows and one more, the newest first.

    Args:
        query: of rows with an `id` and `created_at`.
        table: of these.
        after: cursor of the page; None for the first one.
        limit: most of a page.

    Raises:
        InvalidOption: the cursor was not made here.
    """
    query = query.order_by(table.created_at.desc(), table.id.desc()).limit(limit + 1)
    if (mark := _moment_and_id(after)) is None:
        return query
    return query.where(tuple_(table.created_at, table.id) < mark)


def plain_id(text: str) -> str:
    """Return an id from outside as ids are stored; empty where nothing can have it."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return ""


def _moment_and_id(text: str | None) -> tuple[float, str] | None:
    """Return the time and the UUID of a cursor, None for none; raises InvalidOption."""
    if not text:
        return None
    try:
        moment, name = _place(text)
        return float(moment), str(uuid.UUID(name))
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise _foreign() from error


def number(text: str | None) -> int:
    """Return the number of a cursor, 0 for none; raises InvalidOption."""
    if not text:
        return 0
    try:
        (value,) = _place(text)
        if type(value) is not int or abs(value) >= 1 << 31:
            raise ValueError
        return value
    except (ValueError, TypeError) as error:
        raise _foreign() from error


def _place(text: str) -> Any:
    try:
        return json.loads(base64.urlsafe_b64decode(text))
    except (binascii.Error, RecursionError) as error:
        raise ValueError("no cursor") from error


def _foreign() -> InvalidOption:
    return InvalidOption(
        "The cursor is not one of this service.", advice="Start again without a cursor."
    )
