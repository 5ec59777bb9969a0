"""Invents invoices one by one: drawn, laid out, proven, and only then delivered."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pipeline.errors import InvalidOption
from training.invent.dataset import Invented
from training.invent.delivery import Delivery, Place, deliver
from training.invent.invoices.content import Invoice
from training.invent.invoices.designs import PAGES, Design, Page, read_designs
from training.invent.invoices.drawing import draw_invoice
from training.invent.invoices.layouts import draw_layout
from training.invent.invoices.printing import Printed, Sheet
from training.invent.invoices.proof import faults
from training.invent.invoices.render import render
from training.invent.invoices.words import WORDS

_ATTEMPTS = 5  # drawings of one document, until one is proven


@dataclass(frozen=True, slots=True)
class Invoices:
    """Invents invoices and credit notes.

    Attributes:
        seed: from which everything follows.
        languages: of the documents, keys of `WORDS`.
        delivery: how they arrive.
        designed: share of those that are on pages drawn by hand, 0 to 1; the others have layouts
            of independent choices.
        designs: folder of such pages, see `training.invent.invoices.designs`.

    Raises:
        InvalidOption: there are no words for a language, or a design cannot be read.
    """

    seed: int = 0
    languages: tuple[str, ...] = tuple(WORDS)
    delivery: Delivery = field(default_factory=Delivery)
    designed: float = 0.5
    designs: Path = PAGES

    def __post_init__(self) -> None:
        check_languages(self.languages)
        self._designs()

    def _designs(self) -> list[Design]:
        try:
            found = read_designs(self.designs)
        except ValueError as error:
            raise InvalidOption(f"{error}.", advice="Mend the design's head.") from error
        fitting = [design for design in found if design.country.language in self.languages]
        if not fitting:
            raise InvalidOption(
                f"{self.designs} holds no designs in {', '.join(self.languages)}.",
                advice="Name another folder, or other languages.",
            )
        return fitting

    def __call__(self, number: int) -> Invented:
        """Return the invoice of a number.

        Raises:
            DependencyMissing: WeasyPrint or Pango is not installed.
            InvalidOption: a design is wrong.
            RuntimeError: none of several drawings could be proven; a fault of the generator.
        """
        designs = self._designs()

        def draw(rng: random.Random) -> Sheet | Page:
            if rng.random() < self.designed:
                design = rng.choice(designs)
                return Page(design, design.draw(rng), rng)
            invoice = draw_invoice(rng, self.languages)
            return Sheet(invoice, draw_layout(rng, invoice), rng)

        return proven(f"invoice:{self.seed}:{number}", draw, self.delivery)


def check_languages(languages: Sequence[str], known: Collection[str] = tuple(WORDS)) -> None:
    """Raise InvalidOption where one of the languages is not known, or none is named."""
    unknown = [language for language in languages if language not in known]
    if unknown or not languages:
        raise InvalidOption(
            f"There are no words for the language {''.join(unknown[:1])!r}.",
            advice=f"Choose among {', '.join(known)}, separated by commas.",
        )


def proven(
    name: str,
    draw: Callable[[random.Random], Sheet | Page],
    delivery: Delivery,
    names: Mapping[str, str] | None = None,
) -> Invented:
    """Return a document that is drawn, laid out and proven.

    Args:
        name: from which everything follows.
        draw: what it says, on its page.
        delivery: how it arrives.
        names: the labels' names by those of `Printed`; what is not named is no label. None for all.

    Raises:
        DependencyMissing: WeasyPrint or Pango is not installed.
        InvalidOption: none of several pages of a design could be proven.
        RuntimeError: none of several drawings could be proven; a fault of the generator.
    """
    found: list[str] = []
    for attempt in range(_ATTEMPTS):
        rng = random.Random(f"{name}:{attempt}")
        sheet = draw(rng)
        pdf, places, pages = render(sheet.html())
        found = faults(sheet.invoice, pdf, sheet.printed, places)
        if not found:
            damages = delivery.draw(rng, pages)
            delivered = deliver(pdf, damages, places)
            labels = {
                **_labels(sheet.invoice, sheet.printed, delivered.places, names),
                "pages": pages,
                "layout": sheet.looks,
                **sheet.group,
                "damage": [asdict(damage) for damage in damages],
            }
            return Invented(labels, delivered.data, delivered.suffix)
    if isinstance(sheet, Page):
        raise InvalidOption(
            f"The design {sheet.design.name} is not proven: {'; '.join(found[:3])}.",
            advice="Look at a page of it: lines may overlap, or be cut off.",
        )
    raise RuntimeError(f"{name} is not proven: {found[:3]}")


def _labels(
    invoice: Invoice,
    printed: Sequence[Printed],
    places: Sequence[Place],
    names: Mapping[str, str] | None,
) -> dict[str, Any]:
    """Return the values of a document, and where each is printed."""
    where: dict[int, list[dict[str, Any]]] = {}
    for place in places:
        box = [round(edge, 5) for edge in place.box]
        where.setdefault(place.number, []).append({"page": place.page, "box": box})
    fields: dict[str, list[str]] = {}
    groups: dict[str, dict[int, dict[str, str]]] = {}
    boxes: list[dict[str, Any]] = []
    for number, value in enumerate(printed):
        name = value.name if names is None else names.get(value.name)
        if name is None:
            continue
        about: dict[str, Any] = {"name": name}
        if value.group:
            groups.setdefault(value.group, {}).setdefault(value.row, {})[name] = value.value
            about |= {"group": value.group, "row": value.row}
        elif value.value not in fields.setdefault(name, []):
            fields[name].append(value.value)
        said = {"value": value.value, "text": value.text}
        boxes.append(about | said | {"places": where.get(number, [])})
    return {
        "language": invoice.country.language,
        "country": invoice.country.code,
        "currency": invoice.currency,
        "fields": fields,
        "groups": {
            group: [rows[row] for row in sorted(rows)] for group, rows in sorted(groups.items())
        },
        "boxes": boxes,
    }
