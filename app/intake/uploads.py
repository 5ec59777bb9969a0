"""Forms with documents: what is large goes to the disk as it arrives, into one nameless file.

The framework's own form parser keeps a megabyte of every part in memory, or an open file for
each, until the answer is out. Here memory stays flat and one file is open, whatever comes, on the
disk that holds the documents; it ends once they are stored. Bytes are parsed in a thread, one at
a time, because the parser is Python and a form can be made to keep it busy.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import unquote_to_bytes

from anyio import CapacityLimiter, to_thread
from fastapi import UploadFile
from fastapi.routing import APIRoute
from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartState, parse_options_header
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from app.intake import Spool, Upload
from app.intake.json_forms import read_json_form
from app.known_names import form_names, invalid, refuse_repeated, refuse_unknown
from store.errors import BatchTooLarge

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FILE, FILES = "file", "files"
_UPLOADED = {
    "type": "array",
    "items": {"type": "string", "format": "binary"},
    "description": "Documents, and ZIP archives of documents",
}
_JSON = "application/json"
_MOST_FIELDS = 50
_FIELD_BYTES = 65_536  # of all fields of a form
_MEMORY_BYTES = 1 << 18  # of the files of a form; what is more goes to the disk
_DIRECT_BYTES = 1 << 14  # parsed on the event loop; what is more in a thread
_PARSING = CapacityLimiter(1)
_ESCAPED = re.compile(rb"%(?:22|0A|0D)")  # all that browsers escape in names, as HTML has it
_EXTENDED_NAME = re.compile(rb";\s*filename\*=utf-8'[a-z-]*'([^\s;]+)", re.IGNORECASE)  # RFC 5987


def form_of_files(title: str, fields: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the OpenAPI description of a form with documents, and text fields beside them."""
    schema = {
        "type": "object",
        "title": title,
        "required": [FILES],
        "properties": {
            FILES: _UPLOADED,
            **{name: {"type": "string", **about} for name, about in fields.items()},
        },
    }
    return {
        "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}
    }


@dataclass(frozen=True, slots=True)
class Form:
    """What a request brought: its fields, one of each name, and its files in their order.

    Attributes:
        fields: by name.
        files: readable until `close`.
        spool: where they lie; None where they are small.
    """

    fields: dict[str, str]
    files: list[Upload]
    spool: Spool | None

    async def close(self) -> None:
        """Give the room of the files back."""
        if self.spool is not None:
            await to_thread.run_sync(self.spool.close)


async def read_form(
    request: Request,
    new_spool: Callable[[], Spool],
    *,
    name: str,
    most_files: int,
    others: Sequence[str] = (),
) -> Form:
    """Return the form of a request once its body has ended; to be closed.

    Args:
        request: its body is read here.
        new_spool: makes a file on the disk, where one is needed.
        name: of the field that holds documents.
        most_files: most of them.
        others: names of the fields that there may be besides.

    Raises:
        HTTPException: 400, the form cannot be read.
        RequestValidationError: the request has no such form, or a field that is unknown.
        BatchTooLarge: more files than allowed.
        StorageFull: no room on the disk.
    """
    receiver = _Receiver(request, new_spool, name, most_files)
    try:
        async for chunk in request.stream():
            await receiver.feed(chunk)
        form = await receiver.form()
        refuse_unknown("body", form.fields, (name, *others))
        return form
    except BaseException as error:
        await receiver.discard()
        if isinstance(error, FormParserError):
            raise _unreadable() from error
        if isinstance(error, ClientDisconnect):
            raise HTTPException(400, "The upload broke off") from error
        raise


class DocumentRequest(Request):
    """A request whose form is read as above; its document ends with `close`."""

    async def form(self, **_limits: Any) -> FormData:  # type: ignore[override]
        """Return the form, read once."""
        if self._form is None:
            spool = self.app.state.submissions.spool
            others = [name for name in form_names(self.scope["route"]) if name != FILE]
            if self.headers.get("content-type", "").partition(";")[0].strip().lower() == _JSON:
                settings = self.app.state.settings
                fields, document, file = await read_json_form(self, spool, others, settings)
                form = Form(fields, [document], file)
            else:
                form = await read_form(self, spool, name=FILE, most_files=1, others=others)
            self._form = _DocumentForm(form)
        return self._form

    async def close(self) -> None:
        """Give back the room of the document, and its place among the uploads."""
        await super().close()
        self.state.upload_stored()


class DocumentRoute(APIRoute):
    """A route with a document in the field `file`; it closes the request once that is stored."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler, which is given a `DocumentRequest`."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            document = DocumentRequest(request.scope, request.receive)
            await document.form()  # here, because the framework makes a 400 of any error of it
            return await handler(document)

        return handle


class _DocumentForm(FormData):
    """The framework's view of a form."""

    def __init__(self, form: Form) -> None:
        files = [(FILE, UploadFile(f.content, filename=f.filename)) for f in form.files]
        super().__init__([*form.fields.items(), *files])
        self._opened = form

    async def close(self) -> None:
        await self._opened.close()


@dataclass(slots=True)
class _Part:
    """One part of the form while it arrives; `start` and `size` are places in the spool."""

    headers: dict[bytes, bytes] = field(default_factory=dict)
    name: str = ""
    filename: str | None = None
    text: bytearray = field(default_factory=bytearray)
    start: int = 0
    size: int = 0
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)


