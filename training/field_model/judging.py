"""How good a trained tagger is on documents it has not seen: confidences are fitted, and scored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from models.labels import Span
from pipeline.answers.arithmetic.checks import Check
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.confidence.signs import Habit
from pipeline.answers.rendering import has_value
from pipeline.document import Document
from pipeline.profile import Profile
from pipeline.result import Answer
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import Kind
from training.data import Corpus, Transcription
from training.data.autotag import Text
from training.data.split import group_by_issuer
from training.field_model.elsewhere import words_elsewhere
from training.field_model.learning import Learnt
from training.field_model.prepared import Prepared
from training.field_model.word_profiles import expected_fields, fit_profile
from training.scoring import Scores, Spans, answers_of, oracle, score, tag_all, texts_of
from training.scoring.calibrate import Given, fit, nested, through
from training.scoring.cases import Cases, cases_of, joined
from training.scoring.held_out import HeldOut
from training.scoring.naming import Around, around_labels, names_of

# Values of a word or two: a second look does not tell where a longer name begins and ends, see
# docs/decisions/0025-second-look.md.
_LOOKED_FOR_TWICE = (Kind.DATE, Kind.AMOUNT, Kind.IDENTIFIER)
# Documents held out, below which no threshold is fitted (`scoring.calibrate`).
_FEWEST_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model, not yet written.

    Attributes:
        learnt: with the best epoch's weights.
        calibration: fitted on documents held out.
        scores: on documents held out, by transcription.
        answers: to them, by transcription, document and field: what is scored.
        ceiling: oracle scores of the same documents.
        given: the values of the documents held out, judged by what is fitted on other folds.
        expected: fields that hardly any answer to them is without.
    """

    learnt: Learnt
    calibration: Calibration
    scores: dict[Transcription, Scores]
    answers: Mapping[Transcription, Mapping[str, Mapping[str, Answer]]]
    ceiling: dict[Transcription, Scores]
    given: tuple[Given, ...] = ()
    expected: tuple[str, ...] = ()


