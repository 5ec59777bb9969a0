"""Trains a tagger on a dataset made ready, with early stopping where documents are held out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from models.encoding import PieceEncoder
from models.example import Example
from models.labels import LabelSet
from models.tagger import Tagger
from pipeline.answers.confidence.calibration import Calibration
from pipeline.values.schema import FieldSpec, Kind
from training.augment import Augmenter
from training.augment.entities import entities_of
from training.errors import DatasetError
from training.field_model.prepared import Prepared
from training.field_model.recipe import Recipe
from training.loop import Outcome, Session, train
from training.pretraining.rasters import learn_rasters
from training.scoring import evaluate
from training.starts import Start, choose_start

_SWAPPED = (Kind.NAME, Kind.ADDRESS)  # texts that differ from issuer to issuer

State = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Learnt:
    """The result of a training, not yet judged.

    Attributes:
        tagger, tokenizer, pieces: with the weights that were kept.
        outcome: how training went.
        seed: of the training whose weights they are; None for the mean of several.
    """

    tagger: Tagger
    tokenizer: Tokenizer
    pieces: PieceEncoder
    outcome: Outcome
    seed: int | None


def build_tagger(recipe: Recipe, fields: Sequence[FieldSpec]) -> tuple[Tagger, Start]:
    """Return a tagger with its starting weights, and what they came from.

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
    return tagger, start


def learn(prepared: Prepared, recipe: Recipe, session: Session) -> Learnt:
    """Train on the training documents; several seeds become one model, see `choose_weights`.

    Args:
        prepared: documents to train on, and those held out.
        recipe: of the training.
        session: how it is run; each seed has a folder in its.

    Raises:
        DatasetError: no training document could be read, or there is none.
        InvalidOption: see `build_tagger` and `training.loop.train`.
    """
    tagger, begun = build_tagger(recipe, prepared.fields)
    tokenizer = begun.tokenizer
    pieces = PieceEncoder(tokenizer, tagger.config)
    examples = _examples(prepared)
    if tagger.config.layout == "autoencoder" and begun.draws_layout:
        windows = [window for example in examples for window in pieces.windows(example)]
        learn_rasters(tagger.encoder, windows, seed=recipe.loop.seed, device=session.device)
    swapped = [spec.name for spec in prepared.fields if spec.kind in _SWAPPED]
    augment = Augmenter(recipe.augment, {name: entities_of(examples, name) for name in swapped})
    validate = _validation(prepared, pieces) if prepared.validation else None
    start = _copy(tagger)
    session = dataclasses.replace(
        session,
        documents=prepared.mark(),
        settings={
            "start": recipe.start,
            "preset": recipe.preset,
            "skim": recipe.skim and str(recipe.skim),
            "config": dict(recipe.config),
            **dataclasses.asdict(recipe.augment),
        },
    )
    outcomes: list[Outcome] = []
    finished: list[State] = []
    for seed in range(recipe.loop.seed, recipe.loop.seed + recipe.seeds):
        tagger.load_state_dict(start)
        outcome = train(
            tagger,
            pieces,
            examples,
            # A document of another dataset is a group of its own.
            groups=[prepared.groups.get(example.id, example.id) for example in examples],
            evaluate=validate,
            augment=augment,
            config=dataclasses.replace(recipe.loop, seed=seed),
            session=session.within(f"seed-{seed}"),
        )
        outcomes.append(outcome)
        finished.append(_copy(tagger))

    def score_of(state: State) -> float:
        tagger.load_state_dict(state)
        return validate(tagger) if validate else 1.0  # unjudged, the mean is kept

    scores = [outcome.best_score for outcome in outcomes]
    kept = choose_weights(finished, scores, score_of)
    tagger.load_state_dict(kept)
    seeds = (recipe.loop.seed + n for n, state in enumerate(finished) if state is kept)
    best = outcomes[scores.index(max(scores))]
    return Learnt(tagger, tokenizer, pieces, best, next(seeds, None))


def _examples(prepared: Prepared) -> list[Example]:
    """Return what is learnt from; raises DatasetError where there is nothing."""
    if examples := prepared.examples():
        return examples
    if prepared.train:
        raise DatasetError("No training document could be read.")
    raise DatasetError(
        "No document is left to learn from: all are held out, as those of one issuer or template "
        "stay together.",
        advice="Add documents of other issuers.",
    )


def _validation(prepared: Prepared, pieces: PieceEncoder) -> Callable[[Tagger], float]:
    """Return the score that stops a training: lenient micro F1, the mean over transcriptions.

    Every lenient match is a normalised one too, and it tells boundaries of names and addresses
    apart.
    """
    raw = Calibration(styles=prepared.styles())

    def validate(tagger: Tagger) -> float:
        results = [
            evaluate(tagger, pieces, corpus, prepared.validation, raw).total("lenient").f1
            for corpus in prepared.corpora.values()
        ]
        return sum(results) / len(results)

    return validate


def choose_weights(
    states: Sequence[State], scores: Sequence[float], score_of: Callable[[State], float]
) -> State:
    """Return the mean of several trainings' weights, or the best ones where the mean is worse.

    Args:
        states: the weights that each training ended with.
        scores: validation score of each.
        score_of: validation score of other weights; not asked where there is one training.
    """
    best = max(scores)
    if len(states) > 1:
        mean = mean_weights(states)
        if score_of(mean) >= best:
            return mean
    return states[scores.index(best)]


def mean_weights(states: Sequence[State]) -> State:
    """Return the mean of several trainings' weights (model soup, Wortsman et al., 2022).

    Trainings from one start end in one basin of the loss; its middle generalises better than its
    rim, and costs no more than a single model.
    """
    return {
        name: torch.stack([state[name].float() for state in states]).mean(0).to(value.dtype)
        for name, value in states[0].items()
    }


def _copy(tagger: Tagger) -> State:
    return {name: value.clone() for name, value in tagger.state_dict().items()}
