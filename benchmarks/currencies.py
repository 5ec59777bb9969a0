"""Currencies that models give to the amounts of documents whose currency is known.

Usage: python -m benchmarks.currencies FOLDER [--model NAME]...

Every model reads every document of a dataset folder whose label `currency` is one ISO 4217 code,
whether it knows such documents or not. Of all amounts answered, candidates and alternatives among
them, it prints how many have the labelled currency, none, or another one. A currency that is not
the page's own ends in exit status 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.packages import Registry
from pipeline.extract import Extractor
from pipeline.result import Extraction
from store.settings import Settings
from training.data import load_dataset


def currencies(answer: Extraction) -> Iterator[tuple[str, str | None]]:
    """Yield the text and currency of every amount that an answer holds."""
    for _, found in answer.named_values():
        if found.kind == "amount":
            rest = [(candidate.text, candidate.value) for candidate in found.candidates]
            rest += [(found.text, other) for other in found.normalisation.alternatives]
            for text, amount in [(found.text, found.value), *rest]:
                if amount is not None:
                    yield text, amount["currency"]


def main() -> None:
    """Print a row a model and every contradiction."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="dataset folder with a field `currency`")
    parser.add_argument("--model", action="append", help="all in service by default")
    arguments = parser.parse_args()
    registry = Registry(Settings.load().home / "models")
    names = arguments.model or [package.name for package in registry.packages()]
    rows = [row for row in load_dataset(arguments.folder).rows if row.value("currency")]
    documents: dict[str, Any] = {}
    wrong = 0
    print("| model | documents | amounts | the page's currency | none | another |")
    print("|---|---|---|---|---|---|")
    for name in names:
        extractor = Extractor(registry.resolve(name).path)
        counts: Counter[str] = Counter()
        contradictions: list[str] = []
        for row in rows:
            if row.id not in documents:
                documents[row.id] = extractor.read(row.document.read_bytes())
            document = documents[row.id]
            answer = extractor.resolve(document, extractor.tag(document), job_id=row.id, timings={})
            for text, currency in currencies(answer):
                known = row.value("currency")
                kind = "none" if currency is None else "right" if currency == known else "another"
                counts[kind] += 1
                if kind == "another":
                    contradictions.append(f"{row.id}: {text!r} is {currency}, not {known}")
        wrong += len(contradictions)
        shown = [counts[kind] for kind in ("right", "none", "another")]
        print(f"| {name} | {len(rows)} | {sum(shown)} | {' | '.join(map(str, shown))} |")
        print(*contradictions, sep="\n", end="\n" if contradictions else "", file=sys.stderr)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