def doubtful_fields(prepared: Prepared, held_out: int) -> tuple[str, ...]:
    """Return the fields that are looked for a second time, see `LabelSet.spans`.

    None are, where confidences are fitted on too few documents `held_out` to reject guesses.
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
    held_out: HeldOut,
    *,
    source: str | None = None,
    checks: Sequence[Check] = (),
) -> Trained:
    """Return a model with calibration and scores from spans of documents it has not seen.

    Args:
        prepared: its validation documents are those that the spans are of.
        learnt: the model.
        held_out: the spans.
        source: what the spans are of, in words; None for the validation split.
        checks: of the model.
    """
    source = source or f"validation split of {len(prepared.validation)} documents"
    styles = prepared.styles()
    fits = held_out_fits(prepared, held_out)
    seen = observed(prepared)

    def answered(expected: Collection[str]) -> _Answered:
        return _answered(
            prepared, held_out, fits, seen, source=source, checks=checks, expected=expected
        )

    calibration, answers, given = answered(())
    everywhere = _found_everywhere(prepared, answers)
    if everywhere and checks:
        calibration, answers, given = answered(everywhere)
    scores, ceiling = {}, {}
    for name, corpus in prepared.corpora.items():
        labels = corpus.labels(prepared.validation)
        contexts = corpus.contexts(prepared.validation)
        texts = texts_of(answers[name], styles)
        scores[name] = score(texts, labels, prepared.fields, contexts)
        perfect = oracle(corpus, prepared.validation, styles)
        ceiling[name] = score(texts_of(perfect, styles), labels, prepared.fields, contexts)
    return Trained(learnt, calibration, scores, answers, ceiling, given, everywhere)


_Answered = tuple[Calibration, dict[Transcription, dict[str, dict[str, Answer]]], tuple[Given, ...]]
"""What answers are given by, the answers to documents held out, and each as judged."""


def _answered(
    prepared: Prepared,
    held_out: HeldOut,
    fits: Fits,
    seen: Mapping[str, Observed],
    *,
    source: str,
    checks: Sequence[Check],
    expected: Collection[str],
) -> _Answered:
    """Return what is answered to documents held out, as the service would, see `judged`."""
    styles = prepared.styles()
    cases = held_out_cases(prepared, held_out, fits, seen, checks, expected)

    def fitted(on: Cases, documents: Sequence[str]) -> Calibration:
        return fit(
            on,
            prepared.fields,
            styles=styles,
            source=source,
            doubtful=held_out.doubtful,
            habits=habits_of(prepared, seen, documents),
        )

    given = tuple(nested(cases, prepared.fields))
    passed = through(given, prepared.fields)
    calibration = replace(fitted(cases, prepared.train), through=passed)
    answers: dict[Transcription, dict[str, dict[str, Answer]]] = {}
    for number, fold in enumerate(held_out.folds):
        # What is learnt of answers is learnt from other folds: the scores are of new documents.
        rest = [part for part in range(len(held_out.folds)) if part != number]
        known = fitted(cases.of(rest), _others(prepared, fold)) if rest else calibration
        for name, spans in fold.items():
            answers.setdefault(name, {}).update(
                answers_of(
                    prepared.corpora[name].documents,
                    spans,
                    prepared.fields,
                    known,
                    fits=fits[name],
                    checks=checks,
                    expected=expected,
                )
            )
    return calibration, answers, given


def _found_everywhere(
    prepared: Prepared, answers: Mapping[Transcription, Mapping[str, Mapping[str, Answer]]]
) -> tuple[str, ...]:
    """Return the fields that hardly any answer to the documents held out is without."""
    single = {spec.name for spec in prepared.fields if not spec.group}
    return expected_fields(
        [
            {name for name, answer in said.items() if name in single and has_value(answer)}
            for of_documents in answers.values()
            for said in of_documents.values()
        ]
    )


Fits = dict[Transcription, dict[str, float]]
"""How well documents fit, by transcription."""


def held_out_fits(prepared: Prepared, held_out: HeldOut) -> Fits:
    """Return how well each document fits a profile of those that its fold does not hold out."""
    found: Fits = {name: {} for name in prepared.corpora}
    for fold in held_out.folds:
        profile = profile_of(prepared, _others(prepared, fold))
        for name, spans in fold.items():
            documents = prepared.corpora[name].documents
            for i in spans:
                fitting = profile.fit(documents[i]) if profile else None
                if fitting is not None:
                    found[name][i] = fitting
    return found


def held_out_cases(
    prepared: Prepared,
    held_out: HeldOut,
    fits: Fits,
    seen: Mapping[str, Observed],
    checks: Sequence[Check] = (),
    expected: Collection[str] = (),
) -> Cases:
    """Return the answers to documents held out, with signs that know other documents alone.

    What values look like is learnt for each fold from the documents that it does not hold out.

    Args:
        prepared: all documents.
        held_out: what the folds found.
        fits: how well documents fit.
        seen: labels of all documents, see `observed`.
        checks: of the model.
        expected: fields that all documents of the model have.
    """
    found: list[Cases] = []
    for number, fold in enumerate(held_out.folds):
        habits = habits_of(prepared, seen, _others(prepared, fold))
        plain = Calibration({name: FieldCalibration(habit=habit) for name, habit in habits.items()})
        for name, spans in fold.items():
            corpus = prepared.corpora[name]
            found.append(
                cases_of(
                    corpus.documents,
                    spans,
                    {row.id: row for row in corpus.rows if row.id in spans},
                    prepared.fields,
                    plain,
                    reading=name,
                    part=number,
                    fits=fits[name],
                    checks=checks,
                    expected=expected,
                )
            )
    return joined(found)


def _others(prepared: Prepared, fold: Mapping[Transcription, Spans]) -> list[str]:
    """Return the documents in training that a fold does not hold out."""
    own = {name for of_documents in fold.values() for name in of_documents}
    return [name for name in prepared.train if name not in own]


def documents_of(prepared: Prepared, ids: Sequence[str]) -> list[tuple[Document, str]]:
    """Return the documents that could be read, in all transcriptions, each with its group."""
    return [
        (corpus.documents[name], prepared.groups[name])
        for corpus in prepared.corpora.values()
        for name in ids
        if name in corpus.documents
    ]


def profile_of(
    prepared: Prepared, ids: Sequence[str], expected: tuple[str, ...] = ()
) -> Profile | None:
    """Return the profile of documents, of all transcriptions together; None of fewer than two.

    Args:
        prepared: all documents.
        ids: of those that it is made of.
        expected: fields that hardly any answer to such documents is without.
    """
    try:
        documents, groups = zip(*documents_of(prepared, ids), strict=True)
        return replace(fit_profile(documents, groups, words_elsewhere()), expected=expected)
    except ValueError:  # nothing, or no words
        return None


@dataclass(frozen=True, slots=True)
class Observed:
    """How a document prints its labels.

    Attributes:
        group: issuer or template of the document.
        texts: field and text of each place.
        around: by field, the words around its places and around what could have been one.
    """

    group: str
    texts: tuple[tuple[str, str], ...]
    around: Mapping[str, Around]


def observed(prepared: Prepared) -> dict[str, Observed]:
    """Return how each document prints its labels, by id: what all folds' habits are made of.

    Documents that are only trained on are among them, by the ids of their examples.
    """
    found = _observed(prepared.corpus, prepared.groups)
    for name, corpus in zip(prepared.also.names, prepared.also.corpora, strict=True):
        issuers = group_by_issuer(corpus.rows, prepared.fields)
        of_dataset = _observed(corpus, {i: f"{name}/{issuer}" for i, issuer in issuers.items()})
        found |= {f"{name}/{i}": one for i, one in of_dataset.items()}
    return found


def _observed(corpus: Corpus, groups: Mapping[str, str]) -> dict[str, Observed]:
    kinds = {spec.name: spec for spec in corpus.fields}
    found = {}
    for name, document in corpus.documents.items():
        printed = Text(document)
        texts = []
        for match in corpus.tags[name].matches:
            text = " ".join(printed.printed(match.start, match.end).split())
            said = normalise(text, kinds[match.field], DocumentContext()).text
            texts.append((match.field, said))
        around = around_labels(printed, corpus.tags[name].spans, kinds, groups[name])
        found[name] = Observed(groups[name], tuple(texts), around)
    return found


def habits_of(
    prepared: Prepared, seen: Mapping[str, Observed], ids: Sequence[str]
) -> dict[str, Habit]:
    """Return what values of each field look like where some documents print them.

    Args:
        prepared: its documents that are only trained on count besides.
        seen: see `observed`.
        ids: of the documents.
    """
    texts: dict[str, list[tuple[str, str]]] = {}
    around: dict[str, list[Around]] = {}
    kinds = {spec.name: spec.kind for spec in prepared.fields}
    for name in (*ids, *(example.id for example in prepared.also.examples)):
        if name in seen:
            for field, said in seen[name].texts:
                texts.setdefault(field, []).append((seen[name].group, said))
            for field, words in seen[name].around.items():
                around.setdefault(field, []).append(words)
    found = {
        name: Habit.of(of_field, kinds[name], names_of(around.get(name, ())))
        for name, of_field in texts.items()
    }
    return {name: habit for name, habit in found.items() if habit is not None}
