"""The model packages that machines share, in the object store of their documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from store.blobs.objects import check_address, open_store, translated

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_FOLDER = "models/"  # the files of jobs lie in folders of two letters


class PackageObjects:
    """Files by path below ``PREFIX/models/``; methods raise StoreUnavailable.

    Args:
        url: as of `ObjectBlobs`.

    Raises:
        InvalidOption: the address is of no store that is known.
    """

    def __init__(self, url: str) -> None:
        check_address(url)
        self._url = url

    def marks(self) -> dict[str, str]:
        """Return a mark for each path, another one whenever the object is another."""
        import obstore

        with translated():
            return {
                item["path"].removeprefix(_FOLDER): f"{item['e_tag']} {item['last_modified']}"
                for part in obstore.list(self._store, _FOLDER.rstrip("/"))
                for item in part
            }

    def read(self, path: str) -> bytes:
        """Return a small file; an empty one where it is gone."""
        import obstore

        with translated():
            try:
                return bytes(obstore.get(self._store, _FOLDER + path).bytes())
            except FileNotFoundError:
                return b""

    def fetch(self, path: str, file: Path) -> None:
        """Copy a file to the disk, a piece at a time; an empty one where it is gone."""
        import obstore

        with file.open("wb") as local, translated():
            try:
                for piece in obstore.get(self._store, _FOLDER + path).stream():
                    local.write(piece)
            except FileNotFoundError:
                return

    def put(self, path: str, data: bytes | Path) -> None:
        """Store a file whole: readers see the old one or the new."""
        import obstore

        with translated():
            obstore.put(self._store, _FOLDER + path, data)

    def remove(self, paths: Sequence[str]) -> None:
        """Remove files; none is no error."""
        import obstore

        with translated():
            obstore.delete(self._store, [_FOLDER + path for path in paths])

    @cached_property
    def _store(self) -> ObjectStore:
        return open_store(self._url)  # at the first use: its threads do not survive a fork
