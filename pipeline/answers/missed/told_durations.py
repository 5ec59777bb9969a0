"""Durations that a sentence tells: "This Agreement shall remain in effect for three years".

The `captions` of a duration may have gaps, written as an ellipsis. What they name stands behind
them in a sentence, up to a few words further on: "Agreement … in effect".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from pipeline.answers.missed.told import GAP, LIKELY, told_first
from pipeline.answers.places.beside import pages_of
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.rendering import Basis, Offer
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import lenient
from pipeline.values.times.durations import find_durations

_MOST_BETWEEN = 14  # words between two parts of a caption, and between it and the value
_MOST_VALUE = 8  # words: "one hundred and eighty (180) days"
_NOTICE, _MOST_TO_NOTICE = "NOTICE", 3  # words: "30 days prior written notice"
_APOSTROPHES = "'’"
_FULL_STOP = re.compile(r"[^\W\d_]{2,}[)”\"]?\.[”\"]?$")


def with_told_durations(basis: Basis, offers: Mapping[str, list[Offer]]) -> dict[str, list[Offer]]:
    """Return what is offered, durations that sentences tell before those that are unlikely.

    A document that tells several for a field tells none. All of them need review.
    """
    found = dict(offers)
    for spec in basis.fields:
        if spec.kind is not Kind.DURATION or spec.many or spec.group:
            continue
        offered = found[spec.name]
        if offered and basis.surety(spec, offered[0]) >= LIKELY:
            continue
        told = {key: (words, said) for key, words, said in _told(spec, basis.evidence)}
        if len(told) == 1:
            words, said = next(iter(told.values()))
            why = f"Chosen because of the words '{said}'."
            found[spec.name] = told_first(spec, words, why, offered, basis)
    return found


def _told(spec: FieldSpec, evidence: Evidence) -> Iterator[tuple[str, range, str]]:
    """Yield the durations that sentences tell: key, words, and what tells them."""
    captions = _parted(spec.captions)
    if not captions:
        return
    for words in pages_of(evidence):
        texts = [evidence.words[index][1].text for index in words.indices]
        said = [lenient(text) for text in texts]
        ends = _ends_of_sentences(texts)
        places = defaultdict[str, list[int]](list)
        for place, word in enumerate(said):
            places[word].append(place)
        for parts in captions:
            for start in places.get(parts[0][0], ()):
                behind = _behind(parts, start, ends[start], said)
                value = _first_duration(texts[behind.start : behind.stop])
                if value is not None:
                    end = behind.start
                    key, first, last = value
                    at = words.indices[0] + end
                    yield key, range(at + first, at + last), " ".join(texts[start:end])


@cache
def _parted(captions: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the parts of the captions that have gaps, each as words without case."""
    with_gaps = (
        tuple(tuple(map(lenient, part.split())) for part in caption.split(GAP) if part.strip())
        for caption in captions
        if GAP in caption
    )
    return tuple(parts for parts in with_gaps if parts)


def _behind(parts: Sequence[Sequence[str]], start: int, stop: int, said: Sequence[str]) -> range:
    """Return the places behind a caption that begins with a word, to the end of its sentence.

    Args:
        parts: of the caption, between its gaps.
        start: place of the word.
        stop: place behind the sentence.
        said: a page's words without case and marks.
    """
    first, *others = parts
    if tuple(said[start : start + len(first)]) != tuple(first):
        return range(0)
    at = start + len(first)
    for part in others:
        places = range(at, min(stop, at + _MOST_BETWEEN) + 1)
        found = (one for one in places if tuple(said[one : one + len(part)]) == tuple(part))
        at = next(found, len(said)) + len(part)
    return range(at, min(stop, at + _MOST_BETWEEN + _MOST_VALUE))


def _ends_of_sentences(texts: Sequence[str]) -> list[int]:
    """Return for each of a page's words the place behind the last word of its sentence."""
    ends = [len(texts)] * len(texts)
    for at in range(len(texts) - 2, -1, -1):
        is_last = _FULL_STOP.search(texts[at]) and not texts[at + 1][:1].islower()
        ends[at] = at + 1 if is_last else ends[at + 1]
    return ends


def _first_duration(texts: Sequence[str]) -> tuple[str, int, int] | None:
    """Return the first duration of some words that begins soon: key, first word, and behind it.

    One that is something else's, such as a notice's, is passed over.
    """
    places = [0]
    for text in texts:
        places.append(places[-1] + len(text) + 1)
    for one in find_durations(" ".join(texts)):
        first = sum(1 for place in places[1:] if place <= one.start)
        last = sum(1 for place in places if place < one.end)
        if first <= _MOST_BETWEEN and not _is_of_something_else(texts, last):
            return one.key, first, last
    return None


def _is_of_something_else(texts: Sequence[str], end: int) -> bool:
    """Return whether a duration up to a word is another's: "two years' pay", "30 days notice"."""
    last = texts[end - 1][-1]
    following = map(lenient, texts[end : end + _MOST_TO_NOTICE])
    return last in _APOSTROPHES or (last not in ",;" and _NOTICE in following)
