"""`fieldwright batch`: folders of documents through a running service, each of them once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli import FAILED
from cli.shared.format import Format

KEY_VARIABLE = "FIELDWRIGHT_API_KEY"


def batch(
    paths: Annotated[list[Path], typer.Argument(help="Documents, or folders of them.")],
    url: Annotated[str, typer.Option(help="Address of the service.")] = "http://127.0.0.1:8000",
    key_file: Annotated[
        Path | None,
        typer.Option(help=f"File with the access key; the variable {KEY_VARIABLE} otherwise."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="NAME or NAME@VERSION; the service's default otherwise.")
    ] = None,
    form: Annotated[
        Literal["jsonl", "csv", "xlsx"],
        typer.Option("--format", help="JSON lines, a table, or a workbook."),
    ] = "jsonl",
    output: Annotated[
        Path | None, typer.Option(help="File to write to; standard output otherwise.")
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            help="File that remembers what was sent; beside the output, or in the user's state "
            "folder, otherwise."
        ),
    ] = None,
    pages: Annotated[str | None, typer.Option(help="Page range such as 1-3,-1.")] = None,
    ocr: Annotated[
        Literal["auto", "always", "never"] | None,
        typer.Option(help="auto: only pages without a sound text layer."),
    ] = None,
    engine: Annotated[
        Literal["tesseract", "rapidocr"] | None, typer.Option(help="What recognises words.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Languages of what is recognised, such as eng+deu.")
    ] = None,
    on_no_fit: Annotated[
        Literal["warn", "refuse"] | None,
        typer.Option(help="Of a document like those of no model: mark every value, or fail."),
    ] = None,
    password_file: Annotated[
        Path | None, typer.Option(help="File with the password of encrypted PDFs.")
    ] = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try those once more that failed in an earlier run.")
    ] = False,
    patience: Annotated[
        float,
        typer.Option(help="Seconds that the service may not answer, at the start too.", min=0),
    ] = 300.0,
) -> None:
    """Extract the fields of many documents with a running service.

    A run that broke off goes on where it was, and a second run sends nothing twice: documents are
    known by their content. Of a folder those files are sent whose names end as documents' do, such
    as .pdf or .png; how many are left out is told. A file that is named itself is sent whatever
    its name.

    Exit code 0: all were read; 3: some failed, and their errors are in
    the output, or the service gave up; 2: usage.
    """
    from cli.sending.journal import Journal
    from cli.sending.remote import Remote
    from cli.sending.run import Run, looked_at
    from cli.shared.advice import in_own_terms, show
    from cli.shared.documents import documents_in, text_in
    from cli.shared.output import writing

    chosen = {
        "model": model,
        "pages": pages,
        "ocr": ocr,
        "engine": engine,
        "language": language,
        "on_no_fit": on_no_fit,
    }
    order = {name: value for name, value in chosen.items() if value}
    password = text_in(password_file) if password_file is not None else None
    key = text_in(key_file) if key_file is not None else os.environ.get(KEY_VARIABLE)

    def on_wait(reason: str, seconds: float) -> None:
        show(f"{reason}; trying again in {seconds:.0f} s.", "yellow")

    failed = 0
    named = documents_in(paths)  # before the service is waited for
    with Remote(url, key=key and key.strip(), patience=patience, on_wait=on_wait) as remote:
        limits = remote.limits()
        documents = looked_at(named, limits["max_bytes"])
        journal = state or _state_file(output, paths, remote.url)
        with Journal(journal, _order_hash(remote.url, order)) as kept:
            run = Run(remote, kept, limits, order, password, documents)
            run.resume(retry=retry)
            run.send()
            run.wait()
            with (
                run.answers() as answers,
                writing(Format(form), output, answers.columns(form), single=False) as write,
            ):
                for document in documents:
                    reply = answers.reply_to(document)
                    if reply.error is not None:
                        failed += 1
                        show(f"{document.path}: {in_own_terms(reply.error)}")
                    write(reply)
    if failed:
        raise typer.Exit(FAILED)


def _order_hash(url: str, order: dict[str, str]) -> str:
    import hashlib
    import json

    return hashlib.sha256(json.dumps([url, order], sort_keys=True).encode()).hexdigest()[:32]


def _state_file(output: Path | None, paths: list[Path], url: str) -> Path:
    """Return where a run keeps what it sent, the same for every run on these folders."""
    if output is not None:
        return output.with_name(f"{output.name}.state")
    places = {f"path{number}": str(path.absolute()) for number, path in enumerate(paths)}
    base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return base / "fieldwright" / f"batch-{_order_hash(url, places)}.state"
