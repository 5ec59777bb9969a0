"""Runs Tesseract on a page image and returns its words with places and confidences."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import NoReturn

import numpy as np
from PIL import Image

from models.geometry import clamped_box
from pipeline.document import Token
from pipeline.errors import CorruptDocument, DependencyMissing, InvalidOption
from pipeline.reading.engines.base import Raster, Recognised
from pipeline.reading.isolation import programs
from pipeline.reading.layout import clean_word
from pipeline.reading.options import AUTO_LANGUAGE

# Automatic segmentation with columns (--psm 3), for forms and receipts alike: one uniform block (6)
# finds 2 % more of the words but invents 4 % more, and would mix the columns of a page of text; one
# column (4) is no better, sparse text (11) behind.
_SEGMENTATION = 3
_MIN_SIDE = 8  # pixels; Tesseract refuses images of fewer, and no letter fits
_COLUMNS = 12  # of Tesseract's TSV
_WORD_LEVEL = "5"
_MISSING = re.compile("Failed loading language '([^']*)'")


class Tesseract:
    """The engine `tesseract`: the program of that name, one process a page."""

    # Of 41 receipts and forms .46 to .92 upright, at most .37 turned; 15 of 626 receipts have less.
    doubtful = 0.45

    def load(self) -> None:
        """Load nothing: the program loads its data page by page."""

    def recognise(self, raster: Raster, *, language: str, timeout_s: float) -> Recognised:
        """Return the words on an image, see `Engine`; Tesseract is ended when the time is over."""
        if min(raster.image.size) < _MIN_SIDE:
            return Recognised([])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.tif"
            write_tiff(raster.image, path)
            codes = "eng" if language == AUTO_LANGUAGE else language
            command = ["tesseract", str(path), "stdout", "-l", codes]
            command += ["--psm", str(_SEGMENTATION), "-c", "tessedit_create_tsv=1"]
            if raster.dpi:
                command += ["--dpi", str(raster.dpi)]
            done = programs.run(command, timeout_s=timeout_s, doing="Recognising a page")
        if missing := _MISSING.search(done.messages):  # of several, it goes on without those
            _refuse(missing[1], named=language != AUTO_LANGUAGE)
        if done.status:
            raise CorruptDocument("Tesseract cannot read the image of the page.")
        return Recognised(_tokens(done.output.decode(errors="replace"), raster.image.size))


def _refuse(code: str, *, named: bool) -> NoReturn:
    """Raise why a language cannot be read: whoever named it may name another."""
    detail = f"Tesseract has no data for the language {code!r}."
    install = f"install its package, such as tesseract-ocr-{code}"
    if named:
        raise InvalidOption(detail, advice=f"Choose another language, or {install}.")
    raise DependencyMissing(detail, advice=f"{install.capitalize()}.")


def write_tiff(image: Image.Image, path: Path) -> None:
    """Write a picture as Tesseract opens it fastest: without compression.

    Not as PGM: Tesseract reads that pixel by pixel, half its time for an empty page at 300 dpi.
    """
    plain = Image.fromarray(np.asarray(image))  # without what the file it is from said of itself
    plain.save(path, format="TIFF", compression="raw")


def _tokens(table: str, size: tuple[int, int]) -> list[Token]:
    """Return the words of Tesseract's TSV; lines are numbered within their block, from 0.

    Args:
        table: what Tesseract wrote.
        size: width and height of the picture in pixels, the unit of its places.
    """
    across, down = size
    tokens = []
    lines: dict[tuple[str, str, str], int] = {}
    for row in table.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) != _COLUMNS or cells[0] != _WORD_LEVEL:
            continue
        text = clean_word(cells[11])
        if not text:
            continue
        left, top, width, height = map(int, cells[6:10])
        block, paragraph, line = cells[2:5]
        tokens.append(
            Token(
                text,
                clamped_box(
                    left / across,
                    top / down,
                    (left + width) / across,
                    (top + height) / down,
                ),
                min(max(float(cells[10]) / 100, 0.0), 1.0),
                lines.setdefault((block, paragraph, line), len(lines)),
                int(block) - 1,
            )
        )
    return tokens
