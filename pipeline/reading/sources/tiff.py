"""Finds the pages of a TIFF in its chain of directories, without decoding anything.

Written here so that the count is right for damaged files too: a page that is announced and cannot
be read has to be missed, and a chain that loops has to end.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.errors import CorruptDocument

_MOST = 10_000  # a file of more is an attack on the count itself
_SUBFILE_TYPE = 254  # tag
_REDUCED, _MASK = 1, 4  # bits of it: a preview of another page, a mask for one


@dataclass(frozen=True, slots=True)
class _Format:
    """How numbers are stored: sizes in bytes, formats of `struct`."""

    first: int  # where the offset of the first directory stands
    offset: struct.Struct
    count: struct.Struct
    entry: struct.Struct  # tag, type, number of values, value


def page_frames(data: bytes) -> tuple[int, ...]:
    """Return which directories of a TIFF, from 0, are pages: all but previews and masks.

    A directory that is announced but lies outside the file, or is cut off, counts: it was a page.
    Where all say that they are previews, all are pages.

    Raises:
        CorruptDocument: there are more than anybody scans.
    """
    pages: list[int] = []
    others: list[int] = []
    for index, kind in enumerate(_kinds(data)):
        if index >= _MOST:
            raise CorruptDocument(f"The TIFF claims more than {_MOST:,} pages.")
        (others if kind & (_REDUCED | _MASK) else pages).append(index)
    return tuple(pages or others)


def _kinds(data: bytes) -> Iterator[int]:
    """Yield the subfile type of each directory along the chain, 0 where none is stated."""
    layout = _format(data)
    seen: set[int] = set()
    try:
        (at,) = layout.offset.unpack_from(data, layout.first)
        while at and at not in seen:
            seen.add(at)
            kind = 0
            try:
                (count,) = layout.count.unpack_from(data, at)
                entries = at + layout.count.size
                end = entries + count * layout.entry.size
                (following,) = layout.offset.unpack_from(data, end)
                for tag, _, _, value in layout.entry.iter_unpack(data[entries:end]):
                    if tag == _SUBFILE_TYPE:
                        kind = value
            except (struct.error, OverflowError):  # the file ends before the directory does
                following = 0
            yield kind
            at = following
    except (struct.error, OverflowError):
        return


def _format(data: bytes) -> _Format:
    order = "<" if data[:2] == b"II" else ">"
    if data[2:4] in (b"+\x00", b"\x00+"):  # BigTIFF
        return _Format(
            8,
            struct.Struct(order + "Q"),
            struct.Struct(order + "Q"),
            struct.Struct(order + "HHQI4x"),
        )
    # A subfile type is a LONG. Wrongly written as a SHORT, big-endian, it says nothing here.
    return _Format(
        4, struct.Struct(order + "I"), struct.Struct(order + "H"), struct.Struct(order + "HHII")
    )
