"""Names that a caption tells: looked for where the tagger finds none that is likely to be right.

A field for one name may have `captions` in its `fields.toml`, as numbers, dates and amounts may
(`pipeline.answers.missed.captioned`): "Client:" before an advertiser, or above one. A caption of
several words may also stand within a sentence, in small letters: "governed by the laws of Ontario".
Where it goes on behind the name, an ellipsis is the name's place: "governed by … law".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pipeline.answers.missed.captioned import caption_key, caption_keys
from pipeline.answers.missed.told import GAP, LIKELY, told_first
from pipeline.answers.places.beside import goes_on, has_digit, pages_of, text_around, text_before
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.rendering import Basis, Offer
from pipeline.values.normalise import normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.around_names import is_caption
from pipeline.values.texts.legal_forms import is_legal_form
from pipeline.values.texts.strings import lenient

_MOST_WORDS = 10  # of a name that has its text to itself
_MOST_IN_SENTENCE = 6  # of one within a sentence: where more have capitals, they are a heading
_INSIDE = frozenset({"AND", "OF", "THE", "FOR", "DE"})  # words in small letters that names have
_FULL_STOP = re.compile(r"[^\W\d_]{2,}\.$")
_ENDS_NAME = re.compile(r"[.,;]$")


@dataclass(frozen=True, slots=True)
class _Told:
    """A name that a caption tells.

    Attributes:
        words: the name's.
        caption: as printed, or as the model has it where it stands within a sentence.
        in_sentence: whether it does.
        behind: how many of the words are the caption's: "law" of "German law".
    """

    words: range
    caption: str
    in_sentence: bool
    behind: int = 0


def with_captioned_names(basis: Basis, offers: Mapping[str, list[Offer]]) -> dict[str, list[Offer]]:
    """Return what is offered, the names that captions tell before those that are unlikely.

    A likely name gives way to one within a sentence that it is a part of: "Wales" to "England and
    Wales", though not "Delaware" to "Delaware USA". An unlikely one that goes on beyond the
    caption's text, such as in the line below, is the name that is told. All of them need review.
    """
    captions = frozenset[str]().union(*(caption_keys(spec.captions) for spec in basis.fields))
    found = dict(offers)
    for spec in basis.fields:
        if spec.kind is not Kind.NAME or not spec.captions or spec.many or spec.group:
            continue
        told = _told(spec, captions, basis.evidence)
        if told is None:
            continue
        why = f"Chosen because it stands at the caption '{told.caption}'."
        offered = found[spec.name]
        words = set(told.words[: len(told.words) - told.behind])
        if offered:
            own = set(offered[0].value.best.words)
            after = max(own) + 1
            behind = basis.evidence.words[after][1].text if after in words else ""
            is_part = told.in_sentence and own < words and not behind[:1].isupper()
            if basis.surety(spec, offered[0]) >= LIKELY and not is_part:
                continue
            fuller = next((one for one in offered if words <= set(one.value.best.words)), None)
            if fuller is not None:
                others = (one for one in offered if one is not fuller)
                found[spec.name] = [replace(fuller, why=why, doubted=True), *others]
                continue
        found[spec.name] = told_first(spec, told.words, why, offered, basis)
    return found


def _told(spec: FieldSpec, captions: Collection[str], evidence: Evidence) -> _Told | None:
    """Return the one name that captions tell; None where there is none, or several.

    Of several those count that the tagger has taken words of. What stands beside or below a caption
    is no name where it is a caption itself, of any field: those of a form stand below each other.
    Of names that end at one word the longest caption tells where it begins: that of "the laws of
    the State of Ohio" is "Ohio".
    """
    tagged = {
        index
        for span in evidence.spans
        if span.field == spec.name
        for index in range(span.start, span.end)
    }
    found: dict[str, list[_Told]] = {}
    by_end = {told.words.stop: told for told in _places(spec, evidence)}
    for told in by_end.values():
        text = _text_of(told.words, evidence)
        if is_caption(f"{text.rstrip(':')}:") or caption_key(text) in captions:
            continue
        if (said := normalise(text, spec, evidence.context)).status == "ok" and said.text:
            found.setdefault(said.key, []).append(told)
    if len(found) > 1:
        found = {
            key: places
            for key, places in found.items()
            if any(not tagged.isdisjoint(told.words) for told in places)
        }
    return next(iter(found.values()))[0] if len(found) == 1 else None


def _places(spec: FieldSpec, evidence: Evidence) -> Iterator[_Told]:
    """Yield the texts that stand behind or below a caption of a field, and names in sentences."""
    keys, last_words = caption_keys(spec.captions), _last_words(spec.captions)
    for words in pages_of(evidence):
        start = words.indices[0]
        for first in words.indices:
            before = evidence.words[first - 1][1].text if first > start else ""
            if lenient(before) in last_words or before == ":":
                caption = _sentence_before(first, start, spec.captions, evidence)
                if caption:
                    if (name := _in_sentence(first, evidence)) is not None:
                        behind = _words_of(caption.partition(GAP)[2])
                        whole = range(name.start, name.stop + len(behind))
                        if _printed(whole[len(name) :], evidence) == behind:
                            yield _Told(whole, caption, in_sentence=True, behind=len(behind))
                    continue
                caption = next(
                    (text for text in text_before(first, evidence) if caption_key(text) in keys), ""
                )
                if caption and (text := _whole_text(first, evidence)) is not None:
                    yield _Told(text, caption, in_sentence=False)
                    continue
            if first > start and goes_on(first - 1, evidence):
                continue
            above = words.above(first)
            caption = "" if above is None else text_around(above, evidence)
            if caption_key(caption) in keys and (text := _whole_text(first, evidence)) is not None:
                yield _Told(text, caption, in_sentence=False)


@cache
def _last_words(captions: tuple[str, ...]) -> frozenset[str]:
    """Return the last word before each caption's name, which tells where to look for all of it."""
    before = (_words_of(caption.partition(GAP)[0]) for caption in captions)
    return frozenset(words[-1] for words in before if words)


