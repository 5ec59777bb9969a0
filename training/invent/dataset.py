"""Writes a folder of invented documents: labels, documents, and the place of every value.

Each document has a seed of its own: the same bytes of labels come out in whatever order, and by
however many processes, documents are made.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pipeline.errors import FieldwrightError, InvalidOption


@dataclass(frozen=True, slots=True)
class Invented:
    """A document with its labels.

    Attributes:
        labels: its line in ``labels.jsonl``, but for ``id`` and ``document``.
        data: bytes of the file.
        suffix: of its name, such as ``.pdf``.
    """

    labels: dict[str, Any]
    data: bytes
    suffix: str


Inventor = Callable[[int], Invented]
"""Makes the document of a number, from 1; the same each time it is asked."""


def write_dataset(
    folder: Path,
    count: int,
    invent: Inventor,
    *,
    processes: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Write a dataset of invented documents.

    Args:
        folder: that is made; it must not hold a dataset.
        count: of documents.
        invent: makes them; can be pickled where there are several processes.
        processes: that invent at a time.
        progress: told how many documents are done.

    Raises:
        InvalidOption: the folder holds labels already, or the inventor was asked for what there
            is not.
        DependencyMissing: the inventor needs what is not installed.
    """
    labels = folder / "labels.jsonl"
    if labels.exists():
        raise InvalidOption(f"{folder} holds a dataset already.", advice="Name a new folder.")
    is_new = not folder.exists()
    documents = folder / "documents"
    documents.mkdir(parents=True, exist_ok=True)
    jobs = [(documents, number, invent) for number in range(1, count + 1)]
    # A folder that was left half done has no labels, and can be begun again.
    unfinished = folder / "labels.jsonl.unfinished"
    try:
        with unfinished.open("w", encoding="utf-8") as lines:
            for done, row in enumerate(_rows(jobs, processes), 1):
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")
                progress(done)
    except FieldwrightError:  # it will never be made like this: nothing is worth keeping
        if is_new:
            shutil.rmtree(folder)
        else:
            unfinished.unlink()
        raise
    unfinished.replace(labels)


def _rows(jobs: list[tuple[Path, int, Inventor]], processes: int) -> Iterator[dict[str, Any]]:
    if processes == 1:
        yield from map(_row, jobs)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_row, jobs, chunksize=4)


def _row(job: tuple[Path, int, Inventor]) -> dict[str, Any]:
    documents, number, invent = job
    made = invent(number)
    name = f"{number:06d}"
    path = documents / f"{name}{made.suffix}"
    path.write_bytes(made.data)
    return {"id": name, "document": f"documents/{path.name}", **made.labels}
