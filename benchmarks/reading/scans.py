"""Recognition of scans: words, characters, time and fields of each way to read them.

For each way, over each n-th document of a dataset folder that has gold transcriptions:

* words found (recall) and words that are right (precision): text equal, case and punctuation left
  out, boxes of IoU over .5, each word once. Gold lines are cut into words by their characters.
* characters: edits from each gold line to the words read in it, and the characters of words that
  stand in no line, over the gold characters; letters and digits only, case left out.
* seconds a document, in this process, the ways in turns document by document.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import torch
from PIL import Image
from rapidfuzz.distance import Levenshtein

from models.geometry import Box, intersection_over_union
from pipeline.document import Page, Token
from pipeline.reading.engines.base import Raster
from pipeline.reading.engines.lookup import engine_named
from pipeline.reading.layout import order_tokens
from pipeline.reading.options import EngineName, ReadOptions
from pipeline.reading.scans import read_scan
from training.data import gold_document, load_dataset

_OVERLAP = 0.5
_MARGIN = 0.01  # of the page's width by which words may stand beyond the ends of their line
_LIMIT_S = 600.0


@dataclass(frozen=True, slots=True)
class Way:
    """A way to read a picture.

    Attributes:
        name: in the table.
        engine: which engine.
        dpi: what it is told of the resolution.
        prepared: turned, levelled and scaled before, as in the product.
    """

    name: str
    engine: EngineName
    dpi: int | None = 300
    prepared: bool = False

    def read(self, picture: Path) -> Page:
        """Return a picture as read."""
        with Image.open(picture) as image:
            grey = image.convert("L")
        raster = Raster(grey, self.dpi)
        if self.prepared:
            options = ReadOptions(engine=self.engine, page_timeout_s=_LIMIT_S)
            return read_scan(raster, 1, *grey.size, options, reason="benchmark")
        engine = engine_named(self.engine)
        words = engine.recognise(raster, language="eng", timeout_s=_LIMIT_S).words
        tokens = order_tokens(words, grey.height / grey.width)
        return Page(1, *grey.size, 0, "ocr", "benchmark", tokens)


WAYS = (
    Way("tesseract, no options", "tesseract", dpi=None),
    Way("tesseract", "tesseract"),
    Way("tesseract, prepared", "tesseract", prepared=True),
    Way("rapidocr", "rapidocr"),
    Way("rapidocr, prepared", "rapidocr", prepared=True),
)


@dataclass(slots=True)
class Tally:
    """What a way has read so far.

    Attributes:
        gold: gold words.
        read: words read.
        right: words read that are gold words in place.
        edits: edits of characters.
        characters: gold characters.
        seconds: of each document.
    """

    gold: int = 0
    read: int = 0
    right: int = 0
    edits: int = 0
    characters: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, page: Page, gold: Page) -> None:
        """Count a page."""
        known = [token for token in gold.tokens if plain(token.text)]
        words = [token for token in page.tokens if plain(token.text)]
        self.gold += len(known)
        self.read += len(words)
        self.right += matches(words, known)
        edits, characters = misread(words, known)
        self.edits += edits
        self.characters += characters


def plain(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return "".join(filter(str.isalnum, text.lower()))


def matches(words: Sequence[Token], gold: Sequence[Token]) -> int:
    """Return how many words are gold words: same text, boxes that overlap, best pairs first."""
    pairs = sorted(
        (
            (overlap, a, b)
            for a, word in enumerate(words)
            for b, known in enumerate(gold)
            if plain(word.text) == plain(known.text)
            and (overlap := intersection_over_union(word.box, known.box)) > _OVERLAP
        ),
        reverse=True,
    )
    taken: set[int] = set()
    found: set[int] = set()
    for _, a, b in pairs:
        if a not in taken and b not in found:
            taken.add(a)
            found.add(b)
    return len(found)


def misread(words: Sequence[Token], gold: Sequence[Token]) -> tuple[int, int]:
    """Return edits and gold characters of a page; a word counts for the line that holds it."""
    # The words of a transcribed line share their upper and lower edge.
    found = (list(line) for _, line in groupby(gold, lambda one: (one.box.top, one.box.bottom)))
    lines = [
        (Box(line[0].box.x0, line[0].box.top, line[-1].box.x1, line[0].box.bottom), line)
        for line in found
    ]
    held: list[list[Token]] = [[] for _ in lines]
    edits = 0
    for word in words:
        x, y = (word.box.x0 + word.box.x1) / 2, (word.box.top + word.box.bottom) / 2
        near = [
            (abs((box.top + box.bottom) / 2 - y), number)
            for number, (box, _) in enumerate(lines)
            if box.x0 - _MARGIN <= x <= box.x1 + _MARGIN and box.top <= y <= box.bottom
        ]
        if near:
            held[min(near)[1]].append(word)
        else:
            edits += len(plain(word.text))
    characters = 0
    for (_, known), read in zip(lines, held, strict=True):
        wanted = plain("".join(token.text for token in known))
        read.sort(key=lambda token: token.box.x0)
        edits += Levenshtein.distance(wanted, plain("".join(token.text for token in read)))
        characters += len(wanted)
    return edits, characters


def compare(folder: Path, every: int) -> list[str]:
    """Return the table, as lines of Markdown, over every n-th document of a dataset."""
    torch.set_num_threads(1)
    sample = [row for row in load_dataset(folder).rows[::every] if row.ocr]
    tallies = {way: Tally() for way in WAYS}
    for way in WAYS:
        way.read(sample[0].document)  # what is slow once only is not measured
    for row in sample:
        (gold,) = gold_document(row).pages
        for way, tally in tallies.items():
            started = time.perf_counter()
            page = way.read(row.document)
            tally.seconds.append(time.perf_counter() - started)
            tally.add(page, gold)
    lines = [
        f"| {len(sample)} documents | recall | precision | character errors | median s |",
        "|---|---|---|---|---|",
    ]
    for way, tally in tallies.items():
        lines.append(
            f"| {way.name} | {tally.right / tally.gold:.3f} | {tally.right / tally.read:.3f} "
            f"| {tally.edits / tally.characters:.3f} | {statistics.median(tally.seconds):.2f} |"
        )
    return lines
