"""Invoices of many pages: seconds and memory from the PDF to the answer, and rows that are right.

Usage: python -m benchmarks.long_invoice [--rows 10 100 300 1000] [--model invoices]

Documents are invented, of one look, with sums carried over from page to page. Each is read by a
process of its own, whose first answer (weights are loaded, code is warm afterwards) is not timed.
The first row tells how long the model `orders` takes over the shortest document: the rival of the
goal for one page.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from dataclasses import replace
from decimal import Decimal
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.machine import alone, machine
from models.packages import Registry
from store.settings import Settings
from training.invent.invoices.content import Invoice, Tax
from training.invent.invoices.drawing import draw_invoice
from training.invent.invoices.drawing.taxes import rounded
from training.invent.invoices.layouts import draw_layout
from training.invent.invoices.printing import Sheet
from training.invent.invoices.proof import faults
from training.invent.invoices.render import render

_COLUMNS = ("pos", "code", "description", "quantity", "price", "amount")
_Rows = list[dict[str, str]]


def long_invoice(rows: int) -> tuple[bytes, int, _Rows]:
    """Return an invoice of so many positions as a PDF, its number of pages, and its rows."""
    invoice, seed = _plain(rows)
    rng = random.Random(seed)
    drawn = draw_layout(rng, invoice)
    layout = replace(
        drawn, paper="A4", font="DejaVu Sans", size=9, table="table", columns=_COLUMNS,
        headless=False, totals="block", rulings="rows", narrow=0, carries=True, empty=0,
        price_places=2, quantity_places=0, whole=False, money="none", minus="-5", stamp="none",
    )  # fmt: skip
    sheet = Sheet(invoice, layout, rng)
    pdf, places, pages = render(sheet.html())
    wrong = faults(invoice, pdf, sheet.printed, places)
    if wrong:
        raise RuntimeError(f"the document is not proven: {wrong[:3]}")
    found: dict[int, dict[str, str]] = {}
    for printed in sheet.printed:
        if printed.group == "items":
            found.setdefault(printed.row, {})[printed.name] = printed.value
    return pdf, pages, [found[row] for row in sorted(found)]


def _plain(rows: int) -> tuple[Invoice, int]:
    """Return an invoice without discounts and charges, its positions repeated."""
    for seed in range(1000):
        invoice = draw_invoice(random.Random(seed), ("en",))
        extra = invoice.discount or invoice.charge or invoice.prepaid or invoice.previous
        if extra or invoice.gross or invoice.is_credit or len(invoice.taxes) != 1:
            continue
        if any(item.discount or item.details or item.section for item in invoice.items):
            continue
        items = tuple(
            replace(item, code=f"{number:05d}")
            for number, item in enumerate(islice(cycle(invoice.items), rows), 1)
        )
        [tax] = invoice.taxes
        base = sum((item.amount for item in items), Decimal(0))
        amount = rounded(base * tax.rate / 100)
        return replace(invoice, items=items, taxes=(Tax(tax.rate, base, amount),)), seed
    raise RuntimeError("no plain invoice was drawn")


def measure(package: Path, data: bytes, labels: _Rows, repeats: int) -> dict[str, Any]:
    """Return seconds (median), peak memory of this process in MiB, and how many rows are right."""
    from pipeline.extract import Extractor
    from training.scoring.group_scores import count_rows, row_texts

    extractor = Extractor(package)
    seconds = []
    for _ in range(repeats + 1):
        started = time.perf_counter()
        answer = extractor.extract(data)
        seconds.append(time.perf_counter() - started)
    columns = [spec for spec in extractor.fields if spec.group == "items"]
    rows = row_texts(answer.groups.get("items", []))
    peak = sum(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {
        "seconds": statistics.median(seconds[1:]),
        "memory": peak / 1024,
        "right": count_rows(rows, labels, columns).tp,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10, 100, 300, 1000])
    parser.add_argument("--model", default="invoices")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    registry = Registry(Settings.load().home / "models")
    print(machine(), "\n")
    print("| model | rows | pages | seconds | a page | peak memory, MiB | rows right |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for number, rows in enumerate(options.rows):
        pdf, pages, wanted = long_invoice(rows)
        for model in ("orders", options.model) if number == 0 else (options.model,):
            package = Path(model) if Path(model).is_dir() else registry.resolve(model).path
            found = alone(measure, package, pdf, wanted, options.repeats)
            print(
                f"| {Path(model).name} | {rows} | {pages} | {found['seconds']:.2f} "
                f"| {found['seconds'] / pages:.3f} | {found['memory']:,.0f} "
                f"| {'-' if model == 'orders' else found['right']} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
