"""A package's profile made anew: the words of its kind, and what answers of that kind have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.answers.rendering import has_value
from pipeline.document import Document
from pipeline.errors import InvalidOption
from pipeline.extract import Extractor
from pipeline.profile import (
    Profile,
    expected_fields,
    fit_profile,
    frequencies,
    load_profile,
    words_by_sort,
)
from training.data.templates import group_by_template
from training.field_model.elsewhere import words_elsewhere

_OF_A_SORT = 50  # documents, on average; a model of fewer than two sorts has none
_MOST_SORTS = 16
_ROUNDS = 30  # of moving documents to the sort they are likest; they settle in about ten


def profile_again(
    package: Path, documents: Mapping[str, Document], measured: Sequence[Document]
) -> Profile:
    """Return another profile for a package.

    Args:
        package: its folder.
        documents: of its kind, by name, whose words the profile is of; none keeps the words that
            it has.
        measured: others of its kind, which the model has not seen: how far they lie from those
            words, and the fields that are found in all of them. None keeps what was expected.

    Raises:
        InvalidOption: the documents have too few words, or there is nothing to make it of.
    """
    known = load_profile(package)
    try:
        if documents:
            groups = group_by_template(documents).groups
            made = fit_profile(
                list(documents.values()),
                [groups[name] for name in documents],
                words_elsewhere(),
                measured,
            )
            made = in_sorts(made, list(documents.values()))
        elif known is not None and measured:
            made = known.held_against(words_elsewhere(), measured)
        else:
            raise InvalidOption(
                "Without a dataset, a model needs a profile, and documents to measure it on.",
                advice="Name a dataset, or --measured with one of documents like the model's.",
            )
    except ValueError as error:
        raise InvalidOption(
            f"No profile can be made: {error}.", advice="Choose another dataset."
        ) from error
    expected = _found_in_all(package, measured) or (known.expected if known else ())
    return replace(made, expected=expected)


def in_sorts(profile: Profile, documents: Sequence[Document]) -> Profile:
    """Return a profile that knows the sorts of its documents, one for each fifty, 16 at most.

    Documents that share rare words are brought together first (k-means), then each is moved to the
    sort whose words make its own likeliest (a mixture of multinomials, hard assignments). Of
    documents in several languages these come out as the sorts, which nobody has to name.

    Args:
        profile: of the documents.
        documents: of the model.
    """
    from scipy.cluster.vq import kmeans2  # type: ignore[import-untyped]

    found = [row for row in map(frequencies, documents) if row.any()]
    count = min(_MOST_SORTS, len(found) // _OF_A_SORT)
    if count < 2:
        return profile
    rows = np.stack(found)
    rare = np.maximum(np.log(len(rows) / (1 + (rows > 0).sum(axis=0))), 0)
    weighed = rows * rare
    weighed /= np.linalg.norm(weighed, axis=1, keepdims=True) + np.finfo(float).tiny
    if len(np.unique(weighed, axis=0)) < count:  # documents made alike, such as of a template
        return profile
    _, sort_of = kmeans2(weighed, count, minit="++", rng=0)
    for _ in range(_ROUNDS):
        moved = (rows @ words_by_sort(rows, sort_of).T).argmax(axis=1)
        if (moved == sort_of).all():
            break
        sort_of = moved
    return replace(profile, sorts=words_by_sort(rows, sort_of))


def _found_in_all(package: Path, documents: Sequence[Document]) -> tuple[str, ...]:
    """Return the fields that a model finds in all but one in a hundred documents."""
    if not documents:
        return ()
    extractor = Extractor(package)
    answers = [extractor.answer(document, 0.0).fields for document in documents]
    return expected_fields(
        [{name for name, value in one.items() if has_value(value)} for one in answers]
    )
