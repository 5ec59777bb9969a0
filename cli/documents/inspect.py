"""`fieldwright inspect`: a picture of a page with what one of its words attends to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.shared.served import served

_LISTED = 10


def inspect(
    document: Annotated[Path, typer.Argument(help="PDF or picture.")],
    word: Annotated[
        int, typer.Option(min=0, help="The word, counted from 0 as in an answer's `words`.")
    ],
    model: Annotated[
        str | None, typer.Option(help="NAME or NAME@VERSION; the default model otherwise.")
    ] = None,
    layer: Annotated[
        int | None, typer.Option(min=1, help="This layer alone; their mean otherwise.")
    ] = None,
    head: Annotated[
        int | None, typer.Option(min=1, help="This head alone; their mean otherwise.")
    ] = None,
    pages: Annotated[str | None, typer.Option(help="Page range such as 1-3,-1.")] = None,
    password_file: Annotated[
        Path | None, typer.Option(help="File with the password of an encrypted PDF.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="The picture, a PNG; DOCUMENT-word-N.png here otherwise.")
    ] = None,
) -> None:
    """Draw the page as it was read, each word coloured by how much the chosen word attends to it.

    The words that get most are listed on standard output: share, number, text.
    """
    from cli.shared.documents import text_in
    from models.packages.package import load_package
    from pipeline.errors import InvalidOption, ModelPackageError
    from pipeline.reading.media import document_bytes
    from pipeline.reading.options import ReadOptions
    from pipeline.reading.reader import read_document
    from pipeline.tagging import example_of
    from store.settings import Settings

    data = document_bytes(document)
    password = text_in(password_file) if password_file is not None else None
    settings = Settings.load()
    package = served(settings).resolve(model)
    try:
        loaded = load_package(package.path, device=settings.device)
    except (OSError, ValueError) as error:
        raise ModelPackageError(
            f"The model package {package.name} cannot be used: {error}."
        ) from error

    from cli.shared.attention_picture import draw_attention
    from models.inspection import word_attention

    options = ReadOptions(
        pages=pages,
        password=password,
        max_pages=settings.max_pages,
        confinement=settings.confinement,
    )
    read = read_document(data, options)
    example = example_of(read)
    try:
        found = word_attention(
            loaded.tagger, example, loaded.contents.pieces, word, layer=layer, head=head
        )
    except IndexError as error:
        raise InvalidOption(f"In {document.name} {error}.", advice="Choose another one.") from error
    except ValueError as error:
        raise InvalidOption(
            f"{package} cannot be inspected: its preset is {loaded.tagger.config.preset}, "
            f"and {error}.",
            advice="Choose a model that weighs word against word, such as one of preset lambert.",
        ) from error
    parts = (f"layer {layer}" if layer else "all layers", f"head {head}" if head else "all heads")
    picture = draw_attention(read, found, word, caption=f"{package}, {', '.join(parts)}")
    target = output or Path(f"{document.stem}-word-{word}.png")
    try:
        picture.save(target, "PNG", optimize=True)
    except OSError as error:
        raise InvalidOption(f"{target} cannot be written.", advice="Choose --output.") from error
    for index in found.shares.argsort()[::-1][:_LISTED]:
        if found.shares[index] > 0:
            typer.echo(f"{found.shares[index]:.3f}  {index}  {example.words[index]}")
    typer.echo(
        f"{example.words[word]!r}: {found.shares.sum():.0%} on words, {found.specials:.0%} on "
        f"separators. Picture: {target}",
        err=True,
    )
