"""Compares recipes of training on all folds of a dataset, nested, with several seeds.

Every fold is scored by models that another fold chose: epoch, thresholds and writing styles know
nothing of the documents scored. Recipes are compared document by document on the same drawn
documents (paired bootstrap, see `benchmarks.papers.table`), against the first of the file:

    [windows]
    init = "weights/receipts"
    epochs = 4

    [near-and-far]
    preset = "near-and-far"
    init = "weights/receipts"
    epochs = 4
    config = { reach = 64 }

A recipe's keys are preset, init, config, documents (at most so many are learnt from, and as many
choose; all by default), and those of `LoopConfig` and `AugmentConfig`. Runs are kept in --store by
their settings; a command that was broken off goes on from where it was. A recipe that is done has
a line in --table.

    python -m benchmarks.protocol DATASET RECIPES.toml [--fields FILE] [--folds 5] [--seeds 2]
        [--by template] [--transcription both] [--budget MINUTES] [--table TABLE.md]
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from benchmarks.machine import machine
from benchmarks.papers.field_models import draw, load_labelled, per_document, score_task
from benchmarks.papers.runs import (
    Budget,
    Record,
    Result,
    Settings,
    Store,
    Summands,
    key_of,
    run_all,
)
from benchmarks.papers.table import Row, rows_of
from pipeline.errors import FieldwrightError, InvalidOption
from training.augment import AugmentConfig
from training.data import Transcription
from training.errors import DatasetError
from training.field_model.cross import train_model
from training.field_model.prepared import Prepared, prepare_folds
from training.field_model.recipe import Recipe
from training.loop import LoopConfig, Session
from training.scoring import METRICS

_EXPERIMENT = "protocol"
_SHOWN = METRICS[-1]  # normalised
_OF = " of "  # between a metric and a transcription, where there are several
_BOTH = "both"
_OWN = ("preset", "init", "config")
_DOCUMENTS = "documents"  # to learn from at most, and to choose on
_LOOP = {field.name for field in dataclasses.fields(LoopConfig)} - {"seed"}
_AUGMENT = {field.name for field in dataclasses.fields(AugmentConfig)}
_HEAD = (
    "| data | split | recipe | seeds | documents | normalised F1 (seeds) | 95% | against (95%) "
    "| minutes | commit |\n|---|---|---|---|---|---|---|---|---|---|\n"
)


def recipes_of(path: Path) -> dict[str, dict[str, Any]]:
    """Return the recipes of a TOML file by name, the baseline first.

    Raises:
        InvalidOption: the file cannot be read, holds no recipe, or one has a key of no setting.
    """
    try:
        found: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidOption(
            f"{path} cannot be read: {error}.", advice="Give a TOML file of recipes."
        ) from error
    known = {*_OWN, _DOCUMENTS, *_LOOP, *_AUGMENT}
    for name, recipe in found.items():
        if not isinstance(recipe, dict) or (recipe.keys() - known):
            raise InvalidOption(
                f"{name} in {path} is no recipe.",
                advice=f"Give a table [{name}] with keys among {', '.join(sorted(known))}.",
            )
    if not found:
        raise InvalidOption(f"{path} has no recipe.", advice="Give one as [NAME].")
    return found


def with_settings(base: Recipe, settings: Mapping[str, Any], seed: int) -> Recipe:
    """Return a recipe with the settings of a file's; those that it leaves out stay."""
    loop = {name: value for name, value in settings.items() if name in _LOOP}
    augment = {name: value for name, value in settings.items() if name in _AUGMENT}
    return dataclasses.replace(
        base,
        **{name: settings[name] for name in _OWN if name in settings},
        loop=dataclasses.replace(base.loop, **loop, seed=seed),
        augment=dataclasses.replace(base.augment, **augment),
    )


def nested(
    folds: Sequence[Prepared], number: int, most: int = 0, seed: int = 0
) -> tuple[Prepared, tuple[str, ...]]:
    """Return what a fold's models learn and are chosen from, and the documents they are scored on.

    The next fold chooses; neither is trained on. Of what is learnt from and of what chooses, at
    most so many documents are drawn by the seed; 0 takes all.
    """
    scored = folds[number].validation
    chooses = folds[(number + 1) % len(folds)].validation
    apart = {*scored, *chooses}
    train = tuple(name for name in folds[number].train if name not in apart)
    part = dataclasses.replace(
        folds[number], train=draw(train, most, seed), validation=draw(chooses, most, seed)
    )
    return part, scored


def plan(
    about: Settings, recipes: Mapping[str, Settings], folds: int, seeds: int
) -> Iterator[dict[str, Any]]:
    """Yield the settings of all runs; seed by seed and fold by fold all recipes stand together."""
    for seed in range(seeds):
        for fold in range(folds):
            for name, recipe in recipes.items():
                yield {
                    "experiment": _EXPERIMENT,
                    **about,
                    "system": name,
                    "recipe": dict(recipe),
                    "trained": f"fold {fold}",
                    "seed": seed,
                }


def finished(wanted: Sequence[Settings], records: Sequence[Record]) -> list[Record]:
    """Return one record for each recipe and seed, of all folds together; whole recipes only."""
    done = {key_of(record.settings): record for record in records}
    complete = {run["system"] for run in wanted} - {
        run["system"] for run in wanted if key_of(run) not in done
    }
    joined: dict[tuple[str, int], Record] = {}
    for run in wanted:
        if run["system"] not in complete:
            continue
        record, at = done[key_of(run)], (run["system"], run["seed"])
        if (so_far := joined.get(at)) is None:
            settings = {**record.settings, "trained": "all folds"}
            joined[at] = dataclasses.replace(record, settings=settings)
            continue
        scores: dict[str, Summands] = {
            metric: so_far.result.scores[metric] | values
            for metric, values in record.result.scores.items()
        }
        result = dataclasses.replace(so_far.result, scores=scores)
        seconds = so_far.seconds + record.seconds
        joined[at] = dataclasses.replace(so_far, result=result, seconds=seconds)
    return list(joined.values())


