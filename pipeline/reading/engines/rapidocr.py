"""The engine `rapidocr`: PP-OCR's networks, which come inside the package of that name.

Only its models are used: detection of lines, then recognition of each line. The code around them
is ours, so that every letter has its place, the time limit is checked between any two lines, and
nothing installs log handlers or downloads files.
"""

from __future__ import annotations

import importlib.util
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from models.geometry import clamped_box
from pipeline.document import Token
from pipeline.errors import DependencyMissing, InvalidOption, ReadingTimeout
from pipeline.reading.engines.base import Raster, Recognised
from pipeline.reading.layout import clean_word, with_blocks
from pipeline.reading.options import AUTO_LANGUAGE

try:
    from pipeline.reading.engines.text_lines import (
        Letter,
        Line,
        LineFinder,
        LineReader,
        Picture,
        Quad,
        Script,
        cut_out,
        inked_columns,
        is_plain,
    )
    from pipeline.reading.engines.word_places import words_of
except ImportError as error:
    raise DependencyMissing(
        "The engine rapidocr is not installed.",
        advice="Run `make setup`, or pip install onnxruntime and opencv-python-headless; or use "
        "--engine tesseract.",
    ) from error

_DETECTION = "PP-OCRv6_det_small.onnx"
_RECOGNITION = "PP-OCRv6_rec_small.onnx"
_MIN_SIDE = 8  # pixels; no letter fits into fewer
_MIN_SCORE = 0.3  # mean of a line's letters; less is not text, or is upside down
_TALL = 1.5  # height over width from which a line may run up the page
# Languages in Latin letters, all of which the network knows; of the others it knows these.
# fmt: off
_LATIN = frozenset({
    "afr", "bre", "cat", "ceb", "ces", "cos", "cym", "dan", "deu", "eng", "epo", "est", "eus",
    "fao", "fil", "fin", "fra", "fry", "gla", "gle", "glg", "hat", "hrv", "hun", "ind", "isl",
    "ita", "jav", "lat", "lav", "lit", "ltz", "mlt", "mri", "msa", "nld", "nor", "oci", "pol",
    "por", "que", "ron", "slk", "slv", "spa", "sqi", "srp_latn", "sun", "swa", "swe", "tgl", "ton",
    "tur", "uzb",
})
# fmt: on
# A page keeps its accents where one word with an accent is read as surely as this, or several as
# surely as that. Dirt: 6 of 57 English receipts and forms, one word or two each, none above .995.
# Accents: 24 of 34 invoices, all kept.
_SURE_ACCENT, _LIKELY_ACCENT, _LIKELY_ACCENTS = 0.998, 0.9, 3
_PLAIN = frozenset({"eng", "fil", "ind", "jav", "msa", "sun", "swa", "tgl"})
_EAST_ASIAN = frozenset({"chi_sim", "chi_tra", "jpn"})
_EAST_ASIAN_LETTER = re.compile("[\u3040-\u30ff\u3400-\u9fff]")  # kana, ideographs
# Where no language is named, a line of which so much cannot be read in Latin letters is read in all
# that the network knows; this many East Asian letters of this mean confidence are no dirt.
_UNREAD, _LETTERS, _SURE_LETTERS = 0.2, 2, 0.9
# A letter was read where the network is as sure as this, in the print within so many heights of
# the line about its middle.
_LEGIBLE, _AROUND = 0.5, 0.6
# Of the width of a word, and of the height of the higher of two, that they share at one place: what
# is stamped over print, or written, is of another size.
_SHARED = 0.5


class RapidOcr:
    """PP-OCR's detection and recognition on one thread of the processor.

    Raises:
        DependencyMissing: the package or its models are not installed.
    """

    doubtful = 0.85  # of 47 receipts and forms .93 to 1 upright, at most .77 upside down

    def __init__(self) -> None:
        package = importlib.util.find_spec("rapidocr")
        folder = Path(package.origin or "").parent / "models" if package else Path()
        self._detection, self._recognition = folder / _DETECTION, folder / _RECOGNITION
        if not (self._detection.is_file() and self._recognition.is_file()):
            raise DependencyMissing(
                "The models of the engine rapidocr are not installed.",
                advice="Run `make setup`, or pip install the pinned version of rapidocr; or use "
                "--engine tesseract.",
            )

    @cached_property
    def _finder(self) -> LineFinder:
        return LineFinder(self._detection)

    @cached_property
    def _reader(self) -> LineReader:
        return LineReader(self._recognition)

    def load(self) -> None:
        """Load the models now rather than with the first page; starts no thread."""
        assert self._finder
        assert self._reader

    def recognise(self, raster: Raster, *, language: str, timeout_s: float) -> Recognised:
        """Return the words on an image, see `Engine`.

        The time is checked before each line, so a page ends at most one step late: the detection
        takes a third of a second (for each band of a strip), a line some hundredths.
        """
        end = time.monotonic() + timeout_s
        scripts = _scripts(language)
        if min(raster.image.size) < _MIN_SIDE:
            return Recognised([])
        picture = np.asarray(raster.image)
        lines: list[_ReadLine] = []
        for number, quad in enumerate(self._finder.find(picture, raster.letters)):
            if time.monotonic() >= end:
                limit = round(timeout_s, 1)
                raise ReadingTimeout(f"Recognising a page took longer than {limit:g} seconds.")
            lines.append(self._line(picture, quad, number, scripts))
        accents = _has_accents([word for line in lines for word in line.words[-1]])
        words = _once([word for line in lines for word in line.words[-1 if accents else 0]])
        illegible = sum(line.unread for line in lines) / max(1.0, sum(line.ink for line in lines))
        return Recognised(with_blocks(words, raster.image.height / raster.image.width), illegible)

    def _line(
        self, picture: Picture, quad: Quad, number: int, scripts: Sequence[Script]
    ) -> _ReadLine:
        """Return a line as read in each script; without words where it is no text."""
        line = cut_out(picture, quad)
        readings = self._reader.read(line.picture, scripts)
        if quad.height >= _TALL * quad.width:
            # A single letter, or a line that runs up or down: the letters know which.
            for turned in (quad.turned(1), quad.turned(3)):
                other = cut_out(picture, turned)
                read = self._reader.read(other.picture, scripts)
                if _weight(read[0]) > _weight(readings[0]):
                    quad, line, readings = turned, other, read
        ink, unread = _print(line, readings[-1])
        if len(scripts) > 1 and unread > _UNREAD * ink:
            letters = self._reader.read(line.picture, ("any",))[0]
            if _are_east_asian(letters):
                readings = [letters] * len(scripts)
                unread = _print(line, letters)[1]
        words = [list(_words(picture, quad, line, readings[0], number))]
        for letters in readings[1:]:
            alike = letters == readings[0]
            words.append(words[0] if alike else list(_words(picture, quad, line, letters, number)))
        return _ReadLine(words, ink, unread)


