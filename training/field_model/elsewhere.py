"""The words of documents that belong to no model: what a new package's profile is measured against.

    python -m training.field_model.elsewhere DATASET... PAGES.jsonl.gz...

writes the hashed ones anew, each folder or file a kind of documents. Besides them there are papers
of twenty-three kinds in eight languages (``others/LANGUAGE.txt``), written for this: each kind in
each language is one by itself, as a page is in one language.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from models.geometry import Box
from pipeline.document import Document, Page, Token
from pipeline.profile import Words, frequencies, log_probability

_FILE, _PAPERS = "elsewhere.json", "others"


@cache
def words_elsewhere() -> tuple[Words, ...]:
    """Return the words of documents of each kind, (BUCKETS,) as of `log_probability`."""
    return tuple(kinds_elsewhere().values())


def kinds_elsewhere() -> dict[str, Words]:
    """Return the words of each kind by name, such as ``quotation-en``.

    Of a kind of which there are hashed words and papers, such as ``receipts-en``, each is half.
    """
    text = (files(__package__) / _FILE).read_text(encoding="utf-8")
    kinds = {name: np.asarray(words, dtype=np.float64) for name, words in json.loads(text).items()}
    for (language, kind), documents in other_papers().items():
        name, words = f"{kind}-{language}", words_of(documents)
        kinds[name] = np.logaddexp(kinds[name], words) - np.log(2) if name in kinds else words
    return kinds


def other_papers() -> dict[tuple[str, str], list[Document]]:
    """Return the papers written to stand for other kinds, by language and kind."""
    found: dict[tuple[str, str], list[Document]] = {}
    for file in sorted((files(__package__) / _PAPERS).iterdir(), key=lambda file: file.name):
        language = file.name.partition(".")[0]
        for paper in file.read_text(encoding="utf-8").split("== ")[1:]:
            kind, _, text = paper.partition("\n")
            found.setdefault((language, kind.strip()), []).append(_page_of(text))
    return found


def _page_of(text: str) -> Document:
    digest = hashlib.sha256(text.encode()).hexdigest()
    tokens = tuple(Token(word, Box(0, 0, 1, 1)) for word in text.split())
    page = Page(1, 1.0, 1.0, text_source="gold", tokens=tokens)
    return Document(digest, "text/plain", (page,), 1)


def words_of(documents: list[Document]) -> Words:
    """Return the words of documents of one kind, as of `log_probability`.

    Raises:
        ValueError: no document has words.
    """
    rows = [row for row in map(frequencies, documents) if row.any()]
    if not rows:
        raise ValueError("no document has words")
    return log_probability(np.sum(rows, axis=0), len(rows))


def _documents(path: Path, cache: Path) -> list[Document]:
    from training.data import load_dataset, read_rows
    from training.pretraining.unlabelled import load_pages

    if path.is_file():
        return list(load_pages(path))
    rows = load_dataset(path).rows
    read = read_rows(rows, "gold" if rows[0].ocr else "own", cache=cache)
    return [item for item in read.values() if isinstance(item, Document)]


def main() -> None:
    """Write the file anew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", type=Path, nargs="+", metavar="DATASET")
    parser.add_argument("--readings", type=Path, help="folder where readings are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache = options.readings or Path(folder)
        data = {
            path.name.partition(".")[0]: [
                round(float(value), 3) for value in words_of(_documents(path, cache))
            ]
            for path in options.kinds
        }
    Path(__file__).with_name(_FILE).write_text(json.dumps(data) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
