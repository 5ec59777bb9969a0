"""Teaching, as a part of both clients: datasets, trainings, and which version is in service."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, Literal, TypeAlias, TypeVar

from fieldwright_client.answers import Answered
from fieldwright_client.calls import Awaiter, Caller, call
from fieldwright_client.errors import ServiceError
from fieldwright_client.requests import (
    Conversation,
    Request,
    Source,
    content_of,
    once,
    repeated,
    sent,
)
from fieldwright_client.taught import (
    Added,
    Dataset,
    DatasetDocument,
    DocumentState,
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
_Kind = TypeVar("_Kind", bound=Answered)

_PAUSES = (0.5, 5.0)  # seconds between two looks at what takes minutes
_PAGE = 500


class _Teaching:
    """The methods of both, carried out by `run`."""

    def __init__(self, run: Callable[[Conversation[Any]], Any], patience: float) -> None:
        self._run = run
        self._patience = patience

    @call
    def datasets(self) -> Conversation[list[Dataset]]:
        """Return all datasets, the newest first."""
        return self._paged(Dataset, "/datasets", "datasets", "cursor")

    @call
    def create(self, name: str, *, model_name: str | None = None) -> Conversation[Dataset]:
        """Begin a dataset; its models are called like it where nothing is said."""
        return self._one(Dataset, "POST", "/datasets", {"name": name, "model_name": model_name})

    @call
    def dataset(self, dataset: Dataset | str) -> Conversation[Dataset]:
        """Return a dataset as it stands."""
        return self._one(Dataset, "GET", _at(dataset))

    @call
    def rename(
        self, dataset: Dataset | str, *, name: str | None = None, model_name: str | None = None
    ) -> Conversation[Dataset]:
        """Change the name of a dataset, or of the models that will be trained on it."""
        wanted = {"name": name, "model_name": model_name}
        return self._one(Dataset, "PATCH", _at(dataset), wanted)

    @call
    def delete(self, dataset: Dataset | str) -> Conversation[None]:
        """Remove a dataset with its documents, labels and trainings; its models stay."""
        return self._asked("DELETE", _at(dataset))

    @call
    def set_fields(self, dataset: Dataset | str, fields: Sequence[Field]) -> Conversation[Dataset]:
        """Name all fields; their kinds follow from the first labels where none is given.

        A field that is left out goes with its labels; with ``was`` it is renamed and keeps them.
        """
        named = [{"name": one} if isinstance(one, str) else dict(one) for one in fields]
        return self._one(Dataset, "PUT", f"{_at(dataset)}/fields", {"fields": named})

    @call
    def add(self, dataset: Dataset | str, sources: Sequence[Source]) -> Conversation[Added]:
        """Add documents, and ZIP archives of documents, which are read in the background.

        The same bytes are in a dataset once. Raises ValueError where there is no document.
        """
        if not sources:
            raise ValueError("There is no document to add.")
        files = [("files", source) for source in sources]
        request = Request("POST", f"{_at(dataset)}/documents", files=files)
        return Added.model_validate(content_of((yield from sent(request, self._patience))))

    @call
    def take(
        self,
        dataset: Dataset | str,
        *,
        jobs: Sequence[str] = (),
        batch: str | None = None,
        reviewed: bool = False,
        model: str | None = None,
    ) -> Conversation[Added]:
        """Add documents that were read before; what reviewers decided become labels.

        Args:
            dataset: that gets copies of them.
            jobs: ids of their jobs.
            batch: id of a batch.
            reviewed: all whose review is done, of one `model` where it is given.
            model: name of a model.
        """
        wanted = {"job_ids": list(jobs), "batch_id": batch, "reviewed": reviewed, "model": model}
        named = {name: value for name, value in wanted.items() if value}
        return self._one(Added, "POST", f"{_at(dataset)}/documents/take", named)

    @call
    def documents(
        self, dataset: Dataset | str, *, state: DocumentState | None = None
    ) -> Conversation[list[ListedDocument]]:
        """Return the documents of a dataset, in the order of adding."""
        return self._documents(dataset, {"state": state} if state else {})

    @call
    def wait_documents(self, dataset: Dataset | str) -> Conversation[list[ListedDocument]]:
        """Return the documents of a dataset once all of them are read, or cannot be."""

        def read(found: list[ListedDocument]) -> bool:
            return all(one.state != "reading" for one in found)

        return repeated(lambda: self._documents(dataset, {}), read, _PAUSES)

    @call
    def next(
        self, dataset: Dataset | str, *, after: str | None = None
    ) -> Conversation[ListedDocument | None]:
        """Return the document whose label would tell most; None where nothing is left to label."""
        params = {"after": after} if after else {}
        content = yield from self._asked("GET", f"{_at(dataset)}/next", params=params)
        return None if content is None else ListedDocument.model_validate(content)

    @call
    def document(
        self, dataset: Dataset | str, document: DatasetDocument | str
    ) -> Conversation[LabelledDocument]:
        """Return a document with its words, labels and suggestions."""
        return self._one(LabelledDocument, "GET", _of(dataset, document))

    @call
    def label(
        self,
        dataset: Dataset | str,
        document: DatasetDocument | str,
        fields: Mapping[str, Label | Sequence[Label] | None] | None = None,
        *,
        groups: Mapping[str, Sequence[Mapping[str, Label]] | None] | None = None,
        rest: Literal["suggested", "absent"] | None = None,
        dismiss: Sequence[str] = (),
    ) -> Conversation[LabelledDocument]:
        """Keep labels of a document; once this returns, they outlive any crash of the service.

        Args:
            dataset: of the document.
            document: that is labelled.
            fields: a label, a list of them where the field may have many, or None to take it away.
            groups: all rows of each group that is named.
            rest: what fields are that have no label then.
            dismiss: fields whose label looked wrong and is right.
        """
        wanted = {"fields": dict(fields or {}), "groups": dict(groups or {}), "rest": rest}
        wanted["dismiss"] = list(dismiss)
        return self._one(LabelledDocument, "PUT", f"{_of(dataset, document)}/labels", wanted)

    @call
    def remove(self, dataset: Dataset | str, document: DatasetDocument | str) -> Conversation[None]:
        """Take a document out of a dataset, with its labels."""
        return self._asked("DELETE", _of(dataset, document))

    @call
    def doubts(self, dataset: Dataset | str) -> Conversation[list[Doubt]]:
        """Return the labels that the last training found odd, and why."""
        return self._listed(Doubt, "doubts", "GET", f"{_at(dataset)}/doubts")

    @call
    def export(self, dataset: Dataset | str, into: BinaryIO) -> Conversation[None]:
        """Write a dataset to a file, as the ZIP archive that `fieldwright dataset` takes."""
        yield from sent(Request("GET", f"{_at(dataset)}/export", into=into), self._patience)

    @call
    def train(self, /, dataset: Dataset | str, **options: object) -> Conversation[Training]:
        """Queue a training on what is labelled in all fields.

        Options are those of the service: `version`, `preset`, `epochs`, `curve`, `final`, `start`,
        `note`.
        """
        return self._one(Training, "POST", f"{_at(dataset)}/trainings", options)

    @call
    def trainings(self, dataset: Dataset | str | None = None) -> Conversation[list[Training]]:
        """Return the last hundred trainings, the newest first."""
        params = {} if dataset is None else {"dataset": _id(dataset)}
        return self._listed(Training, "trainings", "GET", "/trainings", params=params)

    @call
    def training(self, training: Training | str) -> Conversation[Training]:
        """Return a training as it stands."""
        return self._one(Training, "GET", _training(training))

    @call
    def wait(self, training: Training | str) -> Conversation[Training]:
        """Return a training once it has succeeded, with its report; ServiceError where it ends."""
        found = yield from repeated(
            lambda: self._one(Training, "GET", _training(training)),
            lambda found: found.ended,
            _PAUSES,
        )
        if found.state == "succeeded":
            return found
        if found.error is not None:
            raise ServiceError(found.error.code, found.error.detail, found.error.advice)
        raise ServiceError(
            f"training_{found.state}", f"The training was {found.state}.", "Resume it."
        )

    @call
    def cancel(self, training: Training | str) -> Conversation[Training]:
        """Stop a training at its next step; it can be resumed."""
        return self._one(Training, "POST", f"{_training(training)}/cancel")

    @call
    def resume(self, training: Training | str) -> Conversation[Training]:
        """Go on with a training that was cancelled or failed, from its last checkpoint."""
        return self._one(Training, "POST", f"{_training(training)}/resume")

    @call
    def forget(self, training: Training | str) -> Conversation[None]:
        """Remove a training with its report; its model stays."""
        return self._asked("DELETE", _training(training))

    @call
    def promote(self, training: Training | str) -> Conversation[Training]:
        """Have the model of a training answer for its name from now on."""
        return self._one(Training, "POST", f"{_training(training)}/promote")

    @call
    def versions(self, model: str) -> Conversation[list[Version]]:
        """Return the versions of a model, the newest first."""
        return self._listed(Version, "versions", "GET", f"/models/{model}/versions")

    @call
    def promote_version(self, model: str, version: str) -> Conversation[list[Version]]:
        """Have a version answer for the name of its model from now on."""
        path, wanted = f"/models/{model}/promote", {"version": version}
        return self._listed(Version, "versions", "POST", path, wanted)

    @call
    def roll_back(self, model: str) -> Conversation[list[Version]]:
        """Undo the last promotion of a model."""
        return self._listed(Version, "versions", "POST", f"/models/{model}/rollback")

    @call
    def start_shadow(self, model: str, version: str, *, share: float = 1.0) -> Conversation[Shadow]:
        """Have a version read live documents beside the one in service.

        Args:
            model: its name.
            version: that reads beside.
            share: of the documents, above 0 to 1.
        """
        path, wanted = f"/models/{model}/shadow", {"version": version, "share": share}
        return self._one(Shadow, "POST", path, wanted)

    @call
    def shadow(self, model: str) -> Conversation[Shadow]:
        """Return how often the two answered the same, and where they differ."""
        return self._one(Shadow, "GET", f"/models/{model}/shadow")

    @call
    def stop_shadow(self, model: str) -> Conversation[None]:
        """End a shadow run; what was found can be seen until the next one begins."""
        return self._asked("DELETE", f"/models/{model}/shadow")

    def _asked(
        self,
        method: str,
        path: str,
        json: Mapping[str, object] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Conversation[Any]:
        """Send a request and return the JSON of its answer, None where that is empty.

        What makes something has a key, so that it is made once, however often it has to be sent.
        """
        headers = once() if method == "POST" else {}
        request = Request(method, path, params or {}, headers=headers, json=json)
        response = yield from sent(request, self._patience)
        return content_of(response) if response.content else None

    def _one(
        self, kind: type[_Kind], method: str, path: str, json: Mapping[str, object] | None = None
    ) -> Conversation[_Kind]:
        """Return what a request answers."""
        return kind.model_validate((yield from self._asked(method, path, json)))

    def _listed(
        self,
        kind: type[_Kind],
        name: str,
        method: str,
        path: str,
        json: Mapping[str, object] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Conversation[list[_Kind]]:
        """Return the list of a name in what a request answers."""
        content = yield from self._asked(method, path, json, params)
        return [kind.model_validate(one) for one in content[name]]

    def _paged(
        self,
        kind: type[_Kind],
        path: str,
        name: str,
        cursor: str,
        wanted: Mapping[str, str] | None = None,
    ) -> Conversation[list[_Kind]]:
        """Return the lists of a name on all pages; `cursor` is what the next page is asked by."""
        params = {"limit": str(_PAGE), **(wanted or {})}
        found: list[_Kind] = []
        while True:
            content = yield from self._asked("GET", path, params=params)
            found += [kind.model_validate(one) for one in content[name]]
            if content["next"] is None:
                return found
            params = {**params, cursor: content["next"]}

    def _documents(
        self, dataset: Dataset | str, wanted: Mapping[str, str]
    ) -> Conversation[list[ListedDocument]]:
        path = f"{_at(dataset)}/documents"
        return self._paged(ListedDocument, path, "documents", "after", wanted)


class Teaching(_Teaching, Caller):
    """Datasets and their models, as ``client.teach``; the key needs the scope ``train``.

    Methods raise as those of `Client`. What names a dataset, document or training is its object or
    its id.
    """


class AsyncTeaching(_Teaching, Awaiter):
    """As `Teaching`, to be awaited."""


def _id(thing: Dataset | DatasetDocument | Training | str) -> str:
    return thing if isinstance(thing, str) else thing.id


def _at(dataset: Dataset | str) -> str:
    return f"/datasets/{_id(dataset)}"


def _of(dataset: Dataset | str, document: DatasetDocument | str) -> str:
    return f"{_at(dataset)}/documents/{_id(document)}"


def _training(training: Training | str) -> str:
    return f"/trainings/{_id(training)}"
