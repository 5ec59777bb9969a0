"""Names, addresses and companies that are made up, the same in every process."""

from __future__ import annotations

from functools import cache

from faker import Faker

from training.invent.providers import PROVIDERS


@cache
def made_up(locale: str) -> Faker:
    """Return what makes up the people and places of a locale.

    Faker lists the towns of Italy in the order of a set, which is another one in every process.
    """
    faker = Faker(locale)
    for provider in faker.get_providers():
        towns = getattr(provider, "cities", None)
        if isinstance(towns, list):
            provider.cities = sorted(towns)
    if locale in PROVIDERS:
        faker.add_provider(PROVIDERS[locale])
    return faker
