"""Documents for the commands that learn from them or score on them, and options they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from models.encoding import PieceEncoder, Window
    from pipeline.document import Document
    from pipeline.errors import FieldwrightError
    from pipeline.values.schema import FieldSpec
    from training.data import Corpus, Dataset, Row, Transcription

Reading = Literal["own", "gold"]
"""What documents are read from."""

Corpora = Annotated[
    list[Path], typer.Argument(help="Dataset folders, or files such as pages.jsonl.gz.")
]
HeldOut = Annotated[
    float, typer.Option(min=0.001, max=0.5, help="Share held out, in whole documents.")
]
Pages = Annotated[
    str | None, typer.Option(help="Pages of each document of a dataset folder, such as 1-3.")
]


def warn_of_few(data: Dataset) -> None:
    """Say where there are fewer labelled documents than are worth a training."""
    from app.teaching.teaching import WORTH_TRAINING

    labelled = sum(any(row.fields.values()) for row in data.rows)
    if labelled < WORTH_TRAINING:
        typer.echo(
            f"Labelled documents: {labelled}; label at least {WORTH_TRAINING} before you rely on "
            "a model of them.",
            err=True,
        )


def readings(
    rows: Sequence[Row], transcription: Transcription, pages: str | None = None
) -> dict[str, Document | FieldwrightError]:
    """Return what each document says, or why it cannot be read, by its id; read under a bar.

    Readings are kept, and shared with those of `fieldwright train`.
    """
    from cli.shared.console import ReadingBar
    from pipeline.reading.options import ReadOptions
    from store.settings import Settings
    from training.data import read_rows

    cache, options = Settings.load().home / "readings", ReadOptions(pages=pages)
    with ReadingBar("reading") as bar:
        return read_rows(rows, transcription, cache=cache, options=options, on_row=bar.on_row)


def readable(
    folder: Path, transcription: Transcription, pages: str | None = None
) -> dict[str, Document]:
    """Return the documents of a dataset folder; one that cannot be read is named and left out."""
    from pipeline.errors import FieldwrightError
    from training.data import load_dataset

    rows = load_dataset(folder).rows
    read = readings(rows, transcription, pages)
    found: dict[str, Document] = {}
    for row in rows:
        item = read[row.id]
        if isinstance(item, FieldwrightError):
            typer.echo(f"{row.document.name} was left out: {item}", err=True)
        else:
            found[row.id] = item
    return found


def tagged(data: Dataset, fields: Sequence[FieldSpec], transcription: Transcription) -> Corpus:
    """Return a dataset's documents, read under a bar, with the places of their labels.

    Readings are kept, and shared with those of `fieldwright train`.
    """
    from cli.shared.console import ReadingBar
    from store.settings import Settings
    from training.data import build_corpus

    cache = Settings.load().home / "readings"
    with ReadingBar("reading") as bar:
        return build_corpus(data, fields, transcription, cache=cache, on_row=bar.on_row)


def text_of(
    corpus: list[Path],
    pages: str | None,
    pieces: PieceEncoder,
    *,
    share: float,
    seed: int,
    whole: bool,
    most: int = 0,
) -> tuple[list[Window], dict[str, list[Window]]]:
    """Return the windows to learn from, and those of the documents held out; say how many.

    Args:
        corpus: dataset folders, or files of pages.
        pages: of each document of a folder.
        pieces: cuts documents into windows.
        share: held out, in whole documents.
        seed: of what is drawn.
        whole: documents in one sequence, not their pages.
        most: windows drawn to learn from; 0 takes all.

    Raises:
        DatasetError: nothing to read, or too few documents to hold any out.
    """
    import numpy as np

    from training.pretraining.unlabelled import hold_out, windows_of

    found = windows_of(_documents(corpus, pages, whole=whole), pieces)
    windows, held = hold_out(found, share, seed)
    if most and most < len(windows):
        drawn = np.random.default_rng(seed).permutation(len(windows))[:most]
        windows = [windows[int(index)] for index in drawn]
    typer.echo(
        f"{len(windows)} windows, {sum(map(len, windows))} pieces; "
        f"{len(held)} of {len(found)} documents held out",
        err=True,
    )
    return windows, held


def _documents(corpus: list[Path], pages: str | None, *, whole: bool) -> Iterator[Document]:
    """Yield whole documents, or each page that has words as a document of its own."""
    from dataclasses import replace

    from training.pretraining.unlabelled import load_pages

    for path in corpus:
        for document in (
            load_pages(path) if path.is_file() else readable(path, "own", pages).values()
        ):
            if whole:
                yield document
                continue
            for page in document.pages:
                if page.tokens:
                    yield replace(document, pages=(page,))
