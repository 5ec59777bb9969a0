"""`fieldwright value`: what a text becomes as a value of a kind, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pipeline.values.schema import FieldSpec, Kind

if TYPE_CHECKING:
    from pipeline.values.normalise import DocumentContext


def value(
    kind: Annotated[Kind, typer.Argument(help="How the texts become values.")],
    texts: Annotated[
        list[str], typer.Argument(metavar="TEXT...", help="Texts; -- before one that begins with -")
    ],
    currency_hint: Annotated[
        str | None, typer.Option(help="ISO 4217 code to assume where nothing tells the currency.")
    ] = None,
    date_order: Annotated[
        Literal["day-first", "month-first"] | None,
        typer.Option(help="Order to assume where nothing tells it."),
    ] = None,
    document: Annotated[
        Path | None, typer.Option(help="PDF or picture whose evidence counts before any hint.")
    ] = None,
) -> None:
    """Print what each text becomes: a JSON object a line, with text, value, status and reason.

    `status` is ok, ambiguous (see `alternatives`) or failed (`value` is null).
    """
    from pipeline.errors import InvalidOption
    from pipeline.values.figures.currencies import CODES
    from pipeline.values.normalise import DocumentContext, normalise

    currency = currency_hint.upper() if currency_hint is not None else None
    if currency is not None and currency not in CODES:
        raise InvalidOption(
            f"{currency_hint!r} is no currency.", advice="Give an ISO 4217 code such as EUR."
        )
    day_first = None if date_order is None else date_order == "day-first"
    spec = FieldSpec("value", kind, day_first=day_first, currency=currency)
    context = DocumentContext() if document is None else _context_of(document)
    for text in texts:
        found = normalise(text, spec, context)
        line = {
            "text": text.encode("utf-8", "replace").decode("utf-8"),
            "value": found.value,
            "status": found.status,
            "reason": found.reason,
            "alternatives": list(found.alternatives),
        }
        typer.echo(json.dumps(line, ensure_ascii=False))


def _context_of(document: Path) -> DocumentContext:
    """Return what a document shows about its values.

    Raises:
        InvalidOption, DocumentError: it cannot be read.
    """
    from pipeline.reading.media import document_bytes
    from pipeline.reading.options import ReadOptions
    from pipeline.reading.reader import read_document
    from pipeline.tagging import line_texts
    from pipeline.values.normalise import infer_context

    found = read_document(document_bytes(document), ReadOptions())
    return infer_context(line_texts(found))
