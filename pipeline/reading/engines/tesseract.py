"""Runs Tesseract on a page image and returns its words with places and confidences."""

from __future__ import annotations

import os

import pytesseract

from models.geometry import clamped_box
from pipeline.document import Token
from pipeline.errors import CorruptDocument, DependencyMissing, ReadingTimeout
from pipeline.reading.engines.base import Raster
from pipeline.reading.layout import clean_word

# The child gets what it needs to run and nothing else of the parent's environment.
_PASSED_ON = ("PATH", "TESSDATA_PREFIX", "LD_LIBRARY_PATH", "TMPDIR", "HOME")
# Automatic segmentation with columns (--psm 3), for forms and receipts alike: one uniform block (6)
# finds 2 % more of the words but invents 4 % more, and would mix the columns of a page of text; one
# column (4) is no better, sparse text (11) behind.
_SEGMENTATION = 3
_MIN_SIDE = 8  # pixels; Tesseract refuses images of fewer, and no letter fits
_COLUMNS = 12  # of Tesseract's TSV
_WORD_LEVEL = "5"


class Tesseract:
    """The engine `tesseract`: the program of that name, one process a page."""

    # Of 41 receipts and forms .46 to .92 upright, at most .37 turned; 15 of 626 receipts have less.
    doubtful = 0.45

    def load(self) -> None:
        """Ask for the program's version, as pytesseract does once a process before its first page.

        Raises:
            DependencyMissing: it is not installed.
        """
        try:
            pytesseract.get_tesseract_version(cached=True)
        except pytesseract.TesseractNotFoundError as error:
            raise DependencyMissing("The program tesseract is not installed.") from error

    def recognise(self, raster: Raster, *, language: str, timeout_s: float) -> list[Token]:
        """Return the words on an image, see `Engine`; Tesseract is ended when the time is over."""
        if min(raster.width, raster.height) < _MIN_SIDE:
            return []
        config = f"--psm {_SEGMENTATION}"
        if raster.dpi:
            config += f" --dpi {raster.dpi}"
        # pytesseract hands its module's `environ` to the child; setting the limit in our own
        # environment instead would also bind the numerical libraries of this process.
        pytesseract.pytesseract.environ = {
            **{name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            "OMP_THREAD_LIMIT": "1",
        }
        try:
            table = pytesseract.image_to_data(
                str(raster.path), lang=language, config=config, timeout=timeout_s
            )
        except pytesseract.TesseractNotFoundError as error:
            raise DependencyMissing("The program tesseract is not installed.") from error
        except pytesseract.TesseractError as error:
            if "language" in error.message or "tessdata" in error.message:
                raise DependencyMissing(
                    f"Tesseract has no data for the language {language!r}.",
                    advice="Install its package, such as tesseract-ocr-deu for deu.",
                ) from error
            raise CorruptDocument("Tesseract cannot read the image of the page.") from error
        except RuntimeError as error:  # how pytesseract tells that the time is over
            raise ReadingTimeout(
                f"Recognising a page took longer than {timeout_s:g} seconds."
            ) from error
        return _tokens(table, raster)


def _tokens(table: str, raster: Raster) -> list[Token]:
    """Return the words of Tesseract's TSV; lines are numbered within their block, from 0."""
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
                    left / raster.width,
                    top / raster.height,
                    (left + width) / raster.width,
                    (top + height) / raster.height,
                ),
                min(max(float(cells[10]) / 100, 0.0), 1.0),
                lines.setdefault((block, paragraph, line), len(lines)),
                int(block) - 1,
            )
        )
    return tokens
