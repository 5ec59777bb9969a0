"""`fieldwright evaluate`: how good a model is on labelled documents."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.shared.corpus import Reading
from cli.shared.device import Device, Threads, device_of
from cli.shared.served import served

if TYPE_CHECKING:
    from pipeline.errors import FieldwrightError
    from pipeline.extract import Extractor
    from store.settings import Settings
    from training.data import Dataset, Row


Split = Literal["all", "validation"]
"""Which documents of the dataset are scored."""


def evaluate(
    dataset: Annotated[Path, typer.Argument(help="Folder with labels.jsonl and documents/.")],
    model: Annotated[str, typer.Option(help="NAME, NAME@VERSION, or a package's folder.")],
    transcription: Annotated[
        Reading, typer.Option(help="own: read as in service; gold: the dataset's ocr/.")
    ] = "own",
    split: Annotated[
        Split, typer.Option(help="validation: the documents that the model's training held out.")
    ] = "all",
    predictions: Annotated[
        Path | None, typer.Option(help="Write every answer here, one JSON object a line.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write the report here too.")] = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw how much goes through unread, and how much of it is wrong (PNG)."),
    ] = None,
    foreign: Annotated[
        list[Path] | None,
        typer.Option(help="Folder of documents of another kind: how much of them goes unmarked."),
    ] = None,
    device: Device = "cpu",
    threads: Threads = 0,
) -> None:
    """Score a model: exact, lenient and normalised F1 by field, beside the oracle.

    The report goes to standard output as Markdown, with the confidence's quality and the twenty
    worst documents.
    """
    from dataclasses import replace

    from cli.shared.corpus import tagged
    from models.packages.package import training_of
    from pipeline.errors import InvalidOption
    from pipeline.extract import Extractor
    from store.settings import Settings
    from training.data import load_dataset
    from training.data.fields import unlabelled_fields
    from training.scoring.evaluating import evaluated
    from training.scoring.report import render

    settings = Settings.load()
    for path in (predictions, report, plot):
        if path is not None and (path.is_dir() or not path.resolve().parent.is_dir()):
            raise InvalidOption(
                f"{path} cannot be written.", advice="Name a file in a folder that is there."
            )
    device = device_of(device, threads)
    data = load_dataset(dataset)
    folder = _package(model, settings)
    extractor = Extractor(folder, device=device)
    rows = _rows(data, training_of(folder), split, model)
    if missing := unlabelled_fields(data, extractor.fields, model):
        typer.echo(
            f"Warning: no document has a value of {', '.join(missing)}: all that the model finds "
            "of them counts as wrong.",
            err=True,
        )
    corpus = tagged(replace(data, rows=rows), extractor.fields, transcription)
    evaluation = evaluated(
        extractor,
        corpus,
        [row.id for row in rows],
        title=f"{extractor.name} {extractor.version} on {data.name}, "
        f"{'held-out' if split == 'validation' else 'all'} documents, "
        f"{transcription} transcription",
    )
    text = render(evaluation)
    if foreign:
        text += f"\n{_foreign(foreign, extractor)}"
    typer.echo(text)
    if report:
        report.write_text(text, encoding="utf-8")
    if plot:
        from training.scoring.plot import plot_risk

        plot_risk(evaluation.risk_curves(), plot)
    if predictions:
        _write(predictions, rows, evaluation.answers, corpus.unread)


def _package(model: str, settings: Settings) -> Path:
    """Return the folder of a package: as named, or that of a model by its name.

    Raises:
        InvalidOption: a folder is named that is no package.
        UnknownModel: there is no such model.
    """
    from pipeline.errors import InvalidOption

    folder = Path(model)
    if (folder / "config.json").is_file():
        return folder
    if os.sep in model:  # no name of a model has one
        raise InvalidOption(
            f"{model} is {'no folder of a model package' if folder.exists() else 'not there'}.",
            advice="Name the folder with the package's config.json, or a model of "
            "`fieldwright models list`.",
        )
    return served(settings).resolve(model).path


def _rows(data: Dataset, training: Mapping[str, Any], split: Split, model: str) -> tuple[Row, ...]:
    """Return the rows to score; says so where the model was trained on some of them.

    Raises:
        InvalidOption: the model held out none of them, and such are asked for.
    """
    from pipeline.errors import InvalidOption
    from training.data.seen import seen_before

    held_out = set(training.get("validation", ()) if data.name == training.get("dataset") else ())
    new = tuple(row for row in data.rows if row.id in held_out)
    if split == "validation" and not new:
        raise InvalidOption(
            f"{model} held out no documents of {data.name}, or learnt from them in the end.",
            advice="Its card has its scores; use --split all on documents that are new to it.",
        )
    rows = new if split == "validation" else data.rows
    known = len(seen_before(training, rows))
    if known:
        typer.echo(
            f"Warning: the model, or what it started from, was trained on {known} of these "
            f"{len(rows)} documents; the scores say nothing about new ones."
            + (" Use --split validation." if new and split == "all" else ""),
            err=True,
        )
    return rows


def _write(
    path: Path,
    rows: Sequence[Row],
    answers: Mapping[str, Mapping[str, Any]],
    unread: Mapping[str, FieldwrightError],
) -> None:
    """Write what is expected and answered of each document, or its fault, a JSON object a line."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            line: dict[str, Any] = {"id": row.id, "expected": row.fields}
            if row.id in answers:
                line["fields"] = {name: _dumped(said) for name, said in answers[row.id].items()}
            else:
                fault = unread[row.id]
                line["error"] = {"code": fault.code, "detail": fault.detail}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _foreign(folders: list[Path], extractor: Extractor) -> str:
    """Return what the model says of documents of other kinds, as a table."""
    from cli.shared.documents import documents_in
    from pipeline.errors import DocumentError, InvalidOption
    from pipeline.reading.media import document_bytes
    from pipeline.result import Extraction
    from training.scoring.foreign import false_accepts, foreign_table

    def answers(folder: Path) -> Iterator[Extraction]:
        for path in documents_in([folder]):
            try:
                yield extractor.extract(document_bytes(path))
            except (DocumentError, InvalidOption) as error:
                typer.echo(f"{path} cannot be read: {error.detail}", err=True)

    return foreign_table({str(folder): false_accepts(answers(folder)) for folder in folders})


def _dumped(answer: Any) -> Any:
    if isinstance(answer, list):
        return [item.model_dump(mode="json") for item in answer]
    return None if answer is None else answer.model_dump(mode="json")
