"""What the documents of a model are like, in words, and how well another document fits them.

A profile holds how often each word (hashed) occurs in the documents that a model was trained on,
and in other kinds of documents; within a kind every document has the same weight. A document is
measured twice: by the mean log-likelihood of its words under the model's own (are they usual
there?), and by how much likelier they are there than in the kind they are likest. Either one below
what the model's own documents reach, of issuers left out of the profile, is a document of another
kind. No torch.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.packages.manifest import PROFILE
from pipeline.document import Document

BUCKETS = 4096  # of hashed words; part of the format of profiles
FITS = 0.5
"""Documents that fit a model less are of another kind."""
FITS_BY_TITLE = 0.2
"""Unless they call themselves one of the model's kind: then it is less that is another kind."""
# The beginning shows what a document is; terms and conditions look the same everywhere.
_MOST_WORDS = 300
_SHORTEST = 3  # letters; shorter words are in everything
_SMOOTHING = 0.5  # share of a document's weight that is spread over all buckets, over documents
_RANKS = 41  # quantiles of scores that a profile keeps: steps of 2.5 %
_FOLDS = 5  # that issuers are left out in, to measure what new ones reach
_ODD = 0.005  # share of a model's own documents that may be taken for others
_FAR = 1.6  # where so few of a normal distribution lie, in steps from the median to the lowest 5 %
_STEEPNESS = 4.0  # a document as usual as the median fits by 1 / (1 + exp(-4))
_LEAST_WIDTH = 0.1  # nats, from the median to the lowest 5 %: few documents may be alike by chance
_WITHOUT = 0.01  # share of a model's own documents that may lack a field which is expected
_SAME = 0.8  # nats by which the words of a kind may be less likely in a profile of that kind
_SORT = 0.02  # share of a model's documents that is a sort of them
_LIKELIER = 0.3  # nats by which a sort is likelier by its own words than by the profile
_FEWEST = 40  # documents below which nothing is expected of others
_DIGITS = re.compile(r"\d+")

Words = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reach:
    """What a measure reaches on documents of the model's kind.

    Attributes:
        edge: hardly any lies below.
        spread: from there to the median, above 0.
    """

    edge: float
    spread: float

    @classmethod
    def of(cls, measured: Sequence[float]) -> Reach:
        """Return the reach of a measure by its values on documents left out of the profile."""
        middle, low, odd = (float(np.quantile(measured, q)) for q in (0.5, 0.05, _ODD))
        # The lowest of a few documents says little: the distribution's width says more.
        edge = min(odd, middle - _FAR * max(middle - low, _LEAST_WIDTH))
        return cls(round(edge, 4), round(middle - edge, 4))

    def fit(self, value: float) -> float:
        """Return 0.5 at the edge, towards 1 above it and 0 below."""
        steps = _STEEPNESS * (value - self.edge) / self.spread
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, steps))))


