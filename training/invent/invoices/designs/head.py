"""The head of a design: what its company is, sells and prints, as TOML says it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Self

from babel import Locale, UnknownLocaleError
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeInt,
    PositiveInt,
    field_validator,
    model_validator,
)

from training.invent.invoices.countries import COUNTRIES, Country
from training.invent.invoices.designs.pattern import check_pattern
from training.invent.invoices.drawing import USUAL
from training.invent.invoices.words import Article
from training.invent.invoices.words.base import read_articles
from training.invent.made_up import made_up

OPTIONAL = ("due", "order", "customer_id", "service")
"""What designs have odds of, beside `USUAL`."""

ODDS = frozenset({*USUAL, *OPTIONAL} - {"extras", "bill", "private"})
"""What a design may have odds of; what is left out no blank shows, or patterns say."""

_COUNTRY = ("currency", "rates", "dates", "grouping", "decimal", "tax_id", "locale", "faker")
_PATTERNS = (
    *("vendors", "brands", "vendor_lines", "customers", "customer_lines"),
    *("numbers", "orders", "accounts"),
)

Texts = tuple[str, ...]
Rate = Annotated[str, Field(pattern=r"^\d+(\.\d+)?$")]
Levy = Annotated[str, Field(pattern=r"^-?\d+(\.\d+)?%?$")]
Odds = Annotated[float, Field(ge=0, le=1)]
Currency = Annotated[str, Field(pattern="^[A-Z]{3}$")]


class Head(BaseModel):
    """What a design says above its page; ``docs/designs.md`` tells each key."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    country: str
    currency: Currency | None = None
    rates: tuple[Rate, ...] | None = None
    dates: Texts | None = None
    grouping: Texts | None = None
    decimal: str | None = None
    tax_id: str | None = None
    locale: str | None = None
    faker: str | None = None
    vendors: Texts = ()
    brands: Texts = ()
    vendor_lines: Texts = ()
    customers: Texts = ()
    customer_lines: Texts = ()
    numbers: Texts = ()
    orders: Texts = ()
    accounts: Texts = ()
    articles: Texts = ()
    details: Texts = ()
    sections: Texts = ()
    items: tuple[PositiveInt, PositiveInt] = (1, 8)
    span: tuple[NonNegativeInt, NonNegativeInt] = (0, 31)
    levies: tuple[tuple[str, Levy], ...] = ()
    odds: dict[str, Odds] = {}

    @field_validator("country")
    @classmethod
    def _known(cls, country: str) -> str:
        known = [f"{c.language}-{c.code}" for c in COUNTRIES]
        if country not in known:
            raise ValueError(f"choose among {', '.join(known)}")
        return country

    @field_validator("odds")
    @classmethod
    def _of_something(cls, odds: dict[str, float]) -> dict[str, float]:
        if unknown := odds.keys() - ODDS:
            raise ValueError(f"nothing is called {', '.join(sorted(unknown))}")
        return odds

    @field_validator(*_PATTERNS)
    @classmethod
    def _of_words(cls, patterns: Texts) -> Texts:
        for pattern in patterns:
            check_pattern(pattern)
        return patterns

    @field_validator("locale")
    @classmethod
    def _of_babel(cls, locale: str) -> str:
        try:
            Locale.parse(locale)
        except UnknownLocaleError as error:
            raise ValueError(str(error)) from error
        return locale

    @field_validator("faker")
    @classmethod
    def _of_faker(cls, locale: str) -> str:
        try:
            made_up(locale)
        except AttributeError as error:
            raise ValueError(str(error)) from error
        return locale

    @field_validator("articles")
    @classmethod
    def _sold(cls, lines: Texts) -> Texts:
        for line in lines:
            try:
                read_articles(line)
            except ValueError as error:
                raise ValueError(f"{line!r} is not like 'h fine 35 180: name | name'") from error
        return lines

    @model_validator(mode="after")
    def _rising(self) -> Self:
        for name, (least, most) in (("items", self.items), ("span", self.span)):
            if least > most:
                raise ValueError(f"{name} are the least, then the most")
        return self

    def of_country(self) -> Country:
        """Return its country, with what the design has otherwise."""
        [found] = [c for c in COUNTRIES if f"{c.language}-{c.code}" == self.country]
        changed: dict[str, Any] = {
            key: value for key in _COUNTRY if (value := getattr(self, key)) is not None
        }
        if "tax_id" in changed:
            changed["is_checked"] = False
        if "currency" in changed:
            changed["signs"] = (changed["currency"],)
        return replace(found, **changed)

    def sold(self) -> tuple[Article, ...]:
        """Return its articles, none where it names none."""
        return read_articles("\n".join(self.articles))

    def patterns(self) -> dict[str, Texts]:
        """Return its patterns by what they are of, without those it lacks."""
        return {name: found for name in _PATTERNS if (found := getattr(self, name))}
