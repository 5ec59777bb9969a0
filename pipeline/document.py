"""A document as read: pages of words, each word with its place. Units are changed before here."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from models.geometry import Box

TextSource = Literal["text_layer", "ocr", "gold", "none", "embedded"]
_UNREAD = "not read: "
# The reason of a page whose text layer is read, and whose pictures may hold text that is not.
BESIDE_PICTURES = "text layer holds text, beside pictures that were not read"


@dataclass(frozen=True, slots=True)
class Token:
    """One word on a page.

    Attributes:
        text: the word as read; never empty, holds no white space.
        box: its place on the page as delivered.
        confidence: the reader's confidence in the word, 0 to 1; 1 for a text layer.
        line: number of its line on the page, from 0; lines are numbered in reading order.
        block: number of its text block on the page, from 0.
    """

    text: str
    box: Box
    confidence: float = 1.0
    line: int = 0
    block: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a document.

    Attributes:
        number: from 1, as in the document delivered (a page range does not renumber).
        width, height: size as delivered, in points (1/72 inch; for images, pixels at their
            stated resolution, or pixels where none is stated); 0 where a page that could not be
            read was not even measured.
        rotation: degrees clockwise that the page was turned by to be read: 0, 90, 180 or 270.
        text_source: where the words come from.
        reason: one phrase on why that source was chosen.
        tokens: the words in reading order.
        illegible: share of the print that was found and could not be read, see `Recognised`.
    """

    number: int
    width: float
    height: float
    rotation: int = 0
    text_source: TextSource = "none"
    reason: str = ""
    tokens: tuple[Token, ...] = ()
    illegible: float = 0.0

    @classmethod
    def unread(cls, number: int, code: str) -> Page:
        """Return the page in the place of one that could not be read, for an error of that code."""
        return cls(number, 0.0, 0.0, reason=f"{_UNREAD}{code}")

    @property
    def is_unread(self) -> bool:
        """Whether it could not be read; False for a page that was and has no words."""
        return self.reason.startswith(_UNREAD)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` turns back into an equal page."""
        tokens = [[t.text, *t.box.as_list(), t.confidence, t.line, t.block] for t in self.tokens]
        return {**{name: getattr(self, name) for name in self.__slots__}, "tokens": tokens}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Page:
        """Return the page that `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: something else wrote it.
        """
        tokens = tuple(
            Token(text, Box(x0, top, x1, bottom), confidence, line, block)
            for text, x0, top, x1, bottom, confidence, line, block in data["tokens"]
        )
        return cls(**{**data, "tokens": tokens})


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in row.items()}


Syntax = Literal["cii", "ubl", "fatturapa", "ksef"]
"""Of the XML of an e-invoice."""


@dataclass(frozen=True, slots=True)
class EmbeddedInvoice:
    """What the XML of an e-invoice says, which a PDF may carry (Factur-X, ZUGFeRD, XRechnung).

    Attributes:
        file: name of the XML file in the PDF.
        syntax: ``cii`` (UN/CEFACT), ``ubl`` (OASIS), ``fatturapa`` (Italy) or ``ksef`` (Poland).
        fields: values by name: dates ISO 8601, amounts as decimals with a point.
        groups: rows of ``items`` and ``taxes``, likewise.
    """

    file: str
    syntax: Syntax
    fields: dict[str, str]
    groups: dict[str, tuple[dict[str, str], ...]]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> EmbeddedInvoice:
        """Return the invoice that `dataclasses.asdict` and JSON wrote.

        Raises:
            KeyError, TypeError, ValueError: something else wrote it.
        """
        groups = {
            str(name): tuple(_texts(row) for row in rows) for name, rows in data["groups"].items()
        }
        if data["syntax"] not in get_args(Syntax):
            raise ValueError(f"an e-invoice in {data['syntax']!r}")
        return cls(str(data["file"]), data["syntax"], _texts(data["fields"]), groups)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole document as read.

    Attributes:
        sha256: hash of the bytes delivered, hexadecimal.
        media_type: such as ``application/pdf``, found from the content.
        pages: the pages that were asked for, in order.
        page_count: pages in the document delivered (at least ``len(pages)``).
        warnings: sentences for the user on what could not be read as expected.
        embedded: the e-invoice that it carries, None where it carries none.
    """

    sha256: str
    media_type: str
    pages: tuple[Page, ...]
    page_count: int
    warnings: tuple[str, ...] = field(default=())
    embedded: EmbeddedInvoice | None = None

    @property
    def is_e_invoice(self) -> bool:
        """Whether it is the XML of an e-invoice by itself: it has values, but nothing to tag."""
        return self.embedded is not None and all(
            page.text_source == "embedded" for page in self.pages
        )

    def words(self) -> Iterator[tuple[Page, Token]]:
        """Yield every word with its page, in reading order; a word's index in it is its id."""
        return itertools.chain.from_iterable(
            ((page, token) for token in page.tokens) for page in self.pages
        )

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` turns back into an equal document."""
        return {
            **{name: getattr(self, name) for name in self.__slots__},
            "pages": [page.to_json() for page in self.pages],
            "embedded": asdict(self.embedded) if self.embedded else None,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Document:
        """Return the document that `to_json` wrote."""
        pages = tuple(map(Page.from_json, data["pages"]))
        embedded = data.get("embedded")
        return cls(
            **{
                **data,
                "pages": pages,
                "warnings": tuple(data["warnings"]),
                "embedded": EmbeddedInvoice.from_json(embedded) if embedded else None,
            }
        )
