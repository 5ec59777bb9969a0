"""Sorts of a model's documents, found by their words."""

from __future__ import annotations

import numpy as np

from models.geometry import Box
from pipeline.document import Document, Page, Token
from pipeline.profile import fit_profile, frequencies
from training.field_model.profiling import in_sorts

_PLACE = Box(0.1, 0.1, 0.2, 0.2)


def _document(words: list[str]) -> Document:
    tokens = tuple(Token(word, _PLACE) for word in words)
    return Document("0" * 64, "application/pdf", (Page(1, 600.0, 800.0, tokens=tokens),), 1)


def _documents(languages: int, each: int) -> list[tuple[int, Document]]:
    """Return documents in invented languages, in turn."""
    rng = np.random.default_rng(0)
    found = []
    for number in range(languages * each):
        language = number % languages
        words = [f"{'abcdefgh'[language]}word{'abcdefghijklmnopqrst'[n]}" for n in range(20)]
        found.append((language, _document([*rng.choice(words, 12), "total", "00.00"])))
    return found


def test_languages_come_out_as_sorts() -> None:
    documents = _documents(4, 50)
    known = [document for _, document in documents]
    profile = in_sorts(fit_profile(known), known)
    assert profile.sorts is not None
    of_sort: dict[int, set[int]] = {}
    for language, document in documents:
        sort = int((profile.sorts @ frequencies(document)).argmax())
        of_sort.setdefault(sort, set()).add(language)
    assert all(len(languages) == 1 for languages in of_sort.values())
    assert set().union(*of_sort.values()) == set(range(4))


def test_the_same_documents_have_the_same_sorts() -> None:
    known = [document for _, document in _documents(3, 60)]
    first, again = (in_sorts(fit_profile(known), known).to_json() for _ in range(2))
    assert first == again


def test_few_documents_and_those_without_words_have_no_sorts() -> None:
    known = [document for _, document in _documents(3, 33)]  # one less than a hundred
    profile = fit_profile(known)
    assert in_sorts(profile, known).sorts is None
    assert in_sorts(profile, [*known, *[_document([])] * 50]).sorts is None


def test_documents_that_are_all_alike_have_no_sorts() -> None:
    known = [_document(["total", "amount", "date"])] * 120
    profile = fit_profile(known)
    assert in_sorts(profile, known) is profile
    two = [_document(["total", "amount", name]) for name in ("first", "second")] * 60
    found = in_sorts(fit_profile(two), two).sorts
    assert found is not None
    assert len(found) == 2
