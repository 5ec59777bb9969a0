"""Between documents and taggers: a Document becomes an Example, its words keep their indices."""

from __future__ import annotations

import numpy as np

from models.example import Example
from models.labels import Span
from pipeline.document import Document
from pipeline.upright import upright


def example_of(document: Document, name: str = "", spans: tuple[Span, ...] = ()) -> Example:
    """Return a document as a tagger sees it; word i of the example is word i of the document.

    Pages that were delivered on their side or their head are seen upright, as they were read.

    Args:
        document: as read; its words are in reading order already.
        name: id for messages; the document's hash by default.
        spans: labelled spans over its words, where known.
    """
    document = upright(document)
    words = list(document.words())
    pages = {page.number: index for index, page in enumerate(document.pages)}
    page = np.array([pages[page.number] for page, _ in words], dtype=np.int64)
    line = np.array([token.line for _, token in words], dtype=np.int64)
    # Lines are numbered page by page; one running number keeps equal ones on two pages apart.
    changes = np.ones(len(words), dtype=np.int64)
    if words:
        changes[1:] = (line[1:] != line[:-1]) | (page[1:] != page[:-1])
        changes[0] = 0
    return Example(
        id=name or document.sha256,
        words=tuple(token.text for _, token in words),
        boxes=np.array([token.box.as_list() for _, token in words], np.float32).reshape(-1, 4),
        page=page,
        line=np.cumsum(changes),
        aspect=np.array([page.width / page.height for page, _ in words], dtype=np.float32),
        spans=spans,
    )


def lines_of(document: Document) -> list[list[int]]:
    """Return the indices of the words of each line, lines and words in reading order."""
    lines: list[list[int]] = []
    previous: tuple[int, int] | None = None
    for index, (page, token) in enumerate(document.words()):
        if (page.number, token.line) != previous:
            lines.append([])
            previous = (page.number, token.line)
        lines[-1].append(index)
    return lines


def line_texts(document: Document) -> list[str]:
    """Return the text of each line, words joined by one space."""
    texts = [token.text for _, token in document.words()]
    return [" ".join(texts[index] for index in line) for line in lines_of(document)]
