"""Bodies of the webhook routes, with examples."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.schemas.common import Asked, View
from store.webhooks import Event

_ID = "3c1d2f2e-8a55-4d0a-9f3e-52f6a8c1f0aa"
_URL = "https://example.com/hooks/fieldwright"
_WEBHOOK: dict[str, Any] = {
    "id": _ID,
    "url": _URL,
    "events": ["job.succeeded", "batch.finished"],
    "active": True,
    "disabled_reason": None,
    "old_secret_until": None,
    "created_at": "2026-01-05T10:00:00.004210Z",
}

Address = Annotated[
    str,
    Field(min_length=1, max_length=2048, description="Of the receiver: https, a public host"),
]
Events = Annotated[list[Event], Field(min_length=1, max_length=8, description="To be told of")]
Secret = Annotated[
    str,
    Field(
        description="Signs, as Standard Webhooks has it; shown now and never again",
        examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    ),
]


class NewWebhook(Asked):
    """A webhook to be registered."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"url": _URL, "events": ["job.succeeded"]}]},
    )

    url: Address
    events: Events


class WebhookChange(Asked):
    """What is to be changed; what is not named stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"active": True}]})

    url: Address | None = None
    events: Events | None = None
    active: Annotated[bool | None, Field(description="Switch it on again, or off")] = None


class JobTold(BaseModel):
    """What is told of a job: none of its values; `result_url` has them, for the key."""

    id: str
    state: Literal["succeeded", "failed", "cancelled"]
    model: Annotated[str, Field(description="NAME@VERSION once one has answered")]
    error_code: Annotated[str | None, Field(description="Why it failed, as of an error")]
    batch: Annotated[str | None, Field(description="Id of its batch")]
    url: str
    result_url: str


class JobMessage(BaseModel):
    """The body of a message about a job."""

    type: Literal["job.succeeded", "job.failed", "job.cancelled", "job.reviewed"]
    timestamp: Annotated[datetime, Field(description="Of the event; messages may overtake others")]
    data: JobTold


class BatchTold(BaseModel):
    """What is told of a batch."""

    id: str
    state: Literal["finished"]
    items: Annotated[dict[str, int], Field(description="How many ended in which state")]
    url: str
    result_url: str


class BatchMessage(BaseModel):
    """The body of a message about a batch; it comes again where documents were tried again."""

    type: Literal["batch.finished"]
    timestamp: datetime
    data: BatchTold


class WebhookTold(BaseModel):
    """What a test tells."""

    id: Annotated[str, Field(description="Of the webhook")]


class TrialMessage(BaseModel):
    """The body of what POST /webhooks/{id}/test sends."""

    type: Literal["webhook.test"]
    timestamp: datetime
    data: WebhookTold


class MessageHeaders(BaseModel):
    """How a message is signed, as Standard Webhooks has it."""

    webhook_id: Annotated[
        str, Field(description="Of the message, the same each time that it is sent")
    ]
    webhook_timestamp: Annotated[int, Field(description="Of the attempt, in seconds since 1970")]
    webhook_signature: Annotated[
        str,
        Field(
            description="`v1,` and the base64 of the HMAC-SHA256 of `webhook-id.webhook-timestamp.`"
            " and the body, by the secret (base64 behind `whsec_`); after a rotation one by each "
            "secret, with a space between"
        ),
    ]


class WebhookView(View):
    """A webhook as it stands."""

    model_config = ConfigDict(json_schema_extra={"examples": [_WEBHOOK]})

    id: str
    url: str
    events: list[Event]
    active: Annotated[bool, Field(description="False where nothing is sent any more")]
    disabled_reason: str | None
    old_secret_until: Annotated[
        datetime | None, Field(description="Until when the secret before signs too")
    ]
    created_at: datetime


class WebhookWithSecret(WebhookView):
    """A webhook and its new secret."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{**_WEBHOOK, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}]
        }
    )

    secret: Secret


class WebhookPage(BaseModel):
    """Webhooks, the newest first."""

    webhooks: list[WebhookView]
    next: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class AttemptView(BaseModel):
    """One try to deliver."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    at: datetime
    seconds: float
    status: Annotated[int | None, Field(description="That the receiver answered, if it did")]
    error: Annotated[
        str | None,
        Field(description="Why it failed; `sending` while it is made, null where it went well"),
    ]


class DeliveryView(View):
    """One event for one webhook."""

    id: Annotated[str, Field(description="The header webhook-id, the same in all attempts")]
    event: str
    subject: Annotated[str, Field(description="Id of the job or the batch")]
    state: Annotated[
        Literal["pending", "sending", "delivered", "failed", "blocked"],
        Field(description="`blocked`: the host led to an address that is not public"),
    ]
    attempts: list[AttemptView]
    next_at: Annotated[datetime | None, Field(description="When it is tried next")]
    created_at: datetime
    ended_at: datetime | None


class DeliveryPage(BaseModel):
    """Deliveries to a webhook, the newest first."""

    deliveries: list[DeliveryView]
    next: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]
