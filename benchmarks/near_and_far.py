"""A package that reads in windows beside the same weights near and far, whole and untrained.

Both answer the same documents of a dataset; figures are by length, as `fieldwright evaluate` counts
them. What of the documents was in the package's training is said: then the figures compare two ways
of reading and say nothing of new documents.

    python -m benchmarks.near_and_far DATASET --package weights/orders [--documents 60]
        [--change reach=64 ...] [--gate .1]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch

from models.encoding import PieceEncoder
from models.packages.package import LoadedPackage, load_package
from models.packed import pack
from models.tagger import Tagger
from pipeline.answers.calibration import Calibration
from pipeline.tagging import example_of
from pipeline.values.schema import parse_fields
from store.settings import Settings
from training.data import Corpus, Dataset, build_corpus, load_dataset
from training.data.seen import seen_before
from training.scoring import Scores, answers_of, score, texts_of
from training.starts import choose_start, parse_changes

PRESET = "near-and-far"
LENGTHS = (0, 512, 2048, 1 << 60)


def near_and_far(package: Path, changes: Sequence[str], gate: float) -> tuple[Tagger, PieceEncoder]:
    """Return a package's weights under the preset, ready to tag.

    Args:
        package: its folder.
        changes: to the preset, such as ``reach=64``.
        gate: share of the far, which an untrained model has closed (0).
    """
    start = choose_start(PRESET, str(package), changes=parse_changes(changes))
    tagger = Tagger(start.config, load_package(package).tagger.labels)
    start.fill_tagger(tagger)
    tagger.eval().requires_grad_(False)
    for name, parameter in tagger.encoder.named_parameters():
        if name.endswith(".attention.gate"):
            parameter.fill_(gate)
    pack(tagger.encoder)
    return tagger, PieceEncoder(start.tokenizer, start.config)


def answered(
    tagger: Tagger, pieces: PieceEncoder, corpus: Corpus, ids: Sequence[str], package: LoadedPackage
) -> tuple[Scores, float]:
    """Return the scores of a tagger with a package's post-processing, and seconds of tagging."""
    calibration = Calibration.from_json(package.calibration)
    started = time.perf_counter()
    spans = {
        name: tagger.tag(example_of(corpus.documents[name], name), pieces, calibration.doubtful)
        for name in ids
    }
    seconds = time.perf_counter() - started
    answers = answers_of(corpus.documents, spans, corpus.fields, calibration)
    texts = texts_of(answers, calibration.styles)
    return score(texts, corpus.labels(ids), corpus.fields), seconds


def rows(scores: Scores, lengths: Mapping[str, int]) -> Iterator[str]:
    """Yield normalised micro F1 of all documents, and of those of each length."""
    yield f"{scores.total('normalised').f1:.3f}"
    for low, high in pairwise(LENGTHS):
        ids = [name for name in scores.ids if low < lengths[name] <= high]
        yield f"{scores.only(ids).total('normalised').f1:.3f} ({len(ids)})" if ids else ""


def main() -> None:
    """Answer the documents in both ways and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=60, help="drawn, always the same ones")
    parser.add_argument("--change", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--gate", type=float, default=0.0)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    data = load_dataset(options.dataset)
    drawn = np.random.default_rng(0).permutation(len(data.rows))[: options.documents]
    part = Dataset(data.folder, tuple(data.rows[int(index)] for index in sorted(drawn)))
    package = load_package(options.package)
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
        scores, seconds = answered(tagger, pieces, corpus, ids, package)
        print(f"| {name} | {' | '.join(rows(scores, lengths))} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
