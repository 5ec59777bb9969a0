"""From a dataset folder to a model package: read, tag, split, train, calibrate, write."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor

from models.encoding import PieceEncoder
from models.labels import LabelSet
from models.package import save_package
from models.tagger import Tagger
from pipeline.calibration import Calibration
from pipeline.errors import DatasetError, InvalidOption
from pipeline.postprocess.resolve import Answer
from pipeline.postprocess.schema import FieldSpec, Kind, dump_fields
from pipeline.routing import fit_profile
from training.augment import AugmentConfig, Augmenter
from training.calibrate import fit
from training.card import write_card
from training.corpus import Corpus, build_corpus, oracle, predict, texts_of
from training.dataset import Dataset, Transcription
from training.entities import entities_of
from training.loop import LoopConfig, Outcome, Progress, train
from training.rasters import learn_rasters
from training.score import Scores, score
from training.split import folds, group_by_issuer, whole_folds
from training.start import MINILM, SCRATCH, choose_start
from training.templates import group_by_template

_SWAPPED = (Kind.NAME, Kind.ADDRESS)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a field model is trained.

    Attributes:
        preset: architecture, a key of `models.config.PRESETS`; None for lambert, or for that of
            the encoder to start from.
        init: where the encoder starts from, see `training.start`.
        skim: folder of a trained Skimformer, for presets that take its layout.
        transcriptions: what training documents are read from; several mix.
        share: of the documents that are held out for validation.
        fold: which of the possible validation splits.
        split_seed: of the shuffle of issuers.
        group_by: the field that names the issuer; by default the first of kind name.
        by_template: hold out templates (`training.templates`) in place of issuers.
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
class Prepared:
    """What a training starts from.

    Attributes:
        corpora: the dataset by transcription.
        train, validation: ids; no issuer is on both sides.
        groups: issuer or template of each id.
    """

    corpora: dict[Transcription, Corpus]
    train: tuple[str, ...]
    validation: tuple[str, ...]
    groups: dict[str, str]


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model, not yet written.

    Attributes:
        tagger, tokenizer: with the best epoch's weights.
        calibration: fitted on the validation split.
        scores: on the validation split, by transcription.
        ceiling: oracle scores of the same.
        outcome: how training went.
    """

    tagger: Tagger
    tokenizer: Tokenizer
    calibration: Calibration
    scores: dict[Transcription, Scores]
    ceiling: dict[Transcription, Scores]
    outcome: Outcome


