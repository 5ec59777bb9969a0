"""What a language's vocabulary holds, and how its compact notation is read."""

from __future__ import annotations

from dataclasses import dataclass

ROLES = (
    *("title", "credit_title", "number", "date", "due", "order", "customer_id"),
    *("delivery", "period", "vendor_tax", "customer_tax", "bill_to", "ship_to", "contact"),
    *("pos", "code", "description", "quantity", "unit", "price", "discount", "rate", "amount"),
    *("subtotal", "total_discount", "tax", "total_tax", "total", "prepaid", "amount_due"),
    *("carried", "base", "iban", "bic", "bank", "page", "phone", "register"),
    *("reference", "strange"),
    *("seller", "charge", "attn", "salutation", "director", "holder", "detail", "gross", "taxed"),
    *("day", "currency", "place_date", "other"),
    *("previous", "payment", "new_charges", "reading", "of_base"),
    *("named", "street", "town", "adjustment", "banner"),
    *("order_title", "ordered", "open", "weight", "lot", "slip", "span", "own_order"),
    *("begin", "end", "tax_within", "trading", "regards"),
)
"""What a caption can stand for; every language has wordings for each."""

SENTENCES = (
    *("intro", "numbered", "terms", "discount_terms", "due_on", "thanks", "exempt", "credit"),
    *("total_sentence", "pay_all", "summary", "note"),
)
"""What a sentence can say. ``{...}`` stands for a value; see `training.invent.invoices.printing`."""


@dataclass(frozen=True, slots=True)
class Article:
    """Something that is sold.

    Attributes:
        name: as it stands in a list of items.
        unit: how it is counted.
        fine: whether parts of a unit are sold (hours, kilograms).
        low, high: usual price of one, in euros.
    """

    name: str
    unit: str
    fine: bool
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Words:
    """The vocabulary of one language.

    Attributes:
        captions: wordings by role, see `ROLES`.
        sentences: wordings by what they say, see `SENTENCES`.
        articles: what is sold.
        details: second lines of an article, such as a colour or a period.
        sections: headings between the items.
    """

    captions: dict[str, tuple[str, ...]]
    sentences: dict[str, tuple[str, ...]]
    articles: tuple[Article, ...]
    details: tuple[str, ...]
    sections: tuple[str, ...]


def words(captions: str, sentences: str, articles: str, details: str, sections: str) -> Words:
    """Read a vocabulary from its notation.

    Args:
        captions: a line a role, ``role: wording | wording``.
        sentences: a line each, as captions.
        articles: a line a unit, ``unit [fine] low high: name | name``.
        details: wordings, separated by ``|``.
        sections: likewise.

    Raises:
        ValueError: a role is missing or unknown.
    """
    found = Words(
        split_lines(captions),
        split_lines(sentences),
        read_articles(articles),
        _split(details),
        _split(sections),
    )
    for kind, wanted, has in (
        ("caption", ROLES, found.captions),
        ("sentence", SENTENCES, found.sentences),
    ):
        if set(wanted) != set(has):
            raise ValueError(f"{kind}s missing or unknown: {set(wanted) ^ set(has)}")
    return found


def _split(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split("|"))


def split_lines(text: str) -> dict[str, tuple[str, ...]]:
    """Return the wordings by role of a notation with a line a role."""
    pairs = (line.partition(":") for line in text.strip().splitlines())
    return {role.strip(): _split(wordings) for role, _, wordings in pairs}


def read_articles(text: str) -> tuple[Article, ...]:
    """Return what is sold, of a notation with a line a unit: see `words`.

    Raises:
        ValueError: a line lacks its unit or its prices.
    """
    found = []
    for line in text.strip().splitlines():
        head, _, names = line.partition(":")
        *unit, low, high = head.split()
        fine = unit[-1] == "fine"
        counted = " ".join(unit[:-1] if fine else unit)
        found += [Article(name, counted, fine, float(low), float(high)) for name in _split(names)]
    return tuple(found)
