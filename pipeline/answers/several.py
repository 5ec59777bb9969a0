"""Whether a file holds several documents, one behind another, such as a pile scanned at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from pipeline.answers.places.beside import pages_of
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.resolve import rank
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import lenient

_LIKELY = 0.5  # score of a place that may well say a value
_FAINT = 0.3  # score of a place that may say a known number once more
_FEWEST = 3  # values that pages have, at least, that are a document of their own
_TELLING = 4  # letters and digits of a number that is looked for among all words of a page


@dataclass(frozen=True, slots=True)
class Part:
    """Pages that look like a document of their own.

    Attributes:
        first, last: numbers of its pages.
        number: of the document as printed; empty where it is not known.
    """

    first: int
    last: int
    number: str

    def __str__(self) -> str:
        """Return its pages as the option `pages` takes them."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def parts_of(
    pages: Sequence[int],
    evidence: Evidence,
    fields: Sequence[FieldSpec],
    expected: Collection[str],
    number: str | None,
    titled: Collection[int],
) -> list[Part]:
    """Return the documents that a file holds; none where it is likely to be a single one.

    Where the model has a field for a document's number, a document begins on a page that says two
    of these which no page before says: a number, an expected date, and a tall title; or else all
    but one of the expected values. On a page that says a known number once more none begins. Two
    documents at least must have all but one of the expected values: an annex with a number and a
    date has no total, and no customer of its own.

    Without such a field, a document begins on a page that says all expected values and all but one
    of all values, none of which a page before says. In either case these are three or more.

    Args:
        pages: numbers of the pages that were read.
        evidence: the document as tagged.
        fields: of the model, those with one value.
        expected: names of those that the answer to hardly any document of the model is without; of
            a model with numbers all, where none are known.
        number: name of the field that holds a document's own number, None without one.
        titled: numbers of the pages with a title of the model's kind in tall letters.
    """
    if len(pages) < 2 or (number is None and not expected):
        return []
    some = expected and number is not None
    wanted = [spec for spec in fields if not some or spec.name in (*expected, number)]
    said = {spec.name: _Said.of(spec, evidence) for spec in wanted}
    least = max(_FEWEST, len(said) - 1)
    if number is None:
        begun = {
            page: ""
            for page, anew in _anew(pages, said)
            if anew.issuperset(expected) and len(anew) >= least
        }
        return _parts(pages, begun)
    dates = [spec.name for spec in wanted if spec.kind is Kind.DATE]
    parts = _parts(pages, dict(_numbered(pages, evidence, said, number, dates, titled, least)))

    def is_whole(part: Part) -> bool:
        own = [page for page in pages if part.first <= page <= part.last]
        having = sum(any(field.on(page, _LIKELY) for page in own) for field in said.values())
        return having >= least

    return parts if sum(map(is_whole, parts)) > 1 else []


def _parts(pages: Sequence[int], begun: Mapping[int, str]) -> list[Part]:
    """Return the documents that begin on some pages, the first with all before it; no single one.

    Args:
        pages: that were read.
        begun: numbers of the documents by the page that each begins on, in order.
    """
    if len(begun) < 2:
        return []
    ends = [0, *map(pages.index, list(begun)[1:]), len(pages)]
    ranges = zip(pairwise(ends), begun.values(), strict=True)
    return [Part(pages[start], pages[end - 1], number) for (start, end), number in ranges]


def told_apart(parts: Sequence[Part], *, numbered: bool = False) -> str:
    """Return the sentence that a file holds several documents, and how to send them.

    Args:
        parts: the documents, two at least.
        numbered: the sentence gives their numbers, where all are known.
    """
    numbers = [part.number for part in parts]
    named = f" (numbers {_listed(numbers)})" if numbered and all(numbers) else ""
    options = _listed([f"`pages={part}`" for part in parts])
    return (
        f"Pages {_listed(list(map(str, parts)))} look like documents of their own{named}: send "
        f"them apart, with {options}."
    )


def _listed(texts: Sequence[str]) -> str:
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


@dataclass(frozen=True, slots=True)
class _Said:
    """What the pages say of one field.

    Attributes:
        scores: of the likeliest place that says a value, by page and value.
        texts: of the values, as printed.
    """

    scores: dict[int, dict[str, float]]
    texts: dict[str, str]

    @classmethod
    def of(cls, spec: FieldSpec, evidence: Evidence) -> Self:
        """Return what is said of a field, in values that are compared by their keys."""
        scores: dict[int, dict[str, float]] = {}
        texts: dict[str, str] = {}
        for value in rank(spec, evidence, {}):
            said = value.normalised
            if said.value is None:
                continue
            texts[said.key] = said.text
            for place in value.places:
                of_page = scores.setdefault(evidence.words[place.start][0].number, {})
                of_page[said.key] = max(place.score, of_page.get(said.key, 0.0))
        return cls(scores, texts)

    def on(self, page: int, least: float) -> set[str]:
        """Return the values on a page that are as likely as that."""
        return {key for key, score in self.scores.get(page, {}).items() if score >= least}

    def likeliest(self, page: int) -> str | None:
        """Return the likeliest value on a page, None where none is likely."""
        on_page = {key: self.scores[page][key] for key in self.on(page, _LIKELY)}
        return max(on_page, key=lambda key: on_page[key], default=None)


def _anew(pages: Sequence[int], said: Mapping[str, _Said]) -> Iterator[tuple[int, set[str]]]:
    """Yield each page with the fields that it says values of, none of which a page before says."""
    known: dict[str, set[str]] = {name: set() for name in said}
    for page in pages:
        own = {name: field.on(page, _LIKELY) for name, field in said.items()}
        yield page, {name for name, keys in own.items() if keys and keys.isdisjoint(known[name])}
        for name, keys in own.items():
            known[name] |= keys


def _numbered(
    pages: Sequence[int],
    evidence: Evidence,
    said: Mapping[str, _Said],
    number: str,
    dates: Collection[str],
    titled: Collection[int],
    least: int,
) -> Iterator[tuple[int, str]]:
    """Yield the pages on which documents begin, with their numbers as printed; empty without one.

    Args:
        pages: that were read.
        evidence: the document as tagged.
        said: what is said of the expected fields.
        number: the one of them that holds a document's number.
        dates: those of them that are dates.
        titled: pages with a title.
        least: how many values a page without such signs says anew.
    """
    printed = {
        evidence.words[of_page.indices[0]][0].number: "".join(
            lenient(evidence.words[index][1].text) for index in of_page.indices
        )
        for of_page in pages_of(evidence)
    }
    numbers = said[number]
    known: set[str] = set()
    for page, anew in _anew(pages, said):
        again = not known.isdisjoint(numbers.on(page, _FAINT)) or any(
            len(key) >= _TELLING and key in printed.get(page, "") for key in known
        )
        signs = (number in anew) + (not anew.isdisjoint(dates)) + (page in titled)
        if again or (signs < 2 and len(anew) < least):
            continue
        own = numbers.likeliest(page)
        if own is not None:
            known.add(own)
        yield page, numbers.texts.get(own or "", "")
