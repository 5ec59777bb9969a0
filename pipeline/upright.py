"""Pages as they were read: upright, however they were delivered."""

from __future__ import annotations

from dataclasses import replace

from pipeline.affine import turned_box
from pipeline.document import Document, Page


def upright(document: Document) -> Document:
    """Return a document with its pages turned as they were read, and their words with them."""
    if not any(page.rotation for page in document.pages):
        return document
    return replace(document, pages=tuple(map(_turned, document.pages)))


def _turned(page: Page) -> Page:
    size = (page.width, page.height) if page.rotation % 180 == 0 else (page.height, page.width)
    tokens = tuple(
        replace(token, box=turned_box(token.box, page.rotation)) for token in page.tokens
    )
    return replace(page, width=size[0], height=size[1], rotation=0, tokens=tokens)
