"""Reads a document: bytes in, pages of words in reading order out.

PDFs give their text layer page by page where it holds real text; all other pages, and images, are
read by OCR; an e-invoice that is an XML file has one page without words. Boxes are fractions of
the page as delivered, which is the page as a viewer shows it: a PDF's crop box turned by /Rotate,
an image turned by its EXIF orientation.

The bytes are not trusted: this process only looks at the first of them. Confined children parse,
render and recognise, see `pipeline.reading.pool`.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache

from pipeline.document import BESIDE_PICTURES, Document, Page
from pipeline.errors import DocumentError, ReaderCrashed, ReaderLost, TooManyPages
from pipeline.reading import serving
from pipeline.reading.isolation.child import fork_ahead, prepare
from pipeline.reading.isolation.folder import sweep, temporary_folder
from pipeline.reading.media import sniff
from pipeline.reading.options import ReadOptions
from pipeline.reading.page_ranges import select_pages
from pipeline.reading.pool import Outcome, ReaderPool

__all__ = ["REVISION", "ReadOptions", "prepare_reading", "read_ahead", "read_document", "read_once"]

# Raised whenever the same bytes and options give other words; caches of readings depend on it.
REVISION = 22

# What the processes that read have loaded when they are forked.
_LOADED = (serving.__name__, "pipeline.reading.sources.ready", "pipeline.reading.engines.ready")
_DEFAULTS = ReadOptions()
# A page of which this share of the print could not be read has a warning. Of receipts and forms
# (147) at most .24 could not, of pages in seven scripts that the engine does not know .42 and more.
_ILLEGIBLE = 0.3
_ATTEMPTS = 3  # where processes are killed from outside


def prepare_reading() -> None:
    """Start what the first document would otherwise have to wait for; returns at once."""
    _tidy()
    prepare(_LOADED)


@cache
def _tidy() -> None:
    """Remove what killed processes left behind, once in the life of this process."""
    sweep()


def read_ahead() -> None:
    """Start the process that will read the next document, after `prepare_reading`.

    Returns at once and never fails; without it, the next document starts its own.
    """
    fork_ahead(serving.FUNCTION)


def read_document(
    data: bytes,
    options: ReadOptions = _DEFAULTS,
    on_page: Callable[[int, int], None] | None = None,
    *,
    opener: str = serving.OPENER,
) -> Document:
    """Return a document as read; where a process is killed from outside, it is read again.

    See `read_once`. What `on_page` is told begins again with each attempt.

    Raises:
        ReaderCrashed: the last attempt, too, was ended from outside.
        FieldwrightError: as `read_once`.
    """
    for _ in range(_ATTEMPTS - 1):
        with suppress(ReaderLost):
            return read_once(data, options, on_page, opener=opener)
    try:
        return read_once(data, options, on_page, opener=opener)
    except ReaderLost as error:
        raise ReaderCrashed(f"{error}, {_ATTEMPTS} times.") from error


def read_once(
    data: bytes,
    options: ReadOptions = _DEFAULTS,
    on_page: Callable[[int, int], None] | None = None,
    *,
    check: Callable[[], None] = lambda: None,
    opener: str = serving.OPENER,
) -> Document:
    """Return a document as read, in one attempt.

    A page that cannot be read, whatever it does to the process that reads it, is in the document
    without words, and a warning says why; the others are read. The processes that read end, and
    their files go, a moment after the last page has been read.

    Args:
        data: the file as delivered.
        options: pages, password, language and limits.
        on_page: called after each page with the pages done and the pages chosen; what it raises
            ends the reading, with all its processes.
        check: called every half second while a page is read; what it raises ends the reading, too.
        opener: what opens the document in the children, as ``module:name``.

    Raises:
        DocumentError: the document cannot be read, or no page of it: then it is the error of the
            first one chosen.
        BadPageRange: `options.pages` cannot be parsed or names no page.
        InvalidOption: the engine cannot read the language.
        DependencyMissing: Tesseract, its data or poppler is not installed, or the confinement
            that the options require is not there.
        StorageFull: there is no room for the pictures of the pages.
        ReaderLost: a process was killed from outside: it is worth another attempt.
    """
    media_type = sniff(data)
    prepare_reading()
    outcomes: dict[int, Outcome] = {}
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        pool = ReaderPool(data, media_type, folder, options, opener, check)
        stack.callback(pool.close)
        page_count = pool.open()
        numbers = _chosen(page_count, options)
        for number, outcome in pool.pages(numbers):
            outcomes[number] = outcome
            if on_page is not None:
                on_page(len(outcomes), len(numbers))
        # A process takes a while to end. The interpreter waits for this thread before it goes.
        threading.Thread(target=stack.pop_all().close, name="tidying").start()
    pages, warnings = _pages(outcomes)
    return Document(
        hashlib.sha256(data).hexdigest(),
        media_type,
        pages,
        page_count,
        (*pool.warnings, *warnings),
        pool.embedded,
    )


def _chosen(page_count: int, options: ReadOptions) -> tuple[int, ...]:
    if options.pages is None:
        numbers = tuple(range(1, page_count + 1))
    else:
        numbers = select_pages(options.pages, page_count)
    if len(numbers) > options.max_pages:
        raise TooManyPages(
            f"{len(numbers)} pages were to be read; {options.max_pages} are allowed."
        )
    return numbers


def _pages(outcomes: dict[int, Outcome]) -> tuple[tuple[Page, ...], tuple[str, ...]]:
    """Return the pages in order and what is to be said of those without words.

    Raises:
        DocumentError: all pages failed; the error of the first.
    """
    pages: list[Page] = []
    warnings: list[str] = []
    errors: list[DocumentError] = []
    for number, outcome in sorted(outcomes.items()):
        if isinstance(outcome, DocumentError):
            errors.append(outcome)
            pages.append(Page.unread(number, outcome.code))
            warnings.append(f"Page {number} was not read. {outcome}")
            continue
        pages.append(outcome)
        if not outcome.tokens and outcome.text_source != "embedded":
            warnings.append(f"Page {number}: no words were found ({outcome.reason}).")
        elif outcome.illegible >= _ILLEGIBLE:
            warnings.append(
                f"Page {number}: {outcome.illegible:.0%} of its print could not be read. Where it "
                "is in another script, name the language, as in engine=tesseract, language=ell."
            )
        elif outcome.reason == BESIDE_PICTURES:
            warnings.append(
                f"Page {number}: its pictures, or shapes in rows, may hold text that was not read; "
                "with ocr=always it is."
            )
    if len(errors) == len(pages):
        raise errors[0]
    return tuple(pages), tuple(warnings)
