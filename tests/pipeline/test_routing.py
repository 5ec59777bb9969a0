"""The choice of a model by a document's words: right where it is plain, unsure where it is not."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.geometry import Box
from pipeline.document import Document, Page, Token
from pipeline.profile import (
    BUCKETS,
    FITS,
    Profile,
    Reach,
    frequencies,
    log_probability,
)
from pipeline.routing import Choice, choose
from training.field_model.word_profiles import fit_profile, words_by_sort

_RECEIPT = [
    "shop",
    "till",
    "cash",
    "change",
    "total",
    "tax",
    "invoice",
    "thank",
    "you",
    "come",
    "again",
    "12.50",
    "16/03/2018",
]
_CONTRACT = [
    "agreement",
    "party",
    "hereby",
    "disclose",
    "confidential",
    "information",
    "term",
    "governed",
    "law",
]


def _document(words: list[str]) -> Document:
    tokens = tuple(Token(word, Box(0.1, 0.1, 0.2, 0.2)) for word in words)
    return Document("0" * 64, "application/pdf", (Page(1, 600.0, 800.0, tokens=tokens),), 1)


def _varied(words: list[str]) -> list[Document]:
    """Return documents that each lack some of the words and have some of their own."""
    return [
        _document(
            [*words[:gap], *words[gap + 2 :], *(f"own{chr(97 + gap)}{n}x" for n in "abc"[own:])]
        )
        for gap in range(len(words))
        for own in range(3)
    ]


@pytest.fixture(scope="module")
def profiles() -> dict[str, Profile]:
    return {"receipts": fit_profile(_varied(_RECEIPT)), "nda": fit_profile(_varied(_CONTRACT))}


def test_the_model_that_fits_is_chosen(profiles: dict[str, Profile]) -> None:
    choice = choose(_document([*_RECEIPT[:8], "unheard"]), profiles)
    assert choice is not None
    assert choice.name == "receipts"
    assert choice.confidence > 0.8
    assert list(choice.others) == ["nda"]
    other = choose(_document(_CONTRACT), profiles)
    assert other is not None
    assert other.name == "nda"


def test_numbers_tell_by_their_form(profiles: dict[str, Profile]) -> None:
    choice = choose(_document(["99.10", "01/02/2020"]), profiles)
    assert choice is not None
    assert choice.name == "receipts"


def test_a_document_of_no_known_kind_is_nobody_s_with_confidence(
    profiles: dict[str, Profile],
) -> None:
    choice = choose(
        _document(["poem", "about", "the", "sea", "and", "its", "many", "waves", "at", "dusk"]),
        profiles,
    )
    assert choice is not None
    assert choice.confidence < 0.5


def test_a_choice_is_no_surer_than_the_document_fits() -> None:
    """Of a single model's documents a foreign one is always the likest."""
    contracts = log_probability(sum(map(frequencies, map(_document, [_CONTRACT] * 3))), 3)
    known = fit_profile(_varied(_RECEIPT), None, [contracts])
    for words in ([*_RECEIPT[:9], "unheard"], ["poem", "about", "the", "sea"], _CONTRACT):
        document = _document(words)
        choice, fit = choose(document, {"receipts": known}), known.fit(document)
        assert choice is not None
        assert choice.confidence == fit
        assert (fit >= FITS) is (words[0] == "shop")


def test_a_model_that_fits_is_chosen_before_one_that_does_not() -> None:
    """Of an invoice for legal advice most words are likelier among contracts."""
    document = _document(_CONTRACT)
    likely = np.full(BUCKETS, -8.0)
    kinds, usual, unusual = likely[None], Reach(-20.0, 1.0), Reach(0.0, 1.0)
    contracts = Profile(likely + 0.01, (-9.0, -8.0), kinds, unusual, usual)
    invoices = Profile(likely, (-9.0, -8.0), kinds, usual, usual)
    choice = choose(document, {"contracts": contracts, "invoices": invoices})
    assert choice is not None
    assert choice.name == "invoices"
    assert choice.confidence > 0.4 > choice.others["contracts"]
    # Where nothing fits, the likest is chosen.
    neither = replace(invoices, usual=unusual)
    unlike = choose(document, {"contracts": contracts, "invoices": neither})
    assert unlike == Choice("contracts", 0.0, {"invoices": 0.0})


