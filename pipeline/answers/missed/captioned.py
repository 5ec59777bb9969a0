"""Values that a caption names: looked for where the tagger finds none that needs no review.

A field of a model may have `captions` in its `fields.toml`: what stands before its value in the
same text, or right above it. They are a second reading of the page, for numbers, dates and
amounts, and need no training: who sees that a model misses what stands behind "Debtor code" adds
that.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from operator import itemgetter

from pipeline.answers.places.beside import (
    goes_on,
    has_digit,
    pages_of,
    text_around,
    text_before,
    text_of_cell,
)
from pipeline.answers.places.columns import NARROW, WIDE
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention, placed
from pipeline.answers.places.ranges import ends_of
from pipeline.answers.rendering import Basis, Offer
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import lenient

_SURE = 0.9  # score of a place that the tagger is sure of
_MOST_VALUE = 9  # words: an IBAN in groups of four
_NUMBERED = (Kind.IDENTIFIER, Kind.TAX_ID)
_PREFIX = 4  # letters of a number's first word: "QRO 15926"
_SIGN = 2  # letters of a currency's sign: "R$ 109,35"
_FIRST = "1"  # what rows of a list are numbered from
NO = "NO"  # in a caption's key: what only says that a number follows
# What only says that a number follows is one word in all languages, also at a word's end.
_NUMBER = frozenset(
    {"NO", "NR", "N", "NUM", "NUMBER", "NUMMER", "NUMERO", "NÚMERO", "NUMÉRO", "NUMER"}
)
_ENDS_IN_NUMBER = re.compile(r"(?P<what>.{2,}?)(?:NUMMER|NUMBER|NUMER|NR)")
_JOINING = frozenset({"DE", "DI", "DU", "D", "DEL", "DA", "DO", "VAN", "OF", "THE", "DES", "L"})
_WORDS = re.compile(r"#|[^\W_]+")
_DOTTED = re.compile(r"(?<=\b[^\W\d_])[./](?=[^\W\d_]\b)")  # "P.O." is "PO"; "O/C" is "OC"
_OUR = re.compile(r"\bN/\s?(?=[^\W\d_])", re.IGNORECASE)  # "N/Réf" is not "No Réf"
_ACCOUNT = re.compile(r"[A-Z]{2}[0-9OIl]{2}")
_AMOUNT = re.compile(r"[.,]\d\d$")


def caption_key(text: str) -> str:
    """Return what two writings of a caption have in common: "Kunden-Nr.:" and "Kundennummer"."""
    plain = _OUR.sub("our ", _DOTTED.sub("", re.sub(r"\.?[°º]", "o", text)))
    words = [lenient(word) or word for word in _WORDS.findall(plain)]
    found = []
    for at, word in enumerate(words):
        if word == "#" or word in _NUMBER:
            found.append(NO)
        elif word not in _JOINING or at == len(words) - 1:  # "your order of" is a date's
            match = _ENDS_IN_NUMBER.fullmatch(word)
            found += [match["what"], NO] if match else [word]
    return " ".join(sorted(found))


def with_captioned(basis: Basis, offers: Mapping[str, list[Offer]]) -> dict[str, list[Offer]]:
    """Return what is offered, what captions name before values that need review.

    What a caption names for one field is not offered for another of its kind, unless it is that
    one's without any doubt; there is doubt where captions name another number for that. An amount
    that another field is given for is another's only where the page says it twice, or where the
    two were mistaken for each other. Where a range begins anew, its end is not before that. A
    number that stands at nothing but `other_captions` of a field is not offered for it.
    """
    told = [
        spec
        for spec in basis.fields
        if (spec.captions or spec.other_captions or spec.kind is Kind.IBAN)
        and not spec.many
        and spec.kind is not Kind.NAME  # `captioned_names`
    ]
    if not told:
        return dict(offers)
    places = Places(basis.evidence)
    named = {spec.name: place for spec in told if (place := places.named(spec)) is not None}
    captions = _Captions(basis, named)
    found = dict(offers)
    for spec in told:
        others = places.at(spec.other_captions) - places.at(spec.captions)
        found[spec.name] = [
            offer
            for offer in found[spec.name]
            if not all(place.start in others for place in offer.value.places)
        ]
        found |= captions.read(spec, found)
    return captions.doubted(found)


@dataclass(frozen=True, slots=True)
class _Captions:
    """What captions say of the fields, held against what is offered for them.

    Attributes:
        basis: of the offers.
        named: by field, the place that captions name, and the caption.
    """

    basis: Basis
    named: Mapping[str, tuple[Mention, str | None]]

    def read(self, spec: FieldSpec, found: Mapping[str, list[Offer]]) -> dict[str, list[Offer]]:
        """Return what changes of what is offered for all fields by what captions name for one."""
        first = found[spec.name][:1]
        given = [offer for offer in first if self.basis.is_given(spec, offer)]
        sure = any(
            not self.basis.needs_a_look(spec, offer) and not self._is_of_another(spec, offer)
            for offer in first
        )
        if sure or spec.name not in self.named:
            return {}
        place, caption = self.named[spec.name]
        if self._is_said_of_another(spec):
            return {}
        if spec.kind is Kind.AMOUNT and self._is_taken(spec, place, found, corrected=bool(given)):
            return {}
        offer = self.basis.offered(spec, place)
        value, reading = offer.value, offer.value.normalised
        start = next(iter(found.get(spec.range_start or "", ())), None)
        if start is not None and not ends_of([value], start.value):
            return {}
        changed = {
            other.name: [one for one in found[other.name] if not self._gives_way(other, one, place)]
            for other in self.basis.fields
            if other is not spec and other.kind is spec.kind in (*_NUMBERED, Kind.AMOUNT)
        }
        if any(one.value.normalised.key == reading.key for one in given) or (
            spec.kind is Kind.TAX_ID and any(map(_is_mistyped, given))
        ):
            return changed
        why = f"it stands at the caption '{caption}'" if caption else "its check digits are right"
        changed[spec.name] = [
            replace(offer, why=f"Chosen because {why}."),
            *(one for one in found[spec.name] if one.value.normalised.key != reading.key),
        ]
        for other in self.basis.fields:
            if other.range_start == spec.name:
                changed[other.name] = [
                    one for one in found[other.name] if ends_of([one.value], value)
                ]
        return changed

    def doubted(self, found: Mapping[str, list[Offer]]) -> dict[str, list[Offer]]:
        """Return all that is offered, what is given for the wrong field by its caption marked."""
        marked = dict(found)
        for spec in self.basis.fields:
            first = found[spec.name][:1]
            if spec.kind is not Kind.AMOUNT and any(self._is_elsewhere(spec, one) for one in first):
                marked[spec.name] = [
                    replace(first[0], doubted=True),
                    *found[spec.name][1:],
                ]
        return marked

    def _is_taken(
        self,
        spec: FieldSpec,
        place: Mention,
        found: Mapping[str, list[Offer]],
        *,
        corrected: bool,
    ) -> bool:
        """Return whether another field is given for a figure that no other place says.

        It is free for a field that is given another figure if captions name it for that alone:
        then those two were mistaken for each other. A value that needs no look stays if captions
        name no place for its own field. What is due and the total are often one.
        """
        return any(
            _is_only_at(offer, place)
            and not (
                corrected
                and self._gives_way(other, offer, place)
                and (other.name in self.named or self.basis.needs_a_look(other, offer))
            )
            for other in self.basis.fields
            if other is not spec
            for offer in found[other.name][:1]
        )

    def _gives_way(self, spec: FieldSpec, offer: Offer, place: Mention) -> bool:
        """Return whether a value is no longer offered where captions name another field's."""
        if spec.kind is Kind.AMOUNT:
            return _is_only_at(offer, place) and self._is_elsewhere(spec, offer)
        return not set(offer.value.best.words).isdisjoint(place.words) and (
            self.basis.needs_a_look(spec, offer) or self._is_of_another(spec, offer)
        )

    def _is_of_another(self, spec: FieldSpec, offer: Offer) -> bool:
        """Return whether a value is another field's by its caption, and captions name its own."""
        numbered = spec.kind in (Kind.IDENTIFIER, Kind.AMOUNT)
        return numbered and spec.name in self.named and self._is_elsewhere(spec, offer)

    def _is_said_of_another(self, spec: FieldSpec) -> bool:
        """Return whether a longer caption says whose number it is: "Vs. P. IVA" the customer's."""
        place, caption = self.named[spec.name]
        return spec.kind in _NUMBERED and any(
            self.named[other.name][0].start == place.start
            and len(self.named[other.name][1] or "") > len(caption or "")
            for other in self.basis.fields
            if other.kind is spec.kind and other.name in self.named
        )

    def _is_elsewhere(self, spec: FieldSpec, offer: Offer) -> bool:
        """Return whether a value stands at the caption of another field, and at none of its own."""
        words = set(offer.value.best.words)
        at = {
            other.name
            for other in self.basis.fields
            if other.kind is spec.kind in (Kind.IDENTIFIER, Kind.DATE, Kind.AMOUNT)
            and other.name in self.named
            and not words.isdisjoint(self.named[other.name][0].words)
        }
        return bool(at) and spec.name not in at


