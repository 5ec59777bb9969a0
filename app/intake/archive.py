"""ZIP archives of documents: judged whole before a byte is unpacked, never unpacked by name.

What an archive says of itself is judged first: its list of files, their sizes and places. Sizes
may lie, but Python unpacks no entry beyond the size that the list gives, so what was judged
bounds what comes out. Entries are streamed; their names are only shown.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO, Self, cast

from pipeline.errors import CorruptDocument
from store.errors import ArchiveCorrupt, ArchiveUnsafe

_STARTS = (b"PK\x03\x04", b"PK\x05\x06")  # the second is an archive without files
_RATIO = 100
_RATIO_FREE = 1_000_000  # bytes that even an entry of zeros may have: they do no harm
_LOCAL_HEADER = 30  # least bytes in front of an entry
_LIST_BYTES = 512  # of the list of files for each of them; names may be long
_ENCRYPTED = 0x1 | 0x40 | 0x2000  # flags: a password, strong encryption, hidden names
_UTF8 = 0x800  # flag: the name is UTF-8
_PACKED_DOCUMENTS = ("[Content_Types].xml", "mimetype")  # Office and OpenDocument files, e-books
_JUNK = {"__macosx", "thumbs.db", "desktop.ini"}
_DAMAGE = (
    zipfile.BadZipFile,
    NotImplementedError,
    ValueError,  # names that are not UTF-8, negative places
    struct.error,
    EOFError,
    OverflowError,
    zlib.error,
)
_SPLIT = "Pack the documents in several archives, or send them singly; see /limits."


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of an archive: its name there, as it stands, and its size when unpacked."""

    name: str
    size: int
    info: zipfile.ZipInfo


class Archive:
    """A ZIP archive that was looked through and found harmless; a context that closes it.

    Args:
        source: the archive; read at any place.
        max_files: most documents in it.
        max_bytes: most bytes of all entries when unpacked.

    Attributes:
        entries: number of all, folders too.
        documents: entries that may be documents, in the archive's order.
        skipped: names of files that systems leave behind: hidden ones and those of a Mac.
        packed_document: True where the archive as a whole is one file of an office program.

    Raises:
        ArchiveUnsafe: paths that lead out, links, passwords, bombs, or more than the limits.
        ArchiveCorrupt: it cannot be opened.
    """

    def __init__(self, source: BinaryIO, *, max_files: int, max_bytes: int) -> None:
        most_entries = most_entries_of(max_files)
        guarded = _Guarded(source, limit=_LIST_BYTES * most_entries + (128 << 10))
        try:
            self._zip = zipfile.ZipFile(cast(BinaryIO, guarded))
        except _DAMAGE as error:
            raise ArchiveCorrupt("The archive cannot be opened.") from error
        infos = self._zip.infolist()
        self.entries = len(infos)
        if self.entries > most_entries:
            raise ArchiveUnsafe(f"The archive has {self.entries} entries.", advice=_SPLIT)
        if sum(info.file_size for info in infos) > max_bytes:
            raise ArchiveUnsafe(
                f"The archive holds more than {max_bytes} bytes when unpacked.", advice=_SPLIT
            )
        for info in infos:
            _judge(info)
        _judge_places(infos)
        # Not `is_dir`, which some versions of Python give up on names without a letter.
        files = [info for info in infos if not info.filename.endswith("/")]
        self.skipped = tuple(_name(info) for info in files if _is_junk(info.filename))
        self.documents = tuple(
            Entry(_name(info), info.file_size, info)
            for info in files
            if not _is_junk(info.filename)
        )
        self.packed_document = any(info.filename in _PACKED_DOCUMENTS for info in infos)
        if len(self.documents) > max_files and not self.packed_document:
            raise ArchiveUnsafe(f"The archive has more than {max_files} files.", advice=_SPLIT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._zip.close()

    @contextmanager
    def open(self, entry: Entry) -> Iterator[BinaryIO]:
        """Give a stream of an entry's bytes.

        Raises:
            CorruptDocument: the entry is damaged; where it is, shows while it is read.
        """
        # Of the other methods, Python unpacks any amount at one go.
        if entry.info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise CorruptDocument(
                "The document is packed in a way that cannot be unpacked here.",
                advice="Pack it in the common way (deflate), or send it by itself.",
            )
        try:
            stream = self._zip.open(entry.info)
        except _DAMAGE as error:
            raise _damaged() from error
        with stream:
            try:
                yield cast(BinaryIO, stream)
            except (zipfile.BadZipFile, zlib.error, EOFError) as error:
                raise _damaged() from error


def most_entries_of(max_files: int) -> int:
    """Return the most entries of archives that may hold `max_files` documents.

    A Mac doubles every file, and folders count too.
    """
    return 3 * max_files + 100


def is_archive(head: bytes) -> bool:
    """Return whether a file that begins with `head` is a ZIP archive, by its signature."""
    return head.startswith(_STARTS)


def _judge(info: zipfile.ZipInfo) -> None:
    name = info.filename.replace("\\", "/")
    if name.startswith("/") or re.match(r"[A-Za-z]:/", name) or ".." in name.split("/"):
        raise ArchiveUnsafe("A path in the archive leads out of it.")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind and kind not in (stat.S_IFREG, stat.S_IFDIR):
        raise ArchiveUnsafe("The archive holds a link, or what is neither file nor folder.")
    if info.flag_bits & _ENCRYPTED:
        raise ArchiveUnsafe(
            "The archive is protected with a password.",
            advice="Pack the documents without a password and send the new file.",
        )
    if info.file_size > _RATIO_FREE and info.file_size > _RATIO * info.compress_size:
        raise ArchiveUnsafe(f"An entry unpacks to more than {_RATIO} times its size.")


def _judge_places(infos: list[zipfile.ZipInfo]) -> None:
    """Refuse entries that share bytes: few of them unpack to very much."""
    for one, following in pairwise(sorted(infos, key=lambda info: info.header_offset)):
        if one.header_offset + _LOCAL_HEADER + one.compress_size > following.header_offset:
            raise ArchiveUnsafe("Entries of the archive overlap.")


def _damaged() -> CorruptDocument:
    return CorruptDocument(
        "The document is damaged in the archive.",
        advice="Pack the documents anew and send the new file.",
    )


def _name(info: zipfile.ZipInfo) -> str:
    """Return an entry's name; many programs write UTF-8 without saying so."""
    if not info.flag_bits & _UTF8:
        with suppress(UnicodeError):
            return info.filename.encode("cp437").decode("utf-8")
    return info.filename


def _is_junk(name: str) -> bool:
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    return any(part.startswith(".") or part.lower() in _JUNK for part in parts)


class _Guarded(io.RawIOBase):
    """A file that gives no more than `limit` bytes at one go: a list of files may be a bomb too."""

    def __init__(self, source: BinaryIO, limit: int) -> None:
        self._source = source
        self._limit = limit
        self._length = source.seek(0, io.SEEK_END)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self._source.seek(offset, whence)

    def tell(self) -> int:
        return self._source.tell()

    def read(self, size: int | None = -1, /) -> bytes:
        left = max(0, self._length - self._source.tell())
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > self._limit:
            raise ArchiveUnsafe("The archive has a list of files beyond measure.", advice=_SPLIT)
        return self._source.read(wanted)
