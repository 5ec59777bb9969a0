"""Which model fits a document: a profile of the words of each model's documents, and the choice.

A profile holds how often each word (hashed) occurs in the documents that a model was trained on;
every document has the same weight. A document is scored by the mean log-likelihood of its words
under each profile (multinomial naive Bayes). The words of one document depend on one another, so
the evidence is tempered before it becomes a probability. Then the winner is asked a second
question: whether the document resembles its documents at all, by the rank of its score among
theirs. No torch.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.packages import PackageRef, Registry
from models.packages.manifest import PROFILE
from pipeline.document import Document
from pipeline.errors import ModelPackageError

AUTO = "auto"  # in place of a model's name: the one that fits
BUCKETS = 4096  # of hashed words; part of the format of profiles
# The beginning shows what a document is; terms and conditions look the same everywhere.
_MOST_WORDS = 300
_SHORTEST = 3  # letters; shorter words are in everything
_SMOOTHING = 0.5  # share of a document's weight that is spread over all buckets, over documents
# A document counts as at most this many independent words: neighbours say much the same.
_INDEPENDENT = 30.0
_ODD = 0.02  # a document that ranks lower among the model's own is not like them
_RANKS = 41  # quantiles of scores that a profile keeps: steps of 2.5 %
_LEAST_SPREAD = 0.3  # nats; a handful of like documents says little about how far others may be
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Profile:
    """The words of one model's documents.

    Attributes:
        log_probability: (BUCKETS,) natural logarithm of each bucket's probability.
        scores: rising quantiles of the score of documents like the model's, each left out of the
            profile it was scored with.
    """

    log_probability: NDArray[np.float64]
    scores: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` turns back into an equal profile."""
        return {
            "buckets": BUCKETS,
            "log_probability": [round(float(value), 3) for value in self.log_probability],
            "scores": [round(score, 4) for score in self.scores],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Profile:
        """Return the profile that `to_json` wrote.

        Raises:
            ValueError: it is of another version of the program, or damaged.
        """
        try:
            values = np.asarray(data["log_probability"], dtype=np.float64)
            scores = tuple(float(score) for score in data["scores"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not a profile of words: {error!r}") from error
        if values.shape != (BUCKETS,) or not np.isfinite(values).all() or len(scores) < 2:
            raise ValueError(f"not a profile of {BUCKETS} buckets")
        return cls(values, scores)

    @classmethod
    def loads(cls, text: str) -> Profile:
        """Return the profile in a JSON text; raises ValueError."""
        return cls.from_json(json.loads(text))


@dataclass(frozen=True, slots=True)
class Choice:
    """The model that fits a document best.

    Attributes:
        name: of the model.
        confidence: estimated probability that the document is of the kind the model reads, 0 to 1.
        others: the other models with the same estimate for each, best first.
    """

    name: str
    confidence: float
    others: dict[str, float]


def fit_profile(documents: Sequence[Document]) -> Profile:
    """Return the profile of a model's documents; those without words are left out.

    Raises:
        ValueError: fewer than two documents have words.
    """
    found = [row for row in map(_frequencies, documents) if row.any()]
    if len(found) < 2:
        raise ValueError("a profile needs two documents with words")
    rows = np.stack(found)
    total = rows.sum(axis=0)
    # Left out of its own profile, a document is scored as a new one would be.
    scores = [float(row @ _log_probability(total - row, len(rows) - 1)) for row in rows]
    quantiles = np.quantile(scores, np.linspace(0, 1, _RANKS))
    return Profile(_log_probability(total, len(rows)), tuple(float(q) for q in quantiles))


def choose(document: Document, profiles: Mapping[str, Profile]) -> Choice | None:
    """Return the model whose documents are most like this one; None without any evidence.

    Args:
        document: as read.
        profiles: of the models to choose from, by name.
    """
    row = _frequencies(document)
    if not profiles or not row.any():
        return None
    names = sorted(profiles)
    scores = np.array([float(row @ profiles[name].log_probability) for name in names])
    weight = min(float(np.count_nonzero(row)), _INDEPENDENT)
    shares = np.exp(weight * (scores - scores.max()))
    shares /= shares.sum()
    likeness = [_likeness(score, profiles[n]) for score, n in zip(scores, names, strict=True)]
    ranked = sorted(
        (
            (name, round(float(s * alike), 6))
            for name, s, alike in zip(names, shares, likeness, strict=True)
        ),
        key=lambda item: -item[1],
    )
    best = names[int(shares.argmax())]
    found = dict(ranked)
    return Choice(best, found.pop(best), found)


class Router:
    """Chooses among the packages in service, by the profiles that they carry.

    Args:
        registry: the packages; looked at anew for each document, so that a promotion counts.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._profiles: dict[str, Profile | None] = {}

    def candidates(self) -> list[PackageRef]:
        """Return the packages that can be chosen: those in service that carry a profile.

        Raises:
            ModelPackageError: there is none.
        """
        return list(self.profiles())

    def profiles(self) -> dict[PackageRef, Profile]:
        """Return the candidates, each with its profile; raises as `candidates`."""
        current = (ref for ref in self._registry.packages() if ref.current)
        found = {ref: profile for ref in current if (profile := self._profile(ref)) is not None}
        if not found:
            raise ModelPackageError(
                "No model in service says which documents it is for.",
                advice="Name a model, or train one with this version of the program.",
            )
        return found

    def choose(self, document: Document) -> tuple[PackageRef, Choice]:
        """Return the package that fits a document, and how sure that is.

        A document without words gets the default model, with confidence 0.

        Raises:
            ModelPackageError: no package in service has a profile.
            UnknownModel: the default model is needed, and is not there.
        """
        found = self.profiles()
        choice = choose(document, {ref.name: profile for ref, profile in found.items()})
        if choice is None:
            ref = self._registry.resolve(None)
            return ref, Choice(ref.name, 0.0, {})
        return next(ref for ref in found if ref.name == choice.name), choice

    def _profile(self, ref: PackageRef) -> Profile | None:
        """Return a package's profile, None for one without or with a damaged one."""
        key = f"{ref}:{ref.path}"
        if key not in self._profiles:
            try:
                text = (ref.path / PROFILE).read_text(encoding="utf-8")
                self._profiles[key] = Profile.loads(text)
            except (OSError, ValueError):
                self._profiles[key] = None
        return self._profiles[key]


def _likeness(score: float, profile: Profile) -> float:
    """Return 1 for a score usual among the model's own documents, towards 0 far below them."""
    scores = np.asarray(profile.scores)
    rank = float(np.interp(score, scores, np.linspace(0, 1, len(scores)), left=0.0))
    if rank >= _ODD:
        return 1.0
    edge = float(np.interp(_ODD, np.linspace(0, 1, len(scores)), scores))
    spread = max(float(np.median(scores)) - edge, _LEAST_SPREAD)
    return math.exp(min(0.0, 2.0 * (score - edge) / spread))


def _log_probability(total: NDArray[np.float64], documents: int) -> NDArray[np.float64]:
    spread = _SMOOTHING / math.sqrt(max(documents, 1))
    mean = total / max(documents, 1)
    return np.log((1 - spread) * mean + spread / BUCKETS)


def _frequencies(document: Document) -> NDArray[np.float64]:
    """Return how often each bucket occurs among a document's words, as shares that add up to 1."""
    counts = np.zeros(BUCKETS)
    for bucket in _buckets(token.text for _, token in document.words()):
        counts[bucket] += 1
    # Ten times the same word is not ten times the evidence.
    counts = np.log1p(counts)
    total = counts.sum()
    return counts / total if total else counts


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
