"""Speed and memory on scanned receipts, as a Markdown table.

Usage: python -m benchmarks.receipts FOLDER [--model receipts] [--count 20] [--repeats 3]

* End to end: `Extractor.extract`, bytes to fields, with each engine, beside the bare `tesseract`
  command on the same files. They take turns file by file, so that what else the machine does hits
  all. Each repeat gives the ratio of the medians.
* Tagger: `Extractor.tag` on words already read.
* Service: a real `fieldwright serve` with one worker; from its start until /readyz answers 200,
  then the largest memory that the worker process ever held (VmHWM) while it read all the files.

Tesseract and torch compute on one core each.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import cast, get_args

import torch

from benchmarks.machine import Row, figures, machine, peak_bytes, pictures
from models.packages import Registry
from pipeline.errors import FieldwrightError
from pipeline.extract import Extractor
from pipeline.reading.options import EngineName, ReadOptions
from store.settings import Settings
from tests.service import Service


def against_tesseract(extractor: Extractor, images: Sequence[Path], repeats: int) -> list[Row]:
    """Return the rows on the whole route beside bare Tesseract."""
    bare = "`tesseract` alone"
    seconds: dict[str, list[list[float]]] = {}  # (repeats, images)
    for repeat in range(-1, repeats):
        for name in (bare, *get_args(EngineName)):
            seconds.setdefault(name, []).append([])
        for image in images if repeat >= 0 else images[:1]:
            for name, runs in seconds.items():
                started = time.perf_counter()
                if name == bare:
                    subprocess.run(
                        ["tesseract", image, "stdout", "-l", "eng"], capture_output=True, check=True
                    )
                else:
                    options = ReadOptions(engine=cast("EngineName", name), processes=1)
                    extractor.extract(image.read_bytes(), options)
                runs[-1].append(time.perf_counter() - started)
    for runs in seconds.values():
        del runs[0]  # what is slow once only is not measured
    rows = [(f"{bare}, median seconds a receipt", f"{_median(seconds[bare]):.3f}")]
    for name in get_args(EngineName):
        ratios = [
            statistics.median(mine) / statistics.median(theirs)
            for mine, theirs in zip(seconds[name], seconds[bare], strict=True)
        ]
        spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        rows += [
            (f"end to end with {name}, median seconds a receipt", f"{_median(seconds[name]):.3f}"),
            ("its ratio to that, median of the repeats (least to most)", spread),
        ]
    return rows


def tagging(extractor: Extractor, images: Sequence[Path], repeats: int) -> list[Row]:
    """Return the row on the tagger alone."""
    documents = [extractor.read(image.read_bytes()) for image in images]
    seconds: list[list[float]] = []  # (repeats + 1, documents)
    for _ in range(repeats + 1):
        seconds.append([])
        for document in documents:
            started = time.perf_counter()
            extractor.tag(document)
            seconds[-1].append(time.perf_counter() - started)
    words = statistics.median(sum(len(page.tokens) for page in doc.pages) for doc in documents)
    middle = _median(seconds[1:])  # the first round warms up
    return [(f"tagger, median milliseconds a receipt ({words:.0f} words)", f"{1000 * middle:.1f}")]


def service(home: Path, model: str, images: Sequence[Path]) -> list[Row]:
    """Return the rows on the running service; `home` is its folder, `model` its default."""
    running = Service(home, model=model, env="production")
    started = time.monotonic()
    running.start(installed=True)
    ready = time.monotonic() - started
    try:
        worker = running.child("worker-0").pid
        for image in images:
            response = running.post(image.read_bytes(), image.name, wait=60)
            state = running.ended(response.json()["id"])["state"]
            if state != "succeeded":
                raise RuntimeError(f"{image}: the job {state}")
        peak = peak_bytes(worker)
    finally:
        running.stop()
    return [
        ("service, seconds from its start until it is ready", f"{ready:.1f}"),
        ("peak memory of the worker process, MB", f"{peak / 1e6:.0f}"),
    ]


def _median(repeats: Sequence[Sequence[float]]) -> float:
    return statistics.median(chain.from_iterable(repeats))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of pictures of receipts")
    parser.add_argument("--model", default="receipts", help="NAME or NAME@VERSION")
    parser.add_argument("--count", type=int, default=20, help="pictures used, the first by name")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    images = pictures(arguments.folder.absolute())[: arguments.count]
    if not images or arguments.repeats < 1:
        parser.error(f"{arguments.folder} holds no pictures, or there are no repeats")
    home = Settings().home.absolute()
    try:
        reference = Registry(home / "models", default=arguments.model).resolve(arguments.model)
        extractor = Extractor(reference.path)
    except FieldwrightError as error:
        sys.exit(str(error))
    os.environ["OMP_THREAD_LIMIT"] = "1"  # read by every Tesseract that is started from here
    torch.set_num_threads(1)
    about = machine()
    rows = against_tesseract(extractor, images, arguments.repeats)
    rows += tagging(extractor, images, arguments.repeats)
    with tempfile.TemporaryDirectory(prefix="fieldwright-") as folder:
        # The service gets a home of its own: the user's jobs stay out of the measurement.
        own = Path(folder)
        if not reference.bundled:
            target = own / "models" / reference.name / reference.version
            target.parent.mkdir(parents=True)
            target.symlink_to(reference.path)
        rows += service(own, str(reference), images)
    print(f"{about}.\n{reference}, {len(images)} pictures, {arguments.repeats} repeats.\n")
    print("\n".join(figures(rows)))


if __name__ == "__main__":
    main()
