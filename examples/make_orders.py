"""Makes a dataset of invented orders for television advertising, each issuer with its own form.

Usage: python examples/make_orders.py FOLDER [--count 200] [--issuers 40] [--seed 0]

Something to try the training commands on, and a start for models of real orders. The forms differ
in captions, in where the captions stand (beside a value, above it, right before it), in the order
and number of the boxes, in dates, in lettering, and in what else stands on the page.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random

from reportlab.lib.pagesizes import landscape, letter
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

_CAPTIONS = {
    "advertiser": ("Advertiser", "Client", "Advertiser Name", "Account", "Customer", "Sponsor"),
    "number": ("Contract #", "Contract No.", "Order #", "Order Number", "Contract", "Agreement No",
               "Contract Number", "Order ID", "Order / Revision"),
    "flight": ("Flight", "Flight Dates", "Contract Dates", "Schedule Dates", "Order Flight"),
    "first": ("Start Date", "Flight Start", "From", "Begins", "First Air Date"),
    "last": ("End Date", "Flight End", "To", "Ends", "Last Air Date"),
    "total": ("Gross Amount", "Total Gross", "Order Total", "Grand Total", "Gross Total", "Total $",
              "Contract Total", "Total Ordered Gross"),
}  # fmt: skip
_OTHERS = {
    "Agency": ("Harbor Media", "Tall Pines Buying LLC", "Northgate Strategies", "Blue Kite Media"),
    "Product": ("Candidate", "Spring 2020", "TV", "Issue Spot", "General"),
    "Market": ("Springfield", "Riverton, OH", "Cedar Falls", "Lakeside-Weston"),
    "Sales Office": ("National", "Local Sales", "Chicago", "Atlanta"),
    "Account Executive": ("Dana Whitfield", "Luis Ortega", "Priya Raman", "Sam Becker"),
    "Buyer": ("J. Holloway", "Marta Quinn", "Theo Lang"),
    "Demographic": ("Adults 35+", "A25-54", "Households", "Women 25-54"),
    "Billing Cycle": ("EOM/EOC", "Broadcast", "Weekly", "Calendar"),
    "Cash/Trade": ("Cash", "Trade"),
}
_NUMBERED = ("Estimate #", "Alt Order #", "Agency Code", "Advertiser Code", "Invoice #", "Deal #")
_DATED = ("Print Date", "Original Date", "Order Date", "Revised", "Invoice Date")
_FIRST = ("Ruth", "Calvin", "Elena", "Marcus", "Joan", "Peter", "Amara", "Owen", "Lydia", "Victor")
_LAST = ("Abbott", "Delgado", "Farrow", "Kessler", "Moreno", "Nakata", "Pruitt", "Sandoval", "Voss")
_CAUSES = (
    "Clean Rivers",
    "Fair Roads",
    "Open Harbors",
    "Better Schools",
    "Safe Homes",
    "Main Street",
)
_SEATS = ("US Senate", "Congress", "Governor", "State House 12", "Mayor", "Supreme Court")
_SHOWS = ("Morning News", "Noon Report", "Evening News", "Late Show", "Quiz Hour", "Weather at Ten",
          "Sunday Sports", "Daytime Talk", "Prime Movie", "Local Edition")  # fmt: skip
_DAYS = ("M-F", "MTuWThF", "Sa-Su", "-1-1---", "M------", "Tu,Th")
_DATES = ("%m/%d/%y", "%m/%d/%Y", "%b %d, %Y", "%d-%b-%y", "%m-%d-%Y")
_FONTS = ("Helvetica", "Times-Roman", "Courier")
_MARGIN = 36.0

Cell = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Form:
    """How one issuer prints its orders."""

    captions: dict[str, str]
    others: tuple[str, ...]
    shuffle: int
    place: str
    colon: str
    columns: int
    parted: bool
    total_above: bool
    repeated: bool
    dates: str
    to: str
    dollar: str
    font: str
    size: float
    page: tuple[float, float]
    station: str

    @classmethod
    def drawn(cls, random: Random) -> Form:
        """Return the form of an issuer that has not been seen."""
        others = [*_OTHERS, *_NUMBERED, *_DATED]
        font = random.choice(_FONTS)
        return cls(
            captions={
                name: _cased(random.choice(all_), random) for name, all_ in _CAPTIONS.items()
            },
            others=tuple(random.sample(others, random.randint(4, 12))),
            shuffle=random.randrange(1 << 30),
            place=random.choice(("beside", "above", "inline")),
            colon=random.choice((":", "", ":")),
            columns=random.randint(2, 4),
            parted=random.random() < 0.45,
            total_above=random.random() < 0.3,
            repeated=random.random() < 0.6,
            dates=random.choice(_DATES),
            to=random.choice((" - ", "-", " to ", " thru ")),
            dollar=random.choice(("$", "$", "")),
            font=font,
            size=random.uniform(6.0, 8.0) if font == "Courier" else random.uniform(7.0, 10.0),
            page=random.choice((letter, letter, landscape(letter))),
            station="".join(random.choices("KWABCDEFGLMNRSTUV", k=4)) + random.choice(("", "-TV")),
        )


@dataclass(frozen=True, slots=True)
class Order:
    """What one order says."""

    advertiser: str
    number: str
    first: date
    last: date
    lines: tuple[tuple[str, str, date, date, int, int], ...]

    @classmethod
    def drawn(cls, random: Random) -> Order:
        """Return an order; each of its lines has show, days, first and last day, spots and rate."""
        first = date(2020, 1, 1) + timedelta(random.randrange(330))
        last = first + timedelta(random.choice((3, 5, 6, 7, 12, 13, 20, 27)))
        lines = []
        for _ in range(random.choice((2, 4, 8, 15, 30, 60))):
            begins = first + timedelta(random.randrange((last - first).days + 1))
            ends = min(last, begins + timedelta(6))
            spots, rate = random.randint(1, 9), 5 * random.randint(4, 700)
            lines.append((random.choice(_SHOWS), random.choice(_DAYS), begins, ends, spots, rate))
        number = str(random.randint(10**4, 10 ** random.randint(5, 8)))
        return cls(
            advertiser=_advertiser(random),
            number=number + random.choice(("", "", "", "-1", "-2", "/0")),
            first=first,
            last=last,
            lines=tuple(lines),
        )

    @property
    def total(self) -> int:
        """The sum of all lines, in dollars."""
        return sum(spots * rate for *_, spots, rate in self.lines)


def make_order(form: Form, order: Order, path: Path, random: Random) -> dict[str, list[str]]:
    """Write an order as a PDF; return its labels, the values as they are printed."""
    first, last = (day.strftime(form.dates) for day in (order.first, order.last))
    total = _money(order.total, form)
    named = form.captions
    cells = [(named["advertiser"], order.advertiser), (named["number"], order.number)]
    if form.parted:
        cells += [(named["first"], first), (named["last"], last)]
    else:
        cells.append((named["flight"], f"{first}{form.to}{last}"))
    if form.total_above:
        cells.append((named["total"], total))
    cells += [(other, _other(other, form, order, random)) for other in form.others]
    Random(form.shuffle).shuffle(cells)
    sheet = _Sheet(form, path)
    sheet.start(cells)
    day = form.dates if form.dates.startswith("%m") else "%m/%d/%y"
    for line, (show, days, begins, ends, spots, rate) in enumerate(order.lines, 1):
        dates = [moment.strftime(day) for moment in (begins, ends)]
        sums = [_money(rate, form), str(spots), _money(spots * rate, form)]
        sheet.row([str(line), show, *dates, days, ":30", *sums])
    spots = sum(line[4] for line in order.lines)
    sheet.row(["", "Total Spots", "", "", "", "", "", str(spots), ""])
    if not form.total_above:
        sheet.total(named["total"], total)
    commission = order.total * 15 / 100
    sheet.total("Agency Commission", _money(commission, form))
    sheet.total("Net Total", _money(order.total - commission, form))
    sheet.save()
    return {
        "advertiser": [order.advertiser],
        "contract_number": [order.number],
        "flight_from": [first],
        "flight_to": [last],
        "gross_amount": [total],
    }


class _Sheet:
    """The pages of one order, filled from top to bottom."""

    def __init__(self, form: Form, path: Path) -> None:
        self._form = form
        self._canvas = Canvas(str(path), pagesize=form.page, invariant=True)
        self._width, self._height = form.page
        self._step = form.size * 1.5
        self._number = 0
        self._top = 0.0
        self._cells: Sequence[Cell] = ()

    def start(self, cells: Sequence[Cell]) -> None:
        """Begin the first page with the boxes of the order."""
        self._cells = cells
        self._page()

    def row(self, texts: Sequence[str]) -> None:
        """Write one line of the table."""
        if self._top < _MARGIN + 2 * self._step:
            self._canvas.showPage()
            self._page()
        inside = self._width - 2 * _MARGIN
        for text, left in zip(texts, (0, 0.04, 0.3, 0.41, 0.52, 0.63, 0.7, 0.8, 0.87), strict=True):
            self._text(_MARGIN + left * inside, self._top, text)
        self._top -= self._step

    def total(self, caption: str, amount: str) -> None:
        """Write a line below the table."""
        if self._top < _MARGIN + 2 * self._step:
            self._canvas.showPage()
            self._page()
        self._text(
            _MARGIN + 0.55 * (self._width - 2 * _MARGIN), self._top, caption + self._form.colon
        )
        self._canvas.drawRightString(self._width - _MARGIN, self._top, amount)
        self._top -= self._step

    def save(self) -> None:
        """Close the file."""
        self._canvas.save()

    def _page(self) -> None:
        self._number += 1
        self._top = self._height - _MARGIN
        self._canvas.setFont(self._form.font, self._form.size)
        self._text(_MARGIN, self._top, self._form.station)
        self._canvas.drawRightString(self._width - _MARGIN, self._top, f"Page {self._number}")
        self._top -= 2 * self._step
        if self._number == 1 or self._form.repeated:
            self._boxes()
        heads = ("Ln", "Program", "Start", "End", "Days", "Len", "Rate", "Spots", "Amount")
        self.row(heads)

    def _boxes(self) -> None:
        inside = self._width - 2 * _MARGIN
        captions = max(self._wide(f"{caption}: ") for caption, _ in self._cells)
        values = max(self._wide(f"{value}  ") for _, value in self._cells)
        stacked = self._form.place == "above"
        needed = max(captions, values) if stacked else captions + values
        columns = max(1, min(self._form.columns, int(inside / needed)))
        for start in range(0, len(self._cells), columns):
            for column, (caption, value) in enumerate(self._cells[start : start + columns]):
                left = _MARGIN + column * inside / columns
                shown = caption + self._form.colon
                self._text(left, self._top, shown)
                if stacked:
                    self._text(left, self._top - self._step, value)
                elif self._form.place == "beside":
                    self._text(left + captions, self._top, value)
                else:
                    self._text(left + self._wide(f"{shown} "), self._top, value)
            self._top -= self._step * (2.6 if stacked else 1.2)
        self._top -= self._step

    def _wide(self, text: str) -> float:
        return float(stringWidth(text, self._form.font, self._form.size))

    def _text(self, left: float, top: float, text: str) -> None:
        self._canvas.drawString(left, top, text)


def _advertiser(random: Random) -> str:
    first, last = random.choice(_FIRST), random.choice(_LAST)
    makers: tuple[Callable[[], str], ...] = (
        lambda: f"{first} {last} for {random.choice(_SEATS)}",
        lambda: f"POL/{first} {last}/{random.choice(_SEATS)}",
        lambda: f"Friends of {first} {last}",
        lambda: f"{random.choice(_CAUSES)} PAC",
        lambda: f"Citizens for {random.choice(_CAUSES)}",
        lambda: f"{last} 2020, Inc",
        lambda: f"{random.choice(_CAUSES)} Action Fund",
        lambda: f"{last}/{random.choice('DRI')}/{random.choice(_SEATS)}",
    )
    name = random.choice(makers)()
    return name.upper() if random.random() < 0.25 else name


def _other(caption: str, form: Form, order: Order, random: Random) -> str:
    if caption in _OTHERS:
        return random.choice(_OTHERS[caption])
    if caption in _DATED:
        return (order.first - timedelta(random.randint(1, 20))).strftime(form.dates)
    return str(random.randint(100, 10**7))


def _cased(caption: str, random: Random) -> str:
    return caption.upper() if random.random() < 0.2 else caption


def _money(amount: float, form: Form) -> str:
    return f"{form.dollar}{amount:,.2f}"


def make_dataset(folder: Path, orders: int, issuers: int, seed: int) -> Iterator[str]:
    """Write a dataset folder; yield each document's name once it is there."""
    random = Random(seed)
    forms = [Form.drawn(random) for _ in range(issuers)]
    (folder / "documents").mkdir(parents=True)
    with (folder / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for number in range(orders):
            name = f"documents/{number:04}.pdf"
            form = forms[number % issuers]
            found = make_order(form, Order.drawn(random), folder / name, random)
            row = {"id": f"{number:04}", "document": name, "fields": found}
            labels.write(json.dumps(row) + "\n")
            yield name


def main() -> None:
    """Write the dataset named on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="of the dataset; must not be there yet")
    parser.add_argument("--count", type=int, default=200, help="documents")
    parser.add_argument("--issuers", type=int, default=40, help="forms that they are spread over")
    parser.add_argument("--seed", type=int, default=0, help="of everything drawn")
    chosen = parser.parse_args()
    if chosen.folder.exists():
        sys.exit(f"{chosen.folder} is there already. Name a folder that is not.")
    if min(chosen.count, chosen.issuers) < 1:
        sys.exit("A dataset has at least one order, and one issuer.")
    made = sum(1 for _ in make_dataset(chosen.folder, chosen.count, chosen.issuers, chosen.seed))
    sys.stdout.write(f"{made} orders of {min(made, chosen.issuers)} issuers: {chosen.folder}\n")


if __name__ == "__main__":
    main()
