"""How documents are to be read: the options of a request, checked while its sender waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from app.intake.fingerprints import answer_print, request_print
from models.packages import AUTO, Registry
from pipeline.errors import InvalidOption
from pipeline.reading.options import ReadOptions
from pipeline.reading.page_ranges import parse_pages
from store.jobs import REFUSE, WORDS


@dataclass(frozen=True, slots=True)
class Order:
    """How documents are to be read, checked.

    Attributes:
        model: as jobs keep it: ``NAME``, ``NAME@VERSION``, or ``auto``.
        options: those that were given, but for the password.
        password: opens encrypted PDFs.
        asked: the model as the request named it; None where it named none.
        among: with `auto` the packages of which one will answer; empty otherwise.
    """

    model: str
    options: dict[str, Any]
    password: str | None = field(default=None, repr=False)
    asked: str | None = None
    among: str = ""

    def fingerprint(self, sha256: str) -> str | None:
        """Return what equal answers to a document have in common; None where none is given again.

        Args:
            sha256: of the document.
        """
        if self.password:  # whoever does not know it must not get the answer
            return None
        return answer_print(sha256, self.among or self.model.partition("@")[0], self.options)

    def request_print(self, digests: Sequence[str]) -> str:
        """Return what tells a repeated request from another one; see `fingerprints`."""
        return request_print(
            digests, model=self.asked, options=self.options, password=self.password
        )


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
    on_no_fit: str | None = None,
) -> Order:
    """Return how documents are to be read.

    Args:
        registry: the model packages.
        model: ``NAME``, ``NAME@VERSION``, or ``auto`` for the one that fits the document; the
            installation's default where None.
        pages: page range such as ``1-3,-1``; all where None.
        ocr: ``auto``, ``always`` or ``never``; see `ReadOptions`.
        engine: ``tesseract`` or ``rapidocr``.
        language: such as ``eng+deu``.
        password: opens an encrypted PDF.
        include: ``words``, for an answer that holds the words.
        on_no_fit: ``refuse``, for no answer to a document that fits no model; ``warn`` otherwise.

    Raises:
        UnknownModel, ModelPackageError: the model.
        InvalidOption, BadPageRange: how it is to be read.
    """
    named, among = _named(registry, model)
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
    if on_no_fit not in (None, "warn", REFUSE):
        raise InvalidOption(
            f"A document that fits no model cannot be met with {on_no_fit[:40]!r}.",
            advice=f"Say warn or {REFUSE}.",
        )
    if on_no_fit == REFUSE:
        options["on_no_fit"] = on_no_fit
    return Order(named, options, password or None, model, among)


def _named(registry: Registry, model: str | None) -> tuple[str, str]:
    """Return the model as jobs keep it, with a version where one was asked for; and `among`."""
    if (model or registry.default) == AUTO:
        from pipeline.routing import Router  # takes a moment to load

        return AUTO, " ".join(map(str, Router(registry).candidates()))
    ref = registry.resolve(model)
    return str(ref) if "@" in (model or registry.default) else ref.name, ""