def _is_only_at(offer: Offer, place: Mention) -> bool:
    """Return whether all places that say a value are one."""
    return all(not set(place.words).isdisjoint(one.words) for one in offer.value.places)


def _is_mistyped(offer: Offer) -> bool:
    """Return whether the tagger is sure of a place, and only its check digits are wrong."""
    return offer.value.normalised.status == "failed" and offer.value.best.score >= _SURE


class Places:
    """Where a document may hold a number, a date or an amount, and what is before and above it."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._accounts: list[int] = []
        self._beside: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        self._below: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        self._in_cells: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        self._above: set[int] = set()
        for words in pages_of(evidence):
            for first in words.indices:
                if _ACCOUNT.match(evidence.words[first][1].text):
                    self._accounts.append(first)
                if not _begins_a_value(first, evidence):
                    continue
                for at, text in enumerate(text_before(first, evidence)):
                    key = caption_key(text)
                    if key != NO or not (at or _is_behind_a_colon(first, text, evidence)):
                        self._beside[key].append((first, text))
                above = words.above(first)
                if above is None:
                    continue
                self._above.add(above)
                if text := text_around(above, evidence):
                    self._below[caption_key(text)].append((first, text))
                if text := text_of_cell(first, above, evidence):
                    self._in_cells[caption_key(text)].append((first, text))

    def at(self, captions: tuple[str, ...]) -> set[int]:
        """Return the first words of all that stands at some captions."""
        return {
            first
            for key in caption_keys(captions)
            for places in (self._beside, self._below, self._in_cells)
            for first, _ in places.get(key, ())
        }

    def named(self, spec: FieldSpec) -> tuple[Mention, str | None] | None:
        """Return the place of the one value that captions name for a field, and the caption.

        None where there is none, or several: then captions do not tell. An IBAN needs no caption,
        for its check digits tell. Where "No" alone is a caption too, it is one of what has its
        text to itself, if nothing stands at the others; "Reg. No" and "Paid: No" are not.
        """
        keys = caption_keys(spec.captions)
        found = self._values(spec, keys - {NO})
        if not found and NO in keys:
            found = self._values(spec, {NO}, alone=True)
        return next(iter(found.values())) if len(found) == 1 else None

    def _values(
        self, spec: FieldSpec, keys: Collection[str], *, alone: bool = False
    ) -> dict[str, tuple[Mention, str | None]]:
        """Return the different values at captions: each with its place and its caption.

        Args:
            spec: the field.
            keys: of the captions.
            alone: whether a value has to be all of its text beside a caption too.
        """
        at: list[tuple[int, str | None, bool, float]] = [
            (first, caption, places is not self._beside, wide)
            for key in keys
            for places, wide in (
                (self._beside, WIDE),
                (self._below, WIDE),
                (self._in_cells, NARROW),
            )
            for first, caption in places.get(key, ())
        ]
        if spec.kind is Kind.IBAN:
            at += [(first, None, False, WIDE) for first in self._accounts]
        found: dict[str, tuple[Mention, str | None]] = {}
        taken = 0  # the caption above "LPO 77" stands above its "77" too
        for first, caption, below, wide in sorted(at, key=itemgetter(0, 3)):
            if first < taken:
                continue
            value = _value(first, spec, self._evidence, alone=alone or below, wide=wide)
            if value is not None:
                taken, said = value
                in_column = below and not self._above.isdisjoint(range(first, taken))
                if in_column and (alone or spec.kind is Kind.AMOUNT):
                    continue  # a table's first row, such as that of the first rate of taxes
                if alone and below and said.text.lstrip("0") == _FIRST:
                    continue  # and of a list of one row
                place = placed(spec.name, range(first, taken))
                found.setdefault(said.key, (place, caption))
        return found


@cache
def caption_keys(captions: tuple[str, ...]) -> frozenset[str]:
    """Return the keys of captions."""
    return frozenset(map(caption_key, captions)) - {""}


def _is_behind_a_colon(first: int, caption: str, evidence: Evidence) -> bool:
    """Return whether the caption before a word is said of another one: "Paid: No 77"."""
    at = first - len(caption.split()) - 1
    return at >= 0 and goes_on(at, evidence) and evidence.words[at][1].text.endswith(":")


def _begins_a_value(first: int, evidence: Evidence) -> bool:
    """Return whether a number or a date may begin with a word: it or the next one has a digit."""
    text = evidence.words[first][1].text
    following = goes_on(first, evidence) and has_digit(evidence.words[first + 1][1].text)
    return has_digit(text) or (following and (text.isalpha() or len(text) <= _SIGN))


def _value(
    first: int, spec: FieldSpec, evidence: Evidence, *, alone: bool, wide: float
) -> tuple[int, Normalised] | None:
    """Return where the value that begins with a word ends, and how it reads; None for no value.

    Args:
        first: the word.
        spec: the field.
        evidence: the document as tagged.
        alone: whether a number has to be all of its text: "4711 Main Street" is none.
        wide: least space between two texts, in heights of the line.
    """
    end = first + 1
    while end - first < _MOST_VALUE and goes_on(end - 1, evidence, wide):
        end += 1
    texts = [token.text for _, token in evidence.words[first:end]]
    if spec.kind in _NUMBERED:
        count = _length_of_number(first, texts, evidence, wide)
        if not count or (alone and count < len(texts)) or _is_no_number(texts, count, evidence):
            return None
        counts = [count]
    else:  # of a date the shortest; what is shorter than an IBAN or an amount lacks its last group
        counts = sorted(range(1, len(texts) + 1), reverse=spec.kind is not Kind.DATE)
        if alone and spec.kind is Kind.AMOUNT:
            counts = counts[:1]
    for count in counts:
        text = " ".join(texts[:count])
        said = normalise(text, spec, evidence.context)
        if said.status == "failed" or not has_digit(text) or texts[count : count + 1] == ["%"]:
            continue
        if spec.kind is Kind.AMOUNT and evidence.is_measure(spec, text, first + count - 1):
            continue
        if spec.kind in _NUMBERED or _is_whole(said, text, spec.kind):
            return first + count, said
    return None


def _is_whole(said: Normalised, text: str, kind: Kind) -> bool:
    """Return whether a date with its day, an account or a sum of money is all that a text says."""
    is_day = kind is not Kind.DATE or said.precision == "day"
    is_sum = kind is not Kind.AMOUNT or not text.isdecimal()  # "180" counts pieces
    return is_day and is_sum and lenient(said.text) == lenient(text)


def _length_of_number(first: int, texts: Sequence[str], evidence: Evidence, wide: float) -> int:
    """Return how many words a number takes: those with digits, and one in capitals before them."""
    inside = first and goes_on(first - 1, evidence, wide)
    if inside and has_digit(evidence.words[first - 1][1].text):
        return 0
    prefix = texts[0].isupper() and len(texts[0]) <= _PREFIX
    if not (has_digit(texts[0]) or prefix):
        return 0
    return 1 + sum(1 for _ in takewhile(has_digit, texts[1:]))


def _is_no_number(texts: Sequence[str], count: int, evidence: Evidence) -> bool:
    """Return whether the first words of a text are an amount, an account or a date's, no number."""
    for kind in (Kind.DATE, Kind.IBAN):
        spec = FieldSpec(kind.value, kind)
        for start in (0, 1):  # a word in capitals may stand before a date
            for end in range(start + 1, min(len(texts), _MOST_VALUE) + 1):
                text = " ".join(texts[start:end])
                said = normalise(text, spec, evidence.context)
                if said.status != "failed" and _is_whole(said, text, kind):
                    return True
    return _AMOUNT.search(texts[count - 1]) is not None