def test_words_that_are_a_little_likelier_do_not_outweigh_a_poor_fit() -> None:
    """As those of a Spanish receipt are on invoices in Spanish, of which it is none."""
    document = _document([f"word{one}{other}" for one in "abcdef" for other in "ghijkl"])
    likely = np.full(BUCKETS, -8.0)
    kinds, met = likely[None], Reach(-20.0, 1.0)
    invoices = Profile(likely + 0.2, (-9.0, -8.0), kinds, Reach(-6.9, 1.0), met)
    receipts = Profile(likely, (-9.0, -8.0), kinds, met, met)
    assert 0.01 < (invoices.fit(document) or 0) < 0.05
    choice = choose(document, {"invoices": invoices, "receipts": receipts})
    assert choice is not None
    assert choice.name == "receipts"


def _in_language(number: int, kind: str, document: int) -> list[str]:
    """Return words of a language, some of them of a kind of document and some of this one alone."""
    letter = chr(97 + number)
    shared = [f"{letter}common{chr(97 + n)}" for n in range(10)]
    own = f"{letter}{kind}{chr(97 + document % 6)}"
    return [*shared[document % 3 :], own, f"{letter}name{chr(97 + document % 20)}"]


def _sorted(profile: Profile, documents: list[Document], sort_of: list[int]) -> Profile:
    rows = np.stack([frequencies(document) for document in documents])
    return replace(profile, sorts=words_by_sort(rows, np.array(sort_of)))


def test_a_model_of_many_languages_is_chosen_in_each_of_them() -> None:
    """Beside one of a single language the words of each are rare in it, but for its sorts."""
    documents = [(n, _document(_in_language(n, "till", d))) for n in range(8) for d in range(20)]
    tills = replace(fit_profile([document for _, document in documents]), sorts=None)
    bills = fit_profile([_document(_in_language(0, "bill", d)) for d in range(40)])
    new = _document(_in_language(0, "till", 41))
    mixed = choose(new, {"tills": tills, "bills": bills})
    assert mixed is not None
    assert mixed.name == "bills"
    sorts = _sorted(tills, [d for _, d in documents], [n for n, _ in documents])
    again = Profile.loads(json.dumps(sorts.to_json()))
    for known in (sorts, again):
        choice = choose(new, {"tills": known, "bills": bills})
        assert choice is not None
        assert choice.name == "tills"
    assert again.to_json() == sorts.to_json()
    bill = choose(_document(_in_language(0, "bill", 7)), {"tills": sorts, "bills": bills})
    assert bill is not None
    assert bill.name == "bills"


def test_damaged_sorts_are_refused(profiles: dict[str, Profile]) -> None:
    documents = _varied(_RECEIPT)
    sorts = [number % 2 for number in range(len(documents))]
    data = _sorted(profiles["receipts"], documents, sorts).to_json()
    known = Profile.from_json(data).sorts
    assert known is not None
    assert len(known) == 2
    for damaged in ([], [{"least": -1}], [{"least": -1, "words": {"5000": 1}}], 7):
        with pytest.raises(ValueError, match="profile"):
            Profile.from_json(data | {"sorts": damaged})


def test_a_document_without_words_is_not_chosen_for(profiles: dict[str, Profile]) -> None:
    assert choose(_document([]), profiles) is None
    assert choose(_document(_RECEIPT), {}) is None


def test_a_profile_survives_its_file(profiles: dict[str, Profile]) -> None:
    kept = Profile.loads(json.dumps(profiles["nda"].to_json()))
    again = Profile.loads(json.dumps(kept.to_json()))
    assert kept.to_json() == again.to_json()
    first = choose(_document(_CONTRACT), {"nda": kept, "receipts": profiles["receipts"]})
    assert first is not None
    assert first.name == "nda"


@pytest.mark.parametrize(
    "text",
    ["{}", '{"log_probability": [1.0], "scores": [1, 2]}', '{"log_probability": 3, "scores": []}'],
)
def test_damaged_profiles_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="profile"):
        Profile.loads(text)


def test_one_document_is_no_profile() -> None:
    with pytest.raises(ValueError, match="two documents"):
        fit_profile([_document(_RECEIPT), _document([])])
    with pytest.raises(ValueError, match="two documents"):
        fit_profile([])


@given(st.lists(st.text(max_size=12), max_size=20))
def test_confidences_are_probabilities(words: list[str]) -> None:
    known = {"a": fit_profile(_varied(_RECEIPT)), "b": fit_profile(_varied(_CONTRACT))}
    choice = choose(_document(words), known)
    if choice is not None:
        every = [choice.confidence, *choice.others.values()]
        assert all(0.0 <= value <= 1.0 for value in every)
        assert sum(every) <= 1.0 + 1e-5
