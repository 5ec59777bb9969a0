"""Lays out invoices written by hand as a dataset: documents/*.pdf and labels.jsonl.

Usage: python -m benchmarks.drawn {seen,apart} OUT
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from weasyprint import HTML

PARTS = ("seen", "apart")
_HERE = Path(__file__).parent


def lay_out(part: str, out: Path, *, most: int = 10**6) -> None:
    """Write the dataset of one part.

    Args:
        part: one of `PARTS`.
        out: folder, made where it is missing.
        most: documents to lay out, in the order of their names.
    """
    (out / "documents").mkdir(parents=True, exist_ok=True)
    for page in sorted((_HERE / part).glob("*.html"))[:most]:
        HTML(filename=str(page)).write_pdf(out / "documents" / f"{page.stem}.pdf")
    shutil.copyfile(_HERE / part / "labels.jsonl", out / "labels.jsonl")


def main() -> None:
    """Lay out one part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    lay_out(arguments.part, arguments.out)


if __name__ == "__main__":
    main()
