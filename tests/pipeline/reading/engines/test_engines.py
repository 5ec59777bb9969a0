"""The recognition engines, on pictures drawn here: words, places, languages, limits, weights."""

from __future__ import annotations

import importlib.util
import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import get_args

import matplotlib
import numpy as np
import pytest
import reportlab
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from pipeline.document import Token
from pipeline.errors import CorruptDocument, DependencyMissing, InvalidOption, ReadingTimeout
from pipeline.reading.engines import text_lines
from pipeline.reading.engines.base import Engine, Raster
from pipeline.reading.engines.lookup import engine_named
from pipeline.reading.engines.onnx_model import without_subnormals
from pipeline.reading.engines.rapidocr import RapidOcr
from pipeline.reading.engines.text_lines import Letter, Line
from pipeline.reading.engines.word_places import words_of
from pipeline.reading.isolation import programs
from pipeline.reading.layout import order_tokens
from pipeline.reading.options import EngineName
from tests.builders import make_receipt, receipt_image

ROOT = Path(__file__).resolve().parents[4]
RECEIPT = make_receipt(11)
FONT = ImageFont.truetype(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf", 28)
CYRILLIC_AND_GREEK = ImageFont.truetype(
    Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", 28
)


@pytest.fixture(params=get_args(EngineName))
def engine(request: pytest.FixtureRequest) -> Engine:
    return engine_named(request.param)


@pytest.fixture
def rapidocr() -> Engine:
    return engine_named("rapidocr")


def raster(image: Image.Image) -> Raster:
    return Raster(image.convert("L"), 300)


def page_with(*texts: tuple[float, float, str], size: tuple[int, int] = (800, 400)) -> Image.Image:
    """Return a white page with texts at x and y."""
    page = Image.new("L", size, "white")
    for x, y, text in texts:
        ImageDraw.Draw(page).text((x, y), text, "black", FONT)
    return page


def read(engine: Engine, image: Image.Image, language: str = "eng") -> list[Token]:
    read = engine.recognise(raster(image), language=language, timeout_s=60)
    return list(order_tokens(read.words, image.height / image.width))


@pytest.mark.ocr
def test_words_are_read_where_they_stand(engine: Engine) -> None:
    image = receipt_image(RECEIPT)
    tokens = read(engine, image)
    assert [token.text for token in tokens] == RECEIPT.words
    ink = np.asarray(image) < 128
    found = np.zeros_like(ink)
    for token in tokens:
        left, right = round(token.box.x0 * image.width), round(token.box.x1 * image.width)
        top, bottom = round(token.box.top * image.height), round(token.box.bottom * image.height)
        found[top:bottom, left:right] = True
        # The letters fill their box from side to side.
        assert ink[top:bottom, left : left + 9].any()
        assert ink[top:bottom, right - 9 : right].any()
    assert (ink & found).sum() > 0.98 * ink.sum()
    assert all(token.confidence > engine.doubtful for token in tokens)


@pytest.mark.ocr
def test_a_page_of_large_letters_is_searched_for_lines_on_a_smaller_picture(
    rapidocr: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = receipt_image(RECEIPT)
    image = image.resize((3 * image.width, 3 * image.height)).convert("L")
    searched: list[int] = []

    def as_input(picture: np.ndarray) -> np.ndarray:
        searched.append(picture.size)
        return real(picture)

    real = text_lines._as_input
    monkeypatch.setattr(text_lines, "_as_input", as_input)
    sizes = []
    for letters in (0.0, 45.0):
        searched.clear()
        told = Raster(image, 300, letters)
        words = rapidocr.recognise(told, language="eng", timeout_s=60).words
        tokens = order_tokens(words, image.height / image.width)
        assert [token.text for token in tokens] == RECEIPT.words
        sizes.append(searched[0])
    assert sizes[1] < 0.8 * sizes[0]


@pytest.mark.ocr
@pytest.mark.parametrize("size", [(600, 13_000), (4_000, 3_100)])
def test_small_letters_on_a_strip_or_sheet_are_all_found(
    rapidocr: Engine, size: tuple[int, int]
) -> None:
    """As a whole such a page is searched at a size at which they are specks."""
    page = Image.new("L", size, "white")
    places = [(x, y) for y in range(9, size[1] - 30, 243) for x in range(20, size[0] - 300, 900)]
    for x, y in places:
        ImageDraw.Draw(page).text((x, y), f"Item {y} Tea", "black", FONT.font_variant(size=13))
    found = list(rapidocr._finder.find(np.asarray(page), 11.0))
    middles = [tuple(quad.corners.mean(axis=0).tolist()) for quad in found]
    assert len(middles) == len(places)
    for x, y in places:
        assert any(x < across < x + 150 and y < down < y + 20 for across, down in middles)


@pytest.mark.ocr
def test_nothing_is_read_where_nothing_is(engine: Engine) -> None:
    assert read(engine, page_with()) == []
    assert read(engine, page_with(size=(5, 400))) == []


@pytest.mark.ocr
def test_time_that_is_over(engine: Engine) -> None:
    with pytest.raises(ReadingTimeout):
        engine.recognise(raster(receipt_image(RECEIPT)), language="eng", timeout_s=1e-6)


@pytest.mark.ocr
def test_a_picture_that_tesseract_refuses() -> None:
    wide = Image.new("L", (40_000, 20), "white")
    with pytest.raises(CorruptDocument):
        engine_named("tesseract").recognise(raster(wide), language="eng", timeout_s=60)


@pytest.mark.ocr
def test_an_engine_is_loaded_once() -> None:
    for name in get_args(EngineName):
        assert engine_named(name) is engine_named(name)


@pytest.mark.ocr
def test_columns_of_text_are_blocks(rapidocr: Engine) -> None:
    left = [f"The left side has line number {number}" for number in range(5)]
    right = [f"And the right side its line {number}" for number in range(5)]
    texts = [(40.0, 40.0 + 38 * n, line) for n, line in enumerate(left)]
    texts += [(760.0, 40.0 + 38 * n, line) for n, line in enumerate(right)]
    tokens = read(rapidocr, page_with(*texts, size=(1400, 600)))
    assert " ".join(token.text for token in tokens) == " ".join(left + right)


@pytest.mark.ocr
def test_letters_between_two_parts_of_a_line_are_read_once(rapidocr: Engine) -> None:
    """Lines with wide spaces are found in parts that overlap: 8 was read again, as 8 or as 3."""
    lines = [
        [(20, "Qty"), (111, "3"), (160, "x"), (200, "4.50"), (300, "13.50")],
        [(20, "Qty"), (88, "3"), (126, "x"), (164, "4.50"), (253, "13.50")],
        [(20, "LEBUH"), (135, "BANDAR"), (276, "UTAMA")],
        [(20, "12/03/2018"), (201, "11:58:00")],
        [(20, "Facture"), (151, "56.00"), (248, "DH")],
        [(20, "TOTAL"), (124, ":"), (170, "56.00"), (288, "DH")],
        [(20, "12/03/2018"), (219, "11:58:00")],
    ]
    places = [(x, 15 + 54 * row, text) for row, line in enumerate(lines) for x, text in line]
    found = [word.text for word in read(rapidocr, page_with(*places))]
    assert found == [text for _, _, text in places]


@pytest.mark.ocr
def test_a_very_long_line_is_read_to_its_end(rapidocr: Engine) -> None:
    words = [f"column {number}" for number in range(60)]
    page = page_with((20, 20, " ".join(words)), size=(9800, 80))
    tokens = read(rapidocr, page)
    assert " ".join(token.text for token in tokens) == " ".join(words)
    assert all(a.box.x1 < b.box.x0 for a, b in pairwise(tokens))


@pytest.mark.ocr
@pytest.mark.parametrize("digit", list("1247"))
def test_a_single_letter_is_not_taken_for_a_line_on_its_side(rapidocr: Engine, digit: str) -> None:
    page = page_with((60, 100, "Quantity"), (400, 100, digit), (600, 100, "pieces"))
    assert [token.text for token in read(rapidocr, page)] == ["Quantity", digit, "pieces"]


@pytest.mark.ocr
@pytest.mark.parametrize("turn", [Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_270])
def test_a_line_that_runs_up_or_down(rapidocr: Engine, turn: Image.Transpose) -> None:
    page = page_with((60, 60, "Most of the page"), (60, 120, "stands upright"), size=(800, 800))
    page.paste(page_with((20, 20, "Copy Nr. 41"), size=(300, 80)).transpose(turn), (700, 100))
    tokens = rapidocr.recognise(raster(page), language="eng", timeout_s=60).words
    side = [token for token in tokens if token.box.x0 > 0.8]
    assert {token.text for token in side} == {"Copy", "Nr.", "41"}
    down = turn == Image.Transpose.ROTATE_270
    side.sort(key=lambda token: token.box.top if down else -token.box.top)
    assert [token.text for token in side] == ["Copy", "Nr.", "41"]


@pytest.mark.ocr
def test_a_language_decides_on_the_letters(rapidocr: Engine) -> None:
    page = page_with((60, 100, "Größe über fünf"), (60, 200, "Straße"))
    german = [token.text for token in read(rapidocr, page, "deu")]
    assert german == ["Größe", "über", "fünf", "Straße"]
    english = read(rapidocr, page, "eng")
    assert all(token.text.isascii() for token in english)
    assert len(english) == 4


@pytest.mark.ocr
@pytest.mark.parametrize("word", ["Größe", "señor", "français", "kwartał", "été"])
def test_a_page_keeps_its_accents_unless_they_are_dirt(rapidocr: Engine, word: str) -> None:
    page = page_with((60, 100, "Total"), (60, 200, word))
    assert [token.text for token in read(rapidocr, page, "auto")] == ["Total", word]
    blurred = page_with((60, 100, "Total"), (60, 200, "amount")).resize((400, 200))
    assert all(token.text.isascii() for token in read(rapidocr, blurred, "auto"))


IDEOGRAPHS = {  # strokes from x, y to x, y in a square of 4 by 4; no font with them is installed
    "田": [(0, 0, 4, 0), (0, 4, 4, 4), (0, 0, 0, 4), (4, 0, 4, 4), (2, 0, 2, 4), (0, 2, 4, 2)],
    "中": [(0, 1, 4, 1), (0, 3, 4, 3), (0, 1, 0, 3), (4, 1, 4, 3), (2, 0, 2, 4)],
    "王": [(0, 0, 4, 0), (0.5, 2, 3.5, 2), (0, 4, 4, 4), (2, 0, 2, 4)],
}


def draw_ideographs(page: Image.Image, x: float, y: float, text: str) -> None:
    pen, unit = ImageDraw.Draw(page), 9
    for number, letter in enumerate(text):
        left = x + number * 5 * unit
        for x0, y0, x1, y1 in IDEOGRAPHS[letter]:
            ends = left + x0 * unit, y + y0 * unit, left + x1 * unit, y + y1 * unit
            pen.line(ends, "black", 3)


@pytest.mark.ocr
def test_lines_in_east_asian_letters_are_read_without_being_asked_for(rapidocr: Engine) -> None:
    page = page_with((60, 60, "Total due 41.20"))
    draw_ideographs(page, 60, 160, "田中王")
    total = ["Total", "due", "41.20"]
    found = rapidocr.recognise(raster(page), language="auto", timeout_s=60)
    assert {word.text for word in found.words} == {*total, "田中王"}
    assert found.illegible == 0
    found = rapidocr.recognise(raster(page), language="eng", timeout_s=60)
    assert {word.text for word in found.words} == set(total)  # a language that is named decides
    assert 0.1 < found.illegible < 0.9


@pytest.mark.ocr
@pytest.mark.parametrize(
    "lines",
    [
        ("Счёт на оплату", "Поставщик: Ромашка", "Итого к оплате: 11 900,00"),
        ("Τιμολόγιο πώλησης", "Προμηθευτής: Παπαδόπουλοι", "Σύνολο πληρωτέο: 119,00"),
    ],
)
def test_print_in_letters_that_are_not_known_is_illegible(
    rapidocr: Engine, lines: Sequence[str]
) -> None:
    page = Image.new("L", (800, 400), "white")
    for row, line in enumerate(lines):
        ImageDraw.Draw(page).text((60, 60 + 90 * row), line, "black", CYRILLIC_AND_GREEK)
    assert rapidocr.recognise(raster(page), language="auto", timeout_s=60).illegible > 0.4
    latin = receipt_image(RECEIPT)
    assert rapidocr.recognise(raster(latin), language="auto", timeout_s=60).illegible < 0.02


@pytest.mark.parametrize("language", ["rus", "eng+ara"])
def test_letters_that_the_network_does_not_know(rapidocr: Engine, language: str) -> None:
    with pytest.raises(InvalidOption, match="does not read the language") as refused:
        rapidocr.recognise(raster(page_with()), language=language, timeout_s=60)
    assert "--" not in refused.value.advice  # which a caller over HTTP could not follow


@pytest.mark.ocr
@pytest.mark.parametrize("language", ["zzz", "eng+zzz", "zzz+eng"])
def test_languages_that_tesseract_has_no_data_of(language: str) -> None:
    with pytest.raises(InvalidOption, match="no data for the language 'zzz'"):
        engine_named("tesseract").recognise(raster(page_with()), language=language, timeout_s=60)


def test_data_that_tesseract_always_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    done = programs.Finished(1, b"", "Failed loading language 'eng'\n")
    monkeypatch.setattr(programs, "run", lambda *_, **__: done)
    with pytest.raises(DependencyMissing, match="'eng'"):
        engine_named("tesseract").recognise(raster(page_with()), language="auto", timeout_s=60)


def test_models_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DependencyMissing) as caught:
        RapidOcr()
    assert "make setup" in caught.value.advice


def test_a_loaded_engine_has_no_thread_and_no_foreign_log() -> None:
    code = (
        "import os, sys, pipeline.reading.engines.ready; "
        "sys.exit(len(os.listdir('/proc/self/task')) != 1 or 'rapidocr' in sys.modules)"
    )
    one = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **one})
    assert done.returncode == 0


