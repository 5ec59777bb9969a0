"""The model card: what a package was trained on, how good it is, and where it ends."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from pipeline.answers.confidence.calibration import Calibration
from pipeline.values.schema import FieldSpec
from training.data import TRANSCRIPTIONS, Transcription
from training.field_model.curve import Curve
from training.field_model.judging import Trained
from training.field_model.learning import Learnt
from training.field_model.new_package import NewPackage
from training.field_model.prepared import Prepared, Unit
from training.field_model.recipe import Recipe
from training.scoring import METRICS, Scores
from training.scoring.calibrate import Given, by_field
from training.scoring.report import judged_table, metrics_row, short_table, table

CONFIDENCE = "## Confidence"
_LENGTHS = (0, 512, 2048, 1 << 60)
_METRICS = (
    "Exact: white space folded. Lenient: upper case, letters and digits only, amounts as decimals. "
    "Normalised: by value; so are the columns of fields, and the interval, over documents."
)
_CHOSEN_ON_FOLDS = (
    "Thresholds and rankings are those that the other folds teach; how labels write names and "
    "addresses is learnt from all documents. Epochs were chosen on the same documents, which "
    "flatters them a little."
)
_CHOSEN_ON_ONE = (
    "Epochs, thresholds and rankings were chosen on the same documents, which flatters them a "
    "little; what is said of confidences below was learnt on other parts."
)
_CURVE_OF_ONE_FOLD = (
    "By documents in training, scored on those that the first fold held out. Thresholds and "
    "rankings are chosen on the same documents here, which flatters each row a little:"
)
_SPLIT: Mapping[Unit, str] = {
    "issuer": "by issuer: no company, and no address, is on both sides, and issuers with many "
    "documents are never validated on",
    "template": "by template: documents of like layout and boiler-plate stand on one side",
    "document": "by document, for want of issuers and templates: those held out look like those "
    "in training, and new issuers will be read less well",
}


def write_card(
    package: NewPackage,
    trained: Trained,
    prepared: Prepared,
    recipe: Recipe,
    dataset: str,
    *,
    learnt: int,
    lengths: Mapping[str, int],
    by_fold: Sequence[Mapping[Transcription, Scores]],
    curve: Curve,
) -> str:
    """Return the card as Markdown.

    Args:
        package: to be written.
        trained: the model, with its scores on documents held out.
        prepared: what it was trained and scored on.
        recipe: how it was trained.
        dataset: name of the training data.
        learnt: documents that it was trained on.
        lengths: pieces of the documents that were scored.
        by_fold: scores of each fold where the recipe was cross-validated.
        curve: scores by the number of documents in training, all of them last; shown where more
            than these were measured.
    """
    fields, scores, also = prepared.fields, trained.scores, prepared.also
    runs = {f"{key} transcription": value for key, value in scores.items()}
    runs |= {f"oracle, {key} transcription": value for key, value in trained.ceiling.items()}
    kinds = [[spec.name, spec.kind.value, "many" if spec.many else "one"] for spec in fields]
    settings = {**dataclasses.asdict(recipe), "init": recipe.start}
    besides = (
        f"Besides, {len(also.rows)} of `{'`, `'.join(also.names)}` were learnt from; none of them "
        "was held out."
    )
    counts = (learnt, len(prepared.validation))
    lines = [
        f"# {package.name} {package.version}",
        package.description or f"Reads {', '.join(spec.name for spec in fields)}.",
        table(["field", "kind", "values"], kinds),
        "## Data",
        _split_in_words(dataset, counts, len(by_fold), prepared),
        *([besides] if also.rows else []),
        "Labels are values; their places were found by auto-tagging.",
        f"Source and licence of the data: {package.data_licence}.",
        "## Scores on documents held out (micro F1)",
        short_table(runs, fields),
        *([_folds_table(by_fold)] if by_fold else []),
        *(_learning_curve(curve, crossed=bool(by_fold)) if len(curve) > 1 else []),
        _lengths_table(scores, lengths),
        f"{_METRICS} {_CHOSEN_ON_FOLDS if by_fold else _CHOSEN_ON_ONE}",
        CONFIDENCE,
        confidence_section(trained.calibration, trained.given, fields),
        "## Model",
        _model_in_words(trained.learnt, recipe.start),
        "## Limits",
        f"Trained on {learnt} documents of one kind and region; other kinds, languages and "
        "layouts will score lower. Values that run over two pages, and handwriting, are not "
        "learnt. Confidence is fitted on few documents: set thresholds on documents of your own.",
        "## Settings",
        "```json\n" + json.dumps(settings, indent=2, default=str) + "\n```",
    ]
    return "\n\n".join(lines) + "\n"


def confidence_section(
    calibration: Calibration, given: Sequence[Given], fields: Sequence[FieldSpec]
) -> str:
    """Return what the card says of confidences: how they rank, and what needs no review.

    Args:
        calibration: of the model.
        given: values of documents held out, judged by what was fitted on other folds.
        fields: of the model.
    """
    if not given:
        return "No document was held out: confidences are not calibrated."
    error = calibration.error or 0.0
    never = [spec.name for spec in fields if calibration.of(spec.name).review_threshold > 1]
    parts = [
        f"Fitted on {calibration.source}. Every figure is of documents that neither weights nor "
        "thresholds had seen: they come from the other folds, or other parts of the one fold. "
        "Unmarked are the values that need no review. Thresholds are chosen so that at most "
        f"{error:.0%} of them are wrong; what it came to stands in brackets.",
    ]
    if never:
        parts.append(
            f"No threshold keeps to that for {', '.join(never)}: every value of "
            f"{'it' if len(never) == 1 else 'them'} is marked for review, whatever the table, "
            "whose thresholds are of a part of the documents, lets through."
        )
    for reading in dict.fromkeys(one.case.reading for one in given):
        of_reading = [one for one in given if one.case.reading == reading]
        heading = f"{reading} transcription" if reading in TRANSCRIPTIONS else reading
        parts += [f"{heading}:", judged_table(by_field(of_reading, fields))]
    if any(calibration.of(spec.name).ranking for spec in fields):
        first = sum(one.first_right for one in given)
        right = sum(one.case.right for one in given)
        parts.append(
            "Values are ranked twice, by their scores and then by all that speaks for them: of the "
            f"{len(given)} given, {first} would be right by the scores alone, {right} are."
        )
    return "\n\n".join(parts)


def with_confidence(card: str, section: str) -> str:
    """Return a card with another text on confidences: in place of its own, or before the model's.

    Args:
        card: Markdown, see `write_card`.
        section: see `confidence_section`.
    """
    head, found, rest = card.partition(f"{CONFIDENCE}\n")
    if found:
        _, heading, rest = rest.partition("\n## ")
        return f"{head}{CONFIDENCE}\n\n{section}\n{heading}{rest}"
    head, heading, rest = card.partition("## Model\n")
    parts = [head.rstrip(), CONFIDENCE, section, f"{heading}{rest}"]
    return "\n\n".join(part for part in parts if part).rstrip() + "\n"


def _model_in_words(learnt: Learnt, init: str) -> str:
    config = learnt.tagger.config
    start = (
        "The encoder started from all-MiniLM-L6-v2 (Apache 2.0)."
        if init == "minilm"
        else f"Training started from {'the package ' if '@' in init else ''}{init}."
    )
    return (
        f"Preset `{config.preset}`, {config.layers} layers, {config.hidden_size} wide, windows of "
        f"{config.window} pieces; weights of epoch {learnt.outcome.best_epoch}, stored in float16. "
        f"{start}"
    )


def _split_in_words(dataset: str, counts: tuple[int, int], folds: int, prepared: Prepared) -> str:
    trained, scored = counts
    split = f"The {'folds are' if folds else 'split is'} {_SPLIT[prepared.unit]}."
    if not prepared.final:
        return f"{trained} documents of `{dataset}` for training, {scored} for validation. {split}"
    in_turn = f" in turn, in {folds} folds" if folds else ""
    return (
        f"{trained} documents of `{dataset}`, all of which were learnt from in the end. Scores, "
        f"confidences and thresholds are of {'models' if folds else 'a model'} trained before by "
        f"the same recipe, with {scored} documents held out{in_turn}. {split}"
    )


def _folds_table(by_fold: Sequence[Mapping[Any, Scores]]) -> str:
    rows = [
        metrics_row(f"{number}, {key} transcription", found)
        for number, scores in enumerate(by_fold)
        for key, found in scores.items()
    ]
    return table(["fold", "documents", *METRICS], rows)


def _learning_curve(curve: Mapping[int, Mapping[Any, Scores]], *, crossed: bool) -> list[str]:
    """Return F1 by the number of documents in training, each way scored on the same documents."""
    rows = [
        metrics_row(f"{size:,}, {key} transcription", found)
        for size, scores in curve.items()
        for key, found in scores.items()
    ]
    shown = table(["in training", "documents", *METRICS], rows)
    return [_CURVE_OF_ONE_FOLD, shown] if crossed else [shown]


def _lengths_table(scores: Mapping[Any, Scores], lengths: Mapping[str, int]) -> str:
    """Return F1 by the length of documents; lengths that no document has are left out."""
    rows = []
    for key, found in scores.items():
        for low, high in pairwise(_LENGTHS):
            ids = [name for name, pieces in lengths.items() if low < pieces <= high]
            if ids:
                title = f"over {low:,}" if high == _LENGTHS[-1] else f"up to {high:,}"
                rows.append(metrics_row(f"{title}, {key} transcription", found.only(ids)))
    return table(["pieces", "documents", *METRICS], rows)
