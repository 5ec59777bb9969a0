"""Draws a page from its words as read, coloured by the attention of one of them."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFont

from models.inspection import WordAttention
from pipeline.document import Document, Page, Token

_LONG_SIDE = 1600  # pixels of the page's longer side
_MARGIN, _CAPTION = 24, 64
_COLD, _HOT = (255, 255, 255), (217, 72, 15)
_OWN, _INK, _UNSEEN = (25, 90, 190), (30, 30, 30), (185, 185, 185)

Frame = tuple[float, float, float, float]


def draw_attention(
    document: Document, attention: WordAttention, word: int, *, caption: str
) -> Image.Image:
    """Return a picture of the page that a word stands on.

    The page is drawn from what the reader found, which is all that the tagger sees: no byte of
    the file is decoded here. Colour rises with the square root of a word's share; the deepest is
    that of the word on this page that gets most. Words outside the window are grey.

    Args:
        document: as read.
        attention: of the word, over all words of the document.
        word: index of the word.
        caption: what the picture shows, for its lower edge.
    """
    words = list(document.words())
    page = words[word][0]
    scale = _LONG_SIDE / max(page.width, page.height)
    size = round(page.width * scale), round(page.height * scale)
    picture = Image.new(
        "RGB", (size[0] + 2 * _MARGIN, size[1] + 2 * _MARGIN + _CAPTION), (236, 236, 236)
    )
    draw = ImageDraw.Draw(picture)
    draw.rectangle((_MARGIN, _MARGIN, _MARGIN + size[0], _MARGIN + size[1]), "white")
    here = [index for index, (other, _) in enumerate(words) if other.number == page.number]
    most = max(float(attention.shares[here].max()), 1e-12)
    frames = {index: _frame(words[index][1], size) for index in here}
    for index in here:
        draw.rectangle(frames[index], _colour(float(attention.shares[index]) / most))
    for index in here:
        ink = _INK if attention.seen[index] else _UNSEEN
        _write(draw, frames[index], words[index][1].text, ink)
    x0, top, x1, bottom = frames[word]
    draw.rectangle((x0 - 4, top - 4, x1 + 4, bottom + 4), outline=_OWN, width=4)
    _explain(draw, picture, page, words[word][1], caption, most)
    return picture


def _frame(token: Token, size: tuple[int, int]) -> Frame:
    x0, top, x1, bottom = token.box.as_list()
    left, upper = _MARGIN + x0 * size[0], _MARGIN + top * size[1]
    # A box without area is still drawn, so that no word is lost.
    right = max(_MARGIN + x1 * size[0], left + 2)
    return left, upper, right, max(_MARGIN + bottom * size[1], upper + 2)


def _colour(share: float) -> tuple[int, int, int]:
    heat = share**0.5
    red, green, blue = (round(c + (h - c) * heat) for c, h in zip(_COLD, _HOT, strict=True))
    return red, green, blue


def _write(draw: ImageDraw.ImageDraw, frame: Frame, text: str, ink: tuple[int, int, int]) -> None:
    """Write a word as large as its box allows."""
    x0, top, x1, bottom = frame
    size = max((bottom - top) * 0.85, 6.0)
    width = draw.textlength(text, ImageFont.load_default(size))
    size = max(size * min(1.0, (x1 - x0) / max(width, 1.0)), 6.0)
    font = ImageFont.load_default(size)
    draw.text(((x0 + x1) / 2, (top + bottom) / 2), text, ink, font, anchor="mm")


def _explain(
    draw: ImageDraw.ImageDraw,
    picture: Image.Image,
    page: Page,
    token: Token,
    caption: str,
    most: float,
) -> None:
    """Write the caption and the scale of colours under the page."""
    middle = picture.height - (_MARGIN + _CAPTION) / 2
    font = ImageFont.load_default(20)
    what = f"What \u201c{token.text}\u201d attends to on page {page.number}: {caption}"
    bar = 220
    room = picture.width - 2 * _MARGIN - bar - 120
    while len(what) > 8 and draw.textlength(what, font) > room:
        what = what[:-2].rstrip("\u2026") + "\u2026"
    draw.text((_MARGIN, middle), what, _INK, font, anchor="lm")
    left = picture.width - _MARGIN - bar - 60
    for step in range(bar):
        # The scale is linear in the share, as its ends say; the colours are not.
        draw.line((left + step, middle - 10, left + step, middle + 10), _colour(step / (bar - 1)))
    draw.text((left - 8, middle), "0", _INK, font, anchor="rm")
    draw.text((left + bar + 8, middle), f"{most:.2f}", _INK, font, anchor="lm")
