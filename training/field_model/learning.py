"""Trains a field model on a dataset made ready: early stopping, calibration, scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from models.encoding import PieceEncoder
from models.labels import LabelSet, Span
from models.tagger import Tagger
from pipeline.answers.calibration import Calibration
from pipeline.answers.resolve import Answer
from pipeline.values.schema import FieldSpec, Kind
from training.augment import Augmenter
from training.augment.entities import entities_of
from training.data import Transcription
from training.errors import DatasetError
from training.field_model.recipe import Prepared, Recipe
from training.loop import Outcome, Progress, train
from training.pretraining.rasters import learn_rasters
from training.scoring import Scores, Spans, answers_of, evaluate, oracle, score, tag_all, texts_of
from training.scoring.calibrate import fit
from training.starts import MINILM, SCRATCH, choose_start

_SWAPPED = (Kind.NAME, Kind.ADDRESS)
# Of a word or few: where a name begins and ends, a second look does not tell.
_LOOKED_FOR_TWICE = (Kind.DATE, Kind.AMOUNT, Kind.IDENTIFIER)
_FEWEST_LOOKED_AT = 20  # documents held out, below which no threshold would hold guesses back


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
    start.fill_tagger(tagger)
    return tagger, start.tokenizer


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a training came to, before anybody judged it."""

    tagger: Tagger
    tokenizer: Tokenizer
    pieces: PieceEncoder
    outcome: Outcome


def learn(
    prepared: Prepared,
    recipe: Recipe,
    *,
    folder: Path,
    progress: Progress,
    device: str = "cpu",
    resume: bool = False,
) -> Learnt:
    """Train on the training documents, with early stopping where others are held out.

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
    examples += prepared.also.examples
    if not examples:
        raise DatasetError("No training document could be read.")
    if tagger.config.layout == "autoencoder" and recipe.init in (MINILM, SCRATCH):
        # Any other start has learnt to draw already.
        windows = [window for example in examples for window in pieces.windows(example)]
        learn_rasters(tagger.encoder, windows, seed=recipe.loop.seed, device=device)
    swapped = [spec.name for spec in fields if spec.kind in _SWAPPED]
    augment = Augmenter(recipe.augment, {name: entities_of(examples, name) for name in swapped})
    raw = Calibration(styles=styles_of(prepared))

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
                # What is only learnt from stands for itself.
                groups=[prepared.groups.get(example.id, example.id) for example in examples],
                evaluate=validate if prepared.validation else None,
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
    if recipe.seeds > 1 and prepared.validation and validate(tagger) < outcome.best_score:
        tagger.load_state_dict(finished[best])
    return Learnt(tagger, tokenizer, pieces, outcome)


def train_model(
    prepared: Prepared,
    recipe: Recipe,
    *,
    folder: Path,
    progress: Progress,
    device: str = "cpu",
    resume: bool = False,
) -> Trained:
    """Train, stop early on the validation split, calibrate on it, and score; as `learn`."""
    learnt = learn(prepared, recipe, folder=folder, progress=progress, device=device, resume=resume)
    source = f"validation split of {len(prepared.validation)} documents"
    doubtful = doubtful_fields(prepared, len(prepared.validation))
    found = held_out_spans(prepared, learnt, doubtful)
    return judged(prepared, learnt, found, source=source, doubtful=doubtful)


def doubtful_fields(prepared: Prepared, held_out: int) -> tuple[str, ...]:
    """Return the fields that are looked for a second time, see `LabelSet.spans`.

    Args:
        prepared: the dataset.
        held_out: number of the documents that confidences are fitted on.
    """
    if held_out < _FEWEST_LOOKED_AT:
        return ()
    fields = next(iter(prepared.corpora.values())).fields
    return tuple(s.name for s in fields if not s.many and s.kind in _LOOKED_FOR_TWICE)


def held_out_spans(
    prepared: Prepared, learnt: Learnt, doubtful: Sequence[str]
) -> dict[Transcription, dict[str, list[Span]]]:
    """Return what a tagger labels in the validation documents, by transcription."""
    return {
        name: tag_all(
            learnt.tagger,
            learnt.pieces,
            {i: corpus.documents[i] for i in prepared.validation if i in corpus.documents},
            doubtful,
        )
        for name, corpus in prepared.corpora.items()
    }


def judged(
    prepared: Prepared,
    learnt: Learnt,
    spans: Mapping[Transcription, Spans],
    *,
    source: str,
    doubtful: Sequence[str],
) -> Trained:
    """Return a model with calibration and scores from spans of documents it has not seen.

    Args:
        prepared: its validation documents are those that the spans are of.
        learnt: the model.
        spans: by transcription and document.
        source: what the spans are of, in words.
        doubtful: fields that were looked for a second time.
    """
    styles = styles_of(prepared)
    raw = Calibration(styles=styles)
    fields = next(iter(prepared.corpora.values())).fields
    answers: dict[str, dict[str, Answer]] = {}
    labels: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, corpus in prepared.corpora.items():
        found = answers_of(corpus.documents, spans[name], fields, raw)
        answers |= {f"{name} {i}": answer for i, answer in found.items()}
        labels |= {f"{name} {i}": row for i, row in corpus.labels(found).items()}
    calibration = fit(answers, labels, fields, styles=styles, source=source, doubtful=doubtful)
    scores, ceiling = {}, {}
    for name, corpus in prepared.corpora.items():
        expected = corpus.labels(prepared.validation)
        given = answers_of(corpus.documents, spans[name], fields, calibration)
        scores[name] = score(texts_of(given), expected, fields)
        perfect = oracle(corpus, prepared.validation, styles)
        ceiling[name] = score(texts_of(perfect), expected, fields)
    return Trained(learnt.tagger, learnt.tokenizer, calibration, scores, ceiling, learnt.outcome)


def styles_of(prepared: Prepared) -> dict[str, dict[str, str]]:
    """Return how the labels of the training documents write their fields.

    Labels are written one way whatever the transcription; gold, which comes first, shows it best.
    """
    return next(iter(prepared.corpora.values())).styles(prepared.train)


def mean_weights(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of several trainings' weights (model soup, Wortsman et al., 2022).

    Trainings that begin at one start end in one basin, and the middle of it generalises better
    than its rim, at the cost of a single model.
    """
    return {
        name: torch.stack([state[name].float() for state in states]).mean(0).to(value.dtype)
        for name, value in states[0].items()
    }
