"""Profiles made of the words of a model's documents, and how far others of the kind reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pipeline.document import Document
from pipeline.profile import Profile, Reach, Words, frequencies, log_probability

_RANKS = 41  # quantiles of scores that a profile keeps: steps of 2.5 %
_FOLDS = 5  # that issuers are left out in, to measure what new ones reach
_ODD = 0.01  # share of a model's own documents that may be taken for others
_FAR = 1.4  # where so few of a normal distribution lie, in steps from the median to the lowest 5 %
_LEAST_WIDTH = 0.1  # nats, from the median to the lowest 5 %: few documents may be alike by chance
_WITHOUT = 0.01  # share of a model's own documents that may lack a field which is expected
_FEWEST = 40  # documents below which nothing is expected of others
_SAME = 1.0  # nats by which the words of a kind may be less likely in a profile of that kind
_SORT = 0.02  # share of a model's documents that is a sort of them
_LIKELIER = 0.3  # nats by which a sort is likelier by its own words than by the profile
_OF_A_SORT = 50  # documents, on average; a model of fewer than two sorts has none
_MOST_SORTS = 16
_ROUNDS = 30  # of moving documents to the sort they are likest; they settle in about ten
_STARTS = 8  # of nine languages three of so many leave two in one sort, the likeliest ones none

Sorts = NDArray[np.int_]


def fit_profile(
    documents: Sequence[Document],
    groups: Sequence[str] | None = None,
    elsewhere: Sequence[Words] = (),
    measured: Sequence[Document] = (),
) -> Profile:
    """Return the profile of a model's documents; those without words are left out.

    Args:
        documents: of the model.
        groups: issuer or template of each; by default each has its own.
        elsewhere: words of other kinds of documents, see `log_probability`; kinds that the model's
            own are like are left out. Without any the profile cannot say how well others fit.
        measured: other documents of the kind, whose words do not enter: how far they lie from the
            profile is what others may. By default the model's own are measured, each by a profile
            that knows none of its group, which is too strict where they were invented, all from
            the same words.

    Raises:
        ValueError: fewer than two documents have words.
    """
    names = groups if groups is not None else [str(index) for index in range(len(documents))]
    found = [
        (row, name)
        for document, name in zip(documents, names, strict=True)
        if (row := frequencies(document)).any()
    ]
    if len(found) < 2:
        raise ValueError("a profile needs two documents with words")
    rows = np.stack([row for row, _ in found])
    total = rows.sum(axis=0)
    sort_of = sorts_of(rows)
    sorts = words_by_sort(rows, sort_of) if sort_of is not None else None
    # Left out of its own profile, a document is scored as a new one would be.
    scores = [float(row @ log_probability(total - row, len(rows) - 1)) for row in rows]
    made = Profile(log_probability(total, len(rows)), _quantiles(scores), sorts=sorts)
    if any(frequencies(document).any() for document in measured):
        return held_against(made, elsewhere, measured)
    if not elsewhere:
        return made
    scored = _left_out(rows, [name for _, name in found], sort_of)
    return _apart(made, elsewhere, rows, scored)


def held_against(
    profile: Profile, elsewhere: Sequence[Words], measured: Sequence[Document]
) -> Profile:
    """Return a profile with its reach measured on documents that its words are not of.

    Args:
        profile: of the kind.
        elsewhere: as of `fit_profile`.
        measured: documents of the kind.

    Raises:
        ValueError: none of them has words.
    """
    rows = [row for row in map(frequencies, measured) if row.any()]
    if not rows:
        raise ValueError("no document to measure a profile on has words")
    plain = [float(row @ profile.log_probability) for row in rows]
    found = replace(profile, scores=_quantiles(plain))
    if not elsewhere:
        return found
    return _apart(found, elsewhere, np.stack(rows), list(map(profile.usualness, rows)))


def expected_fields(answers: Sequence[Collection[str]]) -> tuple[str, ...]:
    """Return the fields that hardly any of some answers is without, the most frequent first.

    At most one answer in a hundred lacks any of them. Of fewer than 40 answers nothing is expected.

    Args:
        answers: the names of the fields with a value, of each document of the model's kind; by a
            model that has not seen the document.
    """
    if len(answers) < _FEWEST:
        return ()
    often = Counter(name for answer in answers for name in answer)
    kept: list[str] = []
    for name, _ in sorted(often.items(), key=lambda item: (-item[1], item[0])):
        if sum(not {*kept, name} <= set(answer) for answer in answers) <= _WITHOUT * len(answers):
            kept.append(name)
    return tuple(kept)


def words_by_sort(rows: Words, sort_of: Sorts) -> Words:
    """Return the `log_probability` of each sort of documents, (sorts, BUCKETS).

    Args:
        rows: (documents, BUCKETS) their `frequencies`.
        sort_of: (documents,) the sort of each, any numbers.
    """
    members = [rows[sort_of == sort] for sort in np.unique(sort_of)]
    return np.stack([log_probability(own.sum(axis=0), len(own)) for own in members])


def sorts_of(rows: Words) -> Sorts | None:
    """Return the sort of each document, (documents,); None where they are too few or all alike.

    There is one sort for each fifty documents, 16 at most. Documents that share rare words are
    brought together first (k-means), then each is moved to the sort whose words make its own
    likeliest (a mixture of multinomials, hard assignments). Of several such starts the one is kept
    by which all words are likeliest. Of documents in several languages these come out as the sorts,
    which nobody has to name.

    Args:
        rows: (documents, BUCKETS) `frequencies` of documents with words.
    """
    from scipy.cluster.vq import kmeans2  # type: ignore[import-untyped]

    count = min(_MOST_SORTS, len(rows) // _OF_A_SORT)
    if count < 2:
        return None
    rare = np.maximum(np.log(len(rows) / (1 + (rows > 0).sum(axis=0))), 0)
    weighed = rows * rare
    weighed /= np.linalg.norm(weighed, axis=1, keepdims=True) + np.finfo(float).tiny
    if len(np.unique(weighed, axis=0)) < count:  # documents made alike, such as of a template
        return None
    starts = (kmeans2(weighed, count, minit="++", rng=start)[1] for start in range(_STARTS))
    return max((_settled(rows, start) for start in starts), key=lambda found: found[0])[1]


def _settled(rows: Words, sort_of: Sorts) -> tuple[float, Sorts]:
    """Return how likely the documents' words are in all, and sorts that each is likest.

    Args:
        rows: (documents, BUCKETS) `frequencies`.
        sort_of: (documents,) the sorts to begin with.
    """
    for _ in range(_ROUNDS):
        likelihoods = rows @ words_by_sort(rows, sort_of).T
        moved = likelihoods.argmax(axis=1)
        if (moved == sort_of).all():
            break
        sort_of = moved
    return float(likelihoods.max(axis=1).sum()), sort_of


def _quantiles(scores: Sequence[float]) -> tuple[float, ...]:
    return tuple(float(q) for q in np.quantile(scores, np.linspace(0, 1, _RANKS)))


def reach_of(measured: Sequence[float]) -> Reach:
    """Return the reach of a measure by its values on documents left out of the profile."""
    middle, low, odd = (float(np.quantile(measured, q)) for q in (0.5, 0.05, _ODD))
    # The lowest of a few documents says little: the distribution's width says more.
    edge = min(odd, middle - _FAR * max(middle - low, _LEAST_WIDTH))
    return Reach(round(edge, 4), round(middle - edge, 4))


def _apart(
    profile: Profile, elsewhere: Sequence[Words], rows: Words, scored: Sequence[float]
) -> Profile:
    """Return a profile with the kinds that it is not, and its reach by some documents.

    Args:
        profile: words alone.
        elsewhere: words of all kinds.
        rows: (documents, BUCKETS) frequencies of documents of its kind.
        scored: how usual they are.
    """
    others = [words for words in elsewhere if not _is_own(words, profile, rows, scored)]
    kinds: Words = np.stack(others or elsewhere)
    apart = np.asarray(scored) - (rows @ kinds.T).max(axis=1)
    return replace(profile, elsewhere=kinds, usual=reach_of(scored), apart=reach_of(apart.tolist()))


def _is_own(words: Words, profile: Profile, rows: Words, scored: Sequence[float]) -> bool:
    """Return whether words elsewhere are those of the model's own kind, or of a sort of it.

    So they are where the profile finds them hardly less likely than they are by themselves, or
    where some of the model's documents are plainly likelier by them than by the profile, as German
    ones are by German words where a model of few documents has them in nine languages.
    """
    said = np.exp(words)
    lost = float(said @ words) - profile.usualness(said)
    gained = np.quantile(rows @ words - np.asarray(scored), 1 - _SORT)
    return lost < _SAME or float(gained) > _LIKELIER


def _left_out(rows: Words, groups: Sequence[str], sort_of: Sorts | None = None) -> list[float]:
    """Return the score of each document under a profile that knows none of its group."""
    sizes = Counter(groups)
    fold: dict[str, int] = {}
    filled = [0] * _FOLDS
    for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
        fold[name] = min(range(_FOLDS), key=lambda number: filled[number])
        filled[fold[name]] += sizes[name]
    place = np.array([fold[name] for name in groups])
    scores = np.zeros(len(rows))
    for number in set(fold.values()):
        out = place == number
        kept = ~out if (~out).any() else out  # of a single issuer nothing is left
        # As smooth as the profile of all: what no document says is as unlikely there.
        total = rows[kept].mean(axis=0) * len(rows)
        known = Profile(log_probability(total, len(rows)), ())
        if sort_of is not None:
            known = replace(known, sorts=words_by_sort(rows[kept], sort_of[kept]))
        scores[out] = [known.usualness(row) for row in rows[out]]
    return [float(score) for score in scores]
