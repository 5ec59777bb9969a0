"""What the documents of a model are like, in words, and how well another document fits them.

A profile holds how often each word (hashed) occurs in the documents that a model was trained on,
in each sort of them, and in other kinds of documents; within a kind every document has the same
weight. A document is measured twice: by the mean log-likelihood of its words under the model's own
(are they usual there?), and by how much likelier they are there than in the kind they are likest.
Either one below what the model's own documents reach, of issuers left out of the profile, is a
document of another kind. `training.field_model.word_profiles` makes profiles. No torch.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
_STEEPNESS = 4.0  # a document as usual as the median fits by 1 / (1 + exp(-4))
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
        expected: fields that the answer to hardly any document of the kind is without.
        sorts: (sorts, BUCKETS) the same of the sorts that the model's documents fall into, such as
            their languages; None where they are not told apart.
    """

    log_probability: Words
    scores: tuple[float, ...]
    elsewhere: Words | None = None
    usual: Reach | None = None
    apart: Reach | None = None
    expected: tuple[str, ...] = ()
    sorts: Words | None = None

    def log_likelihood(self, row: Words) -> float:
        """Return the mean log-likelihood of a document's words in the sort it is likest.

        Words of several languages in one profile make those of each unlikely, and the more so the
        more languages there are: a model of one language would be chosen before it.

        Args:
            row: (BUCKETS,) the document's `frequencies`.
        """
        if self.sorts is None:
            return float(row @ self.log_probability)
        return float((self.sorts @ row).max())

    def usualness(self, row: Words) -> float:
        """Return the mean log-likelihood of a document's words, half by its sort, half by all.

        A document of a new issuer has words that its sort lacks and others have.

        Args:
            row: (BUCKETS,) the document's `frequencies`.
        """
        if self.sorts is None:
            return float(row @ self.log_probability)
        said = np.flatnonzero(row)
        both = np.logaddexp(self.sorts[:, said], self.log_probability[said]) - math.log(2)
        return float((both @ row[said]).max())

    def fit(self, document: Document) -> float | None:
        """Return how well a document fits the model, 0 to 1; below `FITS` it is of another kind.

        None for a document without words, and where the profile cannot tell.
        """
        return self.fit_of(frequencies(document))

    def fit_of(self, row: Words) -> float | None:
        """Return how well a document with such `frequencies` fits; see `fit`."""
        if self.elsewhere is None or self.usual is None or self.apart is None or not row.any():
            return None
        own = self.usualness(row)
        apart = own - float((self.elsewhere @ row).max())
        return round(min(self.usual.fit(own), self.apart.fit(apart)), 4)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` turns back into an equal profile."""
        data: dict[str, Any] = {
            "buckets": BUCKETS,
            "log_probability": [round(float(value), 3) for value in self.log_probability],
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


def frequencies(document: Document) -> Words:
    """Return how often each bucket occurs among a document's words, as shares that add up to 1."""
    counts = np.zeros(BUCKETS)
    for bucket in _buckets(token.text for _, token in document.words()):
        counts[bucket] += 1
    # Ten times the same word is not ten times the evidence.
    counts = np.log1p(counts)
    total = counts.sum()
    return counts / total if total else counts


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
