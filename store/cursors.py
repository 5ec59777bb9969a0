"""Cursors of lists: opaque marks of where a page ended, which stay right while rows come and go."""

from __future__ import annotations

import base64
import binascii
import json
import uuid
from typing import Any

from pipeline.errors import InvalidOption


def cursor(*place: float | str) -> str:
    """Return the cursor that stands for a place in a list."""
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


def moment_and_id(text: str | None) -> tuple[float, str] | None:
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
