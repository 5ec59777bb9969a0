"""The file `current` of a model: the versions put in service, newest first, one a line."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

POINTER = "current"


def read_pointer(folder: Path) -> str | None:
    """Return the text of `current` in the folder of a model; None where there is none."""
    try:
        return (folder / POINTER).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None


def write_pointer(folder: Path, text: str) -> None:
    """Replace `current` in one rename; readers see the old one or the new."""
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f".{POINTER}-{uuid.uuid4().hex}"
    with temporary.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / POINTER)
