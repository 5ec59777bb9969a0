"""Text layers: speed and words beside pdfplumber, and which pages are sent to OCR.

* layers: the words of each page, by the product and by pdfplumber's `extract_words`, in turns page
  by page in this process; pages a second of the processor, and the rival's words found again with
  the same text in a box of IoU over .8. The whole layer (words seen, verdict, lines, reading order)
  is timed too.
* trust: pages whose text layer is not used, by folder and reason.
"""

from __future__ import annotations

import logging
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pdfplumber

from benchmarks.machine import Row
from models.geometry import Box, clamped_box, intersection_over_union
from pipeline.errors import DocumentError
from pipeline.reading.layout import clean_word
from pipeline.reading.sources import pdfium
from pipeline.reading.text_layer.characters import frame_of, read_characters
from pipeline.reading.text_layer.layer import read_layer
from pipeline.reading.text_layer.words import Words, words_of

_MIN_OVERLAP = 0.8
_LETTER_GAP = 0.15  # of the font size; pdfplumber's own default is 3 points for any size
T = TypeVar("T")


@dataclass
class _Tally:
    """What the comparison adds up."""

    ours: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    words: int = 0
    found: int = 0
    sideways: int = 0


def compare(folder: Path, every: int) -> list[Row]:
    """Return the rows on the words of all pages of a folder's PDFs."""
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    tally = _Tally()
    for path in _pdfs(folder)[::every]:
        pdf = pdfium.open_pdf(path)
        with pdfplumber.open(path) as rival:
            for number, page in enumerate(rival.pages, 1):
                _compare_page(pdf, number, page, tally)
                page.close()
        pdf.close()
    return [
        ("pages", f"{len(tally.ours)}"),
        ("words, pages a second", f"{len(tally.ours) / sum(tally.ours):.0f}"),
        ("words, median milliseconds a page", f"{1000 * statistics.median(tally.ours):.1f}"),
        ("whole layer, pages a second", f"{len(tally.whole) / sum(tally.whole):.0f}"),
        ("whole layer, median milliseconds a page", f"{1000 * statistics.median(tally.whole):.1f}"),
        ("pdfplumber, pages a second", f"{len(tally.theirs) / sum(tally.theirs):.1f}"),
        ("pdfplumber, median milliseconds", f"{1000 * statistics.median(tally.theirs):.1f}"),
        ("words, times pdfplumber (of the medians)", _times(tally.theirs, tally.ours)),
        ("whole layer, times pdfplumber (of the medians)", _times(tally.theirs, tally.whole)),
        ("pdfplumber's words", f"{tally.words:,} ({tally.sideways:,} sideways, read backwards)"),
        ("found, same text, IoU over .8", f"{tally.found / max(tally.words, 1):.2%}"),
    ]  # fmt: skip


def _times(theirs: Sequence[float], ours: Sequence[float]) -> str:
    medians = statistics.median(theirs) / statistics.median(ours)
    return f"{sum(theirs) / sum(ours):.1f} ({medians:.1f})"


def _compare_page(pdf: Any, number: int, rival: Any, tally: _Tally) -> None:
    def ours() -> tuple[Words, tuple[float, float]]:
        page = pdf[number - 1]
        frame = frame_of(page)
        words = words_of(read_characters(page, frame))
        page.close()
        return words, frame.size

    def whole() -> None:
        page = pdfium.load_page(pdf, number)
        read_layer(page)
        page.close()

    (words, size), seconds = _timed(ours)
    tally.ours.append(seconds)
    expected, seconds = _timed(lambda: rival.extract_words(x_tolerance_ratio=_LETTER_GAP))
    tally.theirs.append(seconds)
    tally.whole.append(_timed(whole)[1])
    boxes: defaultdict[str, list[Box]] = defaultdict(list)
    for text, (x0, top, x1, bottom) in zip(words.texts, words.boxes.tolist(), strict=True):
        boxes[clean_word(text)].append(_fractions(x0, top, x1, bottom, size))
    left, upper = rival.bbox[:2]
    for word in expected:
        # pdfplumber reads text that runs up the page from its end.
        text = clean_word(word["text"] if word["upright"] else word["text"][::-1])
        x0, x1 = word["x0"] - left, word["x1"] - left
        place = _fractions(x0, word["top"] - upper, x1, word["bottom"] - upper, size)
        if not text or place.width * place.height == 0:  # nothing to see, or outside the page
            continue
        tally.words += 1
        tally.sideways += not word["upright"]
        tally.found += any(
            intersection_over_union(place, box) > _MIN_OVERLAP
            for candidate in {text, clean_word(word["text"])}
            for box in boxes.get(candidate, ())
        )


def _fractions(x0: float, top: float, x1: float, bottom: float, size: tuple[float, float]) -> Box:
    width, height = size
    return clamped_box(x0 / width, top / height, x1 / width, bottom / height)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def judged(folders: list[Path]) -> list[Row]:
    """Return the rows on the pages whose text layer is not used."""
    rows = []
    for folder in folders:
        verdicts = Counter(_verdicts(folder))
        pages = verdicts.total()
        refused = pages - verdicts[""]
        rows.append((f"{folder}: pages", f"{pages}"))
        rows.append((f"{folder}: to OCR", f"{refused} ({refused / max(pages, 1):.2%})"))
        rows += [
            (f"{folder}: {reason}", f"{count}")
            for reason, count in verdicts.most_common()
            if reason
        ]
    return rows


def _verdicts(folder: Path) -> Iterator[str]:
    """Yield for each page why its text layer is not used, empty where it is."""
    for path in _pdfs(folder):
        try:
            pdf = pdfium.open_pdf(path)
        except DocumentError as error:
            yield error.code
            continue
        for number in range(1, len(pdf) + 1):
            page = pdfium.load_page(pdf, number)
            verdict = read_layer(page).verdict
            page.close()
            yield "" if verdict.trusted else verdict.reason
        pdf.close()


def _pdfs(folder: Path) -> list[Path]:
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".pdf")
    if not paths:
        raise SystemExit(f"{folder} holds no PDF")
    return paths
