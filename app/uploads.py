"""Forms with many files: each part goes to the disk as it arrives, all into one nameless file.

The framework's own form parser keeps a megabyte of every file in memory, or an open file for
each: too much of either for a batch. Here memory stays flat and one file is open, whatever comes.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anyio import to_thread
from fastapi.exceptions import RequestValidationError
from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from store.batches.batches import Upload
from store.errors import BatchTooLarge
from store.spool import Spool

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FILES = "files"
_MOST_FIELDS = 50
_FIELD_BYTES = 65_536
_FLUSH_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Form:
    """What a request brought: its fields, the last of each name, and its files in their order."""

    fields: dict[str, str]
    files: list[Upload]


@asynccontextmanager
async def form_of(request: Request, spool: Spool, *, most_files: int) -> AsyncIterator[Form]:
    """Give the form of a request; its files end with the context.

    Args:
        request: its body is read here.
        spool: where the files lie; closed at the end.
        most_files: most of them in one request.

    Raises:
        HTTPException: 400, the form cannot be read.
        RequestValidationError: the request has no such form.
        BatchTooLarge: more files than allowed.
        StorageFull: no room on the disk.
    """
    try:
        receiver = _Receiver(request, spool, most_files)
        try:
            async for chunk in request.stream():
                await receiver.feed(chunk)
            yield await receiver.form()
        except FormParserError as error:
            raise _unreadable() from error
        except ClientDisconnect as error:
            raise HTTPException(400, "The upload broke off") from error
    finally:
        await to_thread.run_sync(spool.close)


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
    """Takes the body's bytes; the parser calls back, and the disk is written in a thread."""

    def __init__(self, request: Request, spool: Spool, most_files: int) -> None:
        kind, options = parse_options_header(request.headers.get("content-type", ""))
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise RequestValidationError(
                [{"loc": ("body", FILES), "msg": "Send a form of type multipart/form-data"}]
            )
        self._spool = spool
        self._most_files = most_files
        self._parts: list[_Part] = []
        self._waiting: list[tuple[_Part, bytes]] = []  # for the disk
        self._bytes = 0
        self._files = 0
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
        self._parser = MultipartParser(boundary, callbacks)

    async def feed(self, chunk: bytes) -> None:
        """Take some bytes of the body."""
        self._parser.write(chunk)
        if self._bytes >= _FLUSH_BYTES:
            await to_thread.run_sync(self._flush)

    async def form(self) -> Form:
        """Return the form once the body has ended."""
        self._parser.finalize()
        await to_thread.run_sync(self._flush)
        fields = {p.name: _text(bytes(p.text)) for p in self._parts if p.filename is None}
        files = [
            Upload(
                part.filename, self._spool.window(part.start, part.size), part.digest.hexdigest()
            )
            for part in self._parts
            if part.filename is not None
        ]
        return Form(fields, files)

    def _flush(self) -> None:
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
        if b"filename" not in options:
            return
        if part.name != FILES:
            raise RequestValidationError(
                [{"loc": ("body", FILES), "msg": "Documents go into the field `files`"}]
            )
        part.filename = _text(options[b"filename"])
        self._files += 1
        if self._files > self._most_files:
            raise BatchTooLarge(f"The batch has more than {self._most_files} files.")

    def _data(self, data: bytes, start: int, end: int) -> None:
        part = self._parts[-1]
        if part.filename is not None:
            self._waiting.append((part, data[start:end]))
            self._bytes += end - start
            return
        if len(part.text) + end - start > _FIELD_BYTES:
            raise _unreadable()
        part.text += data[start:end]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _unreadable() -> HTTPException:
    return HTTPException(400, "The form cannot be read")
