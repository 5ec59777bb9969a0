"""Files of jobs: documents as they were sent, their words, and what one stage leaves for others."""

from __future__ import annotations

from typing import TypeAlias

from store.blobs.blobs import FILE, KEPT, PASSWORD, WORDS, LocalBlobs, on_disk
from store.blobs.objects import ObjectBlobs, PackageObjects

Blobs: TypeAlias = LocalBlobs | ObjectBlobs
"""Where the files of jobs are; both promise what `LocalBlobs` says."""


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
    "open_packages",
]
