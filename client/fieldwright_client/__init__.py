"""Asks a fieldwright service for the fields of documents."""

from fieldwright_client.answers import (
    Answer,
    Batch,
    Candidate,
    Job,
    Model,
    Row,
    Value,
)
from fieldwright_client.clients import AsyncClient, Client
from fieldwright_client.errors import NotAnswering, ServiceError, SignatureInvalid
from fieldwright_client.requests import Request
from fieldwright_client.webhooks import Event, webhook

__all__ = [
    "Answer",
    "AsyncClient",
    "Batch",
    "Candidate",
    "Client",
    "Event",
    "Job",
    "Model",
    "NotAnswering",
    "Request",
    "Row",
    "ServiceError",
    "SignatureInvalid",
    "Value",
    "webhook",
]
