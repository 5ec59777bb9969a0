"""Makes ZIP archives for tests: honest ones, and ones that no program would make."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Iterable

Entry = tuple[str | zipfile.ZipInfo, bytes]


def zip_of(entries: Iterable[Entry], *, packed: bool = True) -> bytes:
    """Return an archive of (name, content), in their order; names may come twice."""
    stream = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in entries:
            # Of 1980, as every entry that is not given a time: each run makes the same bytes.
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name)
            archive.writestr(info, content, compress_type=method)
    return stream.getvalue()


def link(name: str, target: str) -> Entry:
    """Return an entry that is a symbolic link."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target.encode()


def flagged(archive: bytes, flag: int) -> bytes:
    """Return the archive with a flag set on every entry of its list."""
    return _each_listed(archive, lambda record: _set(record, 8, "<H", flag))


def claiming(archive: bytes, size: int) -> bytes:
    """Return the archive with its list saying that every entry unpacks to `size` bytes."""
    return _each_listed(archive, lambda record: _set(record, 24, "<L", size))


def overlapping(content: bytes, times: int) -> bytes:
    """Return an archive whose list names one packed entry many times."""
    single = zip_of([("a.pdf", content)])
    place = single.index(b"PK\x01\x02")
    end = single.index(b"PK\x05\x06")
    record, tail = single[place:end], bytearray(single[end:])
    struct.pack_into("<HHL", tail, 8, times, times, times * len(record))
    return single[:place] + record * times + bytes(tail)


def _each_listed(archive: bytes, change: object) -> bytes:
    data = bytearray(archive)
    place = -1
    while (place := data.find(b"PK\x01\x02", place + 1)) >= 0:
        record = memoryview(data)[place:]
        assert callable(change)
        change(record)
        record.release()
    return bytes(data)


def _set(record: memoryview, offset: int, form: str, value: int) -> None:
    struct.pack_into(form, record, offset, value)
