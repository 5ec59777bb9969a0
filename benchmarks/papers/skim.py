"""Skim-Attention's claim (Nguyen et al., 2021): layout alone can say where to look.

Perplexity of hidden pieces in documents that were held out, trained from scratch, as `fieldwright
pretrain` does. All systems take the same number of steps, and each step shows all of them as many
pieces: those of four times the window have a quarter of the windows in a batch.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import torch
from tokenizers import Tokenizer

from benchmarks.papers.options import Arm, Context, add_options, plan, sizes_of
from benchmarks.papers.runs import Result, Settings, run_all
from benchmarks.papers.table import Experiment
from models.build import build_encoder
from models.config import TaggerConfig
from models.encoding import PieceEncoder, Window, special_id
from training.loop import Session
from training.pretraining.masked import MaskedConfig, pretrain
from training.pretraining.unlabelled import hold_out, load_pages, windows_of
from training.starts import SCRATCH, choose_start

_LONG = ("longformer", "long-skimformer")
_SYSTEMS = ("text", "layoutlm", "skimformer", "skimformer-plain", *_LONG)
_LONGER = 4  # times the window
_TRAINED, _SCORED = "from scratch", "held-out documents"

EXPERIMENT = Experiment(
    "skim",
    "Skim-Attention: perplexity from scratch",
    _SYSTEMS,
    {
        (system, _TRAINED, _SCORED): figure
        for system, figure in zip(
            _SYSTEMS, ("357", "45.9", "33.8", "36.4", "333", "32.0"), strict=True
        )
    },
    "75,000 mixed pages, 10,000 steps, 12 layers of 768, windows of 512 and 2,048 pieces.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_options(parser, _SYSTEMS, batch_size=8, rate=5e-4)
    parser.add_argument("--steps", type=int, default=2000, help="of each system")
    parser.add_argument("--window", type=int, default=512, help="pieces; four times for long ones")
    parser.add_argument("--share", type=float, default=0.1, help="of the windows held out")


def run(arguments: argparse.Namespace, context: Context) -> None:
    """Do the runs that are not done."""
    path: Path = arguments.data
    documents = list(load_pages(path / "pages.jsonl.gz" if path.is_dir() else path))
    cut: dict[int, dict[str, list[Window]]] = {}

    def cut_to(config: TaggerConfig, tokenizer: Tokenizer) -> dict[str, list[Window]]:
        if config.window not in cut:
            cut[config.window] = windows_of(documents, PieceEncoder(tokenizer, config))
        return cut[config.window]

    def execute(settings: Settings, folder: Path) -> Result:
        longer = _LONGER if settings["system"] in _LONG else 1
        changes = {**sizes_of(arguments), "window": longer * arguments.window, "overlap": 0}
        start = choose_start(settings["system"], SCRATCH, changes=changes)
        mask_id = special_id(start.tokenizer, "mask")
        torch.manual_seed(settings["seed"])
        encoder = build_encoder(start.config)
        start.fill(encoder)
        # One split for all seeds and windows, so that all are scored on the same documents.
        short = replace(start.config, window=arguments.window)
        names = hold_out(cut_to(short, start.tokenizer), arguments.share, seed=0)[1]
        every = cut_to(start.config, start.tokenizer)
        held = {name: every[name] for name in names}
        windows = [w for name, items in every.items() if name not in names for w in items]
        guesses = pretrain(
            encoder,
            windows,
            held,
            mask_id=mask_id,
            config=MaskedConfig(
                steps=arguments.steps,
                batch_size=max(1, arguments.batch_size // longer),
                rate=arguments.rate,
                validation=arguments.share,
                seed=settings["seed"],
            ),
            session=Session(folder, context.budget, context.device, resume=True),
        )
        scores = {name: [guess.nats, guess.pieces] for name, guess in guesses.items()}
        pieces = sum(map(len, windows))
        trained_on = f"{len(every) - len(held)} documents of {pieces} pieces"
        return Result("perplexity", {_SCORED: scores}, trained_on)

    arms = [Arm(system, _TRAINED) for system in _SYSTEMS]
    runs = plan(
        EXPERIMENT.name,
        arguments,
        arms,
        split=f"random by document, {arguments.share:g} of the windows held out",
        steps=arguments.steps,
        window=arguments.window,
    )
    run_all(runs, execute, context.store, context.budget, context.machine)
