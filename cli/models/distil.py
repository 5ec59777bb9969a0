"""`fieldwright distil`: an encoder of another architecture that has learnt what a teacher knows."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from cli.shared.corpus import Corpora, HeldOut, Pages, text_of
from cli.shared.device import Device, Threads, device_of
from cli.shared.start import Changes, Resume, Seed, tell_if_anew


def distil(
    corpus: Corpora,
    teacher: Annotated[Path, typer.Option(help="Folder of an encoder or a package to learn from.")],
    preset: Annotated[str, typer.Option(help="Architecture of the encoder that learns.")],
    out: Annotated[Path, typer.Option(help="Folder of the encoder; use it with train --init.")],
    change: Changes = None,
    window: Annotated[int, typer.Option(min=32, help="Most pieces in a sequence.")] = 2048,
    steps: Annotated[int, typer.Option(min=1, help="Of the run.")] = 800,
    pieces: Annotated[int, typer.Option(min=32, help="About so many in a step.")] = 2048,
    rate: Annotated[float, typer.Option(help="Peak learning rate of the attentions.")] = 1e-3,
    validation: HeldOut = 0.02,
    pages: Pages = None,
    seed: Seed = 0,
    device: Device = "auto",
    threads: Threads = 0,
    resume: Resume = False,
) -> None:
    """Teach an architecture what another one has learnt, from documents without labels.

    Above all for attentions that read whole documents: they start badly from weights that learnt
    softmax attention. The encoder takes the teacher's weights where it has the same, and learns to
    give its states. What it misses of their variance on held-out documents is printed.
    """
    import torch

    from cli.shared.console import TrainingBar
    from models.encoding import PieceEncoder
    from models.packages.package import save_encoder, training_of
    from training.loop import Session
    from training.pretraining.distillation import DistilConfig
    from training.pretraining.distillation import distil as run
    from training.pretraining.unlabelled import text_mark
    from training.starts import parse_changes, start_from_teacher

    device = device_of(device, threads)
    tell_if_anew(out / "run", resume)
    torch.manual_seed(seed)
    pair = start_from_teacher(teacher, preset, changes=parse_changes(change or ()))
    window = min(window, pair.config.window)
    encoder = PieceEncoder(pair.tokenizer, replace(pair.config, window=window, overlap=0))
    windows, held = text_of(corpus, pages, encoder, share=validation, seed=seed, whole=True)
    settings = DistilConfig(steps=steps, pieces=pieces, rate=rate, seed=seed)
    with TrainingBar() as bar:
        missed = run(
            pair.student,
            pair.teacher,
            windows,
            [one for each in held.values() for one in each],
            new=pair.new,
            teacher_window=pair.teacher_window,
            config=settings,
            session=Session(
                out / "run",
                bar,
                device,
                resume,
                {"--teacher": str(teacher.resolve())},
                text_mark(windows, held),
            ),
        )
    notes = {
        **asdict(settings),
        "teacher": teacher.name,
        "window": window,
        "corpus": [path.name for path in corpus],
        "windows": len(windows),
        "held_out": len(held),
        "missed": missed,
    }
    save_encoder(
        out,
        encoder=pair.student,
        config=pair.config,
        tokenizer=pair.tokenizer,
        notes=notes,
        training=training_of(teacher),
    )
    typer.echo(
        f"Misses {missed:.1%} of the variance of the teacher's last states on held-out documents. "
        f"Encoder in {out}.",
        err=True,
    )
