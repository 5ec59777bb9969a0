"""Documents on their way through a service: sent once, followed, and their answers put in order."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from cli.sending.journal import Journal, Upload
from cli.sending.remote import Remote
from cli.shared.console import ReadingBar
from cli.shared.documents import document_name
from pipeline.answers.e_invoices import fields as e_invoice
from pipeline.errors import FieldwrightError, FileTooLarge, UnknownModel
from pipeline.formats.export import Reply
from pipeline.reading.media import HEAD_BYTES, sniff, unreadable
from pipeline.values.schema import FieldSpec, Kind
from store.errors import BatchUnknown, IdempotencyKeyReused, JobExpired, JobUnknown

_FILES, _BYTES = 100, 50_000_000  # of one request: small enough to be repeated
_PAUSES = (0.2, 2.0)  # seconds between two looks at a batch


@dataclass(frozen=True, slots=True)
class Document:
    """A file to send, known by its content; `error` where it is not worth sending."""

    path: Path
    sha256: str = ""
    size: int = 0
    error: FieldwrightError | None = None


def looked_at(paths: Sequence[Path], max_bytes: int) -> list[Document]:
    """Return the documents at `paths`, looked at as the service would on their arrival."""
    documents = []
    with ReadingBar("Looking") as bar:
        for number, path in enumerate(paths, 1):
            documents.append(_look(path, max_bytes))
            bar.on_row(number, len(paths))
    return documents


def _look(path: Path, max_bytes: int) -> Document:
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
            file.seek(0)
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError as error:
        return Document(path, error=unreadable(error))
    try:
        sniff(head)
        if size > max_bytes:
            raise FileTooLarge(f"The document has more than {max_bytes} bytes.")
    except FieldwrightError as error:
        return Document(path, sha256, size, error)
    return Document(path, sha256, size)


class Run:
    """The documents of one run at one service.

    Args:
        remote: the service.
        journal: what was sent before.
        limits: of the service, as GET /limits tells them.
        order: how the documents are to be read, as form fields.
        password: of the encrypted ones.
        documents: of this run; those with an error are left where they are.
    """

    def __init__(
        self,
        remote: Remote,
        journal: Journal,
        limits: dict[str, Any],
        order: dict[str, str],
        password: str | None,
        documents: Sequence[Document],
    ) -> None:
        self._remote = remote
        self._journal = journal
        self._form = {**order, **({"password": password} if password else {})}
        self._retry_form = {"password": password} if password else {}
        self._most_files = min(_FILES, int(limits["batch_max_files"]))
        self._most_bytes = min(_BYTES, int(limits["batch_max_bytes"]))
        self._documents: dict[str, Document] = {}  # by content, the first of each
        for document in documents:
            if document.error is None:
                self._documents.setdefault(document.sha256, document)

    def resume(self, *, retry: bool) -> None:
        """Find what earlier runs have sent: finish what broke off, forget what the service lost.

        Args:
            retry: have the service try those again that failed.
        """
        for upload in self._uploads():
            if upload.batch is None and (batch_id := self._made_of(upload)):
                self._journal.accepted(upload, batch_id)
            if upload.batch is None:
                if self._documents.keys() >= set(upload.documents):
                    self._send(upload)
                else:  # with other documents it would be another request
                    self._journal.lost(upload, upload.documents)
            else:
                try:
                    batch = self._remote.get(f"/batches/{upload.batch}")
                    if retry and batch["counts"]["failed"]:
                        path = f"/batches/{upload.batch}/retry"
                        self._remote.post(path, self._retry_form)
                except BatchUnknown:
                    self._journal.lost(upload, upload.documents)

    def send(self) -> None:
        """Send the documents that were never sent, each content once."""
        sent = {sha256 for upload in self._uploads() for sha256 in upload.documents}
        new = [item for sha256, item in self._documents.items() if sha256 not in sent]
        done, total = 0, len(new)
        if not total:
            return
        with ReadingBar("Sending") as bar:
            bar.on_row(done, total)
            for chunk in self._chunks(new):
                self._send(self._journal.begin([item.sha256 for item in chunk]))
                done += len(chunk)
                bar.on_row(done, total)

    def wait(self) -> None:
        """Return when the service has ended all documents; it takes them in their order."""
        waiting = self._uploads()
        done, total = 0, sum(len(upload.documents) for upload in waiting)
        with ReadingBar("Reading") as bar:
            for upload in waiting:
                pause = _PAUSES[0]
                while True:
                    try:
                        batch = self._remote.get(f"/batches/{upload.batch}")
                    except BatchUnknown:  # removed meanwhile; its documents say so below
                        break
                    bar.on_row(done + batch["ended"], total)
                    if batch["finished"]:
                        break
                    time.sleep(pause)
                    pause = min(1.5 * pause, _PAUSES[1])
                done += len(upload.documents)
                bar.on_row(done, total)

    @contextmanager
    def answers(self) -> Iterator[Answers]:
        """Fetch all answers, and give them until the context ends."""
        with tempfile.TemporaryFile() as file:
            answers = Answers(self._remote, file)
            for upload in self._uploads():
                lost = answers.fetch(upload)
                if lost:
                    self._journal.lost(upload, lost)
            yield answers

    def _uploads(self) -> list[Upload]:
        """Return those with documents of this run."""
        return [
            upload
            for upload in self._journal.uploads
            if not self._documents.keys().isdisjoint(upload.documents)
        ]

    def _made_of(self, upload: Upload) -> str | None:
        """Return the batch of an upload that was accepted without this being heard, if any.

        It has the upload's key for a name, which the service knows for as long as the answers.
        """
        address: str | None = "/batches?limit=100"
        while address is not None:
            page = self._remote.get(address)
            for batch in page["batches"]:
                if batch["name"] == upload.key:
                    return str(batch["id"])
            following = page["next"]
            address = f"/batches?limit=100&cursor={following}" if following else None
        return None

    def _send(self, upload: Upload) -> None:
        files = [self._documents[sha256].path for sha256 in upload.documents]
        try:
            form = {**self._form, "name": upload.key}
            batch = self._remote.upload("/batches", files, form, key=upload.key)
        except IdempotencyKeyReused:
            # A file has changed since it was looked at: what broke off is another request, and sent
            # as one.
            self._journal.lost(upload, upload.documents)
            return
        self._journal.accepted(upload, batch["id"])

    def _chunks(self, documents: Sequence[Document]) -> Iterator[list[Document]]:
        chunk: list[Document] = []
        size = 0
        for document in documents:
            if chunk and (
                len(chunk) >= self._most_files or size + document.size > self._most_bytes
            ):
                yield chunk
                chunk, size = [], 0
            chunk.append(document)
            size += document.size
        yield chunk


class Answers:
    """The answers of the service: they lie in a file, and only their places in memory.

    Args:
        remote: the service.
        file: empty, for the answers.
    """

    def __init__(self, remote: Remote, file: BinaryIO) -> None:
        self._remote = remote
        self._file = file
        self._places: dict[str, int] = {}
        self._models: set[tuple[str, str]] = set()

    def fetch(self, upload: Upload) -> list[str]:
        """Fetch the answers to an upload; return the documents that the service has no more."""
        begin = self._file.seek(0, 2)
        try:
            self._remote.download(f"/batches/{upload.batch}/results", self._file)
        except BatchUnknown:
            return upload.documents
        lost, wanted = [], set(upload.documents)
        self._file.seek(begin)
        place = begin
        for line in self._file:
            row = json.loads(line)
            sha256 = row.get("sha256")
            if sha256 in wanted:
                self._places[sha256] = place
                wanted.discard(sha256)
                if row.get("error", {}).get("code") in (JobUnknown.code, JobExpired.code):
                    lost.append(sha256)
            if "model" in row:
                self._models.add((row["model"]["name"], row["model"]["version"]))
            place += len(line)
        return lost + sorted(wanted)

    def reply_to(self, document: Document) -> Reply:
        """Return what became of a document."""
        name, sha256 = document_name(document.path), document.sha256 or None
        if document.error is not None:
            return Reply(name, error=document.error, sha256=sha256)
        if document.sha256 not in self._places:
            error = JobUnknown(
                "The document changed while it was sent, or was removed from the service.",
                advice="Run the command again: it will be sent once more.",
            )
            return Reply(name, error=error, sha256=sha256)
        self._file.seek(self._places[document.sha256])
        return replace(Reply.from_json(json.loads(self._file.readline())), document=name)

    def columns(self, form: str) -> list[FieldSpec]:
        """Return the fields of the models that answered, for a table; none for other forms.

        Raises:
            UnknownModel: one of them was removed from the service.
        """
        if form not in ("csv", "xlsx") or not self._models:
            return []
        listed = {
            (model["name"], model["version"]): model["fields"]
            for model in self._remote.get("/models")["models"]
        }
        # What e-invoices in XML are answered by is no model of the service.
        of_xml = {spec.name: spec.kind for spec in e_invoice.FIELDS}
        listed[e_invoice.NAME, e_invoice.VERSION] = of_xml
        columns: dict[str, FieldSpec] = {}
        for model in sorted(self._models):
            if model not in listed:
                raise UnknownModel(
                    f"The model {'@'.join(model)} was removed from the service.",
                    advice="Ask for --format jsonl, which needs no columns.",
                )
            for name, kind in listed[model].items():
                columns.setdefault(name, FieldSpec(name, Kind(kind)))
        return list(columns.values())
