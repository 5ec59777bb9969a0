"""What the experiments' commands have in common: options, and what of them names a run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.papers.runs import Budget, Settings, Store
from training.loop import LoopConfig
from training.starts import SCRATCH, parse_changes


@dataclass(frozen=True, slots=True)
class Arm:
    """One line of an experiment's plan: a system trained in one way."""

    system: str
    trained: str


@dataclass(frozen=True, slots=True)
class Context:
    """Where an experiment runs.

    Attributes:
        store: of its runs.
        budget: time left.
        device: cpu or cuda.
        machine: a line about it, for the record.
        cache: folder for documents as read.
    """

    store: Store
    budget: Budget
    device: str
    machine: str
    cache: Path


def add_options(
    parser: argparse.ArgumentParser, systems: Sequence[str], *, batch_size: int, rate: float
) -> None:
    """Add the options that every experiment has."""

    def names(text: str) -> tuple[str, ...]:
        found = tuple(text.split(","))
        if unknown := [name for name in found if name not in systems]:
            raise argparse.ArgumentTypeError(
                f"no system {', '.join(unknown)} here; there are {', '.join(systems)}"
            )
        return found

    parser.add_argument("data", type=Path, help="folder or file of the data")
    parser.add_argument(
        "--systems", type=names, default=tuple(systems), help="which of them, parted by commas"
    )
    parser.add_argument("--trained", help="one way of training alone, as the table names it")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each, seeds from 0 on")
    parser.add_argument("--batch-size", type=int, default=batch_size, help="windows in a step")
    parser.add_argument("--rate", type=float, default=rate, help="peak learning rate")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="size or setting of all systems, such as layers=3",
    )
    parser.add_argument("--budget", type=float, metavar="MINUTES", help="stop after these")


def add_training(parser: argparse.ArgumentParser, *, epochs: int) -> None:
    """Add the options of experiments that train taggers."""
    parser.add_argument("--epochs", type=int, default=epochs, help="passes over the documents")
    parser.add_argument(
        "--init",
        default="minilm",
        help="minilm, scratch, or a folder; {system} in its path stands for each system",
    )
    parser.add_argument(
        "--most", type=int, default=0, help="documents to train on, drawn once; 0 for all"
    )


def plan(
    experiment: str, arguments: argparse.Namespace, arms: Sequence[Arm], **more: Any
) -> Iterator[Settings]:
    """Yield the settings of all runs, seed by seed: broken off, it leaves whole comparisons.

    Args:
        experiment: its name.
        arguments: the options.
        arms: systems and ways of training.
        more: further settings, JSON values that tell this data and split from another.
    """
    for seed in range(arguments.seeds):
        for arm in arms:
            if arm.system not in arguments.systems or arguments.trained not in (None, arm.trained):
                continue
            yield {
                "experiment": experiment,
                "data": arguments.data.resolve().name,
                **more,
                "system": arm.system,
                "trained": arm.trained,
                "seed": seed,
                "init": getattr(arguments, "init", SCRATCH),
                "batch_size": arguments.batch_size,
                "rate": arguments.rate,
                "sizes": sizes_of(arguments),
            }


def sizes_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the changes to every preset, a JSON value.

    Raises:
        InvalidOption: one that no preset has.
    """
    changes = parse_changes(arguments.set)
    return {name: list(v) if isinstance(v, tuple) else v for name, v in changes.items()}


def loop_of(arguments: argparse.Namespace, settings: Settings) -> LoopConfig:
    """Return how the tagger of a run is trained: all systems take all epochs."""
    return LoopConfig(
        epochs=arguments.epochs,
        batch_size=arguments.batch_size,
        rate=arguments.rate,
        patience=arguments.epochs,
        seed=settings["seed"],
    )


def init_of(arguments: argparse.Namespace, settings: Settings) -> str:
    """Return where the system of a run starts from."""
    return str(arguments.init).replace("{system}", settings["system"])
