"""A package's profile made anew: the words of its kind, and what answers of that kind have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.answers.rendering import has_value
from pipeline.document import Document
from pipeline.errors import InvalidOption
from pipeline.extract import Extractor
from pipeline.profile import Profile, load_profile
from training.data.templates import group_by_template
from training.field_model.elsewhere import words_elsewhere
from training.field_model.word_profiles import expected_fields, fit_profile, held_against


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
        elif known is not None and measured:
            made = held_against(known, words_elsewhere(), measured)
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


def _found_in_all(package: Path, documents: Sequence[Document]) -> tuple[str, ...]:
    """Return the fields that a model finds in all but one in a hundred documents."""
    if not documents:
        return ()
    extractor = Extractor(package)
    answers = [extractor.answer(document, 0.0).fields for document in documents]
    return expected_fields(
        [{name for name, value in one.items() if has_value(value)} for one in answers]
    )
