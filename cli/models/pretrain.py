"""`fieldwright pretrain`: an encoder that has seen layout, from documents without labels."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.shared.corpus import Corpora, HeldOut, Pages, text_of
from cli.shared.device import Device, Threads, device_of
from cli.shared.served import served
from cli.shared.start import Changes, Init, Preset, Resume, Seed, Skim, tell_if_anew

if TYPE_CHECKING:
    from models.encoding import PieceEncoder
    from training.starts import Start


def pretrain(
    corpus: Corpora,
    out: Annotated[Path, typer.Option(help="Folder of the encoder; use it with train --init.")],
    preset: Preset = None,
    init: Init = "minilm",
    skim: Skim = None,
    change: Changes = None,
    window: Annotated[int, typer.Option(min=32, help="Most pieces in a sequence.")] = 320,
    most: Annotated[int, typer.Option(min=0, help="Windows drawn to train on; 0 takes all.")] = 0,
    validation: HeldOut = 0.02,
    pages: Pages = None,
    whole: Annotated[
        bool, typer.Option(help="Documents in one sequence, as far as they fit, not pages.")
    ] = False,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the windows.")] = 1,
    batch_size: Annotated[int, typer.Option(min=1, help="Windows in a step.")] = 8,
    rate: Annotated[float, typer.Option(help="Peak learning rate of the encoder.")] = 1e-4,
    seed: Seed = 0,
    device: Device = "auto",
    threads: Threads = 0,
    resume: Resume = False,
) -> None:
    """Train an encoder to guess hidden words from the words and boxes around them.

    The encoder starts from all-MiniLM-L6-v2, from nothing, or from another run's. The perplexity on
    held-out documents is printed.
    """
    import torch

    from cli.shared.console import TrainingBar
    from models.build import build_encoder
    from models.packages.package import save_encoder, training_of
    from training.loop import Session
    from training.pretraining.masked import MaskedConfig
    from training.pretraining.masked import perplexity as perplexity_of
    from training.pretraining.masked import pretrain as run
    from training.pretraining.rasters import learn_rasters
    from training.pretraining.unlabelled import text_mark
    from training.starts import choose_start, parse_changes, resolve_start

    device = device_of(device, threads)
    tell_if_anew(out / "run", resume)
    init = resolve_start(init, served())
    began = str(Path(init).resolve()) if Path(init).exists() else init  # however it is written
    start = choose_start(preset, init, changes=parse_changes(change or ()), skim=skim)
    pieces, mask_id = _pieces(start, window)
    torch.manual_seed(seed)
    encoder = build_encoder(start.config)
    start.fill(encoder)
    settings = MaskedConfig(
        epochs=epochs, batch_size=batch_size, rate=rate, validation=validation, seed=seed
    )
    windows, held = text_of(
        corpus, pages, pieces, share=validation, seed=seed, whole=whole, most=most
    )
    if start.draws_layout:
        learn_rasters(encoder, windows, seed=seed, device=device)
    with TrainingBar() as bar:
        guesses = run(
            encoder,
            windows,
            held,
            mask_id=mask_id,
            config=settings,
            session=Session(
                out / "run", bar, device, resume, {"--init": began}, text_mark(windows, held)
            ),
        )
    perplexity = perplexity_of(guesses.values())
    notes = {
        **asdict(settings),
        "init": Path(init).name,
        "window": window,
        "corpus": [path.name for path in corpus],
        "windows": len(windows),
        "held_out": len(held),
        "perplexity": perplexity,
    }
    save_encoder(
        out,
        encoder=encoder,
        config=start.config,
        tokenizer=start.tokenizer,
        notes=notes,
        training=training_of(Path(init)),
    )
    typer.echo(f"Perplexity on held-out documents: {perplexity:.1f}. Encoder in {out}.", err=True)


def _pieces(start: Start, window: int) -> tuple[PieceEncoder, int]:
    """Return what cuts documents into windows, and the id of the piece that hides a word.

    Raises:
        InvalidOption: the start was made for shorter windows, or hides no words.
    """
    from models.encoding import PieceEncoder, special_id
    from pipeline.errors import InvalidOption

    if window > start.config.window:
        raise InvalidOption(
            f"--window {window} is more than {start.init} was made for.",
            advice=f"Give --window {start.config.window} or less.",
        )
    pieces = PieceEncoder(start.tokenizer, replace(start.config, window=window, overlap=0))
    try:
        return pieces, special_id(start.tokenizer, "mask")
    except ValueError as error:
        raise InvalidOption(
            f"{start.init} cannot be pre-trained: {error}.", advice="Choose another --init."
        ) from error
