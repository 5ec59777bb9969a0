"""What deleted datasets leave on the machine of a trainer: copies of documents, and labels.

The API removes the folders of trainings in its own home alone; a trainer may have another one.
"""

from __future__ import annotations

import shutil
import uuid
from contextlib import suppress
from pathlib import Path

from pipeline.errors import ServiceError
from store.jobs import Jobs
from store.trainings import Trainings

_MARK = "job-store"  # names the job store of a folder's training


def mark(jobs: Jobs, folder: Path) -> None:
    """Note in the folder of a training which job store knows it."""
    jobs.check_blobs()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _MARK).write_text(jobs.turns.holder("blobs") or "")


def left_behind(home: Path) -> list[Path]:
    """Return the folders of trainings that are marked, whether those are known or not."""
    return [path.parent for path in (home / "trainings").glob(f"*/{_MARK}")]


def remove_forgotten(jobs: Jobs) -> None:
    """Remove the folders of trainings that were deleted with their datasets.

    Only those that this very job store has known: the folders of another one are not touched, nor
    is anything while it does not answer.
    """
    with suppress(ServiceError, OSError):
        name = jobs.turns.holder("blobs")
        if name is None:
            return
        own = [path for path in left_behind(jobs.settings.home) if _is(path, name)]
        known = Trainings(jobs.database).known([path.name for path in own])
        for path in own:
            if path.name not in known:
                shutil.rmtree(path, ignore_errors=True)


def _is(folder: Path, name: str) -> bool:
    with suppress(ValueError):
        return str(uuid.UUID(folder.name)) == folder.name and (folder / _MARK).read_text() == name
    return False
