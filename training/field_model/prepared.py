"""A dataset made ready: read, tagged, split into documents to train on and documents held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from models.example import Example
from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec
from training.data import Corpus, Dataset, Row, Transcription, build_corpus, default_transcription
from training.data.seen import rows_mark
from training.data.split import (
    folds,
    group_by_issuer,
    members_of,
    small_folds,
    template_splits,
    whole_folds,
)
from training.data.templates import group_by_template
from training.errors import DatasetError
from training.field_model.recipe import Recipe

Unit = Literal["issuer", "template", "document"]
"""What is on one side of a split as a whole; copies of one file always are."""


@dataclass(frozen=True, slots=True)
class Also:
    """Documents of other datasets, which are only trained on: none of them is held out.

    Attributes:
        names: of the datasets.
        corpora: their documents, tagged, in the same order.
        examples: those that could be read; their ids begin with the dataset's name.
    """

    names: tuple[str, ...] = ()
    corpora: tuple[Corpus, ...] = ()
    examples: tuple[Example, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The labels of all documents."""
        return tuple(row for corpus in self.corpora for row in corpus.rows)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a training starts from.

    Attributes:
        corpora: the dataset by transcription, gold first.
        train, validation: ids; no issuer is on both sides, or whatever `unit` says, but where a
            model that was scored has learnt from all documents in the end.
        groups: issuer or template of each id.
        also: documents that are trained on as well.
        unit: what the groups are.
    """

    corpora: dict[Transcription, Corpus]
    train: tuple[str, ...]
    validation: tuple[str, ...]
    groups: dict[str, str]
    also: Also = Also()
    unit: Unit = "issuer"

    @property
    def corpus(self) -> Corpus:
        """The first transcription."""
        return next(iter(self.corpora.values()))

    @property
    def fields(self) -> tuple[FieldSpec, ...]:
        """Fields of the model."""
        return self.corpus.fields

    @property
    def final(self) -> bool:
        """Whether what was held out has been learnt from in the end."""
        return not set(self.train).isdisjoint(self.validation)

    def examples(self) -> list[Example]:
        """Return the tagged training documents, each in every transcription that has it."""
        found = [ex for corpus in self.corpora.values() for ex in corpus.examples(self.train)]
        return [*found, *self.also.examples]

    def unread(self) -> dict[str, str]:
        """Return why documents could not be read in any transcription, by id."""
        read = {name for corpus in self.corpora.values() for name in corpus.documents}
        return {
            name: str(error)
            for corpus in self.corpora.values()
            for name, error in corpus.unread.items()
            if name not in read
        }

    def mark(self) -> str:
        """Return what tells this start from one of other documents, labels or another split."""
        rows = {row.id: row for row in self.corpus.rows}
        parts = [[rows[name] for name in ids] for ids in (self.train, self.validation)]
        return f"{'+'.join(self.corpora)} {rows_mark([*parts, self.also.rows])}"

    def styles(self) -> dict[str, dict[str, str]]:
        """Return how the labels of the training documents write their fields.

        Labels are written the same way whatever the transcription; gold shows it best.
        """
        return self.corpus.styles(self.train)


def chosen_fold(folds: Sequence[Prepared], number: int) -> Prepared:
    """Return one of the folds.

    Raises:
        InvalidOption: there is no fold of that number.
    """
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
    count: int = 0,
    on_row: Callable[[int, int], None] | None = None,
) -> list[Prepared]:
    """Read and tag a dataset, and return what the training of each fold starts from.

    Args:
        dataset: to train on, and to hold documents out of.
        fields: of the model.
        recipe: how to read and to split.
        cache: folder of earlier readings.
        also: datasets that are only trained on.
        count: of the folds, whose sizes follow; 0 for as many of the recipe's share as there are.
        on_row: called with the number of documents read, and to be read.

    Raises:
        DatasetError: too few documents to hold any out, or another dataset does not go with it.
        InvalidOption: no document has the field that is to name issuers.
    """
    corpora = {
        name: build_corpus(dataset, fields, name, cache=cache, on_row=on_row)
        for name in recipe.transcriptions
    }
    unit, groups, splits = _splits(dataset, fields, recipe, corpora, count)
    known = {
        document.sha256 for corpus in corpora.values() for document in corpus.documents.values()
    }
    others = prepare_also(also, fields, known, cache=cache, on_row=on_row)
    return [
        Prepared(
            corpora,
            tuple(row.id for row in dataset.rows if row.id not in set(split)),
            tuple(split),
            groups,
            others,
            unit,
        )
        for split in splits
    ]


def _splits(
    dataset: Dataset,
    fields: Sequence[FieldSpec],
    recipe: Recipe,
    corpora: Mapping[Transcription, Corpus],
    count: int,
) -> tuple[Unit, dict[str, str], list[list[str]]]:
    """Return what is held out as a whole, the group of each row, and the rows of each fold.

    Where the recipe leaves it open, these are issuers, or if there are too few of them templates,
    or else documents: thirty of five suppliers are what people begin with. So are thirty of one
    template and a few others, of which a fold of templates would leave the few to learn from.

    Raises:
        DatasetError: there are too few groups.
        InvalidOption: no document has the field that is to name issuers.
    """
    units: tuple[Unit, ...] = ("issuer", "template", "document")
    if recipe.by_template:
        units = ("template",)
    elif recipe.group_by:
        units = ("issuer",)
    faults: list[str] = []
    for unit in units:
        try:
            if unit == "template":
                documents = next(iter(corpora.values())).documents
                # A document that could not be read is a template of its own.
                groups = {row.id: row.id for row in dataset.rows}
                groups |= group_by_template(documents).groups
                largest = max(Counter(groups.values()).values(), default=0)
                if largest * 2 > len(groups) and not recipe.by_template:
                    raise ValueError("most documents are of one template")
                if count:
                    return unit, groups, whole_folds(groups, count)
                return unit, groups, template_splits(groups, recipe.share)
            groups = group_by_issuer(
                dataset.rows, fields if unit == "issuer" else (), recipe.group_by
            )
            # Copies count as one document, or none could be held out where all have one.
            whole = {first: first for first in groups.values()} if unit == "document" else groups
            dealt = small_folds(whole, count) if count else folds(whole, recipe.share)
            if unit == "document":
                copies = members_of(groups)
                dealt = [[name for first in split for name in copies[first]] for split in dealt]
            return unit, groups, dealt
        except ValueError as error:
            faults.append(str(error))
    raise DatasetError(
        f"{dataset.folder} cannot be split: {'; '.join(dict.fromkeys(faults))}.",
        advice="Add documents, of other issuers if they are to be held out.",
    )


def prepare_also(
    datasets: Sequence[Dataset],
    fields: Sequence[FieldSpec],
    known: Collection[str],
    *,
    cache: Path,
    on_row: Callable[[int, int], None] | None = None,
) -> Also:
    """Return the documents of other datasets, tagged.

    Args:
        datasets: to be trained on as well.
        fields: of the model.
        known: hashes of the documents that may be held out.
        cache: folder of earlier readings.
        on_row: as for `prepare_folds`.

    Raises:
        DatasetError: a dataset has none of the fields, or one of the known documents.
    """
    names = {spec.name for spec in fields}
    corpora: list[Corpus] = []
    examples: list[Example] = []
    for dataset in datasets:
        if not names & set(dataset.field_names):
            raise DatasetError(
                f"{dataset.folder} has none of the fields {', '.join(sorted(names))}.",
                advice="Leave it out, or give its fields the same names as the others have.",
            )
        corpus = build_corpus(
            dataset, fields, default_transcription(dataset), cache=cache, on_row=on_row
        )
        if shared := sum(document.sha256 in known for document in corpus.documents.values()):
            raise DatasetError(
                f"{shared} documents of {dataset.folder} are among those that may be held out.",
                advice="Remove them from that dataset: scores need documents not trained on.",
            )
        corpora.append(corpus)
        examples += [
            replace(example, id=f"{dataset.name}/{example.id}")
            for example in corpus.examples(row.id for row in dataset.rows)
        ]
    return Also(tuple(dataset.name for dataset in datasets), tuple(corpora), tuple(examples))


def drawn_in_a_pass(prepared: Prepared, per_group: int) -> int:
    """Return how many examples a pass over the training documents takes, in all transcriptions.

    Args:
        prepared: documents in training, and their issuers.
        per_group: most examples of one issuer; 0 takes all.
    """
    counts = Counter(prepared.groups[name] for name in prepared.train)
    shown = len(prepared.corpora)
    own = sum(min(count * shown, per_group or count * shown) for count in counts.values())
    return own + len(prepared.also.examples)
