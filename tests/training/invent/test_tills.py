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
    assert all(LEGAL_FORMS[language] for language in WORDS)
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


_STREET = r"(?!.* 0\d).*\n"


@pytest.mark.parametrize(
    ("locale", "form"),
    [
        ("sv_SE", rf"{_STREET}(SE-|S-)?\d{{3}} ?\d\d [^\d\n]+"),
        ("da_DK", rf"{_STREET}(DK-)?\d{{4}} [^\d\n]+"),
        ("no_NO", rf"{_STREET}(NO?-)?\d{{4}} [^\d\n]+"),
        ("fi_FI", rf"{_STREET}(FI-)?\d{{5}} [^\d\n]+"),
        ("hu_HU", r"(H-)?\d{4} \D+\n.+ \d+\S*( fszt\. \d\.)?"),
        ("tr_TR", r".+ (Mah|MAH|Mahallesi).+No?.+\n(\d{5} )?\w+ ?/ ?\w+"),
        ("ro_RO", r"(?s).*\d.*"),  # street or town first
    ],
)
def test_addresses_are_written_as_there_and_the_same_for_a_seed(locale: str, form: str) -> None:
    faker = made_up(locale)
    faker.seed_instance(1)
    said = [(faker.address(), faker.phone_number(), faker.company()) for _ in range(200)]
    assert all(re.fullmatch(form, address) for address, _, _ in said)
    faker.seed_instance(1)
    assert said[0] == (faker.address(), faker.phone_number(), faker.company())
