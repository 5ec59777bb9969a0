"""What several trainings bring together, and what one model learns from them.

Of every fold's documents a part is labelled, the rest only read; one fold is scored, the next
chooses the epoch and fits thresholds, as in `benchmarks.protocol`. Compared are

    one         trainings on the labelled part, a seed each
    longer      the same with as many steps as the students
    weights     one model with the mean of their weights
    together    all of them, their probabilities averaged
    student     trained on the labelled part, and on the rest as all of them together label it

    python -m benchmarks.ensembles DATASET [--fields FILE] [--folds 10] [--documents 150]
        [--members 4] [--students 2] [--epochs 5]

A fold's runs are kept in --store when all of it are done; a command that was broken off goes on
from its checkpoints.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from benchmarks.machine import machine
from benchmarks.papers.field_models import draw, load_labelled, per_document, score_task
from benchmarks.papers.options import sizes_of
from benchmarks.papers.runs import Budget, Record, Result, Settings, Store, Summands, tell
from benchmarks.protocol import add_options, finished, lines_of, nested, three_or_more
from models.encoding import PieceEncoder
from models.example import Example
from models.tagger import Tagger
from pipeline.errors import FieldwrightError
from pipeline.tagging import example_of
from training.field_model.judging import judged_alone
from training.field_model.learning import Learnt, build_tagger, learn, mean_weights
from training.field_model.prepared import Also, Prepared, chosen_fold
from training.field_model.recipe import Recipe
from training.loop import LoopConfig, Session
from training.scoring import METRICS

SYSTEMS = ("one", "longer", "weights", "together", "student")
_EXPERIMENT = "ensembles"


class Together(Tagger):
    """Several taggers of the same labels and pieces, as one.

    Args:
        members: the taggers.
    """

    def __init__(self, members: Sequence[Tagger]) -> None:
        nn.Module.__init__(self)
        self.config, self.labels = members[0].config, members[0].labels
        self.members = tuple(members)

    def probabilities(self, example: Example, pieces: PieceEncoder) -> NDArray[np.float64]:
        """Return the mean of what the members say, see `Tagger.probabilities`."""
        found = [member.probabilities(example, pieces) for member in self.members]
        mean: NDArray[np.float64] = np.mean(found, axis=0)
        return mean


def labelled_by(
    tagger: Tagger, prepared: Prepared, ids: Sequence[str], pieces: PieceEncoder
) -> Also:
    """Return documents with the labels that a tagger gives them, to be trained on as well."""
    examples = [
        example_of(corpus.documents[name], name)
        for corpus in prepared.corpora.values()
        for name in ids
        if name in corpus.documents
    ]
    return Also(
        (_EXPERIMENT,),
        (),
        tuple(
            replace(
                example, id=f"{_EXPERIMENT}/{example.id}", spans=tuple(tagger.tag(example, pieces))
            )
            for example in examples
            if example.words
        ),
    )


def run_fold(
    prepared: Prepared,
    rest: Sequence[str],
    recipe: Recipe,
    arguments: argparse.Namespace,
    folder: Path,
) -> Iterator[tuple[str, int, Learnt]]:
    """Yield the models of a fold, each with its system and seed.

    Args:
        prepared: its training documents are the labelled ones.
        rest: those without labels.
        recipe: of all trainings.
        arguments: the options.
        folder: of the runs.
    """

    def trained(on: Prepared, name: str, seed: int, epochs: int) -> Learnt:
        loop = replace(recipe.loop, seed=seed, epochs=epochs, patience=epochs)
        tell(f"  {name}, seed {seed}")
        return learn(
            on,
            replace(recipe, loop=loop),
            Session(folder / f"{name}-{seed}", Budget(None), arguments.device, resume=True),
        )

    epochs = arguments.epochs
    ones = [trained(prepared, "one", seed, epochs) for seed in range(arguments.members)]
    for seed, one in enumerate(ones):
        yield "one", seed, one
    first = ones[0]
    mean, _ = build_tagger(recipe, prepared.fields)
    mean.load_state_dict(mean_weights([one.tagger.state_dict() for one in ones]))
    mean.to(first.tagger.head.weight.device)
    yield "weights", 0, replace(first, tagger=mean.eval())
    together = Together([one.tagger.eval() for one in ones])
    yield "together", 0, replace(first, tagger=together)
    more = replace(prepared, also=labelled_by(together, prepared, rest, first.pieces))
    share = 1 + len(more.also.examples) / max(1, len(prepared.examples()))
    for seed in range(arguments.students):
        yield "student", seed, trained(more, "student", seed, epochs)
        yield "longer", seed, trained(prepared, "longer", seed, round(epochs * share))


def compare(arguments: argparse.Namespace) -> list[str]:
    """Do the folds that are not done and return the lines of the table.

    Raises:
        DatasetError: the dataset cannot be read or has too few groups.
        InvalidOption: there is no fold of the number asked for.
    """
    data, fields = load_labelled(arguments)
    recipe = Recipe(
        init=arguments.init,
        config=sizes_of(arguments),
        transcriptions=(arguments.transcription,),
        share=1 / arguments.folds,
        by_template=arguments.by == "template",
        loop=LoopConfig(),
    )
    store = Store(arguments.store)
    folds = three_or_more(data, fields, recipe, arguments.store)
    about: dict[str, Any] = {
        "experiment": _EXPERIMENT,
        "data": data.name,
        "fields": [spec.name for spec in fields],
        "split": f"{len(folds)} folds by {arguments.by}, {arguments.transcription}, "
        f"{arguments.documents} labelled",
        "init": Path(arguments.init).name,
        "sizes": sizes_of(arguments),
        "epochs": arguments.epochs,
        "members": arguments.members,
        "students": arguments.students,
    }
    compare_folds(folds, recipe, about, arguments, store)
    records = [record for record in store.records() if _is_of(record, about)]
    return lines_of(SYSTEMS, finished([record.settings for record in records], records))


def compare_folds(
    folds: Sequence[Prepared],
    recipe: Recipe,
    about: dict[str, Any],
    arguments: argparse.Namespace,
    store: Store,
) -> None:
    """Do the runs of the folds that are not done, and keep their records."""
    known = {r.settings["trained"] for r in store.records() if _is_of(r, about)}
    if arguments.fold is not None:
        chosen_fold(folds, arguments.fold)
    for number in range(len(folds)) if arguments.fold is None else (arguments.fold,):
        if f"fold {number}" in known:
            continue
        tell(f"fold {number} of {len(folds)}")
        whole, scored = nested(folds, number)
        labelled = draw(whole.train, arguments.documents, 0)
        rest = [name for name in whole.train if name not in set(labelled)]
        prepared = replace(whole, train=labelled)
        records = []
        begun = time.monotonic()
        running = store.running({**about, "trained": f"fold {number}"})
        models = run_fold(prepared, rest, recipe, arguments, running)
        for system, seed, learnt in models:
            trained = judged_alone(prepared, learnt)
            [corpus] = prepared.corpora.values()
            scores = score_task(trained, corpus, scored)
            found: dict[str, Summands] = {m: per_document(scores, m) for m in METRICS}
            settings = {**about, "system": system, "trained": f"fold {number}", "seed": seed}
            result = Result("f1", found, f"{len(prepared.train)} documents")
            records.append(Record(settings, result, time.monotonic() - begun, machine()))
            begun = time.monotonic()
        for record in records:
            store.add(record)
        shutil.rmtree(running)


def _is_of(record: Record, about: Settings) -> bool:
    return all(record.settings.get(name) == value for name, value in about.items())


def main() -> None:
    """Compare, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("data", type=Path, help="folder of a dataset")
    add_options(parser, folds=10)
    parser.add_argument("--fold", type=int, help="this one alone")
    parser.add_argument("--transcription", choices=["gold", "own"], default="gold")
    parser.add_argument("--init", default="minilm", help="what trainings start from")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="size or setting of all"
    )
    parser.add_argument("--documents", type=int, default=150, help="that are labelled")
    parser.add_argument("--members", type=int, default=4)
    parser.add_argument("--students", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--store", type=Path, default=Path(".fieldwright/ensembles"))
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    try:
        print("\n".join(compare(arguments)))
    except FieldwrightError as error:
        sys.exit(f"{error.detail} {error.advice}")


if __name__ == "__main__":
    main()
