"""What a caller may choose about reading a document, checked once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, get_args

from pipeline.errors import InvalidOption

AUTO_LANGUAGE = "auto"
"""The page decides: Latin letters, with accents where it has some."""
_LANGUAGE = re.compile(r"auto|[a-z]{3}(_[a-z]+)?(\+[a-z]{3}(_[a-z]+)?){0,7}")
_LEAST_MEMORY_MB = 512  # the libraries alone reserve a part of it

Ocr = Literal["auto", "always", "never"]
EngineName = Literal["tesseract", "rapidocr"]
Confinement = Literal["auto", "required", "off"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read a document.

    Attributes:
        pages: a range such as ``1-3,5,-2``; None reads all pages.
        password: opens an encrypted PDF; never shown, logged or given to another program.
        language: Tesseract's language codes, such as ``eng`` or ``eng+deu``. With ``auto``
            `rapidocr` reads Latin letters, accents where the page has some, and Tesseract English.
        ocr: ``auto`` recognises the pages without a text layer that can be trusted, ``always`` all
            pages, ``never`` none: then a text layer is read as it is.
        engine: what recognises words: ``tesseract`` or ``rapidocr``.
        max_pages: the most pages that may be read, counted after `pages` has chosen.
        max_pixels_per_page: the most pixels that one page may have once decoded or rendered.
        dpi: resolution at which PDF pages without a usable text layer are rendered; lowered for
            pages that would exceed the pixel budget.
        page_timeout_s: seconds that opening the document, and each page of it, may take.
        document_timeout_s: seconds that all may take together; None sets no limit beyond those of
            the pages.
        processes: the most processes that pages are spread over; None for one a core.
        memory_mb: address space of each of them in MiB.
        confinement: ``auto`` confines them by what the kernel offers, ``required`` reads nothing
            unless it offers all, ``off`` leaves the limits alone; see `isolation.sandbox`.

    Raises:
        InvalidOption: a value is not allowed.
    """

    pages: str | None = None
    password: str | None = field(default=None, repr=False)
    language: str = AUTO_LANGUAGE
    ocr: Ocr = "auto"
    engine: EngineName = "rapidocr"
    max_pages: int = 50
    max_pixels_per_page: int = 50_000_000
    dpi: int = 300
    page_timeout_s: float = 120.0
    # These bound the reading but do not change what is read: left out of `repr`, by which caches
    # tell readings apart.
    document_timeout_s: float | None = field(default=None, repr=False)
    processes: int | None = field(default=None, repr=False)
    memory_mb: int = field(default=2048, repr=False)
    confinement: Confinement = field(default="auto", repr=False)

    def __post_init__(self) -> None:
        # The language ends up in a command line: only codes pass, never options or paths.
        if not _LANGUAGE.fullmatch(self.language):
            raise InvalidOption(
                f"The language {self.language[:40]!r} is not allowed.",
                advice="Use auto, or Tesseract's three-letter codes, such as eng or eng+deu.",
            )
        for choice, allowed, sentence in (
            (self.ocr, Ocr, "The choice of OCR {!r} is not allowed."),
            (self.engine, EngineName, "There is no engine {!r}."),
            (self.confinement, Confinement, "The confinement {!r} is not known."),
        ):
            if choice not in get_args(allowed):
                raise InvalidOption(
                    sentence.format(str(choice)[:40]),
                    advice=f"Choose one of {', '.join(get_args(allowed))}.",
                )
        if not 50 <= self.dpi <= 1200:
            raise InvalidOption(f"The resolution of {self.dpi} dpi is not between 50 and 1200.")
        for name in (
            "max_pages",
            "max_pixels_per_page",
            "page_timeout_s",
            "document_timeout_s",
            "processes",
        ):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InvalidOption(f"{name} must be more than 0.")
        if self.memory_mb < _LEAST_MEMORY_MB:
            raise InvalidOption(f"memory_mb must be at least {_LEAST_MEMORY_MB}.")
