"""How documents are to be read: the options of a request, checked while its sender waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from app.intake.fingerprints import answer_print, request_print
from models.packages import Registry
from pipeline.errors import InvalidOption
from pipeline.reading.options import ReadOptions
from pipeline.reading.page_ranges import parse_pages
from pipeline.routing import AUTO, Router
from store.jobs import WORDS


@dataclass(frozen=True, slots=True)
class Order:
    """How documents are to be read, checked.

    Attributes:
        model: as jobs keep it: ``NAME``, ``NAME@VERSION``, or ``auto``.
        options: those that were given, but for the password.
        password: opens encrypted PDFs.
        asked: the model as the request named it; None where it named none.
    """

    model: str
    options: dict[str, Any]
    password: str | None = field(default=None, repr=False)
    asked: str | None = None

    def fingerprint(self, sha256: str) -> str | None:
        """Return what equal answers to a document have in common; None where none is given again.

        Args:
            sha256: of the document.
        """
        if self.password:  # whoever does not know it must not get the answer
            return None
        if self.model == AUTO:  # which model answers is not known yet
            return None
        return answer_print(sha256, self.model.partition("@")[0], self.options)

    def request_print(self, digests: Sequence[str], *, model: str | None) -> str:
        """Return what tells a repeated request from another one; see `fingerprints`."""
        return request_print(digests, model=model, options=self.options, password=self.password)


def check_order(
    registry: Registry,
    *,
    model: str | None = None,
    pages: str | None = None,
    ocr: str | None = None,
    engine: str | None = None,
    language: str | None = None,
    password: str | None = None,
    include: str | None = None,
) -> Order:
    """Return how documents are to be read.

    Args:
        registry: the model packages.
        model: ``NAME``, ``NAME@VERSION``, or ``auto`` for the one that fits the document; the
            default model where None.
        pages: page range such as ``1-3,-1``; all where None.
        ocr: ``auto``, ``always`` or ``never``; see `ReadOptions`.
        engine: ``tesseract`` or ``rapidocr``.
        language: such as ``eng+deu``.
        password: opens an encrypted PDF.
        include: ``words``, for an answer that holds the words.

    Raises:
        UnknownModel, ModelPackageError: the model.
        InvalidOption, BadPageRange: how it is to be read.
    """
    named = _named(registry, model)
    chosen = {"pages": pages, "ocr": ocr, "engine": engine, "language": language}
    options: dict[str, Any] = {name: value for name, value in chosen.items() if value}
    ReadOptions(**options)  # raises what is wrong with them
    if pages:
        parse_pages(pages)
    if include:
        if include != WORDS:
            raise InvalidOption(
                f"An answer cannot include {include[:40]!r}.", advice=f"Leave it, or say {WORDS}."
            )
        options["include"] = include
    return Order(named, options, password or None, model)


def _named(registry: Registry, model: str | None) -> str:
    """Return the model as jobs keep it: with a version where one was asked for."""
    if model == AUTO:
        Router(registry).candidates()  # raises where there is none to choose from
        return AUTO
    ref = registry.resolve(model)
    return str(ref) if "@" in (model or registry.default) else ref.name
