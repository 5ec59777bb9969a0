"""Files of jobs: documents as they were sent, their words, and what one stage leaves for others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from store.blobs.blobs import FILE, KEPT, PASSWORD, WORDS, LocalBlobs, on_disk
from store.blobs.objects import ObjectBlobs
from store.blobs.packages import PackageObjects

Blobs: TypeAlias = LocalBlobs | ObjectBlobs
"""Where the files of jobs are; both promise what `LocalBlobs` says."""


def open_blobs(
    folder: Path, url: str, *, min_free_bytes: int, before_close: Callable[[str], None]
) -> Blobs:
    """Return where an installation keeps the files of its jobs.

    Args:
        folder: for all of them, or for those on their way where there is a `url`.
        url: of an object store; empty where `folder` holds them.
        min_free_bytes: that have to be free on the disk of `folder` for new documents.
        before_close: called with the name of each blob before it is complete.

    Raises:
        InvalidOption: the address is of no store that is known.
    """
    if not url:
        return LocalBlobs(folder, min_free_bytes=min_free_bytes, before_close=before_close)
    local = LocalBlobs(folder, min_free_bytes=min_free_bytes)
    return ObjectBlobs(url, local, before_close=before_close)


def open_packages(url: str) -> PackageObjects | None:
    """Return where the machines of an installation share their models; None without a `url`.

    Raises:
        InvalidOption: the address is of no store that is known.
    """
    return PackageObjects(url) if url else None


__all__ = [
    "FILE",
    "KEPT",
    "PASSWORD",
    "WORDS",
    "Blobs",
    "LocalBlobs",
    "ObjectBlobs",
    "PackageObjects",
    "on_disk",
    "open_blobs",
    "open_packages",
]
