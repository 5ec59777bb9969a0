"""What is asked about datasets, trainings and models, step by step; see `requests`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, TypeAlias

from fieldwright_client.errors import ServiceError
from fieldwright_client.requests import Conversation, Pause, Request, Source, content_of, once, sent
from fieldwright_client.taught import (
    Added,
    Dataset,
    Doubt,
    LabelledDocument,
    ListedDocument,
    Shadow,
    Training,
    Version,
)

Label: TypeAlias = Mapping[str, object]
"""One of ``{"words": [12]}``, ``{"text": "9.00"}``, ``{"page": 1, "box": [x0, top, x1, bottom]}``,
``{"suggestion": 0}``; ``{"absent": True}`` where the document has no such value."""
Field: TypeAlias = str | Mapping[str, object]
"""A name, or ``{"name": ..., "kind": ..., "many": ..., "group": ..., "was": ...}``."""

_PAUSES = (0.5, 5.0)  # seconds between two looks at what takes minutes
_PAGE = 500


def asked(
    method: str,
    path: str,
    patience: float,
    json: Mapping[str, object] | None = None,
    params: Mapping[str, str] | None = None,
) -> Conversation[Any]:
    """Send a request and return the JSON of its answer, None where that is empty.

    What makes something has a key, so that it is made once, however often it has to be sent.
    """
    headers = once() if method == "POST" else {}
    request = Request(method, path, params or {}, headers=headers, json=json)
    response = yield from sent(request, patience)
    return content_of(response) if response.content else None


def datasets(patience: float) -> Conversation[list[Dataset]]:
    """Return all datasets, the newest first."""
    params = {"limit": str(_PAGE)}
    found: list[Dataset] = []
    while True:
        content = yield from asked("GET", "/datasets", patience, params=params)
        found += [Dataset.model_validate(one) for one in content["datasets"]]
        if content["next"] is None:
            return found
        params = {**params, "cursor": content["next"]}


def dataset(
    method: str, path: str, patience: float, json: Mapping[str, object] | None = None
) -> Conversation[Dataset]:
    """Return the dataset that a request answers."""
    return Dataset.model_validate((yield from asked(method, path, patience, json)))


def fields_set(dataset_id: str, fields: Sequence[Field], patience: float) -> Conversation[Dataset]:
    """Set all fields of a dataset."""
    named = [{"name": one} if isinstance(one, str) else dict(one) for one in fields]
    return (
        yield from dataset("PUT", f"/datasets/{dataset_id}/fields", patience, {"fields": named})
    )


def added(dataset_id: str, sources: Sequence[Source], patience: float) -> Conversation[Added]:
    """Add documents to a dataset; the same bytes are in it once."""
    files = [("files", source) for source in sources]
    request = Request("POST", f"/datasets/{dataset_id}/documents", files=files)
    return Added.model_validate(content_of((yield from sent(request, patience))))


def taken(dataset_id: str, wanted: Mapping[str, object], patience: float) -> Conversation[Added]:
    """Add documents that were read before."""
    path = f"/datasets/{dataset_id}/documents/take"
    json = {name: value for name, value in wanted.items() if value}
    return Added.model_validate((yield from asked("POST", path, patience, json)))


def documents(
    dataset_id: str, state: str | None, patience: float
) -> Conversation[list[ListedDocument]]:
    """Return all documents of a dataset, of one state where it is given, in their order."""
    params = {"limit": str(_PAGE)} | ({"state": state} if state else {})
    found: list[ListedDocument] = []
    while True:
        path = f"/datasets/{dataset_id}/documents"
        content = yield from asked("GET", path, patience, params=params)
        found += [ListedDocument.model_validate(one) for one in content["documents"]]
        if content["next"] is None:
            return found
        params = {**params, "after": content["next"]}


def all_read(dataset_id: str, patience: float) -> Conversation[list[ListedDocument]]:
    """Return all documents of a dataset once none is being read."""
    pause = _PAUSES[0]
    while True:
        found = yield from documents(dataset_id, None, patience)
        if all(one.state != "reading" for one in found):
            return found
        yield Pause(pause)
        pause = min(1.5 * pause, _PAUSES[1])


def following(
    dataset_id: str, after: str | None, patience: float
) -> Conversation[ListedDocument | None]:
    """Return the document to label next, None where nothing is left."""
    params = {"after": after} if after else {}
    content = yield from asked("GET", f"/datasets/{dataset_id}/next", patience, params=params)
    return None if content is None else ListedDocument.model_validate(content)


def document(
    method: str, path: str, patience: float, json: Mapping[str, object] | None = None
) -> Conversation[LabelledDocument]:
    """Return the document that a request answers."""
    return LabelledDocument.model_validate((yield from asked(method, path, patience, json)))


def doubts(dataset_id: str, patience: float) -> Conversation[list[Doubt]]:
    """Return the labels that look wrong."""
    content = yield from asked("GET", f"/datasets/{dataset_id}/doubts", patience)
    return [Doubt.model_validate(one) for one in content["doubts"]]


def exported(dataset_id: str, into: BinaryIO, patience: float) -> Conversation[None]:
    """Write a dataset to a file, as a ZIP archive."""
    yield from sent(Request("GET", f"/datasets/{dataset_id}/export", into=into), patience)


def training(
    method: str, path: str, patience: float, json: Mapping[str, object] | None = None
) -> Conversation[Training]:
    """Return the training that a request answers."""
    return Training.model_validate((yield from asked(method, path, patience, json)))


def trainings(dataset_id: str | None, patience: float) -> Conversation[list[Training]]:
    """Return the last hundred trainings, the newest first."""
    params = {"dataset": dataset_id} if dataset_id else {}
    content = yield from asked("GET", "/trainings", patience, params=params)
    return [Training.model_validate(one) for one in content["trainings"]]


def trained(training_id: str, patience: float) -> Conversation[Training]:
    """Return a training once it has succeeded.

    Raises:
        ServiceError: it failed, or was cancelled.
    """
    pause = _PAUSES[0]
    while True:
        found = yield from training("GET", f"/trainings/{training_id}", patience)
        if found.state == "succeeded":
            return found
        if found.error is not None and found.ended:
            raise ServiceError(found.error.code, found.error.detail, found.error.advice)
        if found.ended:
            raise ServiceError(
                f"training_{found.state}", f"The training was {found.state}.", "Resume it."
            )
        yield Pause(pause)
        pause = min(1.5 * pause, _PAUSES[1])


def versions(
    method: str, path: str, patience: float, json: Mapping[str, object] | None = None
) -> Conversation[list[Version]]:
    """Return the versions of a model that a request answers, the newest first."""
    content = yield from asked(method, path, patience, json)
    return [Version.model_validate(one) for one in content["versions"]]


def shadow(
    method: str, path: str, patience: float, json: Mapping[str, object] | None = None
) -> Conversation[Shadow]:
    """Return the shadow run that a request answers."""
    return Shadow.model_validate((yield from asked(method, path, patience, json)))
