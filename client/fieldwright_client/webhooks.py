"""Checks the signatures of webhooks, as Standard Webhooks has them."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pydantic import BaseModel

from fieldwright_client.errors import SignatureInvalid

_PREFIX = "whsec_"


class Event(BaseModel):
    """What a service tells of.

    Attributes:
        id: of the message; one that comes twice has the same.
        type: such as ``job.succeeded``.
        data: of the job or the batch.
    """

    id: str
    type: str
    data: dict[str, Any]


def webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> Event:
    """Return the event of a webhook whose signature holds.

    Args:
        body: as it came, not parsed and written again.
        headers: of the request.
        secret: as the service showed it when the webhook was made.
        tolerance: seconds that the service's clock and this one may differ.
        now: seconds since 1970; this machine's clock where None.

    Raises:
        SignatureInvalid: it is not from the service, was changed, or came too late.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    try:  # what is no text (half a character, as some servers leave it) is a ValueError
        message, stamp = lower["webhook-id"], lower["webhook-timestamp"]
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
        age = (time.time() if now is None else now) - int(stamp)
        raw = body.encode() if isinstance(body, str) else body
        content = f"{message}.{stamp}.".encode() + raw
        given = lower.get("webhook-signature", "").encode().split()
    except (KeyError, ValueError, OverflowError) as error:
        raise SignatureInvalid("The headers of a webhook, or its secret, are missing.") from error
    if not key:  # with nothing, anybody can sign
        raise SignatureInvalid("The secret is empty.")
    if abs(age) > tolerance:
        raise SignatureInvalid("It was sent too long ago, or a clock is wrong.")
    expected = b"v1," + base64.b64encode(hmac.new(key, content, sha256).digest())
    # All are compared, each in constant time: several secrets hold while one is exchanged.
    if not any([hmac.compare_digest(expected, one) for one in given]):
        raise SignatureInvalid("The signature does not fit the body and the secret.")
    try:
        told = json.loads(raw)
        return Event(id=message, type=told["type"], data=told["data"])
    except (ValueError, KeyError, TypeError) as error:
        raise SignatureInvalid("The body is no event.") from error
