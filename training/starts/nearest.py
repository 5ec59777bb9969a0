"""Chooses the package to start a training from: that of the documents most like the new ones.

What was learnt on one kind of document (a date stands beside its caption, a name runs over several
words) helps another kind more than knowledge of the language alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from models.packages import PackageRef, Registry
from models.packages.package import training_of
from pipeline.document import Document
from pipeline.errors import ModelPackageError
from pipeline.routing import Router, choose
from training.data import Row
from training.data.seen import seen_before


def nearest_package(
    documents: Iterable[Document], registry: Registry, *, held_out: Sequence[Row]
) -> PackageRef | None:
    """Return the package in service that most of the documents are like; None where there is none.

    Args:
        documents: of the new dataset, as read.
        registry: the packages to choose from.
        held_out: documents that the training is scored on; packages that were trained on one of
            them are left out, because the scores would say nothing about new documents.
    """
    try:
        profiles = Router(registry).profiles()
    except ModelPackageError:  # none says what its documents are like
        return None
    open_to = {
        ref.name: (ref, profile)
        for ref, profile in profiles.items()
        if not seen_before(training_of(ref.path), held_out)
    }
    words = {name: profile for name, (_, profile) in open_to.items()}
    choices = (choose(document, words) for document in documents)
    votes = Counter(choice.name for choice in choices if choice is not None)
    return open_to[min(votes, key=lambda name: (-votes[name], name))][0] if votes else None
