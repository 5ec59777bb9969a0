"""Webhooks: who is told of the ends of jobs, what is still to be sent, and what was."""

from store.webhooks.deliveries import BLOCKED, Claimed, Deliveries, Outcome
from store.webhooks.delivery_log import Delivery
from store.webhooks.outbox import EVENTS, Event
from store.webhooks.targets import NameNotResolved, Resolver, Target, judged, resolved, send
from store.webhooks.webhooks import Webhook, Webhooks

__all__ = [
    "BLOCKED",
    "EVENTS",
    "Claimed",
    "Deliveries",
    "Delivery",
    "Event",
    "NameNotResolved",
    "Outcome",
    "Resolver",
    "Target",
    "Webhook",
    "Webhooks",
    "judged",
    "resolved",
    "send",
]