LETTERS = st.lists(
    st.tuples(st.sampled_from("ab1., "), st.floats(0, 1), st.floats(0, 1)), max_size=30
)


@given(LETTERS, st.integers(1, 60), st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_words_of_any_letters(
    letters: list[tuple[str, float, float]], height: int, width: int, seed: int
) -> None:
    line = Line(np.random.default_rng(seed).integers(0, 255, (height, width), np.uint8), 0.1)
    middles = sorted(middle for _, middle, _ in letters)
    sequence = [
        Letter(text, middle, confidence)
        for (text, _, confidence), middle in zip(letters, middles, strict=True)
    ]
    words = list(words_of(line, sequence))
    assert "".join(word.text for word in words) == "".join(t for t, _, _ in letters).replace(
        " ", ""
    )
    for word in words:
        x0, top, x1, bottom = word.place
        assert word.text
        assert 0 <= x0 <= x1 <= 1
        assert (top, bottom) == (0.1, 0.9)
        assert 0 <= word.confidence <= 1


def test_words_end_at_spaces_and_at_gaps() -> None:
    picture = np.full((20, 200), 255, np.uint8)
    for start, stop in ((10, 30), (60, 100), (150, 190)):
        picture[5:15, start:stop] = 0
    texts = [
        ("a", 15),
        ("b", 25),
        (" ", 45),
        ("c", 65),
        ("d", 80),
        ("e", 95),
        ("f", 155),
        ("g", 185),
    ]
    letters = [Letter(text, middle / 200, 0.9) for text, middle in texts]
    words = list(words_of(Line(picture, 0.0), letters))
    assert [(word.text, word.place[0], word.place[2]) for word in words] == [
        ("ab", 0.05, 0.15),
        ("cde", 0.3, 0.5),
        ("fg", 0.75, 0.95),
    ]


def _field(number: int, content: bytes | int) -> bytes:
    """Return a field of Protocol Buffers: a whole number below 128, or bytes."""
    if isinstance(content, int):
        return bytes([number << 3, content])
    length, size = len(content), b""
    while length > 127:
        size, length = size + bytes([length & 127 | 128]), length >> 7
    return bytes([number << 3 | 2]) + size + bytes([length]) + content


def _model(kind: int, raw: bytes) -> bytes:
    tensor = _field(1, 3) + _field(2, kind) + _field(8, b"weights") + _field(9, raw)
    fixed = bytes([15 << 3 | 5, 1, 2, 3, 4]) + bytes([14 << 3 | 1]) + bytes(8)
    return _field(1, 7) + fixed + _field(7, _field(2, b"graph") + _field(5, tensor) * 2)


@given(st.lists(st.floats(width=32), max_size=60))
def test_subnormal_weights_become_nought(values: list[float]) -> None:
    raw = np.array(values, np.float32)
    least = np.finfo(np.float32).smallest_normal
    flushed = np.where(np.abs(raw) < least, np.float32(0), raw)
    assert without_subnormals(_model(1, raw.tobytes())) == _model(1, flushed.tobytes())


def test_other_tensors_are_left_alone() -> None:
    model = _model(7, struct.pack("<4q", 1, 2, 3, -1))
    assert without_subnormals(model) == model


@given(st.binary(max_size=60))
def test_what_is_no_model(data: bytes) -> None:
    with suppress(ValueError):
        assert len(without_subnormals(data)) == len(data)


@pytest.mark.parametrize("left", [1, 5, 40])
def test_a_model_that_ends_early(left: int) -> None:
    with pytest.raises(ValueError, match=r"early|longer"):
        without_subnormals(_model(1, bytes(24))[:-left])