@cache
def _words_of(caption: str) -> tuple[str, ...]:
    return tuple(filter(None, map(lenient, caption.split())))


def _sentence_before(first: int, start: int, captions: Sequence[str], evidence: Evidence) -> str:
    """Return the caption of several words that a sentence has right before a word, or "".

    It goes on over lines, begins with a small letter and ends no sentence: "signed on behalf of".
    """
    if first > start and _ENDS_NAME.search(evidence.words[first - 1][1].text):
        return ""
    for caption in captions:
        wanted = _words_of(caption.partition(GAP)[0])
        begin = first - len(wanted)
        if (
            len(wanted) > 1
            and begin >= start
            and evidence.words[begin][1].text[:1].islower()
            and _printed(range(begin, first), evidence) == wanted
        ):
            return caption
    return ""


def _printed(words: range, evidence: Evidence) -> tuple[str, ...]:
    """Return words in the form in which captions are compared."""
    return tuple(lenient(token.text) for _, token in evidence.words[words.start : words.stop])


def _text_of(words: range, evidence: Evidence) -> str:
    return " ".join(evidence.words[index][1].text for index in words)


def _whole_text(first: int, evidence: Evidence) -> range | None:
    """Return the words from one to the end of its text; None for what is no name.

    What has a caption in it, or ends in a full stop, is none: no text of names but a sentence.
    """
    end = first + 1
    while end - first <= _MOST_WORDS and goes_on(end - 1, evidence):
        end += 1
    texts = [evidence.words[index][1].text for index in range(first, end)]
    is_name = (
        len(texts) <= _MOST_WORDS
        and any(map(str.isalpha, texts[0]))
        and not has_digit(texts[0])
        and not any(text.endswith(":") for text in texts)
        and (not _FULL_STOP.search(texts[-1]) or is_legal_form(texts[-1]))
    )
    return range(first, end) if is_name else None


def _in_sentence(first: int, evidence: Evidence) -> range | None:
    """Return the words in capitals from one on, with a small one between two: "Bank of Ireland"."""
    words = evidence.words
    page = words[first][0]
    if lenient(words[first][1].text) == "THE":
        first += 1
    end = first
    for index in range(first, min(len(words), first + _MOST_IN_SENTENCE + 2)):
        text = words[index][1].text
        if words[index][0] is not page or text.endswith(":"):
            break
        if text[:1].isupper():
            end = index + 1
        elif index > end or (text != "&" and lenient(text) not in _INSIDE):
            break
        following = words[index + 1][1].text if index + 1 < len(words) else ""
        if _ENDS_NAME.search(text) and not is_legal_form(following):
            break
    return range(first, end) if 0 < end - first <= _MOST_IN_SENTENCE else None
