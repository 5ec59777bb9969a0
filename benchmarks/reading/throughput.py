"""Scanned pages a second with one process and with more, beside the bare Tesseract command.

The pictures of the folder become the pages of one TIFF. Bare Tesseract reads the same rasters, made
ready as the reader makes them and written before the clock starts, one after the other and as many
at a time as there are processes: that is what the machine gives at most. All take turns within
each repeat, so that what else the machine does hits them alike. The reader uses Tesseract here:
what is measured is what stands around an engine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

from PIL import Image, TiffImagePlugin

from benchmarks.machine import pictures
from pipeline.reading.engines.tesseract import write_tiff
from pipeline.reading.options import ReadOptions
from pipeline.reading.reader import read_document
from pipeline.reading.scans.prepare import prepare


def add_throughput(parser: argparse.ArgumentParser) -> None:
    """Add what the command `throughput` takes."""
    parser.add_argument("folder", type=Path, help="folder of scanned pages")
    parser.add_argument("--count", type=int, default=12, help="pages of the document")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2)


def run_throughput(arguments: argparse.Namespace) -> list[str]:
    """Return the table, as lines of Markdown."""
    pictures = _pictures(arguments.folder, arguments.count)
    data = _tiff(pictures)
    processes = arguments.processes
    with tempfile.TemporaryDirectory() as folder:
        rasters = _rasters(pictures, Path(folder))
        runs: dict[str, Callable[[], object]] = {
            "reader, 1 process": lambda: _read(data, 1),
            f"reader, {processes} processes": lambda: _read(data, processes),
            "bare tesseract, 1 at a time": lambda: _bare(rasters, 1),
            f"bare tesseract, {processes} at a time": lambda: _bare(rasters, processes),
        }
        read_document(data, ReadOptions(pages="1", engine="tesseract"))  # what is slow once only
        seconds: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(arguments.repeats):
            for name, work in runs.items():
                started = time.perf_counter()
                work()
                seconds[name].append(time.perf_counter() - started)
    one, more, bare, bare_more = seconds.values()
    rows = [(name, f"{len(pictures) / statistics.median(s):.2f}") for name, s in seconds.items()]
    rows += [
        (f"reader: {processes} processes against 1", _ratio(one, more)),
        (f"bare tesseract: {processes} at a time against 1", _ratio(bare, bare_more)),
        ("time of the reader against bare tesseract, 1 process", _ratio(one, bare)),
        (f"time of the reader against bare tesseract, {processes}", _ratio(more, bare_more)),
    ]
    return [
        f"| {len(pictures)} pages, {arguments.repeats} repeats | pages a second, or ratio |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in rows),
    ]


def _ratio(upper: Sequence[float], lower: Sequence[float]) -> str:
    """Return the median of the ratios of the repeats, with the least and the most."""
    ratios = [above / below for above, below in zip(upper, lower, strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _read(data: bytes, processes: int) -> None:
    options = ReadOptions(engine="tesseract", processes=processes, max_pages=10_000)
    document = read_document(data, options)
    if document.warnings:
        raise SystemExit(f"Not every page was read: {document.warnings[0]}")


def _pictures(folder: Path, count: int) -> list[Image.Image]:
    paths = pictures(folder)[:count]
    if not paths:
        raise SystemExit(f"There is no picture in {folder}.")
    found = []
    for path in paths:
        with Image.open(path) as image:
            found.append(image.convert("L"))
    return found


def _tiff(pictures: Sequence[Image.Image]) -> bytes:
    stream = BytesIO()
    with TiffImagePlugin.AppendingTiffWriter(stream, True) as tiff:
        for picture in pictures:
            picture.save(tiff, "TIFF", compression="tiff_lzw")
            tiff.newFrame()
    return stream.getvalue()


def _rasters(pictures: Sequence[Image.Image], folder: Path) -> list[Path]:
    """Return the pictures as the reader gives them to Tesseract, as files."""
    paths = []
    for number, picture in enumerate(pictures):
        ready = prepare(picture, ReadOptions().max_pixels_per_page).image
        paths.append(folder / f"{number}.tif")
        write_tiff(ready, paths[-1])
    return paths


def _bare(rasters: Sequence[Path], at_a_time: int) -> None:
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}

    def recognise(raster: Path) -> None:
        command = [
            "tesseract",
            str(raster),
            "stdout",
            "-l",
            "eng",
            "--psm",
            "3",
            "--dpi",
            "300",
            "tsv",
        ]
        subprocess.run(command, env=environment, capture_output=True, check=True)

    with ThreadPoolExecutor(at_a_time) as pool:
        list(pool.map(recognise, rasters))
