"""Patterns of names, of lines of addresses and of numbers, filled by chance."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Mapping, Sequence

from training.invent.invoices.countries import Country
from training.invent.made_up import made_up

_BLANK = re.compile(r"\{(\w+)\}|[#?]")


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
        dates = {
            "year": f"{day.year}",
            "yy": f"{day.year % 100:02d}",
            "month": f"{day.month:02d}",
            "day": f"{day.day:02d}",
        }
        if name in dates:
            return dates[name]
        kinds = {
            "last": faker.last_name,
            "first": faker.first_name,
            "name": faker.name,
            "city": faker.city,
            "street": faker.street_name,
            "company": faker.company,
            "postcode": faker.postcode,
            "phone": faker.phone_number,
            "email": faker.company_email,
        }
        if name not in kinds:
            raise ValueError(f"{{{name}}} is no blank: choose among {', '.join((*kinds, *dates))}")
        return " ".join(str(kinds[name]()).split())
