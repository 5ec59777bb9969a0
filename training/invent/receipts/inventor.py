"""Invents receipts one by one: drawn, laid out, and delivered."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, field

from training.invent.dataset import Invented
from training.invent.delivery import Delivery, deliver
from training.invent.invoices.inventor import check_languages
from training.invent.invoices.render import render
from training.invent.plain_receipts import Receipt as Malaysian
from training.invent.plain_receipts import draw_receipt as draw_malaysian
from training.invent.plain_receipts import receipt_pdf
from training.invent.receipts.content import draw_receipt
from training.invent.receipts.paper import Paper
from training.invent.receipts.words import WORDS

MALAY = "ms"
"""Receipts of Malaysian shops, in English and Malay and fixed columns."""
LANGUAGES = (*WORDS, MALAY)

_HEIGHTS = (150, 240, 400, 700)  # millimetres, until all of it is on one page


@dataclass(frozen=True, slots=True)
class Receipts:
    """Invents receipts.

    Attributes:
        seed: from which everything follows.
        languages: of the receipts, one at least of `LANGUAGES`.
        delivery: how they arrive.

    Raises:
        InvalidOption: there are no words for a language.
    """

    seed: int = 0
    languages: tuple[str, ...] = LANGUAGES
    delivery: Delivery = field(default_factory=Delivery)

    def __post_init__(self) -> None:
        check_languages(self.languages, LANGUAGES)

    def __call__(self, number: int) -> Invented:
        """Return the receipt of a number.

        Raises:
            DependencyMissing: WeasyPrint or Pango is not installed.
        """
        rng = random.Random(f"receipt:{self.seed}:{number}")
        # Where there is no choice nothing is drawn: Malaysia's receipts stay those of their seed.
        language = rng.choice(self.languages) if len(self.languages) > 1 else self.languages[0]
        shown: Malaysian | Paper
        if language == MALAY:
            shown = draw_malaysian(rng)
            address, pdf = shown.address, receipt_pdf(shown)
        else:
            shown, pdf = _printed(rng, language)
            address = " ".join(shown.address)
        damages = self.delivery.draw(rng, pages=1)
        delivered = deliver(pdf, damages)
        labels = {
            "language": language,
            "fields": {
                "company": [shown.company],
                "date": [shown.date],
                "address": [address] if address else [],
                "total": [shown.total],
            },
            "damage": [asdict(damage) for damage in damages],
        }
        return Invented(labels, delivered.data, delivered.suffix)


def _printed(rng: random.Random, language: str) -> tuple[Paper, bytes]:
    """Return a receipt as printed, and its PDF of one page."""
    receipt = draw_receipt(rng, (language,))
    seed = rng.getrandbits(48)
    for height in _HEIGHTS:
        paper = Paper(receipt, random.Random(seed))
        pdf, _, pages = render(paper.html(height))
        if pages == 1:
            break
    return paper, pdf
