"""A temporary folder that is swept away later where the process that made it was killed.

The kernel drops a lock with the process that holds it, however that ends: a folder without one is
nobody's, and what lies in it may be somebody's document.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "fieldwright-reading-"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Return a folder of this process's own; it goes, with all in it, at the end."""
    folder, lock = _locked()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def sweep() -> None:
    """Remove what killed processes left among the temporary files."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # Gone by now, somebody else's, or no folder: then it is not ours to remove either.
        with contextlib.suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _locked() -> tuple[Path, int]:
    """Return a new folder and the descriptor whose lock keeps others from sweeping it away."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        with contextlib.suppress(FileNotFoundError):  # swept before it was locked: another one
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            os.close(lock)
