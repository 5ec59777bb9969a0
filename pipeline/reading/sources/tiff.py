"""Finds the pages of a TIFF in its chain of directories, without decoding any picture.

Pillow reads the directories; its own count of frames (`n_frames`) is not used, for it opens each
picture and gives up at the first that it cannot: a page that is announced and damaged has to count.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from io import BytesIO
from typing import cast

from PIL.TiffImagePlugin import ImageFileDirectory_v2

from pipeline.errors import CorruptDocument

_MOST = 10_000  # pages; a file that claims more was made to keep the count busy
_SUBFILE_TYPE = 254  # tag
_REDUCED, _MASK = 1, 4  # bits of it: a preview of another page, a mask for one
_HEADER, _BIG_HEADER = 8, 16  # bytes, of a TIFF and of a BigTIFF
_BIG = (b"II+\x00", b"MM\x00+")


def page_frames(data: bytes) -> tuple[int, ...]:
    """Return which directories of a TIFF, from 0, are pages: all but previews and masks.

    A directory that is announced but lies outside the file, or is cut off, counts: it was a page.
    Where all say that they are previews, all are pages.

    Args:
        data: the file, with the signature of a TIFF.

    Raises:
        CorruptDocument: there are more than 10,000.
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
    size = _BIG_HEADER if data[:4] in _BIG else _HEADER
    if len(data) < size:
        return
    stream = BytesIO(data)
    directory = ImageFileDirectory_v2(stream.read(size))
    seen: set[int] = set()
    while (at := cast(int, directory.next)) and at not in seen:  # a chain may loop
        seen.add(at)
        stream.seek(min(at, len(data)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is damaged is told when the page is read
            directory.load(stream)  # of a directory that is cut off, `next` stays as it was
        kind = directory.get(_SUBFILE_TYPE)
        yield kind if isinstance(kind, int) else 0
