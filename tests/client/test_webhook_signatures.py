"""Signatures of webhooks as the library of Standard Webhooks makes them."""

from __future__ import annotations

import base64
import hmac
import json
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from standardwebhooks import Webhook

from fieldwright_client import SignatureInvalid, webhook

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(32)).decode()
BODY = json.dumps({"type": "job.succeeded", "timestamp": "now", "data": {"id": "j"}})
NOW = 1_700_000_000


def _headers(*secrets: str, body: str = BODY, at: int = NOW) -> dict[str, str]:
    moment = datetime.fromtimestamp(at, UTC)
    signed = [Webhook(secret).sign("m", moment, body) for secret in secrets]
    return {"Webhook-Id": "m", "Webhook-Timestamp": str(at), "Webhook-Signature": " ".join(signed)}


def _signed_with_nothing() -> dict[str, str]:
    signed = hmac.new(b"", f"m.{NOW}.{BODY}".encode(), sha256).digest()
    return {**_headers(SECRET), "Webhook-Signature": f"v1,{base64.b64encode(signed).decode()}"}


@pytest.mark.parametrize("body", [BODY, BODY.encode()])
def test_an_event_whose_signature_holds_is_returned(body: str | bytes) -> None:
    event = webhook(body, _headers(SECRET), SECRET, now=NOW + 10)
    assert (event.id, event.type, event.data) == ("m", "job.succeeded", {"id": "j"})


def test_one_of_two_secrets_is_enough_while_they_are_exchanged() -> None:
    assert webhook(BODY, _headers(OTHER, SECRET), SECRET, now=NOW).id == "m"


@pytest.mark.parametrize(
    ("body", "headers", "secret"),
    [
        pytest.param(BODY + " ", _headers(SECRET), SECRET, id="changed"),
        pytest.param(BODY, _headers(OTHER), SECRET, id="other_secret"),
        pytest.param(BODY, _headers(SECRET, at=NOW - 1000), SECRET, id="old"),
        pytest.param(BODY, _headers(SECRET, at=NOW + 1000), SECRET, id="ahead"),
        pytest.param(BODY, {}, SECRET, id="no_headers"),
        pytest.param(BODY, {**_headers(SECRET), "Webhook-Timestamp": "x"}, SECRET, id="no_time"),
        pytest.param(BODY, {**_headers(SECRET), "Webhook-Id": "n"}, SECRET, id="other_id"),
        pytest.param(BODY, {**_headers(SECRET), "Webhook-Signature": "v1,é"}, SECRET, id="letters"),
        pytest.param(BODY, {**_headers(SECRET), "Webhook-Timestamp": "9" * 400}, SECRET, id="far"),
        pytest.param(
            BODY, {**_headers(SECRET), "Webhook-Id": "\udcff"}, SECRET, id="half_a_letter"
        ),
        pytest.param(BODY, _headers(SECRET), "whsec_!", id="no_secret"),
        pytest.param(BODY, _signed_with_nothing(), "", id="empty_secret"),
        pytest.param("[]", _headers(SECRET, body="[]"), SECRET, id="no_event"),
        pytest.param("{", _headers(SECRET, body="{"), SECRET, id="no_json"),
    ],
)
def test_anything_else_is_refused(body: str, headers: dict[str, str], secret: str) -> None:
    with pytest.raises(SignatureInvalid):
        webhook(body, headers, secret, now=NOW)
