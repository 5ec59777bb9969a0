"""Where uploads lie until they are accepted: one file without a name for all parts of a request."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from store.blobs import on_disk

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Spool:
    """A file that only grows and that nobody else can open; no crash leaves it behind.

    Args:
        folder: on the disk that has room for documents; a folder in memory would not do.
    """

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115
        self.size = 0

    def append(self, data: bytes) -> None:
        """Write at the end; raises StorageFull, StoreUnavailable."""
        with on_disk():
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
        self.size += len(data)

    def window(self, start: int, size: int) -> BinaryIO:
        """Return `size` bytes from `start` as a file for reading; it ends with the spool."""
        return cast(BinaryIO, _Window(self._file.fileno(), start, size))

    def close(self) -> None:
        """Give the room back."""
        self._file.close()


class _Window(io.RawIOBase):
    """A part of an open file, with a place of its own."""

    def __init__(self, handle: int, start: int, size: int) -> None:
        self._handle = handle
        self._start = start
        self._size = size
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        place = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        if place < 0:
            raise ValueError("negative seek position")
        self._place = place
        return place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer).cast("B")
        wanted = max(0, min(len(view), self._size - self._place))
        data = os.pread(self._handle, wanted, self._start + self._place)
        view[: len(data)] = data
        self._place += len(data)
        return len(data)
