"""Lays out documents written by hand as a dataset: documents/ and labels.jsonl.

`seen` and `apart` are invoices, `receipts` are 29 receipts of twenty countries, `tills` are 48 more
of forty-four, the twenty among them, `others` are documents of thirty kinds that no model here is
for, without labels, and `papers` are 64 more of them, of which 40 are of kinds near to an invoice:
offers, orders, reminders. With --scans they arrive as pictures, damaged as by an office scanner,
the same ones each time. The pages in `designs` have blanks, which `fieldwright invent invoices
--designs` fills; no model has learnt from them.

Usage: python -m benchmarks.drawn {seen,apart,receipts,tills,others,papers} OUT [--scans]
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from weasyprint import HTML

from benchmarks.machine import json_lines
from training.invent.delivery import Delivery, deliver

PARTS = ("seen", "apart", "receipts", "tills", "others", "papers")
_HERE = Path(__file__).parent


def lay_out(part: str, out: Path, *, most: int = 10**6, scans: bool = False) -> None:
    """Write the dataset of one part.

    Args:
        part: one of `PARTS`.
        out: folder, made where it is missing.
        most: documents to lay out, in the order of their names.
        scans: as pictures in place of PDFs with a text layer.
    """
    (out / "documents").mkdir(parents=True, exist_ok=True)
    labels = {row["id"]: row for row in json_lines(_HERE / part / "labels.jsonl")}
    delivery = Delivery(scans=float(scans))
    with (out / "labels.jsonl").open("w", encoding="utf-8") as lines:
        for page in sorted((_HERE / part).glob("*.html"))[:most]:
            document = HTML(filename=str(page)).render()
            damages = delivery.draw(random.Random(page.stem), len(document.pages))
            delivered = deliver(document.write_pdf(), damages)
            name = f"documents/{page.stem}{delivered.suffix}"
            (out / name).write_bytes(delivered.data)
            row = labels[page.stem] | {"document": name}
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    """Lay out one part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scans", action="store_true", help="as pictures")
    arguments = parser.parse_args()
    lay_out(arguments.part, arguments.out, scans=arguments.scans)


if __name__ == "__main__":
    main()
