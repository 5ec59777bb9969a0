"""Which model fits a document: the one whose documents' words are most like its own.

A document is scored by the mean log-likelihood of its words under each model's profile
(multinomial naive Bayes), or under that of the sort of its documents which it is likest, such as
those of one language. The words of one document depend on one another, so the evidence is
tempered before it becomes a probability. Then each is asked a second question: whether the document
resembles its documents at all, by how well it fits, else by the rank of its score among theirs. The
product decides; where all are 0, the likelihood. No torch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from models.packages import PackageRef, Registry
from pipeline.document import Document
from pipeline.errors import ModelPackageError
from pipeline.profile import Profile, Words, frequencies, load_profile

# A document counts as at most this many independent words: neighbours say much the same. By three
# times as many, words that are a little likelier outweighed that a document hardly fits.
_INDEPENDENT = 10.0
_ODD = 0.02  # a document that ranks lower among the model's own is not like them
_LEAST_SPREAD = 0.3  # nats; a handful of like documents says little about how far others may be


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


def choose(document: Document, profiles: Mapping[str, Profile]) -> Choice | None:
    """Return the model whose documents are most like this one; None without any evidence.

    Args:
        document: as read.
        profiles: of the models to choose from, by name.
    """
    row = frequencies(document)
    if not profiles or not row.any():
        return None
    names = sorted(profiles)
    scores = np.array([profiles[name].log_likelihood(row) for name in names])
    weight = min(float(np.count_nonzero(row)), _INDEPENDENT)
    shares = np.exp(weight * (scores - scores.max()))
    shares /= shares.sum()
    share = dict(zip(names, shares.tolist(), strict=True))
    found = {name: round(share[name] * _likeness(row, profiles[name]), 6) for name in names}
    best, *others = sorted(names, key=lambda name: (-found[name], -share[name]))
    return Choice(best, found[best], {name: found[name] for name in others})


class Router:
    """Chooses among the packages in service, by the profiles that they carry.

    Args:
        registry: the packages; looked at anew for each document, so that a promotion counts.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def candidates(self) -> list[PackageRef]:
        """Return the packages that can be chosen: those in service that carry a profile.

        Raises:
            ModelPackageError: there is none.
        """
        return list(self.profiles())

    def profiles(self) -> dict[PackageRef, Profile]:
        """Return the candidates, each with its profile; raises as `candidates`."""
        current = (ref for ref in self._registry.packages() if ref.current)
        found = {ref: profile for ref in current if (profile := load_profile(ref.path)) is not None}
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


def _likeness(row: Words, profile: Profile) -> float:
    """Return 1 for a document that is usual among the model's own, towards 0 for one far from them.

    Profiles of older packages cannot say how well it fits; they hold how usual their own are.
    """
    fit = profile.fit_of(row)
    if fit is not None:
        return fit
    scores, score = np.asarray(profile.scores), float(row @ profile.log_probability)
    rank = float(np.interp(score, scores, np.linspace(0, 1, len(scores)), left=0.0))
    if rank >= _ODD:
        return 1.0
    edge = float(np.interp(_ODD, np.linspace(0, 1, len(scores)), scores))
    spread = max(float(np.median(scores)) - edge, _LEAST_SPREAD)
    return math.exp(min(0.0, 2.0 * (score - edge) / spread))
