"""Countries and words of invented receipts: complete, readable, and named in the command."""

from __future__ import annotations

import datetime as dt
import inspect
import re
from string import Formatter

import pytest
from babel.dates import format_date

from cli.models.invent import receipts
from pipeline.values.times.dates import find_dates
from training.invent.invoices.countries import Country
from training.invent.made_up import made_up
from training.invent.receipts import LANGUAGES
from training.invent.receipts.countries import LEGAL_FORMS, TILLS
from training.invent.receipts.words import ROLES, WORDS

_NAMES = {"last", "first", "place", "brand"}
_PRINTED = {"number", "brand", "amount", "total", "day", "percent"}
_VALUES = {
    **{role: _PRINTED for role in ("other_date", "points", "thanks", "note", "slip", "tip")},
    **{
        "tax": {"rate"},
        "shop": _NAMES,
        "owner": {"last", "first"},
        "registry": {"number", "place"},
    },
}


def test_every_language_has_countries_words_and_legal_forms() -> None:
    assert {country.language for country in TILLS} == set(WORDS)
    assert set(WORDS) <= set(LEGAL_FORMS)
    assert len({country.code for country in TILLS}) == 32  # and Malaysia: see docs/models.md


def test_the_command_names_every_language() -> None:
    named = inspect.signature(receipts).parameters["languages"].default
    assert set(named.split(",")) == set(LANGUAGES)


@pytest.mark.parametrize("role", ROLES)
def test_wordings_hold_values_that_there_are(role: str) -> None:
    for language, words in WORDS.items():
        for wording in words[role]:
            names = {name for _, name, _, _ in Formatter().parse(wording) if name is not None}
            assert names <= _VALUES.get(role, set()), (language, wording)


@pytest.mark.parametrize("country", TILLS, ids=lambda country: country.code)
def test_dates_of_a_country_are_read(country: Country) -> None:
    for pattern in country.dates:
        for month in range(1, 13):
            day = dt.date(2023, month, 21)
            text = format_date(day, pattern, locale=country.locale)
            (found,) = find_dates(text, day_first=country.code != "US")
            # To Croats listopad is October, to Poles November.
            assert day.isoformat() in (found.iso, *found.alternatives), text


@pytest.mark.parametrize(
    ("locale", "postcode"),
    [
        ("sv_SE", r"(SE-|S-)?\d{3} ?\d\d"),
        ("da_DK", r"(DK-)?\d{4}"),
        ("no_NO", r"(NO?-)?\d{4}"),
        ("fi_FI", r"(FI-)?\d{5}"),
    ],
)
def test_northern_addresses_are_a_street_and_a_town(locale: str, postcode: str) -> None:
    faker = made_up(locale)
    faker.seed_instance(1)
    for _ in range(200):
        street, town = faker.address().split("\n")
        assert re.fullmatch(rf"{postcode} \D+", town)
        assert not re.search(r" 0\d", street)