def prepare(
    dataset: Dataset,
    fields: Sequence[FieldSpec],
    recipe: Recipe,
    *,
    cache: Path,
    on_row: Callable[[int, int], None] | None = None,
) -> Prepared:
    """Read and tag the dataset, and hold issuers out for validation.

    Raises:
        DatasetError: too few documents or issuers to hold any out, or none could be read.
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
    if recipe.fold >= len(splits):
        raise InvalidOption(
            f"Fold {recipe.fold} of {len(splits)} possible validation splits does not exist.",
            advice=f"Choose --fold 0 to {len(splits) - 1}.",
        )
    validation = tuple(splits[recipe.fold])
    kept = tuple(row.id for row in dataset.rows if row.id not in set(validation))
    return Prepared(corpora, kept, validation, groups)


def build_tagger(recipe: Recipe, fields: Sequence[FieldSpec]) -> tuple[Tagger, Tokenizer]:
    """Return a tagger with its starting weights, and its tokenizer.

    Args:
        recipe: preset, start and changes to the config are read.
        fields: of the model, in the order of its labels.

    Raises:
        InvalidOption: unknown preset or setting, or a package that does not fit.
    """
    start = choose_start(recipe.preset, recipe.init, changes=recipe.config, skim=recipe.skim)
    torch.manual_seed(recipe.loop.seed)
    tagger = Tagger(start.config, LabelSet(spec.name for spec in fields))
    start.fill(tagger.encoder)
    return tagger, start.tokenizer


def train_model(
    prepared: Prepared,
    recipe: Recipe,
    *,
    folder: Path,
    progress: Progress,
    device: str = "cpu",
    resume: bool = False,
) -> Trained:
    """Train, stop early on the validation split, calibrate on it, and score.

    Validation is by lenient micro F1, the mean over the transcriptions; every lenient match is
    a normalised one too, and it tells boundaries of names and addresses apart.

    Raises:
        DatasetError: no training document could be read.
    """
    corpora = prepared.corpora
    any_corpus = next(iter(corpora.values()))
    fields = any_corpus.fields
    tagger, tokenizer = build_tagger(recipe, fields)
    pieces = PieceEncoder(tokenizer, tagger.config)
    examples = [ex for corpus in corpora.values() for ex in corpus.examples(prepared.train)]
    if not examples:
        raise DatasetError("No training document could be read.")
    if tagger.config.layout == "autoencoder" and recipe.init in (MINILM, SCRATCH):
        # Any other start has learnt to draw already.
        windows = [window for example in examples for window in pieces.windows(example)]
        learn_rasters(tagger.encoder, windows, seed=recipe.loop.seed, device=device)
    swapped = [spec.name for spec in fields if spec.kind in _SWAPPED]
    augment = Augmenter(recipe.augment, {name: entities_of(examples, name) for name in swapped})
    # Labels are written one way whatever the transcription; gold, which comes first, shows it best.
    styles = any_corpus.styles(prepared.train)
    raw = Calibration(styles=styles)

    def validate(current: Tagger) -> float:
        results = [
            evaluate(current, pieces, corpus, prepared.validation, raw).total("lenient").f1
            for corpus in corpora.values()
        ]
        return sum(results) / len(results)

    start = {name: value.clone() for name, value in tagger.state_dict().items()}
    outcomes: list[Outcome] = []
    finished: list[dict[str, Tensor]] = []
    for seed in range(recipe.loop.seed, recipe.loop.seed + recipe.seeds):
        tagger.load_state_dict(start)
        outcomes.append(
            train(
                tagger,
                pieces,
                examples,
                groups=[prepared.groups[example.id] for example in examples],
                evaluate=validate,
                augment=augment,
                folder=folder / f"seed-{seed}",
                config=dataclasses.replace(recipe.loop, seed=seed),
                progress=progress,
                device=device,
                resume=resume,
            )
        )
        finished.append({name: value.clone() for name, value in tagger.state_dict().items()})
    best = max(range(len(outcomes)), key=lambda index: outcomes[index].best_score)
    outcome = outcomes[best]
    tagger.load_state_dict(mean_weights(finished))
    if recipe.seeds > 1 and validate(tagger) < outcome.best_score:
        tagger.load_state_dict(finished[best])
    answers: dict[str, dict[str, Answer]] = {}
    labels: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, corpus in corpora.items():
        documents = {i: corpus.documents[i] for i in prepared.validation if i in corpus.documents}
        predicted = predict(tagger, pieces, documents, fields, raw)
        answers |= {f"{name} {i}": answer for i, answer in predicted.items()}
        labels |= {f"{name} {i}": row for i, row in corpus.labels(documents).items()}
    source = f"validation split of {len(prepared.validation)} documents"
    calibration = fit(answers, labels, fields, styles=styles, source=source)
    scores = {
        name: evaluate(tagger, pieces, corpus, prepared.validation, calibration)
        for name, corpus in corpora.items()
    }
    ceiling = {
        name: score(
            texts_of(oracle(corpus, prepared.validation, styles)),
            corpus.labels(prepared.validation),
            fields,
        )
        for name, corpus in corpora.items()
    }
    return Trained(tagger, tokenizer, calibration, scores, ceiling, outcome)


def mean_weights(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of several trainings' weights (model soup, Wortsman et al., 2022).

    Trainings that begin at one start end in one basin, and the middle of it generalises better
    than its rim, at the cost of a single model.
    """
    return {
        name: torch.stack([state[name].float() for state in states]).mean(0).to(value.dtype)
        for name, value in states[0].items()
    }


def evaluate(
    tagger: Tagger,
    pieces: PieceEncoder,
    corpus: Corpus,
    ids: Sequence[str],
    calibration: Calibration,
) -> Scores:
    """Return a tagger's scores on some documents of a corpus; unread ones count as not found."""
    documents = {name: corpus.documents[name] for name in ids if name in corpus.documents}
    answers = predict(tagger, pieces, documents, corpus.fields, calibration)
    return score(texts_of(answers), corpus.labels(ids), corpus.fields)


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
) -> None:
    """Write the package of a trained model, with its card and what it was trained on.

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
                config=trained.tagger.config,
                recipe=dataclasses.asdict(recipe),
                best_epoch=trained.outcome.best_epoch,
                data_licence=data_licence,
                description=description,
            ),
            training={
                "dataset": dataset.name,
                "transcriptions": list(recipe.transcriptions),
                "validation": sorted(prepared.validation),
                # Enough to recognise a document that was trained on, not to learn anything of it.
                "trained_on": sorted(document_mark(by_id[i].document) for i in prepared.train),
            },
            profile=_profile(prepared),
        )
    except (ValueError, FileExistsError) as error:
        raise InvalidOption(
            f"The package cannot be written: {error}.", advice="Choose another --name or --version."
        ) from error


def _profile(prepared: Prepared) -> dict[str, Any]:
    """Return the profile of the training documents, of all transcriptions together."""
    documents = [
        corpus.documents[name]
        for corpus in prepared.corpora.values()
        for name in prepared.train
        if name in corpus.documents
    ]
    return fit_profile(documents).to_json()


def document_mark(path: Path) -> str:
    """Return the first 12 hexadecimal digits of a document's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
