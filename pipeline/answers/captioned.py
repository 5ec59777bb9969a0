"""Values that a caption names: looked for where the tagger finds none that needs no review.

A field of a model may have `captions` in its `fields.toml`: what stands before its value in the
same text, or right above it. They are a second reading of the page, for numbers and dates alone,
and need no training: who sees that a model misses what stands behind "Debtor code" adds that.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby, takewhile

import numpy as np

from models.labels import Span
from pipeline.answers.calibration import Calibration
from pipeline.answers.columns import column_begins
from pipeline.answers.evidence import Evidence
from pipeline.answers.mentions import Mention
from pipeline.answers.ranges import ends_of
from pipeline.answers.ranking import Value
from pipeline.answers.rendering import Offer, is_given, is_sure, offered_cell
from pipeline.answers.rows.cells import PLACE_ALONE
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import lenient
from pipeline.values.times.dates import precision_of

_MOST_CAPTION = 6  # words
_MOST_VALUE = 9  # words: an IBAN in groups of four
_FAR = 1000  # words back in which a caption above is looked for
_ABOVE = 2.5  # heights of a line between a caption and the value under it
_NUMBERED = (Kind.IDENTIFIER, Kind.TAX_ID)
_PREFIX = 4  # letters of a number's first word: "QRO 15926"
# What only says that a number follows is one word in all languages, also at a word's end.
_NUMBER = frozenset(
    {"NO", "NR", "N", "NUM", "NUMBER", "NUMMER", "NUMERO", "NÚMERO", "NUMÉRO", "NUMER"}
)
_ENDS_IN_NUMBER = re.compile(r"(?P<what>.{2,}?)(?:NUMMER|NUMBER|NUMER|NR)")
_JOINING = frozenset({"DE", "DI", "DU", "D", "DEL", "DA", "DO", "VAN", "OF", "THE", "DES", "L"})
_ACCOUNT = re.compile(r"[A-Z]{2}[0-9OIl]{2}")
_WORDS = re.compile(r"#|[^\W_]+")
_BREAK = re.compile(r".{2,}[:;.,]$|^[^\w#&/()°]+$")  # ends a text: what stands before is another


def caption_key(text: str) -> str:
    """Return what two writings of a caption have in common: "Kunden-Nr.:" and "Kundennummer"."""
    found = []
    for word in _WORDS.findall(text.replace("°", "o").replace("º", "o")):
        folded = "NO" if word == "#" or lenient(word) in _NUMBER else lenient(word)
        if folded not in _JOINING and (match := _ENDS_IN_NUMBER.fullmatch(folded)):
            found += [match["what"], "NO"]
        elif folded not in _JOINING:
            found.append(folded)
    return " ".join(sorted(found))


def with_captioned(
    fields: Sequence[FieldSpec],
    offers: Mapping[str, list[Offer]],
    evidence: Evidence,
    calibration: Calibration,
    fit: float | None = None,
) -> dict[str, list[Offer]]:
    """Return what is offered, what captions name before values that need review.

    What a caption names for one field is not offered for another of its kind.

    Args:
        fields: the field that begins a range stands before the one that ends it.
        offers: by field, the most credible first.
        evidence: the document as tagged.
        calibration: of the model.
        fit: how well the document fits it, where it can tell.
    """
    found = dict(offers)
    places: Places | None = None
    for spec in fields:
        first = found[spec.name][0] if found[spec.name] else None
        if spec.many or (first is not None and is_sure(spec, first, calibration)):
            continue
        if spec.captions or spec.kind is Kind.IBAN:
            places = places or Places(evidence)
        named = places.named(spec) if places is not None else None
        if named is None:
            continue
        place, caption = named
        reading = normalise(evidence.text(place), spec, evidence.context)
        value = Value(place, reading, place.score, place.score, (place,))
        given = first is not None and is_given(spec, first, calibration)
        start = next(iter(found.get(spec.range_start or "", ())), None)
        if (given and first is not None and first.value.normalised.key == reading.key) or (
            start is not None and not ends_of([value], start.value)
        ):
            continue
        offer = offered_cell(spec, place, reading, evidence, calibration, fit)
        told = f"it stands at the caption '{caption}'" if caption else "its check digits are right"
        found[spec.name] = [replace(offer, why=f"Chosen because {told}."), *found[spec.name]]
        if spec.kind is Kind.IDENTIFIER:
            taken = set(place.words)
            for other in fields:
                if other.kind is spec.kind and other is not spec:
                    found[other.name] = [
                        one for one in found[other.name] if taken.isdisjoint(one.value.best.words)
                    ]
    return found


class Places:
    """Where a document may hold a number or a date, and what stands before and above each place.

    Args:
        evidence: the document as tagged.
    """

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._accounts: list[int] = []
        self._captions: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        pages = groupby(range(len(evidence.words)), key=lambda at: evidence.words[at][0].number)
        for _, of_page in pages:
            words = _OfPage(evidence, tuple(of_page))
            for first in words.indices:
                if _ACCOUNT.match(evidence.words[first][1].text):
                    self._accounts.append(first)
                if _begins_a_value(first, evidence):
                    for text in _captions(first, words, evidence):
                        self._captions[caption_key(text)].append((first, text))

    def named(self, spec: FieldSpec) -> tuple[Mention, str | None] | None:
        """Return the place of the one value that captions name for a field, and the caption.

        None where there is none, or several: then captions do not tell. An IBAN needs no caption,
        for its check digits tell.
        """
        at: list[tuple[int, str | None]] = [
            place for key in _keys(spec.captions) for place in self._captions.get(key, ())
        ]
        if spec.kind is Kind.IBAN:
            at += [(first, None) for first in self._accounts]
        found: dict[str, tuple[Mention, str | None]] = {}
        for first, caption in sorted(at, key=lambda place: place[0]):
            value = _value(first, spec, self._evidence)
            if value is not None:
                end, said = value
                place = Mention((Span(spec.name, first, end, (PLACE_ALONE,) * (end - first)),))
                found.setdefault(said.key, (place, caption))
        return next(iter(found.values())) if len(found) == 1 else None


@cache
def _keys(captions: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(caption_key, captions)) - {""}


class _OfPage:
    """The words of one page, to ask what stands above one of them."""

    def __init__(self, evidence: Evidence, indices: tuple[int, ...]) -> None:
        self.indices = indices
        tokens = [evidence.words[index][1] for index in indices]
        self._lines = np.array([token.line for token in tokens])
        self._boxes = np.array([token.box.as_list() for token in tokens])

    def above(self, index: int) -> int | None:
        """Return the nearest word above a word, before it in reading order; None without one."""
        at = index - self.indices[0]
        start = max(0, at - _FAR)
        x0, top, x1, bottom = self._boxes[at]
        left, _, right, lower = self._boxes[start:at].T
        space, height = top - lower, bottom - top
        over = (left < x1) & (x0 < right) & (self._lines[start:at] != self._lines[at])
        near = (space >= -0.5 * height) & (space <= _ABOVE * height)
        found = np.flatnonzero(over & near)[::-1]  # of words of one line, the last comes first
        return int(self.indices[start + found[lower[found].argmax()]]) if len(found) else None


def _captions(first: int, words: _OfPage, evidence: Evidence) -> Iterator[str]:
    """Yield the texts that may be a word's caption: what stands before it, its ends, what is above.

    Of what stands before it, an end of two words or more may be the caption: "as per [your order]".
    """
    before = _before(first, evidence)
    for at in (0, *range(1, len(before) - 1)):
        yield " ".join(before[at:])
    nearest = words.above(first)
    if nearest is not None:
        yield _text_around(nearest, evidence)


def _before(first: int, evidence: Evidence) -> list[str]:
    """Return the words before a word in its line, back to a gap, a figure or another text."""
    found: list[str] = []
    for index in range(first - 1, max(-1, first - 1 - _MOST_CAPTION), -1):
        text = evidence.words[index][1].text
        apart = bool(found) and column_begins(index + 1, evidence.words)
        if apart or not evidence.same_line(index, first) or _has_digit(text):
            break
        if found and _BREAK.search(text):
            break
        found.insert(0, text)
    return found


def _text_around(index: int, evidence: Evidence) -> str:
    """Return the text of a line that a word stands in, up to a gap on both sides."""
    start = end = index
    while start and _goes_on(start - 1, evidence):
        start -= 1
    while _goes_on(end, evidence):
        end += 1
    return " ".join(word.text for _, word in evidence.words[start : end + 1])


def _goes_on(index: int, evidence: Evidence) -> bool:
    """Return whether the word behind a word belongs to its text."""
    following = index + 1
    return (
        following < len(evidence.words)
        and evidence.same_line(index, following)
        and not column_begins(following, evidence.words)
    )


def _begins_a_value(first: int, evidence: Evidence) -> bool:
    """Return whether a number or a date may begin with a word: it or the next one has a digit."""
    text = evidence.words[first][1].text
    following = _goes_on(first, evidence) and _has_digit(evidence.words[first + 1][1].text)
    return _has_digit(text) or (following and text.isalpha())


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _value(first: int, spec: FieldSpec, evidence: Evidence) -> tuple[int, Normalised] | None:
    """Return where the value that begins with a word ends, and how it reads; None for no value."""
    end = first + 1
    while end - first < _MOST_VALUE and _goes_on(end - 1, evidence):
        end += 1
    texts = [token.text for _, token in evidence.words[first:end]]
    counts: Iterable[int] = range(1, len(texts) + 1)
    if spec.kind in _NUMBERED:  # a word of letters may begin it, all others have digits
        begun = first and _goes_on(first - 1, evidence)
        word = texts[0]
        prefix = word.isupper() and len(word) <= _PREFIX
        if (begun and _has_digit(evidence.words[first - 1][1].text)) or not (
            _has_digit(word) or prefix
        ):
            return None
        counts = (1 + sum(1 for _ in takewhile(_has_digit, texts[1:])),)
    elif spec.kind is Kind.IBAN:  # the longest first: the last group may be missing in a shorter
        counts = range(len(texts), 0, -1)
    for count in counts:
        said = normalise(" ".join(texts[:count]), spec, evidence.context)
        if said.status == "failed" or not any(map(_has_digit, texts[:count])):
            continue
        if spec.kind is not Kind.DATE or precision_of(str(said.value)) == "day":
            return first + count, said
    return None