def lines_of(recipes: Sequence[str], records: Sequence[Record]) -> list[str]:
    """Return a line of the table for each recipe that is done, the baseline first."""
    if not records:
        return []
    lines = []
    for row in rows_of(recipes, records):
        metric, _, transcription = row.scored.partition(_OF)
        if metric == _SHOWN:
            own = [r for r in records if r.settings["system"] == row.system]
            lines.append(_line(row, own, f", scored on {transcription}" if transcription else ""))
    return lines


def _line(row: Row, records: Sequence[Record], scored_on: str) -> str:
    about = records[0].settings
    against = ""
    if row.against is not None:
        gap, low, high = row.against
        against = f"{gap:+.3f} ({low:+.3f} to {high:+.3f})"
    minutes = sum(record.seconds for record in records) / 60
    commit = records[0].machine.rpartition("commit ")[2] or "unknown"
    cells = (
        about["data"],
        about["split"] + scored_on,
        row.system,
        str(row.seeds),
        str(row.documents),
        f"{row.mean:.3f} ({row.least:.3f} to {row.most:.3f})",
        f"{row.interval[0]:.3f} to {row.interval[1]:.3f}",
        against,
        f"{minutes:.1f}",
        commit,
    )
    return f"| {' | '.join(cells)} |"


def keep(table: Path, lines: Sequence[str]) -> None:
    """Append to a table the lines that it does not have yet; begin it where there is none."""
    old = table.read_text(encoding="utf-8") if table.is_file() else _HEAD
    new = "".join(f"{line}\n" for line in lines if line not in old.splitlines())
    table.write_text(old + new, encoding="utf-8")


def compare(arguments: argparse.Namespace) -> list[str]:
    """Do the runs that are not done and return the lines of the recipes that are.

    Raises:
        DatasetError: the dataset cannot be read or has too few groups.
        InvalidOption: see `recipes_of`.
    """
    recipes = recipes_of(arguments.recipes)
    if arguments.folds < 3:
        raise InvalidOption(
            f"{arguments.folds} folds are too few: one is scored, one chooses, the rest is learnt.",
            advice="Give --folds 3 or more.",
        )
    data, fields = load_labelled(arguments)
    read: tuple[Transcription, ...] = (
        ("gold", "own") if arguments.transcription == _BOTH else (arguments.transcription,)
    )
    base = Recipe(
        transcriptions=read,
        share=1 / arguments.folds,
        group_by=arguments.group_by,
        by_template=arguments.by == "template",
    )
    store = Store(arguments.store)
    folds = prepare_folds(data, fields, base, cache=arguments.store.parent / "readings")
    if len(folds) < 3:
        raise DatasetError(
            f"{data.folder} gives {len(folds)} folds, and three are needed.",
            advice="Give more --folds, which are then smaller, or --by template.",
        )
    about = {
        "data": data.name,
        "fields": [spec.name for spec in fields],
        "split": f"{len(folds)} folds by {arguments.group_by or folds[0].unit}, "
        f"{' and '.join(read)}",
    }
    wanted = list(plan(about, recipes, len(folds), arguments.seeds))
    budget = Budget(arguments.budget)

    def execute(settings: Settings, folder: Path) -> Result:
        fold = int(settings["trained"].removeprefix("fold "))
        most = int(settings["recipe"].get(_DOCUMENTS, 0))
        prepared, scored = nested(folds, fold, most, settings["seed"])
        trained = train_model(
            prepared,
            with_settings(base, settings["recipe"], settings["seed"]),
            Session(folder, budget, arguments.device, resume=True),
        )
        found: dict[str, Summands] = {}
        for name, corpus in prepared.corpora.items():
            scores = score_task(trained, corpus, scored)
            of = f"{_OF}{name}" if len(read) > 1 else ""
            found |= {f"{metric}{of}": per_document(scores, metric) for metric in METRICS}
        return Result("f1", found, f"{len(prepared.train)} documents")

    run_all(wanted, execute, store, budget, machine())
    return lines_of(list(recipes), finished(wanted, store.records()))


def main() -> None:
    """Compare the recipes, keep the lines and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("data", type=Path, help="folder of a dataset")
    parser.add_argument("recipes", type=Path, help="TOML file; the first recipe is the baseline")
    parser.add_argument("--fields", type=Path, help="fields.toml; guessed by default")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--by", choices=["issuer", "template"], default="issuer")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads; 0 for all cores")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--seeds", type=int, default=2, help="of each recipe, from 0 on")
    parser.add_argument("--group-by", help="field that names the issuer")
    parser.add_argument("--transcription", choices=["gold", "own", _BOTH], default="own")
    parser.add_argument("--budget", type=float, metavar="MINUTES", help="stop after these")
    parser.add_argument("--store", type=Path, default=Path(".fieldwright/protocol"))
    parser.add_argument("--table", type=Path, default=Path("benchmarks/results/protocol.md"))
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    try:
        lines = compare(arguments)
        keep(arguments.table, lines)
    except FieldwrightError as error:
        sys.exit(str(error))
    print(_HEAD + "\n".join(lines))


if __name__ == "__main__":
    main()