@dataclass(frozen=True, slots=True)
class _ReadLine:
    """A line of a page as read.

    Attributes:
        words: once for each script.
        ink: how much print it has: the inked part of its width, in heights of the line.
        unread: how much of that holds no letter that was read.
    """

    words: list[list[Token]]
    ink: float
    unread: float


def _print(line: Line, letters: Sequence[Letter]) -> tuple[float, float]:
    """Return how much print a line has, and how much of it was not read, see `_ReadLine`."""
    inked = np.array(inked_columns(line.picture))
    height = len(line.picture)
    unread = inked.copy()
    if _score(letters) >= _MIN_SCORE:
        for letter in letters:
            if letter.confidence >= _LEGIBLE and not letter.text.isspace():
                middle = letter.middle * len(inked)
                start, end = middle - _AROUND * height, middle + _AROUND * height
                unread[max(0, int(start)) : int(end) + 1] = False
    return float(inked.sum()) / height, float(unread.sum()) / height


def _are_east_asian(letters: Sequence[Letter]) -> bool:
    """Tell whether letters hold several that are surely East Asian."""
    sure = [letter.confidence for letter in letters if _EAST_ASIAN_LETTER.match(letter.text)]
    return len(sure) >= _LETTERS and sum(sure) >= _SURE_LETTERS * len(sure)


def _words(
    picture: Picture, quad: Quad, line: Line, letters: Sequence[Letter], number: int
) -> Iterator[Token]:
    """Yield the words that the letters of a line make; none where they are too unsure."""
    if _score(letters) < _MIN_SCORE:
        return
    height, width = picture.shape
    for word in words_of(line, letters):
        if text := clean_word(word.text):
            x0, top, x1, bottom = quad.around(word.place)
            box = clamped_box(x0 / width, top / height, x1 / width, bottom / height)
            yield Token(text, box, word.confidence, number)


def _once(words: Sequence[Token]) -> list[Token]:
    """Return the words of a page without beginnings and ends of others that were read again.

    Where a line is found in two parts their pictures overlap, and what ends the one may be read
    with the other, too: a letter that is cut off even as another letter.
    """
    x0, top, x1, bottom = np.array([word.box.as_list() for word in words]).reshape(-1, 4).T
    width, height = x1 - x0, bottom - top
    once = []
    for at, word in enumerate(words):
        across = np.minimum(x1, x1[at]) - np.maximum(x0, x0[at])
        down = np.minimum(bottom, bottom[at]) - np.maximum(top, top[at])
        there = across > _SHARED * width[at]
        there &= down > _SHARED * np.maximum(height, height[at])
        if not any(_repeats(word, words[other]) for other in np.flatnonzero(there).tolist()):
            once.append(word)
    return once


def _repeats(word: Token, other: Token) -> bool:
    """Tell whether a word is a part of a longer, or surer, one of another line in its place."""
    return (
        word.line != other.line
        and (len(word.text), word.confidence) < (len(other.text), other.confidence)
        and (
            len(word.text) == 1
            or other.text.startswith(word.text)
            or other.text.endswith(word.text)
        )
    )


def _has_accents(tokens: Sequence[Token]) -> bool:
    """Tell whether a page read with accents is in a language that has them."""
    accented = {
        token.text: token.confidence
        for token in tokens
        if any(letter.isalpha() and not is_plain(letter) for letter in token.text)
    }
    likely = sum(confidence >= _LIKELY_ACCENT for confidence in accented.values())
    return likely >= _LIKELY_ACCENTS or max(accented.values(), default=0.0) >= _SURE_ACCENT


def _scripts(language: str) -> tuple[Script, ...]:
    """Return which letters the languages are written in; of two the page decides.

    Raises:
        InvalidOption: the network does not know the letters of one of them.
    """
    if language == AUTO_LANGUAGE:
        return "plain", "latin"
    codes = set(language.split("+"))
    if unknown := sorted(codes - _LATIN - _EAST_ASIAN):
        raise InvalidOption(
            f"The engine rapidocr does not read the language {unknown[0]!r}.",
            advice="Choose another language, or the engine tesseract with the data of that one.",
        )
    return ("plain" if codes <= _PLAIN else "latin" if codes <= _LATIN else "any",)


def _score(letters: Sequence[Letter]) -> float:
    return sum(letter.confidence for letter in letters) / len(letters) if letters else 0.0


def _weight(letters: Sequence[Letter]) -> float:
    """Return how much was read: letters, each as much as it is trusted beyond a guess."""
    return sum(letter.confidence - 0.5 for letter in letters)
