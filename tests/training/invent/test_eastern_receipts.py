"""Receipts in Croatian, Czech, Hungarian, Romanian and Turkish, and their addresses."""

from __future__ import annotations

import html
import random
import re

import pytest

from training.invent.made_up import made_up
from training.invent.receipts.content import draw_receipt
from training.invent.receipts.countries import LEGAL_FORMS, SCALES
from training.invent.receipts.paper import Paper
from training.invent.receipts.words import ROLES
from training.invent.receipts.words.eastern import EASTERN
from training.invent.receipts.words.western import WESTERN


@pytest.mark.parametrize("language", EASTERN)
def test_a_language_has_as_many_wordings_as_the_first_eight(language: str) -> None:
    assert set(EASTERN[language]) == set(ROLES)
    for role, wordings in EASTERN[language].items():
        assert len(wordings) >= min(len(words[role]) for words in WESTERN.values()), role
        once = [wording for wording in wordings if wordings.count(wording) == 1]
        assert len(once) == len(wordings), role
    assert LEGAL_FORMS[language]


@pytest.mark.parametrize("language", EASTERN)
def test_what_is_labelled_is_printed(language: str) -> None:
    """In fixed columns long names are broken, so that letters alone are compared."""
    for number in range(40):
        rng = random.Random(number)
        paper = Paper(draw_receipt(rng, (language,)), rng)
        shown = html.unescape(re.sub(r"<style>.*</style>|<[^>]+>", "", paper.html(400)))
        assert "{" not in shown
        for text in (paper.company, paper.date, paper.total, *paper.address):
            assert "".join(text.split()) in "".join(shown.split())


def test_forints_have_no_decimals_and_prices_are_on_their_scale() -> None:
    totals = [draw_receipt(random.Random(seed), ("hu",)).total for seed in range(60)]
    assert all(total == total.to_integral_value() for total in totals)
    assert sorted(totals)[30] > SCALES["HUF"]


@pytest.mark.parametrize(
    ("locale", "form"),
    [
        pytest.param("hu_HU", r"(H-)?\d{4} \D+\n.+ \d+\S*( fszt\. \d\.)?", id="town-first"),
        pytest.param("tr_TR", r".+ (Mah|MAH|Mahallesi).+No?.+\n(\d{5} )?\w+ ?/ ?\w+", id="quarter"),
        pytest.param("ro_RO", r"(?s).*\d.*", id="street-or-town-first"),
    ],
)
def test_addresses_are_written_as_there(locale: str, form: str) -> None:
    faker = made_up(locale)
    faker.seed_instance(1)
    for _ in range(200):
        assert re.fullmatch(form, faker.address())
    faker.seed_instance(1)
    again = [faker.address(), faker.phone_number(), faker.company()]
    faker.seed_instance(1)
    assert again == [faker.address(), faker.phone_number(), faker.company()]
