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
_LISTED = 4  # likely numbers on a page that lists documents, as a statement does
_NAMED = 10  # documents, at most, whose numbers and options a sentence spells out


@dataclass(frozen=True, slots=True)
class Part:
    """Pages that look like a document of their own.

    Attributes:
        pages: their numbers, ascending, of those that were read.
        number: of the document as printed; empty where it is not known.
    """

    pages: tuple[int, ...]
    number: str

    def __str__(self) -> str:
        """Return its pages as the option `pages` takes them."""
        firsts = (page for page in self.pages if page - 1 not in self.pages)
        lasts = (page for page in self.pages if page + 1 not in self.pages)
        runs = zip(firsts, lasts, strict=True)
        return ",".join(str(one) if one == end else f"{one}-{end}" for one, end in runs)


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
    but one of the expected values. A title counts behind a document that has all of these: others
    are titled on each page. On a page that says a known number once more, or lists many, none
    begins. Two documents at least must have all but one of the expected values: an annex with a
    number and a date has no total, and no customer of its own.

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
    if number is None and not expected:
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
        return len(set().union(*(_fields_on(page, said) for page in part.pages))) >= least

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
    return [Part(tuple(pages[start:end]), number) for (start, end), number in ranges]


def told_apart(parts: Sequence[Part], *, numbered: bool = False) -> str:
    """Return the sentence that a file holds several documents, and how to send them.

    Args:
        parts: the documents, two at least.
        numbered: the sentence gives their numbers, where all are known, and they are few.
    """
    numbers, many = [part.number for part in parts], len(parts) > _NAMED
    named = f" (numbers {_listed(numbers)})" if numbered and all(numbers) and not many else ""
    options = f"`pages={parts[0]}` and so on"
    if not many:
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


def _fields_on(page: int, said: Mapping[str, _Said]) -> set[str]:
    """Return the fields that a page is likely to say values of."""
    return {name for name, field in said.items() if field.on(page, _LIKELY)}


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
    had: set[str] | None = None  # fields that the document before a page has, if there is one
    for page, anew in _anew(pages, said):
        again = not known.isdisjoint(numbers.on(page, _FAINT)) or any(
            len(key) >= _TELLING and key in printed.get(page, "") for key in known
        )
        is_titled = page in titled and (had is None or len(had) == len(said))
        signs = (number in anew) + (not anew.isdisjoint(dates)) + is_titled
        has, lists = _fields_on(page, said), len(numbers.on(page, _LIKELY)) >= _LISTED
        if again or lists or (signs < 2 and len(anew) < least):
            had = None if had is None else had | has
            continue
        had = has
        own = numbers.likeliest(page)
        if own is not None:
            known.add(own)
        yield page, numbers.texts.get(own or "", "")