@dataclass(frozen=True, slots=True)
class Profile:
    """The words of one model's documents.

    Attributes:
        log_probability: (BUCKETS,) natural logarithm of each bucket's probability.
        scores: rising quantiles of the score of documents like the model's, none of which is in the
            profile it was scored with.
        elsewhere: (kinds, BUCKETS) the same of other kinds of documents; of all of them together
            in older packages, None in the oldest, which cannot say how well a document fits.
        usual, apart: reach of the two measures; None together with `elsewhere`.
        expected: fields that the answer to hardly any document of the kind is without, see
            `expected_fields`.
        sorts: (sorts, BUCKETS) the same of the sorts that the model's documents fall into, such as
            their languages; None where they are not told apart. Words of several languages in one
            profile make those of each unlikely, and the more so the more languages there are: a
            model of one language would be chosen before it.
    """

    log_probability: Words
    scores: tuple[float, ...]
    elsewhere: Words | None = None
    usual: Reach | None = None
    apart: Reach | None = None
    expected: tuple[str, ...] = ()
    sorts: Words | None = None

    def log_likelihood(self, row: Words) -> float:
        """Return the mean log-likelihood of a document's words, in the sort it is likest."""
        if self.sorts is None:
            return float(row @ self.log_probability)
        return float((self.sorts @ row).max())

    def fit(self, document: Document) -> float | None:
        """Return how well a document fits the model, 0 to 1; below `FITS` it is of another kind.

        None for a document without words, and where the profile cannot tell.
        """
        return self.fit_of(frequencies(document))

    def fit_of(self, row: Words) -> float | None:
        """Return how well a document with such `frequencies` fits; see `fit`."""
        if self.elsewhere is None or self.usual is None or self.apart is None or not row.any():
            return None
        own = float(row @ self.log_probability)
        apart = own - float((self.elsewhere @ row).max())
        return round(min(self.usual.fit(own), self.apart.fit(apart)), 4)

    def held_against(self, elsewhere: Sequence[Words], measured: Sequence[Document]) -> Profile:
        """Return the profile with its reach measured on documents that its words are not of.

        Args:
            elsewhere: as of `fit_profile`.
            measured: documents of the kind.

        Raises:
            ValueError: none of them has words.
        """
        rows = [row for row in map(frequencies, measured) if row.any()]
        if not rows:
            raise ValueError("no document to measure a profile on has words")
        scored = [float(row @ self.log_probability) for row in rows]
        found = replace(self, scores=_quantiles(scored))
        return _apart(found, elsewhere, np.stack(rows), scored) if elsewhere else found

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` turns back into an equal profile."""
        data: dict[str, Any] = {
            "buckets": BUCKETS,
            "log_probability": _rounded(self.log_probability),
            "scores": [round(score, 4) for score in self.scores],
        }
        if self.elsewhere is not None and self.usual is not None and self.apart is not None:
            data["elsewhere"] = [_sparse(kind) for kind in self.elsewhere]
            data["usual"] = [self.usual.edge, self.usual.spread]
            data["apart"] = [self.apart.edge, self.apart.spread]
        if self.expected:
            data["expected"] = list(self.expected)
        if self.sorts is not None:
            data["sorts"] = [_sparse(sort) for sort in self.sorts]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Profile:
        """Return the profile that `to_json` wrote.

        Raises:
            ValueError: it is of another version of the program, or damaged.
        """
        try:
            values = np.asarray(data["log_probability"], dtype=np.float64)
            scores = tuple(float(score) for score in data["scores"])
            elsewhere, usual, apart = None, None, None
            if "elsewhere" in data:
                elsewhere = _kinds(data["elsewhere"])
                usual, apart = (Reach(*map(float, data[name])) for name in ("usual", "apart"))
            expected = tuple(str(name) for name in data.get("expected", ()))
            sorts = _kinds(data["sorts"]) if "sorts" in data else None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise ValueError(f"not a profile of words: {error!r}") from error
        for words in (values[None], elsewhere, sorts):
            if words is not None and (
                words.shape[1:] != (BUCKETS,) or not np.isfinite(words).all()
            ):
                raise ValueError(f"not a profile of {BUCKETS} buckets")
        if len(scores) < 2 or not all(
            math.isfinite(reach.edge) and 0 < reach.spread < math.inf
            for reach in (usual, apart)
            if reach is not None
        ):
            raise ValueError("not a profile of words: its measures are not as expected")
        return cls(values, scores, elsewhere, usual, apart, expected, sorts)

    @classmethod
    def loads(cls, text: str) -> Profile:
        """Return the profile in a JSON text; raises ValueError."""
        return cls.from_json(json.loads(text))


def load_profile(package: Path) -> Profile | None:
    """Return a package's profile, None for one without or with a damaged one."""
    path = package / PROFILE
    try:
        return _profile_as_of(path, path.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=64)
def _profile_as_of(path: Path, changed_ns: int) -> Profile | None:
    try:
        return Profile.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None


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
    own = log_probability(total, len(rows))
    # Left out of its own profile, a document is scored as a new one would be.
    scores = [float(row @ log_probability(total - row, len(rows) - 1)) for row in rows]
    if any(frequencies(document).any() for document in measured):
        return Profile(own, _quantiles(scores)).held_against(elsewhere, measured)
    if not elsewhere:
        return Profile(own, _quantiles(scores))
    scored = _left_out(rows, [name for _, name in found])
    return _apart(Profile(own, _quantiles(scores)), elsewhere, rows, scored)


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


def log_probability(total: Words, documents: int) -> Words:
    """Return the logarithm of each bucket's probability, (BUCKETS,).

    Args:
        total: (BUCKETS,) sum of the documents' `frequencies`.
        documents: number of them.
    """
    spread = _SMOOTHING / math.sqrt(max(documents, 1))
    mean = total / max(documents, 1)
    smooth: Words = np.log((1 - spread) * mean + spread / BUCKETS)
    return smooth


def words_by_sort(rows: Words, sort_of: NDArray[np.int_]) -> Words:
    """Return the `log_probability` of each sort of documents, (sorts, BUCKETS).

    Args:
        rows: (documents, BUCKETS) their `frequencies`.
        sort_of: (documents,) the sort of each, any numbers.
    """
    members = [rows[sort_of == sort] for sort in np.unique(sort_of)]
    return np.stack([log_probability(own.sum(axis=0), len(own)) for own in members])


def frequencies(document: Document) -> Words:
    """Return how often each bucket occurs among a document's words, as shares that add up to 1."""
    counts = np.zeros(BUCKETS)
    for bucket in _buckets(token.text for _, token in document.words()):
        counts[bucket] += 1
    # Ten times the same word is not ten times the evidence.
    counts = np.log1p(counts)
    total = counts.sum()
    return counts / total if total else counts


def _quantiles(scores: Sequence[float]) -> tuple[float, ...]:
    return tuple(float(q) for q in np.quantile(scores, np.linspace(0, 1, _RANKS)))


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
    return replace(profile, elsewhere=kinds, usual=Reach.of(scored), apart=Reach.of(apart.tolist()))


def _is_own(words: Words, profile: Profile, rows: Words, scored: Sequence[float]) -> bool:
    """Return whether words elsewhere are those of the model's own kind, or of a sort of it.

    So they are where the profile finds them hardly less likely than they are by themselves, or
    where some of the model's documents are plainly likelier by them than by the profile, as German
    ones are by German words where the model has documents in nine languages.
    """
    lost = float(np.exp(words) @ (words - profile.log_probability))
    gained = np.quantile(rows @ words - np.asarray(scored), 1 - _SORT)
    return lost < _SAME or float(gained) > _LIKELIER


def _left_out(rows: Words, groups: Sequence[str]) -> list[float]:
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
        rest = rows[~out] if (~out).any() else rows  # of a single issuer nothing is left
        # As smooth as the profile of all: what no document says is as unlikely there.
        total = rest.mean(axis=0) * len(rows)
        scores[out] = rows[out] @ log_probability(total, len(rows))
    return [float(score) for score in scores]


def _rounded(words: Words) -> list[float]:
    return [round(float(value), 3) for value in words]


def _sparse(words: Words) -> dict[str, Any]:
    """Return the words of a kind as what differs from the least likely, which most buckets are."""
    rounded = np.round(words, 3)
    least = float(rounded.min())
    return {
        "least": least,
        "words": {str(i): float(rounded[i]) for i in np.flatnonzero(rounded > least)},
    }


def _kinds(data: Sequence[Any]) -> Words:
    """Return the words of kinds, (kinds, BUCKETS), as `_sparse` or older packages wrote them."""
    if not isinstance(data[0], Mapping):
        return np.atleast_2d(np.asarray(data, dtype=np.float64))
    found = np.empty((len(data), BUCKETS))
    for row, kind in zip(found, data, strict=True):
        row[:] = float(kind["least"])
        places = np.array([int(place) for place in kind["words"]], dtype=np.intp)
        if len(places) and places.min() < 0:
            raise ValueError("a word's place is negative")
        row[places] = np.array(list(kind["words"].values()), dtype=np.float64)
    return found


def _buckets(words: Iterable[str]) -> Iterable[int]:
    taken = 0
    for word in words:
        # Numbers tell by their form: dates, times and amounts look different in every trade.
        form = _DIGITS.sub("0", word.casefold())
        text = form if "0" in form else "".join(filter(str.isalpha, form))
        if "0" in text or len(text) >= _SHORTEST:
            yield zlib.crc32(text.encode("utf-8", "replace")) % BUCKETS
            taken += 1
            if taken == _MOST_WORDS:
                return
