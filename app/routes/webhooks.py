"""Webhooks: addresses that are told when jobs and batches end, and what was delivered to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Response

from app.deps import BAD_CURSOR, CursorQuery, PrefixDep, RepeatsDep, WebhooksDep, problems
from app.edge.access import PrincipalDep
from app.schemas.webhooks import (
    BatchMessage,
    DeliveryPage,
    DeliveryView,
    JobMessage,
    MessageHeaders,
    NewWebhook,
    TrialMessage,
    WebhookChange,
    WebhookPage,
    WebhookView,
    WebhookWithSecret,
)
from store.webhooks import EVENTS

router = APIRouter(tags=["webhooks"])
MESSAGES = APIRouter(tags=["webhooks"])
"""What is sent to receivers; served nowhere."""

WebhookId = Annotated[str, Path(description="As answered by POST /webhooks")]
_Limit = Annotated[int, Query(ge=1, le=500)]

_UNKNOWN = "There is no such webhook"
_OFF = "The webhook is switched off"


_ANSWERS: dict[int | str, dict[str, Any]] = {
    204: {"description": "It arrived; any other status from 200 to 299 says so too"},
    410: {"description": "The webhook is switched off"},
    "default": {"description": "It is sent again, over three days"},
}


def tell_of_job(body: JobMessage, signed: Annotated[MessageHeaders, Header()]) -> None:
    """Tell that a job has ended, or that its review has."""


def tell_of_batch(body: BatchMessage, signed: Annotated[MessageHeaders, Header()]) -> None:
    """Tell that all documents of a batch have ended."""


def tell_nothing(body: TrialMessage, signed: Annotated[MessageHeaders, Header()]) -> None:
    """Tell nothing: somebody tries whether messages arrive."""


_TELLING: dict[str, Callable[..., None]] = {"job": tell_of_job, "batch": tell_of_batch}
for _event in (*EVENTS, "webhook.test"):
    MESSAGES.add_api_route(
        _event,
        _TELLING.get(_event.partition(".")[0], tell_nothing),
        methods=["POST"],
        status_code=204,
        summary=_event,
        operation_id=_event.replace(".", "_"),
        responses=_ANSWERS,
    )


@router.post(
    "/webhooks",
    status_code=201,
    summary="Register an address to be told of events",
    responses={
        201: {
            "description": "Registered; only this request is told the secret",
            "headers": {"Location": {"description": "The webhook", "schema": {"type": "string"}}},
        },
        **problems(
            s400="The body is no JSON",
            s404="The webhook of this Idempotency-Key was deleted",
            s409="There are too many webhooks already",
            s413="The body is too large",
            s422="The address is not one that may be sent to, an event is unknown, or an "
            "Idempotency-Key came with another request",
        ),
    },
)
async def register_webhook(
    body: NewWebhook,
    response: Response,
    webhooks: WebhooksDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
    repeats: RepeatsDep,
) -> WebhookWithSecret:
    """Register a receiver; it is told of the ends of jobs and batches of the same key.

    Requests are signed as Standard Webhooks has it (webhook-id, webhook-timestamp,
    webhook-signature) and name the job, not its fields. A receiver answers 2xx within 15 seconds;
    anything else is tried again over three days. 410 switches the webhook off.

    With the header `Idempotency-Key` the request may be repeated for 24 hours: one is made, and its
    secret is shown again.
    """
    once = repeats.once("webhooks", body)
    webhook, secret = await webhooks.register(body.url, body.events, principal.key_id, once=once)
    response.headers["Location"] = f"{prefix}/webhooks/{webhook.id}"
    return WebhookWithSecret.showing(webhook, secret=secret)


@router.get(
    "/webhooks",
    summary="List the webhooks, the newest first",
    responses=problems(s422=BAD_CURSOR),
)
def list_webhooks(
    webhooks: WebhooksDep, principal: PrincipalDep, cursor: CursorQuery = None, limit: _Limit = 50
) -> WebhookPage:
    """Return a page of webhooks, without their secrets."""
    found, following = webhooks.page(cursor, limit, principal.owner_scope)
    return WebhookPage(webhooks=[WebhookView.showing(item) for item in found], next=following)


@router.get(
    "/webhooks/{webhook_id}",
    summary="Read a webhook",
    responses=problems(s404=_UNKNOWN),
)
def get_webhook(
    webhook_id: WebhookId, webhooks: WebhooksDep, principal: PrincipalDep
) -> WebhookView:
    """Return a webhook, without its secret."""
    return WebhookView.showing(webhooks.get(webhook_id, principal.owner_scope))


@router.patch(
    "/webhooks/{webhook_id}",
    summary="Change a webhook, or switch it on again",
    responses=problems(
        s400="The body is no JSON",
        s404=_UNKNOWN,
        s413="The body is too large",
        s422="The address is not one that may be sent to, or an event is unknown",
    ),
)
async def change_webhook(
    webhook_id: WebhookId, body: WebhookChange, webhooks: WebhooksDep, principal: PrincipalDep
) -> WebhookView:
    """Change what is named. What waits when a webhook is switched off is not sent by itself later.

    Deliveries that failed can be asked for again one by one.
    """
    webhook = await webhooks.change(
        webhook_id, principal.owner_scope, url=body.url, events=body.events, active=body.active
    )
    return WebhookView.showing(webhook)


@router.delete(
    "/webhooks/{webhook_id}",
    status_code=204,
    summary="Remove a webhook",
    responses={
        204: {"description": "Removed with its deliveries"},
        **problems(s404=_UNKNOWN),
    },
)
def delete_webhook(webhook_id: WebhookId, webhooks: WebhooksDep, principal: PrincipalDep) -> None:
    """Remove a webhook with the log of its deliveries; nothing more is sent."""
    webhooks.delete(webhook_id, principal.owner_scope)


@router.post(
    "/webhooks/{webhook_id}/rotate",
    summary="Change the secret of a webhook",
    responses={200: {"description": "The new secret"}, **problems(s404=_UNKNOWN)},
)
def rotate_webhook(
    webhook_id: WebhookId, webhooks: WebhooksDep, principal: PrincipalDep
) -> WebhookWithSecret:
    """Make a new secret. For 24 hours the old one signs too, so receivers can change over.

    A second rotation ends the first secret at once, should it have become known.
    """
    webhook, secret = webhooks.rotate(webhook_id, principal.owner_scope)
    return WebhookWithSecret.showing(webhook, secret=secret)


@router.post(
    "/webhooks/{webhook_id}/test",
    status_code=202,
    summary="Have a test event delivered",
    responses={
        202: {"description": "To be sent"},
        **problems(s404=_UNKNOWN, s409=_OFF),
    },
)
def test_webhook(
    webhook_id: WebhookId, webhooks: WebhooksDep, principal: PrincipalDep
) -> DeliveryView:
    """Deliver an event `webhook.test`, as any other event is delivered."""
    return DeliveryView.showing(webhooks.test(webhook_id, principal.owner_scope))


@router.get(
    "/webhooks/{webhook_id}/deliveries",
    summary="List what was delivered to a webhook, the newest first",
    responses=problems(s404=_UNKNOWN, s422=BAD_CURSOR),
)
def list_deliveries(
    webhook_id: WebhookId,
    webhooks: WebhooksDep,
    principal: PrincipalDep,
    cursor: CursorQuery = None,
    limit: _Limit = 50,
) -> DeliveryPage:
    """Return a page of deliveries with all attempts. The log goes back 30 days."""
    found, following = webhooks.deliveries(webhook_id, cursor, limit, principal.owner_scope)
    return DeliveryPage(deliveries=[DeliveryView.showing(item) for item in found], next=following)


@router.post(
    "/webhooks/{webhook_id}/deliveries/{delivery_id}/replay",
    status_code=202,
    summary="Have a delivery sent again",
    responses={
        202: {"description": "To be sent"},
        **problems(s404="There is no such webhook or delivery", s409=_OFF),
    },
)
def replay_delivery(
    webhook_id: WebhookId,
    delivery_id: Annotated[str, Path(description="Of the list of deliveries")],
    webhooks: WebhooksDep,
    principal: PrincipalDep,
) -> DeliveryView:
    """Send a delivery again, now, whatever became of it: with the same id and the same body."""
    return DeliveryView.showing(webhooks.replay(webhook_id, delivery_id, principal.owner_scope))
