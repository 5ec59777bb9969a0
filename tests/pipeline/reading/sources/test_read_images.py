"""Pictures of pages: every container and mode, orientation, damage and limits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import matplotlib
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from pipeline.document import Page
from pipeline.errors import (
    CorruptDocument,
    DependencyMissing,
    DocumentError,
    InvalidOption,
    PageTooLarge,
    ReadingTimeout,
    TooManyPages,
)
from pipeline.reading.options import EngineName
from pipeline.reading.reader import ReadOptions, read_document
from tests.bombs import png_that_claims
from tests.builders import encode, exif_jpeg, make_receipt, multipage_tiff, receipt_image, texts

RECEIPT = make_receipt(3)
IMAGE = receipt_image(RECEIPT)
WHITE = Image.new("L", (300, 200), "white")


def with_alpha() -> Image.Image:
    """The receipt's ink on a transparent ground, which is black where alpha is ignored."""
    image = Image.new("RGBA", IMAGE.size, (0, 0, 0, 0))
    image.putalpha(IMAGE.point(lambda shade: 255 - shade))
    return image


def in_16_bits() -> Image.Image:
    return Image.fromarray(np.asarray(IMAGE).astype(np.uint16) * 257)


FILES = {
    "png": encode(IMAGE, "PNG"),
    "png in colour with a palette": encode(IMAGE.convert("RGB").quantize(16), "PNG"),
    "png with alpha": encode(with_alpha(), "PNG"),
    "png of 16 bits": encode(in_16_bits(), "PNG"),
    "jpeg in cmyk": encode(IMAGE.convert("CMYK"), "JPEG", quality=95),
    "tiff as faxes are": encode(IMAGE.convert("1"), "TIFF", compression="group4"),
    "tiff with lzw": encode(IMAGE, "TIFF", compression="tiff_lzw"),
    "webp with alpha": encode(with_alpha(), "WEBP", lossless=True),
    "bmp": encode(IMAGE.convert("RGB"), "BMP", dpi=(72, 72)),
    "gif with a transparent ground": encode(with_alpha(), "GIF"),
    "heic": Path(__file__).with_name("receipt.heic").read_bytes(),
}


@pytest.mark.ocr
@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_image_is_read(name: str) -> None:
    document = read_document(FILES[name])
    (page,) = document.pages
    assert texts(page) == RECEIPT.words
    assert (page.text_source, page.reason) == ("ocr", "image file")
    assert (page.width, page.height) == pytest.approx(IMAGE.size, rel=0.001)
    assert document.media_type == f"image/{name.split()[0]}"
    assert document.warnings == ()


@pytest.mark.ocr
def test_words_stand_where_they_were_drawn() -> None:
    page = read_document(FILES["png"]).pages[0]
    ink = np.asarray(IMAGE) < 128
    for token in page.tokens:
        x0, x1 = round(token.box.x0 * IMAGE.width), round(token.box.x1 * IMAGE.width)
        top, bottom = round(token.box.top * IMAGE.height), round(token.box.bottom * IMAGE.height)
        assert ink[top:bottom, x0:x1].mean() > 0.1
        # The row of letters ends inside the box: right above and below there is only paper.
        assert not ink[top - 4 : top - 1, x0:x1].any()
        assert not ink[bottom + 2 : bottom + 5, x0:x1].any()
    assert [token.line for token in page.tokens][-1] == len(RECEIPT.lines) - 1


@pytest.mark.ocr
@pytest.mark.parametrize("orientation", [1, 3, 6, 7, 8])
def test_pages_are_delivered_as_viewers_show_them(orientation: int) -> None:
    upright = read_document(FILES["png"]).pages[0]
    page = read_document(exif_jpeg(IMAGE, orientation)).pages[0]
    assert (page.width, page.height) == IMAGE.size
    assert texts(page) == RECEIPT.words
    for token, twin in zip(page.tokens, upright.tokens, strict=True):
        assert token.box.as_list() == pytest.approx(twin.box.as_list(), abs=0.005)


@pytest.mark.ocr
def test_frames_of_a_tiff_are_pages() -> None:
    other = make_receipt(5)
    tiff = multipage_tiff([IMAGE, WHITE, receipt_image(other)])
    document = read_document(tiff, ReadOptions(pages="2-3"))
    assert document.page_count == 3
    assert [page.number for page in document.pages] == [2, 3]
    assert [page.text_source for page in document.pages] == ["none", "ocr"]
    assert texts(document.pages[1]) == other.words
    assert document.warnings == ("Page 2: no words were found (blank page, image file).",)
    with pytest.raises(TooManyPages):
        read_document(tiff, ReadOptions(max_pages=2))


@pytest.mark.ocr
def test_a_page_of_which_much_could_not_be_read_says_so() -> None:
    assert not read_document(FILES["png"]).warnings
    page = Image.new("L", (800, 300), "white")
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    font = ImageFont.truetype(folder / "DejaVuSans.ttf", 28)
    ImageDraw.Draw(page).text((60, 60), "Итого к оплате", "black", font)
    ImageDraw.Draw(page).text((60, 160), "11 900", "black", font)
    document = read_document(encode(page, "PNG"))
    assert texts(document.pages[0])[-2:] == ["11", "900"]
    (warning,) = document.warnings
    assert re.match(r"Page 1: [4-9]\d% of its print could not be read\.", warning)
    assert "engine=tesseract" in warning
    assert Page.from_json(document.pages[0].to_json()) == document.pages[0]


