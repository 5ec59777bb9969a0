"""The package of a trained model: weights, card, and what it was trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from models.packages.package import save_package, training_of
from pipeline.answers.arithmetic.checks import dump_checks
from pipeline.answers.titles import dump_titles
from pipeline.errors import InvalidOption
from pipeline.tagging import example_of
from pipeline.values.schema import dump_fields, parse_fields
from training.data import Dataset, Transcription
from training.data.seen import document_mark, marks_of
from training.field_model.card import write_card
from training.field_model.curve import Curve
from training.field_model.judging import Trained, profile_of
from training.field_model.new_package import NewPackage
from training.field_model.prepared import Prepared
from training.field_model.recipe import Recipe
from training.loop.checkpoint import ROOM
from training.scoring import Scores


def write_package(
    package: NewPackage,
    trained: Trained,
    prepared: Prepared,
    recipe: Recipe,
    dataset: Dataset,
    *,
    by_fold: Sequence[Mapping[Transcription, Scores]] = (),
    curve: Curve | None = None,
) -> None:
    """Write the package of a trained model, with its card and what it was trained on.

    Args:
        package: where, and under which name.
        trained: the model.
        prepared: what it was trained and scored on.
        recipe: how it was trained.
        dataset: what on.
        by_fold: the scores of each fold where it was cross-validated.
        curve: scores by the number of documents in training, where they were measured.

    Raises:
        InvalidOption: the name is not usable, or the version exists.
    """
    unread = prepared.unread()
    learnt = [name for name in prepared.train if name not in unread]
    card = write_card(
        package,
        trained,
        prepared,
        recipe,
        dataset.name,
        learnt=len(learnt),
        lengths=_lengths(trained, prepared),
        by_fold=by_fold,
        curve=curve or {},
    )
    profile = profile_of(prepared, prepared.train, trained.expected)
    try:
        save_package(
            package.folder,
            name=package.name,
            version=package.version,
            tagger=trained.learnt.tagger,
            tokenizer=trained.learnt.tokenizer,
            fields_toml=_fields_toml(prepared, package),
            calibration=trained.calibration.to_json(),
            card=card,
            training=_training(prepared, recipe, dataset, learnt),
            profile=profile.to_json() if profile else None,
        )
    except (ValueError, FileExistsError) as error:
        raise InvalidOption(
            f"The package cannot be written: {error}.", advice="Choose another --name or --version."
        ) from error
    except SafetensorError as error:
        raise InvalidOption(f"The package cannot be written: {error}.", advice=ROOM) from error


def _training(
    prepared: Prepared, recipe: Recipe, dataset: Dataset, learnt: Sequence[str]
) -> dict[str, Any]:
    """Return what a package says of its training: what was held out, and all that it has seen."""
    by_id = {row.id: row for row in dataset.rows}
    return {
        "dataset": dataset.name,
        "transcriptions": list(recipe.transcriptions),
        "validation": [] if prepared.final else sorted(prepared.validation),
        "trained_on": sorted(
            {document_mark(by_id[name].document) for name in learnt}
            | {document_mark(row.document) for row in prepared.also.rows}
            # What the weights that it started from had seen, it has seen.
            | marks_of(training_of(Path(recipe.init)))
        ),
    }


def _fields_toml(prepared: Prepared, package: NewPackage) -> str:
    titles = dump_titles(package.titles) if package.titles else ""
    fields = dump_fields(prepared.fields)
    names = [[spec.name for spec in specs] for specs in (prepared.fields, parse_fields(fields))]
    if names[0] != names[1]:  # the tagger's labels are in the order of the file, or mean others
        raise ValueError(f"fields.toml has {names[1]}, the tagger {names[0]}")
    return "\n".join(filter(None, (fields, dump_checks(package.checks), titles)))


def _lengths(trained: Trained, prepared: Prepared) -> dict[str, int]:
    """Return the pieces of each scored document, in the first transcription that has it."""
    pieces = trained.learnt.pieces
    found: dict[str, int] = {}
    for corpus in prepared.corpora.values():
        for name in prepared.validation:
            if name in corpus.documents and name not in found:
                found[name] = pieces.count(example_of(corpus.documents[name], name))
    return found
