"""Teaching, as a part of both clients: datasets, trainings, and which version is in service."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import BinaryIO, Literal, Protocol, TypeVar

from fieldwright_client import teaching
from fieldwright_client.requests import Conversation, Source
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
from fieldwright_client.teaching import Field, Label

_Result = TypeVar("_Result")


class _Run(Protocol):
    """Carries out a conversation."""

    def __call__(self, conversation: Conversation[_Result], /) -> _Result: ...


class _AsyncRun(Protocol):
    """Carries out a conversation, to be awaited."""

    def __call__(self, conversation: Conversation[_Result], /) -> Awaitable[_Result]: ...


class Teaching:
    """Datasets and their models, as ``client.teach``; the key needs the scope ``train``.

    Methods raise as those of `Client`. What names a dataset, document or training is its object or
    its id.
    """

    def __init__(self, run: _Run, patience: float) -> None:
        self._run = run
        self._patience = patience

    def datasets(self) -> list[Dataset]:
        """Return all datasets, the newest first."""
        return self._run(teaching.datasets(self._patience))

    def create(self, name: str, *, model_name: str | None = None) -> Dataset:
        """Begin a dataset; its models are called like it where nothing is said."""
        wanted = {"name": name, "model_name": model_name}
        return self._run(teaching.dataset("POST", "/datasets", self._patience, wanted))

    def dataset(self, dataset: Dataset | str) -> Dataset:
        """Return a dataset as it stands."""
        return self._run(teaching.dataset("GET", _at(dataset), self._patience))

    def rename(
        self, dataset: Dataset | str, *, name: str | None = None, model_name: str | None = None
    ) -> Dataset:
        """Change the name of a dataset, or of the models that will be trained on it."""
        wanted = {"name": name, "model_name": model_name}
        return self._run(teaching.dataset("PATCH", _at(dataset), self._patience, wanted))

    def delete(self, dataset: Dataset | str) -> None:
        """Remove a dataset with its documents, labels and trainings; its models stay."""
        self._run(teaching.asked("DELETE", _at(dataset), self._patience))

    def set_fields(self, dataset: Dataset | str, fields: Sequence[Field]) -> Dataset:
        """Name all fields; their kinds follow from the first labels where none is given.

        A field that is left out goes with its labels; with ``was`` it is renamed and keeps them.
        """
        return self._run(teaching.fields_set(_id(dataset), fields, self._patience))

    def add(self, dataset: Dataset | str, sources: Sequence[Source]) -> Added:
        """Add documents, and ZIP archives of documents, which are read in the background."""
        return self._run(teaching.added(_id(dataset), sources, self._patience))

    def take(
        self,
        dataset: Dataset | str,
        *,
        jobs: Sequence[str] = (),
        batch: str | None = None,
        reviewed: bool = False,
        model: str | None = None,
    ) -> Added:
        """Add documents that were read before; what reviewers decided become labels.

        Args:
            dataset: that gets copies of them.
            jobs: ids of their jobs.
            batch: id of a batch.
            reviewed: all whose review is done, of one `model` where it is given.
            model: name of a model.
        """
        wanted = {"job_ids": list(jobs), "batch_id": batch, "reviewed": reviewed, "model": model}
        return self._run(teaching.taken(_id(dataset), wanted, self._patience))

    def documents(
        self, dataset: Dataset | str, *, state: DocumentState | None = None
    ) -> list[ListedDocument]:
        """Return the documents of a dataset, in the order of adding."""
        return self._run(teaching.documents(_id(dataset), state, self._patience))

    def wait_documents(self, dataset: Dataset | str) -> list[ListedDocument]:
        """Return the documents of a dataset once all of them are read, or cannot be."""
        return self._run(teaching.all_read(_id(dataset), self._patience))

    def next(self, dataset: Dataset | str, *, after: str | None = None) -> ListedDocument | None:
        """Return the document whose label would tell most; None where nothing is left to label."""
        return self._run(teaching.following(_id(dataset), after, self._patience))

    def document(self, dataset: Dataset | str, document: DatasetDocument | str) -> LabelledDocument:
        """Return a document with its words, labels and suggestions."""
        return self._run(teaching.document("GET", _of(dataset, document), self._patience))

    def label(
        self,
        dataset: Dataset | str,
        document: DatasetDocument | str,
        fields: Mapping[str, Label | Sequence[Label] | None] | None = None,
        *,
        groups: Mapping[str, Sequence[Mapping[str, Label]] | None] | None = None,
        rest: Literal["suggested", "absent"] | None = None,
        dismiss: Sequence[str] = (),
    ) -> LabelledDocument:
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
        path = f"{_of(dataset, document)}/labels"
        wanted["dismiss"] = list(dismiss)
        return self._run(teaching.document("PUT", path, self._patience, wanted))

    def remove(self, dataset: Dataset | str, document: DatasetDocument | str) -> None:
        """Take a document out of a dataset, with its labels."""
        self._run(teaching.asked("DELETE", _of(dataset, document), self._patience))

    def doubts(self, dataset: Dataset | str) -> list[Doubt]:
        """Return the labels that the last training found odd, and why."""
        return self._run(teaching.doubts(_id(dataset), self._patience))

    def export(self, dataset: Dataset | str, into: BinaryIO) -> None:
        """Write a dataset to a file, as the ZIP archive that `fieldwright dataset` takes."""
        self._run(teaching.exported(_id(dataset), into, self._patience))

    def train(self, dataset: Dataset | str, **options: object) -> Training:
        """Queue a training on what is labelled in all fields.

        Options are those of the service: `version`, `preset`, `epochs`, `curve`, `start`, `note`.
        """
        path = f"{_at(dataset)}/trainings"
        return self._run(teaching.training("POST", path, self._patience, options))

    def trainings(self, dataset: Dataset | str | None = None) -> list[Training]:
        """Return the last trainings, the newest first."""
        of = None if dataset is None else _id(dataset)
        return self._run(teaching.trainings(of, self._patience))

    def training(self, training: Training | str) -> Training:
        """Return a training as it stands."""
        return self._run(teaching.training("GET", _training(training), self._patience))

    def wait(self, training: Training | str) -> Training:
        """Return a training once it has succeeded, with its report; ServiceError where it ends."""
        return self._run(teaching.trained(_id(training), self._patience))

    def cancel(self, training: Training | str) -> Training:
        """Stop a training at its next step; it can be resumed."""
        path = f"{_training(training)}/cancel"
        return self._run(teaching.training("POST", path, self._patience))

    def resume(self, training: Training | str) -> Training:
        """Go on with a training that was cancelled or failed, from its last checkpoint."""
        path = f"{_training(training)}/resume"
        return self._run(teaching.training("POST", path, self._patience))

    def forget(self, training: Training | str) -> None:
        """Remove a training with its report; its model stays."""
        self._run(teaching.asked("DELETE", _training(training), self._patience))

    def promote(self, training: Training | str) -> Training:
        """Have the model of a training answer for its name from now on."""
        path = f"{_training(training)}/promote"
        return self._run(teaching.training("POST", path, self._patience))

    def versions(self, model: str) -> list[Version]:
        """Return the versions of a model, the newest first."""
        return self._run(teaching.versions("GET", f"/models/{model}/versions", self._patience))

    def promote_version(self, model: str, version: str) -> list[Version]:
        """Have a version answer for the name of its model from now on."""
        path, wanted = f"/models/{model}/promote", {"version": version}
        return self._run(teaching.versions("POST", path, self._patience, wanted))

    def roll_back(self, model: str) -> list[Version]:
        """Undo the last promotion of a model."""
        return self._run(teaching.versions("POST", f"/models/{model}/rollback", self._patience))

    def start_shadow(self, model: str, version: str, *, share: float = 1.0) -> Shadow:
        """Have a version read live documents beside the one in service.

        Args:
            model: its name.
            version: that reads beside.
            share: of the documents, above 0 to 1.
        """
        path, wanted = f"/models/{model}/shadow", {"version": version, "share": share}
        return self._run(teaching.shadow("POST", path, self._patience, wanted))

    def shadow(self, model: str) -> Shadow:
        """Return how often the two answered the same, and where they differ."""
        return self._run(teaching.shadow("GET", f"/models/{model}/shadow", self._patience))

    def stop_shadow(self, model: str) -> None:
        """End a shadow run; what was found can be seen until the next one begins."""
        self._run(teaching.asked("DELETE", f"/models/{model}/shadow", self._patience))


class AsyncTeaching:
    """As `Teaching`, to be awaited."""

    def __init__(self, run: _AsyncRun, patience: float) -> None:
        self._run = run
        self._patience = patience

    async def datasets(self) -> list[Dataset]:
        """Return all datasets, the newest first."""
        return await self._run(teaching.datasets(self._patience))

    async def create(self, name: str, *, model_name: str | None = None) -> Dataset:
        """Begin a dataset; its models are called like it where nothing is said."""
        wanted = {"name": name, "model_name": model_name}
        return await self._run(teaching.dataset("POST", "/datasets", self._patience, wanted))

    async def dataset(self, dataset: Dataset | str) -> Dataset:
        """Return a dataset as it stands."""
        return await self._run(teaching.dataset("GET", _at(dataset), self._patience))

    async def rename(
        self, dataset: Dataset | str, *, name: str | None = None, model_name: str | None = None
    ) -> Dataset:
        """Change the name of a dataset, or of the models that will be trained on it."""
        wanted = {"name": name, "model_name": model_name}
        return await self._run(teaching.dataset("PATCH", _at(dataset), self._patience, wanted))

    async def delete(self, dataset: Dataset | str) -> None:
        """Remove a dataset with its documents, labels and trainings; its models stay."""
        await self._run(teaching.asked("DELETE", _at(dataset), self._patience))

    async def set_fields(self, dataset: Dataset | str, fields: Sequence[Field]) -> Dataset:
        """Name all fields; their kinds follow from the first labels where none is given.

        A field that is left out goes with its labels; with ``was`` it is renamed and keeps them.
        """
        return await self._run(teaching.fields_set(_id(dataset), fields, self._patience))

    async def add(self, dataset: Dataset | str, sources: Sequence[Source]) -> Added:
        """Add documents, and ZIP archives of documents, which are read in the background."""
        return await self._run(teaching.added(_id(dataset), sources, self._patience))

    async def take(
        self,
        dataset: Dataset | str,
        *,
        jobs: Sequence[str] = (),
        batch: str | None = None,
        reviewed: bool = False,
        model: str | None = None,
    ) -> Added:
        """Add documents that were read before; what reviewers decided become labels.

        Args:
            dataset: that gets copies of them.
            jobs: ids of their jobs.
            batch: id of a batch.
            reviewed: all whose review is done, of one `model` where it is given.
            model: name of a model.
        """
        wanted = {"job_ids": list(jobs), "batch_id": batch, "reviewed": reviewed, "model": model}
        return await self._run(teaching.taken(_id(dataset), wanted, self._patience))

    async def documents(
        self, dataset: Dataset | str, *, state: DocumentState | None = None
    ) -> list[ListedDocument]:
        """Return the documents of a dataset, in the order of adding."""
        return await self._run(teaching.documents(_id(dataset), state, self._patience))

    async def wait_documents(self, dataset: Dataset | str) -> list[ListedDocument]:
        """Return the documents of a dataset once all of them are read, or cannot be."""
        return await self._run(teaching.all_read(_id(dataset), self._patience))

    async def next(
        self, dataset: Dataset | str, *, after: str | None = None
    ) -> ListedDocument | None:
        """Return the document whose label would tell most; None where nothing is left to label."""
        return await self._run(teaching.following(_id(dataset), after, self._patience))

    async def document(
        self, dataset: Dataset | str, document: DatasetDocument | str
    ) -> LabelledDocument:
        """Return a document with its words, labels and suggestions."""
        return await self._run(teaching.document("GET", _of(dataset, document), self._patience))

    async def label(
        self,
        dataset: Dataset | str,
        document: DatasetDocument | str,
        fields: Mapping[str, Label | Sequence[Label] | None] | None = None,
        *,
        groups: Mapping[str, Sequence[Mapping[str, Label]] | None] | None = None,
        rest: Literal["suggested", "absent"] | None = None,
        dismiss: Sequence[str] = (),
    ) -> LabelledDocument:
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
        path = f"{_of(dataset, document)}/labels"
        wanted["dismiss"] = list(dismiss)
        return await self._run(teaching.document("PUT", path, self._patience, wanted))

    async def remove(self, dataset: Dataset | str, document: DatasetDocument | str) -> None:
        """Take a document out of a dataset, with its labels."""
        await self._run(teaching.asked("DELETE", _of(dataset, document), self._patience))

    async def doubts(self, dataset: Dataset | str) -> list[Doubt]:
        """Return the labels that the last training found odd, and why."""
        return await self._run(teaching.doubts(_id(dataset), self._patience))

    async def export(self, dataset: Dataset | str, into: BinaryIO) -> None:
        """Write a dataset to a file, as the ZIP archive that `fieldwright dataset` takes."""
        await self._run(teaching.exported(_id(dataset), into, self._patience))

    async def train(self, dataset: Dataset | str, **options: object) -> Training:
        """Queue a training on what is labelled in all fields.

        Options are those of the service: `version`, `preset`, `epochs`, `curve`, `start`, `note`.
        """
        path = f"{_at(dataset)}/trainings"
        return await self._run(teaching.training("POST", path, self._patience, options))

    async def trainings(self, dataset: Dataset | str | None = None) -> list[Training]:
        """Return the last trainings, the newest first."""
        of = None if dataset is None else _id(dataset)
        return await self._run(teaching.trainings(of, self._patience))

    async def training(self, training: Training | str) -> Training:
        """Return a training as it stands."""
        return await self._run(teaching.training("GET", _training(training), self._patience))

    async def wait(self, training: Training | str) -> Training:
        """Return a training once it has succeeded, with its report; ServiceError where it ends."""
        return await self._run(teaching.trained(_id(training), self._patience))

    async def cancel(self, training: Training | str) -> Training:
        """Stop a training at its next step; it can be resumed."""
        path = f"{_training(training)}/cancel"
        return await self._run(teaching.training("POST", path, self._patience))

    async def resume(self, training: Training | str) -> Training:
        """Go on with a training that was cancelled or failed, from its last checkpoint."""
        path = f"{_training(training)}/resume"
        return await self._run(teaching.training("POST", path, self._patience))

    async def forget(self, training: Training | str) -> None:
        """Remove a training with its report; its model stays."""
        await self._run(teaching.asked("DELETE", _training(training), self._patience))

    async def promote(self, training: Training | str) -> Training:
        """Have the model of a training answer for its name from now on."""
        path = f"{_training(training)}/promote"
        return await self._run(teaching.training("POST", path, self._patience))

    async def versions(self, model: str) -> list[Version]:
        """Return the versions of a model, the newest first."""
        return await self._run(
            teaching.versions("GET", f"/models/{model}/versions", self._patience)
        )

    async def promote_version(self, model: str, version: str) -> list[Version]:
        """Have a version answer for the name of its model from now on."""
        path, wanted = f"/models/{model}/promote", {"version": version}
        return await self._run(teaching.versions("POST", path, self._patience, wanted))

    async def roll_back(self, model: str) -> list[Version]:
        """Undo the last promotion of a model."""
        return await self._run(
            teaching.versions("POST", f"/models/{model}/rollback", self._patience)
        )

    async def start_shadow(self, model: str, version: str, *, share: float = 1.0) -> Shadow:
        """Have a version read live documents beside the one in service.

        Args:
            model: its name.
            version: that reads beside.
            share: of the documents, above 0 to 1.
        """
        path, wanted = f"/models/{model}/shadow", {"version": version, "share": share}
        return await self._run(teaching.shadow("POST", path, self._patience, wanted))

    async def shadow(self, model: str) -> Shadow:
        """Return how often the two answered the same, and where they differ."""
        return await self._run(teaching.shadow("GET", f"/models/{model}/shadow", self._patience))

    async def stop_shadow(self, model: str) -> None:
        """End a shadow run; what was found can be seen until the next one begins."""
        await self._run(teaching.asked("DELETE", f"/models/{model}/shadow", self._patience))


def _id(thing: Dataset | DatasetDocument | Training | str) -> str:
    return thing if isinstance(thing, str) else thing.id


def _at(dataset: Dataset | str) -> str:
    return f"/datasets/{_id(dataset)}"


def _of(dataset: Dataset | str, document: DatasetDocument | str) -> str:
    return f"{_at(dataset)}/documents/{_id(document)}"


def _training(training: Training | str) -> str:
    return f"/trainings/{_id(training)}"