@pytest.mark.ocr
def test_a_fax_of_half_resolution_is_read_with_square_pixels() -> None:
    half = IMAGE.resize((IMAGE.width, IMAGE.height // 2))
    page = read_document(encode(half, "TIFF", dpi=(204, 98))).pages[0]
    assert page.width == pytest.approx(IMAGE.width * 72 / 204)
    assert page.height == pytest.approx(IMAGE.height // 2 * 72 / 98)
    assert len(set(texts(page)) & set(RECEIPT.words)) >= 0.8 * len(set(RECEIPT.words))


@pytest.mark.parametrize(("dpi", "size"), [(None, (300, 200)), (150, (144, 96)), (1, (300, 200))])
def test_size_in_points_where_the_file_states_a_credible_resolution(
    dpi: int | None, size: tuple[float, float]
) -> None:
    options = {} if dpi is None else {"dpi": (dpi, dpi)}
    page = read_document(encode(WHITE, "PNG", **options)).pages[0]
    assert (page.width, page.height) == pytest.approx(size, rel=0.001)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF"])
@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16", "F"])
def test_one_pixel_of_any_mode(kind: str, mode: str) -> None:
    try:
        data = encode(Image.new(mode, (1, 1)), kind)
    except (OSError, ValueError):
        pytest.skip(f"{kind} has no mode {mode}")
    page = read_document(data).pages[0]
    assert (page.tokens, page.text_source) == ((), "none")


@pytest.mark.parametrize(
    "name", ["png", "jpeg in cmyk", "tiff with lzw", "webp with alpha", "bmp", "heic"]
)
@pytest.mark.parametrize("kept", [0.02, 0.5, 0.9])
def test_a_truncated_image_is_corrupt(name: str, kept: float) -> None:
    with pytest.raises(CorruptDocument):
        read_document(FILES[name][: int(len(FILES[name]) * kept)])


@pytest.mark.parametrize("size", [(8_000, 8_000), (12_000, 9_000), (40_000, 40_000), (40_000, 2)])
def test_bombs_are_refused_by_their_header(size: tuple[int, int]) -> None:
    with pytest.raises(PageTooLarge):
        read_document(png_that_claims(*size))


def test_the_limit_of_pixels_can_be_chosen() -> None:
    with pytest.raises(PageTooLarge, match=r"300 x 200 pixels; 59,999 are allowed"):
        read_document(encode(WHITE, "PNG"), ReadOptions(max_pixels_per_page=59_999))


def test_a_later_frame_beyond_the_limit_fails_alone() -> None:
    tiff = multipage_tiff([Image.new("L", (10, 10)), WHITE])
    document = read_document(tiff, ReadOptions(max_pixels_per_page=1000))
    assert [page.reason for page in document.pages] == [
        "blank page, image file",
        "not read: page_too_large",
    ]
    assert document.warnings[1].startswith(
        "Page 2 was not read. Page 2 has 300 x 200 pixels; 1,000 are allowed. Lower the resolution"
    )


@pytest.mark.ocr
def test_the_time_limit_of_a_page() -> None:
    with pytest.raises(ReadingTimeout):
        read_document(FILES["png"], ReadOptions(page_timeout_s=0.001))


@pytest.mark.ocr
def test_a_language_that_is_not_installed() -> None:
    for engine in get_args(EngineName):
        with pytest.raises(InvalidOption, match="'xyz'"):
            read_document(FILES["png"], ReadOptions(engine=engine, language="xyz"))


@pytest.mark.ocr
def test_a_missing_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    with pytest.raises(DependencyMissing):
        read_document(FILES["png"], ReadOptions(engine="tesseract"))


def test_a_missing_tesseract(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DependencyMissing, match="tesseract is not installed"):
        read_document(FILES["png"], ReadOptions(engine="tesseract"))


@pytest.mark.parametrize("language", ["", "eng;id", "../x", "-c x=1", "eng deu", "ENG", "eng\n"])
def test_a_language_is_a_code(language: str) -> None:
    with pytest.raises(InvalidOption):
        ReadOptions(language=language)


@pytest.mark.parametrize("language", ["eng", "eng+deu", "chi_sim+eng"])
def test_languages_allowed(language: str) -> None:
    assert ReadOptions(language=language).language == language


@pytest.mark.parametrize("wrong", [{"dpi": 10}, {"max_pages": 0}, {"page_timeout_s": float("nan")}])
def test_limits_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidOption):
        ReadOptions(**wrong)  # type: ignore[arg-type]


SMALL = [encode(WHITE, "PNG"), encode(WHITE, "JPEG"), multipage_tiff([WHITE, WHITE])]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_damaged_images_raise_nothing_but_our_errors(data: st.DataObject) -> None:
    damaged = bytearray(data.draw(st.sampled_from(SMALL)))
    for _ in range(data.draw(st.integers(1, 5))):
        damaged[data.draw(st.integers(4, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        document = read_document(bytes(damaged), ReadOptions(max_pixels_per_page=100_000))
    except DocumentError:
        return
    assert document.pages
