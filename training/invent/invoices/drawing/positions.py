"""What is sold: articles, how many of them, and at what price."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from training.invent.invoices.content import Item
from training.invent.invoices.countries import Country
from training.invent.invoices.drawing.taxes import rounded
from training.invent.invoices.words import Article, Words

COUNTS = (*(1, 2, 3) * 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 12, 15, 18, 24, 32, 45, 70)
"""How many positions invoices have, each as likely."""


def draw_items(
    rng: random.Random,
    country: Country,
    words: Words,
    sign: int,
    count: int,
    code: Callable[[], str] | None,
    has: Callable[[str], bool],
) -> tuple[Item, ...]:
    """Return positions, none of them twice as long as others are left.

    Args:
        rng: source of all chance.
        country: of the vendor.
        words: whose articles are sold.
        sign: of all quantities and amounts, 1 or -1.
        count: of positions.
        code: draws the code of each; where None, a form of code is drawn, or none.
        has: whether there is what, see `USUAL`.
    """
    has_code, has_detail = has("codes"), has("details")
    most_details = rng.choice((1, 1, 2, 3, 5))
    has_long = has("long")
    has_discount, has_sections = has("rebates"), count > 4 and has("sections")
    has_extra, has_credit = has("extras"), sign > 0 and code is None and has("deduction")
    mixed = len(country.rates) > 1 and has("rates")
    scheme = rng.choice(
        ("A-{:05d}", "{:06d}", "{:04d}.{:02d}", "ART{:04d}", "{:02d}-{:04d}-X", "{:08d}")
    )
    sold: list[Article] = []
    while len(sold) < count:  # no article twice, until all were sold
        sold += rng.sample(words.articles, min(count - len(sold), len(words.articles)))
    found = []
    for place, article in enumerate(sold):
        quantity, price = _quantity(rng, article, has), _price(rng, article)
        discount = Decimal(rng.choice(("0", "0", "5", "10", "15"))) if has_discount else Decimal(0)
        extra = Decimal(0)
        if has_extra and rng.random() < 0.6:
            extra = sign * rounded(price * rng.choice((-5, -10, 5, 12)) / 100)
        amount = rounded(sign * quantity * price * (100 - discount) / 100) + extra
        rate = rng.choice(country.tax_rates) if mixed else country.tax_rates[0]
        begins = has_sections and (place == 0 or rng.random() < 0.25)
        found.append(
            Item(
                description=_specified(rng, country, words, article.name)
                if has_long
                else article.name,
                details=_details(rng, words, most_details, price) if has_detail else (),
                code=code() if code is not None else _code(rng, scheme) if has_code else "",
                quantity=sign * quantity,
                unit=article.unit,
                price=price,
                discount=discount,
                extra=extra,
                rate=rate,
                amount=amount,
                section=rng.choice(words.sections) if begins else "",
            )
        )
    if has_credit:
        found.append(_credit(rng, words, found))
    return tuple(found)


def _credit(rng: random.Random, words: Words, items: list[Item]) -> Item:
    """Return a position that takes off a part of what the others come to."""
    share = rng.choice((2, 3, 5, 10))
    price = -rounded(sum((item.amount for item in items), Decimal(0)) * share / 100)
    name = rng.choice(words.captions["total_discount"])
    return replace(
        items[-1],
        description=rng.choice(
            (name, f"{name} {share} %", f"{name} - {rng.choice(words.details)}")
        ),
        details=(),
        code="",
        quantity=Decimal(1),
        price=price,
        discount=Decimal(0),
        extra=Decimal(0),
        amount=price,
        section="",
    )


def _code(rng: random.Random, scheme: str) -> str:
    if scheme.count("{") == 2:
        return scheme.format(rng.randrange(100), rng.randrange(10_000))
    return scheme.format(rng.randrange(10_000))


def _specified(rng: random.Random, country: Country, words: Words, name: str) -> str:
    """Return a description that says more: a size, a pack, a period, a model, or a remark."""
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        fraction = f"{rng.randrange(10)}{country.decimal}{rng.choice('257')}"
        more = rng.choice(
            (
                f"{rng.randrange(1, 20) * 50} g",
                f"{rng.randrange(1, 40) * 25}ml",
                f"{rng.choice((4, 6, 10, 12, 20, 24))} x {fraction} l",
                f"{rng.choice((3, 5, 8))} x {rng.choice((10, 20, 50))}",
                f"{rng.randrange(20, 200)}x{rng.randrange(20, 200)} cm",
                f"- {rng.randrange(1, 13):02d}/{rng.randrange(2010, 2028)}",
                f"{rng.choice('ABKTX')}{rng.randrange(10, 9999)}",
                f"({rng.choice(words.details)})",
                f"- {rng.choice(words.details)}",
                f"{rng.choice(words.sections)} {rng.randrange(1, 9)}",
            )
        )
        name = f"{name} {more}"
    if rng.random() < 0.2:  # a size, a count or a word ahead
        ahead = rng.choice(
            (
                f"{rng.randrange(2, 60)} {rng.choice(('ft', 'm', 'cm', 'mm', 'l', 'kg', 'W'))}",
                f'{rng.randrange(2, 60)}"',
                f"{rng.randrange(2, 12)}{rng.choice(('-fold', '-pack', 'x', '/4', ' in 1'))}",
                f"{rng.choice(words.sections)} -",
                f"{rng.choice(words.sections)}:",
                f"{rng.choice('ABKTX')}{rng.randrange(10, 999)}",
            )
        )
        name = f"{ahead} {name}"
    return name


def _details(rng: random.Random, words: Words, most: int, price: Decimal) -> tuple[str, ...]:
    """Return lines below a position: words, codes, and figures that no column asks for."""
    found = []
    for _ in range(rng.randrange(most + 1)):
        caption = rng.choice(words.captions["detail"])
        figure = rng.choice(
            (
                f"{price * rng.randrange(2, 9) / 4:.2f}",
                f"{rng.randrange(10**7, 10**13)}",
                f"{rng.randrange(1, 40)} %",
                f"{rng.choice('ABCDKLX')}{rng.randrange(10, 99_999)}",
            )
        )
        said = f"{caption}: {figure}"
        more = f"{said} {rng.choice(words.captions['detail'])} {rng.randrange(1, 9)}"
        found.append(rng.choice((rng.choice(words.details), said, more)))
    return tuple(found)


def _quantity(rng: random.Random, article: Article, has: Callable[[str], bool]) -> Decimal:
    if article.high < 1:  # energy
        return Decimal(rng.randrange(40, 9000))
    if not has("bulk"):
        usual = Decimal(rng.choice((1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10, 12, 20)))
        return usual + Decimal(rng.choice((0, 0, 25, 50, 75))) / 100 if article.fine else usual
    if article.fine:
        return Decimal(rng.choice((rng.randrange(2, 96) * 25, rng.randrange(1, 40) * 100))) / 100
    if article.high <= 100:
        return Decimal(rng.choice((1, 2, 3, 4, 5, 6, 10, 12, 20, 24, 25, 50, 100, 250, 1000)))
    return Decimal(rng.choice((1, 1, 1, 1, 2, 3, 4, 5, 10, 12)))


def _price(rng: random.Random, article: Article) -> Decimal:
    price = Decimal(str(round(rng.uniform(article.low, article.high), 2)))
    manner = rng.random()
    if manner < 0.3:
        return max(Decimal(1), price.to_integral_value())
    if manner < 0.5:
        return price.to_integral_value() + Decimal(rng.choice(("0.90", "0.95", "0.99", "0.50")))
    if manner < 0.54 and article.high <= 100:
        return price + Decimal(rng.randrange(1, 100)) / 10_000
    return rounded(price)
