"""Documents without labels, for pre-training: read from a file, cut into windows, some held out."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from models.encoding import PieceEncoder, Window
from models.geometry import clamped_box
from pipeline.document import Document, Page, Token
from pipeline.reading.layout import order_tokens
from pipeline.tagging import example_of
from training.errors import DatasetError

# Raised by files that are not gzip, not JSON, truncated, or of another form.
_NO_PAGES = (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, ArithmeticError)
_LEAST = 16  # pieces; a shorter window teaches nothing


def load_pages(path: Path) -> Iterator[Document]:
    """Yield the documents of a ``pages.jsonl.gz``: words with boxes in points, by page.

    Raises:
        DatasetError: the file is not of that form.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                data = json.loads(line)
                pages = tuple(_page(page) for page in data["pages"])
                yield Document(str(data["id"]), "application/octet-stream", pages, len(pages))
    except _NO_PAGES as error:
        raise DatasetError(
            f"{path} is not a file of pages: {error!r}.",
            advice="Expected gzipped JSON lines with pages of words and boxes.",
        ) from error


def _page(data: dict[str, object]) -> Page:
    width, height = float(data["width"]), float(data["height"])  # type: ignore[arg-type]
    tokens = [
        Token(
            "".join(word.split()),
            clamped_box(x0 / width, top / height, x1 / width, low / height),
            line=line,
        )
        for line, (word, (x0, top, x1, low)) in enumerate(
            zip(data["words"], data["boxes"], strict=True)  # type: ignore[call-overload]
        )
        if word.strip()
    ]
    ordered = order_tokens(tokens, height / width)
    return Page(int(data["number"]), width, height, tokens=ordered)  # type: ignore[call-overload]


def windows_of(documents: Iterable[Document], pieces: PieceEncoder) -> dict[str, list[Window]]:
    """Return the windows of each document that has any, by its hash; short ones are left out.

    Pages that come as documents of their own share the hash of what they were cut from.
    """
    found: dict[str, list[Window]] = {}
    for document in documents:
        windows = [w for w in pieces.windows(example_of(document)) if len(w) >= _LEAST]
        if windows:
            found.setdefault(document.sha256, []).extend(windows)
    return found


def hold_out(
    windows: Mapping[str, Sequence[Window]], share: float, seed: int
) -> tuple[list[Window], dict[str, list[Window]]]:
    """Return the windows to train on, and those of the documents that are held out.

    Documents are held out whole: the pages of one repeat its names and its form, and a model
    trained on one page would be rewarded for remembering it on the next.

    Args:
        windows: by document.
        share: of all windows that the held-out documents have at least, above 0 and below 1.
        seed: of the order in which documents are held out.

    Raises:
        DatasetError: nothing would be left to train on.
    """
    names = list(windows)
    wanted = share * sum(map(len, windows.values()))
    held: dict[str, list[Window]] = {}
    count = 0
    for index in np.random.default_rng(seed).permutation(len(names)):
        if count >= wanted:
            break
        name = names[int(index)]
        held[name] = list(windows[name])
        count += len(held[name])
    training = [window for name in names if name not in held for window in windows[name]]
    if not training:
        raise DatasetError(
            f"{len(names)} documents are too few to hold any out.",
            advice="Add documents: one at least is held out to measure perplexity on.",
        )
    return training, held


def text_mark(windows: Iterable[Window], held: Mapping[str, Iterable[Window]]) -> str:
    """Return 12 hexadecimal digits of the pieces to learn from and of those held out."""
    found = hashlib.sha256()
    for part in (windows, *held.values()):
        for window in part:
            found.update(window.input_ids.tobytes())
        found.update(b"/")
    return found.hexdigest()[:12]
