"""Patterns of names, of lines of addresses and of numbers, filled by chance."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Mapping, Sequence

from training.invent.invoices.countries import Country
from training.invent.made_up import made_up

_BLANK = re.compile(r"\{(\w+)\}|[#?]")

_DATES = ("year", "yy", "month", "day")
_KINDS = {  # and what Faker calls them
    **{"last": "last_name", "first": "first_name", "name": "name", "city": "city"},
    **{"street": "street_name", "company": "company", "postcode": "postcode"},
    **{"phone": "phone_number", "email": "company_email"},
}


def check_pattern(pattern: str) -> None:
    """Raise ValueError where a pattern asks for a word of no kind."""
    for blank in _BLANK.finditer(pattern):
        if blank.group(1):
            check_word(blank.group(1).rstrip("23"))


def check_word(name: str) -> None:
    """Raise ValueError where there is no such kind of word."""
    known = (*_KINDS, *_DATES)
    if name not in known:
        raise ValueError(f"{{{name}}} is no blank: choose among {', '.join(known)}")


class Pattern:
    """Fills patterns: ``#`` is a digit, ``?`` a letter, ``{last}`` and the like a word.

    A pattern that has the same word twice has it twice; ``{last2}`` is another one.

    Args:
        rng: source of all chance.
        country: of people, places and companies.
        day: of the invoice, for ``{year}``, ``{yy}``, ``{month}`` and ``{day}``.
    """

    def __init__(self, rng: random.Random, country: Country, day: dt.date) -> None:
        self._rng, self._day = rng, day
        self._faker = made_up(country.faker)
        self._faker.seed_instance(rng.getrandbits(48))

    def one(self, patterns: Mapping[str, Sequence[str]], name: str) -> str:
        """Return one of the patterns of a name, filled; empty where there is none."""
        return self.fill(self._rng.choice(patterns[name])) if patterns.get(name) else ""

    def fill(self, pattern: str) -> str:
        """Return a pattern with all its blanks filled."""
        said: dict[str, str] = {}

        def word(blank: re.Match[str]) -> str:
            name = blank.group(1)
            if name is None:
                signs = "0123456789" if blank.group() == "#" else "ABCDEFGHKLMNPRSTUVWX"
                return self._rng.choice(signs)
            if name not in said:
                said[name] = self.word(name.rstrip("23"))
            return said[name]

        return _BLANK.sub(word, pattern)

    def word(self, name: str) -> str:
        """Return a word of a kind.

        Raises:
            ValueError: there is no such kind.
        """
        day, faker = self._day, self._faker
        check_word(name)
        dates = {
            "year": f"{day.year}",
            "yy": f"{day.year % 100:02d}",
            "month": f"{day.month:02d}",
            "day": f"{day.day:02d}",
        }
        if name in dates:
            return dates[name]
        return " ".join(str(getattr(faker, _KINDS[name])()).split())
