"""How a field model is trained, and the dataset made ready for it: read, tagged, split."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from models.example import Example
from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec
from training.augment import AugmentConfig
from training.data import Corpus, Dataset, Row, Transcription, build_corpus, default_transcription
from training.data.split import folds, group_by_issuer, whole_folds
from training.data.templates import group_by_template
from training.errors import DatasetError
from training.loop import LoopConfig
from training.starts import MINILM

_TENTH, _QUARTER = 0.1, 0.25
_ENOUGH_HELD_OUT = 20  # documents, below which the tenth that is held out tells little
_ENOUGH_IN_AN_EPOCH = 400  # documents drawn: a hundred steps of four


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a field model is trained.

    Attributes:
        preset: architecture, a key of `models.config.PRESETS`; None for lambert, or for that of
            the encoder to start from.
        init: where the encoder starts from, see `training.starts.start`.
        skim: folder of a trained Skimformer, for presets that take its layout.
        transcriptions: what training documents are read from; several mix.
        share: of the documents that are held out for validation.
        fold: which of the possible validation splits.
        split_seed: of the shuffle of issuers.
        group_by: the field that names the issuer; by default the first of kind name.
        by_template: hold out templates (`training.data.templates`) in place of issuers.
        seeds: trainings from one start whose weights are averaged, see `mean_weights`.
        loop: settings of the training loop; its seed is the first one.
        augment: how documents are varied.
        config: changes to the preset, by name of the setting.
    """

    preset: str | None = None
    init: str = MINILM
    skim: Path | None = None
    transcriptions: tuple[Transcription, ...] = ("gold",)
    share: float = 0.1
    fold: int = 0
    split_seed: int = 0
    group_by: str | None = None
    by_template: bool = False
    seeds: int = 1
    loop: LoopConfig = field(default_factory=LoopConfig)
    augment: AugmentConfig = field(default_factory=AugmentConfig)
    config: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Also:
    """Documents of other datasets, to learn from alone: none of them is held out.

    Attributes:
        names: of the datasets.
        rows: their documents.
        examples: those that could be read, tagged; their ids begin with the dataset's name.
    """

    names: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a training starts from.

    Attributes:
        corpora: the dataset by transcription.
        train, validation: ids; no issuer is on both sides.
        groups: issuer or template of each id.
        also: what is learnt from besides.
    """

    corpora: dict[Transcription, Corpus]
    train: tuple[str, ...]
    validation: tuple[str, ...]
    groups: dict[str, str]
    also: Also = Also()


def prepare(
    dataset: Dataset,
    fields: Sequence[FieldSpec],
    recipe: Recipe,
    *,
    cache: Path,
    on_row: Callable[[int, int], None] | None = None,
) -> Prepared:
    """Read and tag the dataset, and hold issuers or templates out for validation.

    Raises:
        DatasetError: too few documents or issuers to hold any out, or none could be read.
        InvalidOption: there is no such fold.
    """
    return chosen_fold(
        prepare_folds(dataset, fields, recipe, cache=cache, on_row=on_row), recipe.fold
    )


def chosen_fold(folds: Sequence[Prepared], number: int) -> Prepared:
    """Return one of the folds; raises InvalidOption where there is no such one."""
    if number >= len(folds):
        raise InvalidOption(
            f"Fold {number} of {len(folds)} possible validation splits does not exist.",
            advice=f"Choose --fold 0 to {len(folds) - 1}.",
        )
    return folds[number]


def prepare_folds(
    dataset: Dataset,
    fields: Sequence[FieldSpec],
    recipe: Recipe,
    *,
    cache: Path,
    also: Sequence[Dataset] = (),
    on_row: Callable[[int, int], None] | None = None,
) -> list[Prepared]:
    """Return what the training of each fold starts from; as `prepare`.

    Args:
        dataset: to learn from, and to hold documents out of.
        fields: of the model.
        recipe: how to read and to split.
        cache: folder of what was read.
        also: datasets to learn from alone.
        on_row: told of the documents read and to be read.
    """
    corpora = {
        name: build_corpus(dataset, fields, name, cache=cache, on_row=on_row)
        for name in recipe.transcriptions
    }
    try:
        if recipe.by_template:
            documents = next(iter(corpora.values())).documents
            # A document that could not be read is a template of its own.
            groups = {row.id: row.id for row in dataset.rows} | group_by_template(documents).groups
            splits = whole_folds(groups, round(1 / recipe.share))
        else:
            groups = group_by_issuer(dataset.rows, fields, recipe.group_by)
            splits = folds(groups, recipe.share, recipe.split_seed)
    except ValueError as error:
        raise DatasetError(
            f"{dataset.folder} cannot be split: {error}.",
            advice="Add documents of more issuers, or name the issuer's field with --group-by.",
        ) from error
    known = {
        document.sha256 for corpus in corpora.values() for document in corpus.documents.values()
    }
    others = _also(also, fields, known, cache=cache, on_row=on_row)
    return [
        Prepared(
            corpora,
            tuple(row.id for row in dataset.rows if row.id not in set(split)),
            tuple(split),
            groups,
            others,
        )
        for split in splits
    ]


def _also(
    datasets: Sequence[Dataset],
    fields: Sequence[FieldSpec],
    known: Collection[str],
    *,
    cache: Path,
    on_row: Callable[[int, int], None] | None,
) -> Also:
    names = {spec.name for spec in fields}
    examples: list[Example] = []
    for dataset in datasets:
        if not names & set(dataset.field_names):
            raise DatasetError(
                f"{dataset.folder} has none of the fields {', '.join(sorted(names))}.",
                advice="Leave it out, or name its fields as the others are named.",
            )
        corpus = build_corpus(
            dataset, fields, default_transcription(dataset), cache=cache, on_row=on_row
        )
        if twice := sum(document.sha256 in known for document in corpus.documents.values()):
            raise DatasetError(
                f"{twice} documents of {dataset.folder} are among those that may be held out.",
                advice="What is learnt from besides must be other documents: leave these out.",
            )
        examples += [
            replace(example, id=f"{dataset.name}/{example.id}")
            for example in corpus.examples(row.id for row in dataset.rows)
        ]
    rows = tuple(row for dataset in datasets for row in dataset.rows)
    return Also(tuple(dataset.name for dataset in datasets), rows, tuple(examples))


def usual_share(documents: int) -> float:
    """Return which share of a dataset to hold out: a tenth, of a small one up to a quarter."""
    return min(_QUARTER, max(_TENTH, _ENOUGH_HELD_OUT / documents))


def drawn_in_a_pass(prepared: Prepared, per_group: int) -> int:
    """Return how many examples a pass takes, in all transcriptions: of an issuer at most so many.

    Args:
        prepared: documents in training, and their issuers.
        per_group: most of one issuer; 0 takes all.
    """
    counts = Counter(prepared.groups[name] for name in prepared.train)
    shown = len(prepared.corpora)
    own = sum(min(count * shown, per_group or count * shown) for count in counts.values())
    return own + len(prepared.also.examples)


def usual_passes(prepared: Prepared, per_group: int) -> int:
    """Return how often an epoch goes over the documents: few of them are gone over more often.

    Whatever the number of documents, some thousand steps are what a tagger needs to learn.
    """
    return max(1, math.ceil(_ENOUGH_IN_AN_EPOCH / max(1, drawn_in_a_pass(prepared, per_group))))
