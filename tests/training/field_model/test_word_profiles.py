"""How well a document fits a model: its own kind does, new issuers too, and nothing else does."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from models.geometry import Box
from pipeline.document import Document, Page, Token
from pipeline.profile import FITS, Profile, Words, frequencies, log_probability
from training.field_model.word_profiles import expected_fields, fit_profile, held_against, reach_of

# Of a shop's receipt: captions that all have, words that an issuer has, and words of this one.
_CAPTIONS = [
    *("total", "cash", "change", "tax", "invoice", "thank", "you"),
    *("come", "again", "item", "price", "receipt", "tel", "date"),
]
_OTHERS = [
    *("agreement", "party", "hereby", "disclose", "confidential"),
    *("information", "term", "governed", "law", "shall"),
]


def _document(words: list[str]) -> Document:
    tokens = tuple(Token(word, Box(0.1, 0.1, 0.2, 0.2)) for word in words)
    return Document("0" * 64, "application/pdf", (Page(1, 600.0, 800.0, tokens=tokens),), 1)


def _issued(issuer: int, number: int, captions: list[str] = _CAPTIONS) -> Document:
    draw = random.Random(f"{issuer} {number}")
    name = "".join(chr(97 + (issuer * 7 + place * 5) % 26) for place in range(6))
    own = ["".join(draw.choices("aeiourstlnm", k=6)) for _ in range(6)]
    return _document([f"{name}shop", *draw.sample(captions, len(captions) - 3), *own])


@pytest.fixture(scope="module")
def profile() -> Profile:
    issued = [(issuer, number) for issuer in range(12) for number in range(5)]
    documents = [_issued(*pair) for pair in issued]
    groups = [str(issuer) for issuer, _ in issued]
    others = [_issued(issuer, number, _OTHERS) for issuer, number in issued]
    return fit_profile(documents, groups, [_words(others), _words(documents[:5])])


def _words(documents: list[Document]) -> Words:
    rows = [frequencies(document) for document in documents]
    return log_probability(np.sum(rows, axis=0), len(rows))


def test_documents_of_new_issuers_fit(profile: Profile) -> None:
    fits = [profile.fit(_issued(issuer, 0)) for issuer in range(100, 150)]
    assert sum(fit is not None and fit >= FITS for fit in fits) >= 49


def test_documents_of_other_kinds_do_not(profile: Profile) -> None:
    for issuer in range(100, 120):
        fit = profile.fit(_issued(issuer, 0, _OTHERS))
        assert fit is not None
        assert fit < FITS
    poem = "the sea and its many waves at dusk were grey and cold"
    fit = profile.fit(_document(poem.split()))
    assert fit is not None
    assert fit < FITS


def test_nothing_is_said_of_a_document_without_words(profile: Profile) -> None:
    assert profile.fit(_document([])) is None


def test_a_profile_that_knows_no_others_says_nothing() -> None:
    assert fit_profile([_issued(0, 0), _issued(1, 0)]).fit(_issued(2, 0)) is None


def test_what_a_profile_says_survives_its_file(profile: Profile) -> None:
    kept = Profile.loads(json.dumps(profile.to_json()))
    again = Profile.loads(json.dumps(kept.to_json()))
    assert kept.to_json() == again.to_json()
    assert kept.fit(_issued(200, 0)) == pytest.approx(profile.fit(_issued(200, 0)), abs=0.02)


@pytest.mark.parametrize("wrong", [[float("nan"), 1.0], [0.0, 0.0], [0.0]])
def test_a_damaged_reach_is_refused(profile: Profile, wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="profile"):
        Profile.from_json({**profile.to_json(), "apart": wrong})


def test_a_kind_is_told_from_the_one_it_is_likest(profile: Profile) -> None:
    """Words of a rare kind stand out from it, however many other kinds there are."""
    near = [*_CAPTIONS[:8], "quote", "valid", "until", "offer", "accept", "validity"]
    kinds = [[f"{first}{second * 3}" for second in "abcdefghijklmn"] for first in "rstuvwxy"]
    issued = [(issuer, number) for issuer in range(12) for number in range(5)]
    elsewhere = [_words([_issued(*pair, words) for pair in issued]) for words in (near, *kinds)]
    documents = [_issued(*pair) for pair in issued]
    made = fit_profile(documents, [str(issuer) for issuer, _ in issued], elsewhere)
    quotes = [made.fit(_issued(issuer, 0, near)) for issuer in range(100, 120)]
    assert all(fit is not None and fit < FITS for fit in quotes)
    own = [made.fit(_issued(issuer, 0)) for issuer in range(100, 120)]
    assert all(fit is not None and fit >= FITS for fit in own)


def test_a_sort_of_the_models_documents_is_no_other_kind() -> None:
    """One in twenty-five of them is Italian: Italian receipts are receipts."""
    italian = ["totale", "contanti", "resto", "imposta", "fattura", "grazie", "prezzo", "negozio"]
    documents = [_issued(n % 12, n, italian if n % 25 == 0 else _CAPTIONS) for n in range(200)]
    sort = _words([_issued(20, n, italian) for n in range(20)])
    other = _words([_issued(21, n, _OTHERS) for n in range(20)])
    made = fit_profile(documents, None, [sort, other])
    assert made.elsewhere is not None
    assert np.array_equal(made.elsewhere, other[None])


def test_a_kind_of_common_words_is_another_kind() -> None:
    """What it has beside them no document of the model has."""
    documents = [_issued(n % 12, n) for n in range(60)]
    common = _CAPTIONS[:6] + [f"{word}s" for word in _OTHERS]
    other = _words([_document(common) for _ in range(20)])
    own = _words([_issued(30 + n, n) for n in range(20)])
    made = fit_profile(documents, [str(n % 12) for n in range(60)], [other, own])
    assert made.elsewhere is not None
    assert np.array_equal(made.elsewhere, other[None])


def test_reach_is_measured_on_other_documents_of_the_kind() -> None:
    invented = [_document(_CAPTIONS) for _ in range(20)]
    real = [_issued(issuer, 0) for issuer in range(12)]
    others = [_words([_issued(issuer, 0, _OTHERS) for issuer in range(12)])]
    strict = fit_profile(invented, None, others)
    wide = fit_profile(invented, None, others, real)
    new = _issued(99, 0)
    assert (strict.fit(new) or 0) < FITS <= (wide.fit(new) or 0)
    assert (wide.fit(_issued(99, 0, _OTHERS)) or 0) < FITS
    assert np.array_equal(strict.log_probability, wide.log_probability)


def test_profiles_of_older_packages_have_one_kind(profile: Profile) -> None:
    assert profile.elsewhere is not None
    older = Profile.from_json({**profile.to_json(), "elsewhere": profile.elsewhere[0].tolist()})
    assert older.elsewhere is not None
    assert older.elsewhere.shape == (1, len(profile.log_probability))
    assert older.fit(_issued(0, 0)) is not None


def test_kinds_are_kept_whole_by_older_packages(profile: Profile) -> None:
    assert profile.elsewhere is not None
    older = Profile.from_json({**profile.to_json(), "elsewhere": profile.elsewhere.tolist()})
    newer = Profile.from_json(profile.to_json())
    assert older.elsewhere is not None
    assert newer.elsewhere is not None
    assert np.abs(older.elsewhere - newer.elsewhere).max() <= 0.0005


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param([{"least": -9.0, "words": {"4096": -2.0}}], id="no_such_bucket"),
        pytest.param([{"least": -9.0, "words": {"-1": -2.0}}], id="negative"),
        pytest.param([{"least": float("nan"), "words": {}}], id="not_finite"),
        pytest.param([{"words": {}}], id="least_missing"),
        pytest.param([{"least": -9.0, "words": [1]}], id="no_words"),
        pytest.param([], id="none"),
    ],
)
def test_damaged_kinds_are_refused(profile: Profile, kinds: list[object]) -> None:
    with pytest.raises(ValueError, match="profile"):
        Profile.from_json({**profile.to_json(), "elsewhere": kinds})


def test_a_profile_is_measured_anew_on_other_documents(profile: Profile) -> None:
    others = [_words([_issued(issuer, 0, _OTHERS) for issuer in range(12)])]
    again = held_against(profile, others, [_issued(issuer, 0) for issuer in range(300, 312)])
    assert np.array_equal(again.log_probability, profile.log_probability)
    assert (again.usual, again.apart) != (profile.usual, profile.apart)
    assert (again.fit(_issued(99, 0)) or 0) >= FITS
    assert (again.fit(_issued(99, 0, _OTHERS)) or 0) < FITS
    with pytest.raises(ValueError, match="has words"):
        held_against(profile, others, [_document([])])


def test_fields_that_hardly_any_answer_is_without_are_expected() -> None:
    answers = [{"total", "date", "tip"} for _ in range(96)]
    answers += [{"total", "date"}, {"total", "date"}, {"total"}, {"date", "tip"}]
    # One of a hundred lacks the total, another one the date: one of the two is expected.
    assert expected_fields(answers) == ("date",)
    assert expected_fields([*answers, *({"total", "date"} for _ in range(100))]) == (
        "date",
        "total",
    )
    assert expected_fields([{"total"}] * 39) == ()
    assert expected_fields([{"total"}] * 40) == ("total",)


def test_what_is_expected_survives_the_file(profile: Profile) -> None:
    kept = replace(profile, expected=("total", "date"))
    assert Profile.loads(json.dumps(kept.to_json())).expected == ("total", "date")
    assert Profile.loads(json.dumps(profile.to_json())).expected == ()


def test_documents_of_one_issuer_make_a_profile() -> None:
    made = fit_profile(
        [_issued(0, n) for n in range(4)], ["one"] * 4, [_words([_issued(5, 0, _OTHERS)])]
    )
    assert made.fit(_issued(0, 9)) is not None


def test_the_edge_of_a_few_documents_lies_below_the_lowest() -> None:
    few = [1.0, 1.1, 1.2, 1.3, 1.4]
    reach = reach_of(few)
    assert reach.edge < min(few)
    assert reach.fit(reach.edge) == 0.5
    assert reach.fit(1.2) > 0.95


def _in_languages(languages: int, each: int) -> list[tuple[int, Document]]:
    """Return documents in invented languages, in turn."""
    rng = np.random.default_rng(0)
    found = []
    for number in range(languages * each):
        language = number % languages
        words = [f"{'abcdefgh'[language]}word{'abcdefghijklmnopqrst'[n]}" for n in range(20)]
        found.append((language, _document([*rng.choice(words, 12), "total", "00.00"])))
    return found


@pytest.mark.parametrize(("languages", "each"), [(4, 50), (8, 50), (8, 75)])
def test_languages_come_out_as_sorts(languages: int, each: int) -> None:
    documents = _in_languages(languages, each)
    known = [document for _, document in documents]
    profile = fit_profile(known)
    assert profile.sorts is not None
    of_sort: dict[int, set[int]] = {}
    for language, document in documents:
        sort = int((profile.sorts @ frequencies(document)).argmax())
        of_sort.setdefault(sort, set()).add(language)
    assert all(len(found) == 1 for found in of_sort.values())
    assert set().union(*of_sort.values()) == set(range(languages))


def test_the_same_documents_have_the_same_sorts() -> None:
    known = [document for _, document in _in_languages(3, 60)]
    first, again = (fit_profile(known).to_json() for _ in range(2))
    assert first == again


def test_few_documents_and_those_without_words_have_no_sorts() -> None:
    known = [document for _, document in _in_languages(3, 33)]  # one less than a hundred
    assert fit_profile(known).sorts is None
    assert fit_profile([*known, *[_document([])] * 50]).sorts is None


def test_documents_that_are_all_alike_have_no_sorts() -> None:
    known = [_document(["total", "amount", "date"])] * 120
    assert fit_profile(known).sorts is None
    two = [_document(["total", "amount", name]) for name in ("first", "second")] * 60
    found = fit_profile(two).sorts
    assert found is not None
    assert len(found) == 2


def test_a_document_in_one_of_many_languages_is_measured_by_its_sort() -> None:
    """Shops and banks of eight languages: each in its own is told from the other."""

    def paper(language: int, kind: str, number: int) -> Document:
        draw = random.Random(f"{language} {kind} {number}")
        letter = "abcdefgh"[language]
        shared = [f"{letter}common{chr(97 + n)}" for n in range(12)]
        own = [f"{letter}{kind}{chr(97 + n)}" for n in range(8)]
        names = ["".join(draw.choices("iklmnorstu", k=7)) for _ in range(4)]
        return _document([*draw.sample(shared, 9), *draw.sample(own, 4), *names])

    shops = [paper(number % 8, "shop", number) for number in range(400)]
    banks = [_words([paper(language, "bank", n) for n in range(20)]) for language in range(8)]
    made = fit_profile(shops, None, banks)
    assert made.sorts is not None
    places = [(language, number) for language in range(8) for number in range(1000, 1010)]
    new, foreign = (
        [made.fit(paper(at, kind, n)) or 0 for at, n in places] for kind in ("shop", "bank")
    )
    assert sum(fit >= FITS for fit in new) >= 78
    assert max(foreign) < FITS


def test_a_kind_in_one_of_the_models_languages_is_its_own() -> None:
    """However few documents of that language its reach is measured on."""

    def paper(language: int, number: int) -> Document:
        words = [f"{'abcdefgh'[language]}{word}" for word in _CAPTIONS]
        return _document([f"shop{chr(97 + number % 20)}", *words[number % 3 :]])

    known = fit_profile([paper(number % 8, number) for number in range(400)])
    own = _words([paper(7, number) for number in range(20)])
    other = _words([_issued(51, number, _OTHERS) for number in range(20)])
    made = held_against(known, [own, other], [paper(0, number) for number in range(12)])
    assert made.elsewhere is not None
    assert np.array_equal(made.elsewhere, other[None])
