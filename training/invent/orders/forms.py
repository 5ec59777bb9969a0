"""Orders for television advertising, each issuer with its own form.

The forms differ in captions, in where the captions stand (beside a value, above it, right before
it), in the order and number of the boxes, in dates, in lettering, in what else stands on the page,
and in how long names are written: whole, cut, in two lines, or with a code behind them, which is
not in the label.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from reportlab.lib.pagesizes import landscape, letter
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from training.invent.orders.advertisers import FIRST, LAST, advertiser

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
    "Agency": (
        *("Harbor Media", "Tall Pines Buying LLC", "Northgate Strategies", "Blue Kite Media"),
        *("Meridian Placement Group", "Canal & Main", "Upland Strategic Media", "DIRECT"),
    ),
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
_RANGED = ("Invoice Period", "Billing Period", "Broadcast Month")
_DATED = ("Print Date", "Original Date", "Order Date", "Revised", "Invoice Date")
_TITLES = ("ORDER", "CONTRACT", "INVOICE", "Order Confirmation", "Contract Agreement", "")
_STREETS = ("Harbor Street", "Mill Road", "Third Avenue", "Foundry Lane", "College Square")
_TOWNS = ("Springfield, IL 62701", "Riverton, OH 43004", "Arlington, VA 22209", "Dover, DE 19901")
# Columns of the table: how they may be headed, and how wide they are.
_COLUMNS = {
    "line": (("Ln", "#", "Line"), 4),
    "show": (("Program", "Description", "Program Name"), 18),
    "begins": (("Start", "Start Date", "From"), 11),
    "ends": (("End", "End Date", "To"), 11),
    "days": (("Days", "Weekdays"), 11),
    "length": (("Len", "Length"), 6),
    "rate": (("Rate", "Unit Price"), 11),
    "spots": (("Spots", "Qty", "Total Spots"), 7),
    "amount": (("Amount", "Total", "Line Total"), 12),
}
_SHOWS = ("Morning News", "Noon Report", "Evening News", "Late Show", "Quiz Hour", "Weather at Ten",
          "Sunday Sports", "Daytime Talk", "Prime Movie", "Local Edition")  # fmt: skip
_DAYS = ("M-F", "MTuWThF", "Sa-Su", "-1-1---", "M------", "Tu,Th")
_DATES = ("%m/%d/%y", "%m/%d/%Y", "%b %d, %Y", "%d-%b-%y", "%m-%d-%Y")
_FONTS = ("Helvetica", "Times-Roman", "Courier")
_MARGIN = 36.0

Cell = tuple[str, str]
Row = dict[str, str]


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
    title: str
    addressed: bool
    monthly: bool
    table: tuple[tuple[str, str], ...]
    station: str
    cut: int
    wrap: int
    coded: str

    @classmethod
    def drawn(cls, random: Random) -> Form:
        """Return the form of an issuer that has not been seen."""
        others = [*_OTHERS, *_NUMBERED, *_DATED, *_RANGED]
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
            title=random.choice(_TITLES),
            addressed=random.random() < 0.5,
            monthly=random.random() < 0.4,
            table=_table(random),
            station="".join(random.choices("KWABCDEFGLMNRSTUV", k=4)) + random.choice(("", "-TV")),
            cut=random.randint(24, 34) if random.random() < 0.2 else 99,
            wrap=random.randint(16, 24) if random.random() < 0.2 else 99,
            coded=random.choice((" ({})", "({})")) if random.random() < 0.2 else "",
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
        number = random.choice(("", "", "", "WX", "C-")) + str(
            random.randint(10**4, 10 ** random.randint(5, 8))
        )
        return cls(
            advertiser=advertiser(random),
            number=number + random.choice(("", "", "", "-1", "-2", "/0")),
            first=first,
            last=last,
            lines=tuple(lines),
        )

    @property
    def total(self) -> int:
        """The sum of all lines, in dollars."""
        return sum(spots * rate for *_, spots, rate in self.lines)


@dataclass(frozen=True, slots=True)
class PrintedOrder:
    """An order on a form.

    Attributes:
        pdf: with a text layer.
        pages: how many.
        fields: labels, the values as they are printed.
    """

    pdf: bytes
    pages: int
    fields: dict[str, list[str]]


def print_order(form: Form, order: Order, random: Random) -> PrintedOrder:
    """Return an order as a PDF with its labels."""
    first, last = (day.strftime(form.dates) for day in (order.first, order.last))
    total = _money(order.total, form)
    named = form.captions
    name = order.advertiser[: form.cut].rstrip()
    code = form.coded.format(random.randint(1000, 140000))
    shown = "\n".join(textwrap.wrap(name + code, form.wrap))
    cells = [(named["advertiser"], shown), (named["number"], order.number)]
    if form.parted:
        cells += [(named["first"], first), (named["last"], last)]
    else:
        cells.append((named["flight"], f"{first}{form.to}{last}"))
    if form.total_above:
        cells.append((named["total"], total))
    cells += [(other, _other(other, form, order, random)) for other in form.others]
    Random(form.shuffle).shuffle(cells)
    sheet = _Sheet(form, cells, _address(form, random) if form.addressed else ())
    day = form.dates if form.dates.startswith("%m") else "%m/%d/%y"
    for line, (show, days, begins, ends, spots, rate) in enumerate(order.lines, 1):
        dates = [moment.strftime(day) for moment in (begins, ends)]
        row = {"line": str(line), "show": show, "begins": dates[0], "ends": dates[1]}
        row |= {"days": days, "length": ":30", "rate": _money(rate, form), "spots": str(spots)}
        sheet.row({**row, "amount": _money(spots * rate, form)})
    count = sum(line[4] for line in order.lines)
    if form.monthly:
        for begins, ends, amount in _months(order):
            dates = [moment.strftime(day) for moment in (begins, ends)]
            sheet.row({"show": " - ".join(dates), "amount": _money(amount, form)})
    # Where no other total is printed the row below the table has it.
    sheet.row({"show": "Totals", "spots": str(count), "amount": total if form.total_above else ""})
    if not form.total_above:
        sheet.total(named["total"], total)
    commission = order.total * 15 / 100
    sheet.total("Agency Commission", _money(commission, form))
    sheet.total("Net Total", _money(order.total - commission, form))
    pdf = sheet.save()
    fields = {
        "advertiser": [name],
        "contract_number": [order.number],
        "flight_from": [first],
        "flight_to": [last],
        "gross_amount": [total],
    }
    return PrintedOrder(pdf, sheet.pages, fields)


class _Sheet:
    """The pages of one order, filled from top to bottom; the first one is begun.

    Args:
        form: of the issuer.
        cells: the boxes of the order, each a caption and a value.
        address: whom it is sent to.

    Attributes:
        pages: begun so far.
    """

    def __init__(self, form: Form, cells: Sequence[Cell], address: Sequence[str]) -> None:
        self._form, self._cells, self._address = form, cells, address
        self._file = io.BytesIO()
        self._canvas = Canvas(self._file, pagesize=form.page, invariant=True)
        self._width, self._height = form.page
        self._step = form.size * 1.5
        self.pages = 0
        self._top = 0.0
        self._page()

    def row(self, texts: Row) -> None:
        """Write one line of the table."""
        self._make_room()
        self._row(texts)

    def total(self, caption: str, amount: str) -> None:
        """Write a line below the table."""
        self._make_room()
        self._canvas.drawString(
            _MARGIN + 0.55 * (self._width - 2 * _MARGIN), self._top, caption + self._form.colon
        )
        self._canvas.drawRightString(self._width - _MARGIN, self._top, amount)
        self._top -= self._step

    def save(self) -> bytes:
        """Return the finished PDF."""
        self._canvas.save()
        return self._file.getvalue()

    def _make_room(self) -> None:
        if self._top < _MARGIN + 2 * self._step:
            self._canvas.showPage()
            self._page()

    def _row(self, texts: Row) -> None:
        unit = (self._width - 2 * _MARGIN) / sum(_COLUMNS[name][1] for name, _ in self._form.table)
        left = _MARGIN
        for name, _ in self._form.table:
            self._canvas.drawString(left, self._top, texts.get(name, ""))
            left += unit * _COLUMNS[name][1]
        self._top -= self._step

    def _page(self) -> None:
        self.pages += 1
        self._top = self._height - _MARGIN
        self._canvas.setFont(self._form.font, self._form.size)
        self._canvas.drawString(_MARGIN, self._top, self._form.station)
        self._canvas.drawCentredString(self._width / 2, self._top, self._form.title)
        self._canvas.drawRightString(self._width - _MARGIN, self._top, f"Page {self.pages}")
        self._top -= 2 * self._step
        if self.pages == 1:
            for line in self._address:
                self._canvas.drawString(_MARGIN, self._top, line)
                self._top -= self._step
        if self.pages == 1 or self._form.repeated:
            self._boxes()
        self._row(dict(self._form.table))

    def _boxes(self) -> None:
        inside = self._width - 2 * _MARGIN
        captions = max(self._wide(f"{caption}: ") for caption, _ in self._cells)
        wrapped = [(caption, value.splitlines()) for caption, value in self._cells]
        values = max(self._wide(f"{line}  ") for _, lines in wrapped for line in lines)
        stacked = self._form.place == "above"
        needed = max(captions, values) if stacked else captions + values
        columns = max(2, min(self._form.columns, int(inside / needed)))
        for start in range(0, len(wrapped), columns):
            boxes = wrapped[start : start + columns]
            for column, (caption, lines) in enumerate(boxes):
                left = _MARGIN + column * inside / columns
                shown = caption + self._form.colon
                self._canvas.drawString(left, self._top, shown)
                top = self._top - self._step if stacked else self._top
                if self._form.place == "beside":
                    left += captions
                elif not stacked:
                    left += self._wide(f"{shown} ")
                for number, line in enumerate(lines):
                    self._canvas.drawString(left, top - number * self._step, line)
            self._top -= self._step * (max(len(lines) for _, lines in boxes) - 1)
            self._top -= self._step * (2.6 if stacked else 1.2)
        self._top -= self._step

    def _wide(self, text: str) -> float:
        return float(stringWidth(text, self._form.font, self._form.size))


def _other(caption: str, form: Form, order: Order, random: Random) -> str:
    if caption == "Product" and random.random() < 0.4:  # the name once more, otherwise
        return order.advertiser.split("/")[-1].split(",")[0].upper()[:16]
    if caption in _OTHERS:
        return random.choice(_OTHERS[caption])
    if caption in _DATED:
        return (order.first - timedelta(random.randint(1, 20))).strftime(form.dates)
    if caption in _RANGED:  # of the month that the order ends in
        days = (order.last.replace(day=1), order.last + timedelta(random.randint(1, 9)))
        return form.to.join(day.strftime(form.dates) for day in days)
    return str(random.randint(100, 10**7))


def _address(form: Form, random: Random) -> tuple[str, ...]:
    """Return the lines of an address, which have no captions."""
    person = f"{random.choice(FIRST)} {random.choice(LAST)}"
    street = f"{random.randint(1, 4000)} {random.choice(_STREETS)}"
    return (random.choice(_OTHERS["Agency"]), f"Attention: {person}", street, random.choice(_TOWNS))


def _table(random: Random) -> tuple[tuple[str, str], ...]:
    """Return the columns of a form's table in their order, each with its head."""
    inner = list(_COLUMNS)[1:-1]
    if random.random() < 0.6:
        random.shuffle(inner)
    left_out = set(random.sample(("days", "length", "rate"), random.randint(0, 2)))
    names = ["line", *(name for name in inner if name not in left_out), "amount"]
    return tuple((name, random.choice(_COLUMNS[name][0])) for name in names)


def _months(order: Order) -> Iterator[tuple[date, date, int]]:
    """Yield each month with its sum, as a line belongs to the month that it begins in."""
    first = order.first.replace(day=1)
    while first <= order.last:
        after = (first + timedelta(31)).replace(day=1)
        lines = [line for line in order.lines if first <= line[2] < after]
        yield first, after - timedelta(1), sum(spots * rate for *_, spots, rate in lines)
        first = after


def _cased(caption: str, random: Random) -> str:
    return caption.upper() if random.random() < 0.2 else caption


def _money(amount: float, form: Form) -> str:
    return f"{form.dollar}{amount:,.2f}"
