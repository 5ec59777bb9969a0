"""Documents without labels for the commands that learn from text, and options they share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pipeline.document import Document

Corpora = Annotated[
    list[Path], typer.Argument(help="Dataset folders, or files such as pages.jsonl.gz.")
]
HeldOut = Annotated[
    float, typer.Option(min=0.001, max=0.5, help="Share held out, in whole documents.")
]
Pages = Annotated[
    str | None, typer.Option(help="Pages of each document of a dataset folder, such as 1-3.")
]
Seed = Annotated[int, typer.Option(help="Of everything drawn.")]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]
Threads = Annotated[int, typer.Option(min=0, help="CPU threads; 0 for all cores.")]
Resume = Annotated[bool, typer.Option(help="Go on from the last checkpoint.")]


def documents_of(corpus: list[Path], pages: str | None, *, whole: bool) -> Iterator[Document]:
    """Yield whole documents, or each page that has words as a document of its own."""
    from dataclasses import replace

    from training.pretraining.unlabelled import load_pages

    for path in corpus:
        for document in load_pages(path) if path.is_file() else _read(path, pages):
            if whole:
                yield document
                continue
            for page in document.pages:
                if page.tokens:
                    yield replace(document, pages=(page,))


def _read(folder: Path, pages: str | None) -> Iterator[Document]:
    """Yield the documents of a dataset folder; one that cannot be read is named and left out.

    Readings are kept, and shared with those of `fieldwright train`.
    """
    from cli.shared.console import ReadingBar
    from pipeline.errors import FieldwrightError
    from pipeline.reading.options import ReadOptions
    from store.settings import Settings
    from training.data import load_dataset, read_rows

    rows = load_dataset(folder).rows
    cache, options = Settings.load().home / "readings", ReadOptions(pages=pages)
    with ReadingBar("reading") as bar:
        found = read_rows(rows, "own", cache=cache, options=options, on_row=bar.on_row)
    for row in rows:
        result = found[row.id]
        if isinstance(result, FieldwrightError):
            typer.echo(f"{row.document.name} was left out: {result}", err=True)
        else:
            yield result