class _Receiver:
    """Takes the body's bytes; the parser calls back, in a thread where they are many."""

    def __init__(
        self, request: Request, new_spool: Callable[[], Spool], name: str, most_files: int
    ) -> None:
        kind, options = parse_options_header(request.headers.get("content-type", ""))
        if kind != b"multipart/form-data":
            raise invalid(f"Send a form of type multipart/form-data, with the field `{name}`", name)
        self._new_spool = new_spool
        self._spool: Spool | None = None
        self._name = name
        self._most_files = most_files
        self._parts: list[_Part] = []
        self._waiting: list[tuple[_Part, bytes]] = []  # for the disk
        self._bytes = 0
        self._files = 0
        self._field_bytes = 0
        self._header = bytearray()
        self._value = bytearray()
        callbacks: MultipartCallbacks = {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._header_end,
            "on_headers_finished": self._named,
            "on_part_data": self._data,
        }
        try:
            self._parser = MultipartParser(options[b"boundary"], callbacks)
        except FormParserError as error:  # the boundary is too long
            raise _unreadable() from error
        except KeyError as error:
            raise _unreadable(
                "its Content-Type, best left to the client, has no boundary"
            ) from error

    async def feed(self, chunk: bytes) -> None:
        """Take some bytes of the body."""
        if len(chunk) <= _DIRECT_BYTES:
            self._parser.write(chunk)
        else:
            await to_thread.run_sync(self._parser.write, chunk, limiter=_PARSING)
        if self._bytes >= _MEMORY_BYTES:
            await to_thread.run_sync(self._flush)

    async def form(self) -> Form:
        """Return the form once the body has ended."""
        self._parser.finalize()
        # A part of a document is none; a body of nothing is a form without fields.
        if self._parser.state not in (MultipartState.START, MultipartState.END):
            raise _unreadable("it ends before its last boundary")
        if self._spool is not None:
            await to_thread.run_sync(self._flush)
        content = self._in_memory() if self._spool is None else self._on_disk(self._spool)
        texts = [part for part in self._parts if part.filename is None]
        refuse_repeated("body", [part.name for part in texts])
        fields = {part.name: _text(bytes(part.text)) for part in texts}
        files = [
            Upload(part.filename, content(part), part.digest.hexdigest())
            for part in self._parts
            if part.filename is not None
        ]
        return Form(fields, files, self._spool)

    async def discard(self) -> None:
        """Give the room of what arrived back."""
        if self._spool is not None:
            await to_thread.run_sync(self._spool.close)

    def _in_memory(self) -> Callable[[_Part], BinaryIO]:
        contents: dict[int, bytearray] = {}
        for part, data in self._waiting:
            part.digest.update(data)
            contents.setdefault(id(part), bytearray()).extend(data)
        return lambda part: io.BytesIO(contents.get(id(part), b""))

    def _on_disk(self, spool: Spool) -> Callable[[_Part], BinaryIO]:
        return lambda part: spool.window(part.start, part.size)

    def _flush(self) -> None:
        if self._spool is None:
            self._spool = self._new_spool()
        waiting, self._waiting, self._bytes = self._waiting, [], 0
        for part, data in waiting:
            if not part.size:
                part.start = self._spool.size
            self._spool.append(data)
            part.size += len(data)
            part.digest.update(data)

    def _begin(self) -> None:
        if len(self._parts) - self._files >= _MOST_FIELDS:
            raise _unreadable()
        self._parts.append(_Part())

    def _header_end(self) -> None:
        self._parts[-1].headers[bytes(self._header).lower()] = bytes(self._value)
        self._header.clear()
        self._value.clear()

    def _named(self) -> None:
        part = self._parts[-1]
        _, options = parse_options_header(part.headers.get(b"content-disposition", b""))
        if b"name" not in options:
            raise _unreadable()
        part.name = _text(options[b"name"])
        filename = _filename(part.headers[b"content-disposition"], options)
        if filename is None:
            if part.name == self._name:  # taken for a text it would be lost without a word
                raise invalid("A document is sent with a file name (`filename`)", self._name)
            return
        if part.name != self._name:
            raise invalid(f"Documents go into the field `{self._name}`", self._name)
        part.filename = _text(filename)
        self._files += 1
        if self._files > self._most_files == 1:
            raise invalid("Send one document, or several to /batches", self._name)
        if self._files > self._most_files:
            raise BatchTooLarge(f"The batch has more than {self._most_files} files.")

    def _data(self, data: bytes, start: int, end: int) -> None:
        part = self._parts[-1]
        if part.filename is not None:
            self._waiting.append((part, data[start:end]))
            self._bytes += end - start
            return
        self._field_bytes += end - start
        if self._field_bytes > _FIELD_BYTES:
            raise _unreadable()
        part.text += data[start:end]


def _filename(disposition: bytes, options: Mapping[bytes, bytes]) -> bytes | None:
    """Return the name of a part's file, None where it is no file.

    RFC 7578 forbids the extended form, which is why the parser leaves it out. .NET sends it all the
    same where a name is not ASCII, beside a plain one that nobody can read (``=?utf-8?B?...?=``).
    """
    if extended := _EXTENDED_NAME.search(disposition):
        return unquote_to_bytes(extended[1])
    name = options.get(b"filename")
    return name and _ESCAPED.sub(lambda mark: unquote_to_bytes(mark[0]), name)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _unreadable(why: str = "") -> HTTPException:
    return HTTPException(400, "The form cannot be read" + (f": {why}" if why else ""))
