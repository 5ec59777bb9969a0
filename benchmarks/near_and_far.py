"""Windows beside the same weights near and far over whole documents, on the folds of a training.

    python -m benchmarks.near_and_far DATASET --package weights/orders --run RUN
        [--change reach=64 ...]

RUN is the folder of a training with `--cross`. Every document is answered by the model of the fold
that held it out, near and far beside what the training kept of its windows; confidences and
thresholds of both are fitted on the other folds. The far has learnt nothing: its gate is closed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import torch
from safetensors.torch import load_file

from benchmarks.papers.runs import Record, Result, Summands
from benchmarks.papers.table import rows_of
from models.encoding import PieceEncoder
from models.labels import LabelSet
from models.packages.package import load_package
from models.packed import pack
from models.tagger import Tagger
from pipeline.answers.confidence.calibration import Calibration
from pipeline.tagging import example_of
from pipeline.values.schema import FieldSpec, parse_fields
from store.settings import Settings
from training.data import Corpus, build_corpus, load_dataset
from training.field_model.cross import HELD_OUT
from training.field_model.refit import refit
from training.scoring import score, tag_all
from training.scoring.calibrate import Given
from training.scoring.held_out import HeldOut
from training.starts import choose_start, parse_changes

PRESET = "near-and-far"
LENGTHS = (0, 512, 2048, 1 << 60)


def near_and_far(
    package: Path, changes: Sequence[str], weights: Path
) -> tuple[Tagger, PieceEncoder]:
    """Return the weights of a fold under the preset, ready to tag.

    Args:
        package: whose fields and tokenizer count.
        changes: to the preset, such as ``reach=64``.
        weights: of the fold.

    Raises:
        ValueError: the weights are not those of such a model.
    """
    start = choose_start(PRESET, str(package), changes=parse_changes(changes))
    tagger = Tagger(start.config, LabelSet(load_package(package).tagger.labels.fields))
    start.fill_tagger(tagger)
    missing, unknown = tagger.load_state_dict(load_file(weights), strict=False)
    if unknown or not all(name.endswith(".attention.gate") for name in missing):
        raise ValueError(f"{weights} has {unknown} and has not {missing}")
    tagger.eval().requires_grad_(False)
    pack(tagger.encoder)
    return tagger, PieceEncoder(start.tokenizer, start.config)


def of_folds(run: Path, package: Path, dataset: Path, changes: Sequence[str]) -> str:
    """Return the table of a cross-validated training: windows, and near and far.

    Args:
        run: its folder.
        package: whose fields, tokenizer and writing styles count.
        dataset: that it was of.
        changes: to the preset.
    """
    data, loaded = load_dataset(dataset), load_package(package)
    fields = parse_fields(loaded.fields_toml)
    cache = Settings.load().home / "readings"
    corpus = build_corpus(data, fields, "own", cache=cache)
    windows = HeldOut.load(run / HELD_OUT)
    whole = HeldOut(windows.dataset, windows.doubtful)
    for number, fold in enumerate(windows.folds):
        weights = run / f"fold-{number}" / "seed-0" / "best.safetensors"
        tagger, pieces = near_and_far(package, changes, weights)
        documents = {name: corpus.documents[name] for name in fold["own"]}
        whole.add({"own": tag_all(tagger, pieces, documents, windows.doubtful)})
        print(f"fold {number}: {len(documents)} documents", file=sys.stderr, flush=True)
    styles = Calibration.from_json(loaded.calibration).styles
    names = [name for fold in windows.folds for name in fold["own"]]
    lengths = {
        name: loaded.pieces.count(example_of(corpus.documents[name], name)) for name in names
    }
    records = []
    for system, held_out in (("windows", windows), (PRESET, whole)):
        _, given = refit(data, fields, held_out, styles, cache=cache)
        counts = summands(given, corpus, fields, names)
        scored = {"all": counts}
        for low, high in pairwise(LENGTHS):
            part = {name: of for name, of in counts.items() if low < lengths[name] <= high}
            if part:
                scored["longer" if high == LENGTHS[-1] else f"up to {high:,} pieces"] = part
        settings = {"experiment": PRESET, "system": system, "trained": str(run), "seed": 0}
        records.append(Record(settings, Result("f1", scored, ""), 0.0, ""))
    lines = [
        "| documents | system | normalised F1 | 95% | against windows (95%) |",
        "|" + "---|" * 5,
    ]
    for row in rows_of(("windows", PRESET), records):
        against = "" if row.against is None else "{:+.3f} ({:+.3f} to {:+.3f})".format(*row.against)
        spread = "{:.3f} to {:.3f}".format(*row.interval)
        lines.append(
            f"| {row.scored} ({row.documents}) | {row.system} | {row.mean:.3f} | {spread} "
            f"| {against} |"
        )
    return "\n".join(lines)


def summands(
    given: Sequence[Given], corpus: Corpus, fields: Sequence[FieldSpec], names: Sequence[str]
) -> Summands:
    """Return true positives, false positives and false negatives of each document's header.

    Of rows every cell is a value given, and equal labels of a column are one: they are left out.
    """
    right, wrong = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    header = {spec.name: spec for spec in fields if not spec.group}
    for one in given:
        if one.case.field in header:
            (right if one.case.right else wrong)[one.case.document] += 1
    nothing = score({}, corpus.labels(names), tuple(header.values()))
    labelled = {name: nothing.only([name]).total("normalised").fn for name in names}
    return {name: [right[name], wrong[name], labelled[name] - right[name]] for name in names}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True, help="folder of a training with --cross")
    parser.add_argument("--change", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print(of_folds(options.run, options.package, options.dataset, options.change))


if __name__ == "__main__":
    main()
