"""Checks the signatures of webhooks, as Standard Webhooks has them."""

from __future__ import annotations

import base64
import binascii
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
    raw = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        message, stamp = lower["webhook-id"], lower["webhook-timestamp"]
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
        sent = int(stamp)
    except (KeyError, ValueError, binascii.Error) as error:
        raise SignatureInvalid("The headers of a webhook, or its secret, are missing.") from error
    if abs((time.time() if now is None else now) - sent) > tolerance:
        raise SignatureInvalid("It was sent too long ago, or a clock is wrong.")
    signed = hmac.new(key, f"{message}.{stamp}.".encode() + raw, sha256).digest()
    expected = f"v1,{base64.b64encode(signed).decode()}"
    given = lower.get("webhook-signature", "").split()
    # All are compared, each in constant time: several secrets hold while one is exchanged.
    if not any([hmac.compare_digest(expected.encode(), one.encode()) for one in given]):
        raise SignatureInvalid("The signature does not fit the body and the secret.")
    try:
        content = json.loads(raw)
        return Event(id=message, type=content["type"], data=content["data"])
    except (ValueError, KeyError, TypeError) as error:
        raise SignatureInvalid("The body is no event.") from error
