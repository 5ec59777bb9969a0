"""`fieldwright extract`: documents in, their fields out, without a server."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli import FAILED
from cli.shared.format import Format
from cli.shared.served import served

if TYPE_CHECKING:
    from pipeline.document import Document
    from pipeline.reading.options import ReadOptions


def extract(
    paths: Annotated[list[Path], typer.Argument(help="Documents, or folders of them.")],
    model: Annotated[
        str | None, typer.Option(help="NAME, NAME@VERSION or auto: the one that fits.")
    ] = None,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="json: one object, or an array for several; azure: the same in the shape of "
            "Azure's prebuilt invoice; xlsx: a workbook; cii, facturx: one e-invoice.",
        ),
    ] = Format.JSON,
    pages: Annotated[str | None, typer.Option(help="Page range such as 1-3,-1.")] = None,
    ocr: Annotated[
        Literal["auto", "always", "never"],
        typer.Option(help="auto: only pages without a sound text layer."),
    ] = "auto",
    engine: Annotated[
        Literal["tesseract", "rapidocr"], typer.Option(help="What recognises words.")
    ] = "rapidocr",
    language: Annotated[
        str, typer.Option(help="Languages of what is recognised, such as eng+deu.")
    ] = "auto",
    on_no_fit: Annotated[
        Literal["warn", "refuse"],
        typer.Option(help="Of a document like those of no model: mark every value, or fail."),
    ] = "warn",
    password_file: Annotated[
        Path | None, typer.Option(help="File with the password of encrypted PDFs.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Processes that read pages; one a core otherwise.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="File to write to; standard output otherwise.")
    ] = None,
) -> None:
    """Extract the fields of documents.

    Of a folder those files are read whose names end as documents' do, such as .pdf or .png; how
    many are left out is told. A file that is named itself is read whatever its name.

    Exit code 0: all were read; 3: some failed, and their errors are in the output; 2: usage.
    """
    from pipeline.reading.reader import prepare_reading, read_ahead

    prepare_reading()  # as it takes a moment, before all else

    from cli.shared.documents import document_name, documents_in, text_in, with_e_invoices
    from models.packages import AUTO
    from store.settings import Settings

    documents = documents_in(paths)
    password = text_in(password_file) if password_file is not None else None
    settings = Settings.load()
    registry = served(settings)
    package = None if (model or registry.default) == AUTO else registry.resolve(model)

    from pipeline.reading.media import document_bytes
    from pipeline.reading.options import ReadOptions

    options = ReadOptions(
        pages=pages,
        ocr=ocr,
        engine=engine,
        language=language,
        password=password,
        max_pages=settings.max_pages,
        processes=processes,
        confinement=settings.confinement,
    )
    first = _begun(documents[0], options)  # while what runs models, and the model, are being loaded

    from pipeline.loading import loading

    with loading("onnx"):
        from cli.shared.advice import in_own_terms, show
        from cli.shared.output import writing
        from pipeline.auto import AutoExtractor
        from pipeline.errors import FieldwrightError
        from pipeline.extract import Extractor
        from pipeline.formats.export import Reply
        from pipeline.result import Extraction

    device, precision = settings.device, settings.precision or None
    extractor = (
        AutoExtractor(registry, device=device, precision=precision)
        if package is None
        else Extractor(package.path, device=device, precision=precision)
    )

    def answer_to(path: Path) -> Extraction:
        refuse = on_no_fit == "refuse"
        if path is not documents[0]:
            return extractor.extract(document_bytes(path), options, refuse=refuse)
        document, read_s = first.result()
        if len(documents) > 1:
            read_ahead()
        return extractor.answer(document, read_s, refuse=refuse)

    def reply_to(path: Path) -> Reply:
        try:
            return Reply(document_name(path), answer=answer_to(path))
        except FieldwrightError as error:
            return Reply(document_name(path), error=in_own_terms(error))

    failed = 0
    single = len(paths) == 1 and documents == paths
    fields = with_e_invoices(extractor.fields, documents)
    with writing(form, output, fields, single=single) as write:
        for path in _watched(documents):
            reply = reply_to(path)
            write(reply)
            if reply.error is not None:
                failed += 1
                show(f"{path}: {reply.error}")
    if failed:
        raise typer.Exit(FAILED)


def _watched(documents: list[Path]) -> Iterable[Path]:
    """Return the documents, with a bar on standard error that shows how far they are read."""
    if not sys.stderr.isatty():
        return documents
    from rich.console import Console
    from rich.progress import track

    return track(documents, "Reading", console=Console(stderr=True), transient=True)


def _begun(path: Path, options: ReadOptions) -> Future[tuple[Document, float]]:
    """Begin to read a document on a thread of its own; return it and the seconds that it will take.

    Confined processes do the work: this one only waits, and the thread keeps nothing from ending.
    """
    from pipeline.reading.media import document_bytes
    from pipeline.reading.reader import read_document

    reading: Future[tuple[Document, float]] = Future()

    def read() -> None:
        started = time.perf_counter()
        try:
            document = read_document(document_bytes(path), options)
        except BaseException as error:
            reading.set_exception(error)
        else:
            reading.set_result((document, time.perf_counter() - started))

    threading.Thread(target=read, name="first document", daemon=True).start()
    return reading
