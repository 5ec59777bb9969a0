"""How good a trained tagger is on documents it has not seen: confidences are fitted, and scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from models.labels import Span
from models.tagger import Tagger
from pipeline.answers.calibration import Calibration
from pipeline.answers.resolve import Answer
from pipeline.values.schema import Kind
from training.data import Transcription
from training.field_model.learning import Learnt, learn
from training.field_model.prepared import Prepared
from training.field_model.recipe import Recipe
from training.loop import Outcome, Progress
from training.scoring import Scores, Spans, answers_of, oracle, score, tag_all, texts_of
from training.scoring.calibrate import fit

# Values of a word or two: a second look does not tell where a longer name begins and ends, see
# docs/decisions/0025-second-look.md.
_LOOKED_FOR_TWICE = (Kind.DATE, Kind.AMOUNT, Kind.IDENTIFIER)
# Documents held out, below which no threshold is fitted (`scoring.calibrate`) to reject guesses.
_FEWEST_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model, not yet written.

    Attributes:
        tagger, tokenizer: with the best epoch's weights.
        calibration: fitted on documents held out.
        scores: on documents held out, by transcription.
        ceiling: oracle scores of the same documents.
        outcome: how training went.
    """

    tagger: Tagger
    tokenizer: Tokenizer
    calibration: Calibration
    scores: dict[Transcription, Scores]
    ceiling: dict[Transcription, Scores]
    outcome: Outcome


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
    return tuple(s.name for s in prepared.fields if not s.many and s.kind in _LOOKED_FOR_TWICE)


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
    styles = prepared.styles()
    calibration = _calibrated(prepared, spans, styles, source=source, doubtful=doubtful)
    scores, ceiling = {}, {}
    for name, corpus in prepared.corpora.items():
        expected = corpus.labels(prepared.validation)
        given = answers_of(corpus.documents, spans[name], prepared.fields, calibration)
        scores[name] = score(texts_of(given, styles), expected, prepared.fields)
        perfect = oracle(corpus, prepared.validation, styles)
        ceiling[name] = score(texts_of(perfect, styles), expected, prepared.fields)
    return Trained(learnt.tagger, learnt.tokenizer, calibration, scores, ceiling, learnt.outcome)


def _calibrated(
    prepared: Prepared,
    spans: Mapping[Transcription, Spans],
    styles: dict[str, dict[str, str]],
    *,
    source: str,
    doubtful: Sequence[str],
) -> Calibration:
    """Return the calibration fitted on the answers of all transcriptions together."""
    raw = Calibration(styles=styles)
    answers: dict[str, dict[str, Answer]] = {}
    labels: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, corpus in prepared.corpora.items():
        found = answers_of(corpus.documents, spans[name], prepared.fields, raw)
        answers |= {f"{name} {i}": answer for i, answer in found.items()}
        labels |= {f"{name} {i}": row for i, row in corpus.labels(found).items()}
    return fit(answers, labels, prepared.fields, styles=styles, source=source, doubtful=doubtful)
