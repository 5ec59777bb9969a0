"""How well documents of each kind fit each model: which foreign ones are taken for its own.

Usage: python -m benchmarks.fit [--model NAME]... [--most 100] FOLDER_OR_PAGES...

Each argument is a kind of documents: a dataset folder, a folder of FUNSD, or a pages.jsonl.gz. The
words are those of the gold transcription where there is one, else those of the first two pages as
the service reads them; no model runs, for the fit needs none. Of the kinds that bear a model's own
name, two rows are given: the package's profile, which knows them, and a profile made anew in five
folds of issuers that it knows nothing of.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from models.geometry import Box
from models.packages import Registry
from pipeline.document import Document, Page, Token
from pipeline.errors import FieldwrightError
from pipeline.profile import FITS, Profile, load_profile
from pipeline.reading.options import ReadOptions
from pipeline.reading.reader import read_document
from store.settings import Settings
from training.data import load_dataset
from training.data.formats.funsd import load_funsd
from training.data.reading import gold_document
from training.data.templates import group_by_template
from training.field_model.elsewhere import words_elsewhere
from training.field_model.word_profiles import fit_profile
from training.pretraining.unlabelled import load_pages

_FIRST_PAGES = "1-2"  # a profile looks at no more words
_FOLDS = 5


def documents_of(path: Path, most: int) -> Iterator[Document]:
    """Yield at most so many documents of a kind: each n-th, of forms the first."""
    if path.is_file():
        pages = list(load_pages(path))
        yield from pages[:: max(1, len(pages) // most)][:most]
        return
    if (path / "annotations").is_dir():
        for form in load_funsd(path)[:most]:
            tokens = tuple(Token(word, Box(0, 0, 1, 1)) for word in form.words)
            page = Page(1, 1.0, 1.0, text_source="gold", tokens=tokens)
            yield Document(form.id, "image/png", (page,), 1)
        return
    rows = load_dataset(path).rows
    for row in rows[:: max(1, len(rows) // most)][:most]:
        try:
            yield gold_document(row) if row.ocr else _as_served(row.document.read_bytes())
        except FieldwrightError as error:
            print(f"{row.id}: {error.detail}", file=sys.stderr)


def _as_served(data: bytes) -> Document:
    try:
        return read_document(data, ReadOptions(pages=_FIRST_PAGES))
    except FieldwrightError:
        return read_document(data, ReadOptions(pages="1"))


def fits_of_new_issuers(documents: Sequence[Document]) -> list[float]:
    """Return how well documents fit profiles of documents of other templates."""
    groups = group_by_template({str(n): one for n, one in enumerate(documents)}).groups
    names = [groups[str(n)] for n in range(len(documents))]
    fold = {name: number % _FOLDS for number, name in enumerate(dict.fromkeys(names))}
    found: list[float] = []
    for number in range(_FOLDS):
        known = [(d, n) for d, n in zip(documents, names, strict=True) if fold[n] != number]
        if len(known) < len(documents):
            profile = fit_profile([d for d, _ in known], [n for _, n in known], words_elsewhere())
            unknown = [d for d, n in zip(documents, names, strict=True) if fold[n] == number]
            found += _fits(profile, unknown)
    return found


def _fits(profile: Profile, documents: Sequence[Document]) -> list[float]:
    return [fit for one in documents if (fit := profile.fit(one)) is not None]


def main() -> None:
    """Print a row for each model and kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", type=Path, nargs="+", metavar="FOLDER_OR_PAGES")
    parser.add_argument("--model", action="append", help="all in service by default")
    parser.add_argument("--most", type=int, default=100, help="documents of a kind")
    options = parser.parse_args()
    registry = Registry(Settings.load().home / "models")
    names = options.model or [package.name for package in registry.packages()]
    profiles = {name: load_profile(registry.resolve(name).path) for name in names}
    print("| kind | model | documents | taken for its own | median fit |\n|---|---|---|---|---|")
    for path in options.kinds:
        kind = path.name.partition(".")[0]
        documents = list(documents_of(path, options.most))
        for name, profile in profiles.items():
            if profile is None:
                continue
            rows = {name: _fits(profile, documents)}
            if name == kind:
                rows[f"{name}, of other issuers"] = fits_of_new_issuers(documents)
            for shown, fits in rows.items():
                own = sum(fit >= FITS for fit in fits)
                print(f"| {kind} | {shown} | {len(fits)} | {own} | {np.median(fits):.3f} |")


if __name__ == "__main__":
    main()
