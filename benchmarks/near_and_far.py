"""A package that reads in windows beside the same weights near and far, whole and untrained.

Both answer the same documents of a dataset, with the package's confidences, but without its checks
and its sign of how well a document fits; figures are by length. What of the documents was in the
package's training is said: then the figures compare two ways of reading and say nothing of new
documents.

    python -m benchmarks.near_and_far DATASET --package weights/orders [--documents 60]
        [--change reach=64 ...] [--gate .1]

With --run, the folder of a training with `--cross`, every document is answered by the model of the
fold that held it out, near and far beside what the training kept of its windows; confidences and
thresholds of both are fitted on the other folds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
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
from training.data import Corpus, Dataset, build_corpus, load_dataset
from training.data.seen import seen_before
from training.field_model.cross import HELD_OUT
from training.field_model.refit import refit
from training.scoring import Scores, evaluate, score, tag_all
from training.scoring.calibrate import Given
from training.scoring.held_out import HeldOut
from training.starts import choose_start, parse_changes

PRESET = "near-and-far"
LENGTHS = (0, 512, 2048, 1 << 60)


def near_and_far(
    package: Path, changes: Sequence[str], gate: float, weights: Path | None = None
) -> tuple[Tagger, PieceEncoder]:
    """Return a package's weights under the preset, ready to tag.

    Args:
        package: its folder.
        changes: to the preset, such as ``reach=64``.
        gate: share of the far, which an untrained model has closed (0).
        weights: of a training, in place of the package's.

    Raises:
        ValueError: the weights are not those of such a model.
    """
    start = choose_start(PRESET, str(package), changes=parse_changes(changes))
    tagger = Tagger(start.config, LabelSet(load_package(package).tagger.labels.fields))
    start.fill_tagger(tagger)
    if weights is not None:
        missing, unknown = tagger.load_state_dict(load_file(weights), strict=False)
        if unknown or not all(name.endswith(".attention.gate") for name in missing):
            raise ValueError(f"{weights} has {unknown} and has not {missing}")
    tagger.eval().requires_grad_(False)
    for name, parameter in tagger.encoder.named_parameters():
        if name.endswith(".attention.gate"):
            parameter.fill_(gate)
    pack(tagger.encoder)
    return tagger, PieceEncoder(start.tokenizer, start.config)


def rows(scores: Scores, lengths: Mapping[str, int]) -> Iterator[str]:
    """Yield normalised micro F1 of all documents, and of those of each length."""
    yield f"{scores.total('normalised').f1:.3f}"
    for low, high in pairwise(LENGTHS):
        ids = [name for name in scores.ids if low < lengths[name] <= high]
        yield f"{scores.only(ids).total('normalised').f1:.3f} ({len(ids)})" if ids else ""


def of_folds(run: Path, package: Path, dataset: Path, changes: Sequence[str], gate: float) -> str:
    """Return the table of a cross-validated training: windows, and near and far.

    Args:
        run: its folder.
        package: whose fields, tokenizer and writing styles count.
        dataset: that it was of.
        changes: to the preset.
        gate: share of the far.
    """
    data, loaded = load_dataset(dataset), load_package(package)
    fields = parse_fields(loaded.fields_toml)
    cache = Settings.load().home / "readings"
    corpus = build_corpus(data, fields, "own", cache=cache)
    windows = HeldOut.load(run / HELD_OUT)
    whole = HeldOut(windows.dataset, windows.doubtful)
    for number, fold in enumerate(windows.folds):
        weights = run / f"fold-{number}" / "seed-0" / "best.safetensors"
        tagger, pieces = near_and_far(package, changes, gate, weights)
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
    """Answer the documents in both ways and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--run", type=Path, help="folder of a training with --cross")
    parser.add_argument("--documents", type=int, default=60, help="drawn, always the same ones")
    parser.add_argument("--change", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--gate", type=float, default=0.0)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.run:
        found = of_folds(
            options.run, options.package, options.dataset, options.change, options.gate
        )
        print(found)
        return
    data = load_dataset(options.dataset)
    drawn = np.random.default_rng(0).permutation(len(data.rows))[: options.documents]
    part = Dataset(data.folder, tuple(data.rows[int(index)] for index in sorted(drawn)))
    package = load_package(options.package)
    calibration = Calibration.from_json(package.calibration)
    cache = Settings.load().home / "readings"
    corpus = build_corpus(part, parse_fields(package.fields_toml), "own", cache=cache)
    ids = [row.id for row in part.rows if row.id in corpus.documents]
    lengths = {name: package.pieces.count(example_of(corpus.documents[name], name)) for name in ids}
    known = seen_before(package.training, part.rows)
    print(f"{len(ids)} documents, {known} of them in the package's training.\n")
    print("| system | all | up to 512 pieces | up to 2,048 | longer | seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    systems = {
        f"{package.manifest.name} {package.manifest.version}": (package.tagger, package.pieces),
        " ".join([PRESET, *options.change, f"gate {options.gate:g}"]): near_and_far(
            options.package, options.change, options.gate
        ),
    }
    for name, (tagger, pieces) in systems.items():
        started = time.perf_counter()
        scores = evaluate(tagger, pieces, corpus, ids, calibration)
        seconds = time.perf_counter() - started
        print(f"| {name} | {' | '.join(rows(scores, lengths))} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
