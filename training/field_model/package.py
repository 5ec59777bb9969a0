"""Writes the package of a trained model: weights, card, and what it was trained on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from models.encoding import PieceEncoder
from models.packages.manifest import load_manifest
from models.packages.package import save_package
from pipeline.errors import InvalidOption
from pipeline.routing import fit_profile
from pipeline.tagging import example_of
from pipeline.values.schema import dump_fields
from training.data import Dataset, Transcription
from training.data.seen import document_mark
from training.field_model.card import write_card
from training.field_model.curve import Curve
from training.field_model.learning import Trained
from training.field_model.recipe import Prepared, Recipe
from training.scoring import Scores


def write_package(
    folder: Path,
    trained: Trained,
    prepared: Prepared,
    recipe: Recipe,
    dataset: Dataset,
    *,
    name: str,
    version: str,
    data_licence: str,
    description: str,
    by_fold: Sequence[Mapping[Transcription, Scores]] = (),
    curve: Curve | None = None,
) -> None:
    """Write the package of a trained model, with its card and what it was trained on.

    Args:
        folder: of the package, which must not exist.
        trained: the model.
        prepared: what it was trained and scored on.
        recipe: how it was trained.
        dataset: what on.
        name: of the package.
        version: of the package.
        data_licence: source and licence of the data, in words.
        description: what it reads, in words.
        by_fold: the scores of each fold where it was cross-validated; no document was kept from
            the training then.
        curve: scores by the number of documents in training, where they were measured.

    Raises:
        InvalidOption: the name is not usable, or the version exists.
    """
    fields = next(iter(prepared.corpora.values())).fields
    by_id = {row.id: row for row in dataset.rows}
    try:
        save_package(
            folder,
            name=name,
            version=version,
            tagger=trained.tagger,
            tokenizer=trained.tokenizer,
            fields_toml=dump_fields(fields),
            calibration=trained.calibration.to_json(),
            card=write_card(
                trained.scores,
                trained.ceiling,
                fields,
                name=name,
                version=version,
                dataset=dataset.name,
                counts=(len(prepared.train), len(prepared.validation)),
                also=f"{len(prepared.also.rows)} of `{'`, `'.join(prepared.also.names)}`"
                if prepared.also.rows
                else "",
                by_fold=by_fold,
                curve=curve or {},
                lengths=_lengths(trained, prepared),
                config=trained.tagger.config,
                recipe={**dataclasses.asdict(recipe), "init": named_start(recipe.init)},
                best_epoch=trained.outcome.best_epoch,
                data_licence=data_licence,
                description=description,
            ),
            training={
                "dataset": dataset.name,
                "transcriptions": list(recipe.transcriptions),
                "validation": [] if by_fold else sorted(prepared.validation),
                # Enough to recognise a document that was trained on, not to learn anything of it.
                "trained_on": sorted(
                    {document_mark(by_id[i].document) for i in prepared.train}
                    | {document_mark(row.document) for row in prepared.also.rows}
                ),
            },
            profile=_profile(prepared),
        )
    except (ValueError, FileExistsError) as error:
        raise InvalidOption(
            f"The package cannot be written: {error}.", advice="Choose another --name or --version."
        ) from error


def _lengths(trained: Trained, prepared: Prepared) -> dict[str, int]:
    """Return the pieces of each scored document, in the first transcription that has it."""
    pieces = PieceEncoder(trained.tokenizer, trained.tagger.config)
    found: dict[str, int] = {}
    for corpus in prepared.corpora.values():
        for name in prepared.validation:
            if name in corpus.documents and name not in found:
                found[name] = pieces.count(example_of(corpus.documents[name], name))
    return found


def _profile(prepared: Prepared) -> dict[str, Any]:
    """Return the profile of the training documents, of all transcriptions together."""
    documents = [
        corpus.documents[name]
        for corpus in prepared.corpora.values()
        for name in prepared.train
        if name in corpus.documents
    ]
    return fit_profile(documents).to_json()


def named_start(init: str) -> str:
    """Return what a training started from as a card says it: of a package, its name and version."""
    try:
        package = load_manifest(Path(init))
    except (OSError, ValueError):
        return init
    return f"{package.name}@{package.version}"
