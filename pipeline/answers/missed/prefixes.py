"""Capitals before numbers: what stands between a caption and a number that lacks it is its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from models.labels import Span
from pipeline.answers.missed.captioned import NO, caption_key, caption_keys
from pipeline.answers.places.beside import (
    WordsOfPage,
    goes_on,
    has_digit,
    pages_of,
    text_around,
    text_before,
)
from pipeline.answers.places.evidence import Evidence
from pipeline.values.schema import FieldSpec, Kind

_LONGEST = 4  # letters: "QRO 15926"


def with_prefixes(evidence: Evidence, fields: Sequence[FieldSpec]) -> Evidence:
    """Return the evidence, numbers with the capitals between them and their captions.

    Where the tagger begins "Invoice no: FT 2026A/1183" with the second word, the first is of the
    number too, for it stands at a caption of the field. Where that does not say "no", it may go on
    with the word; "PO" in "Your PO 4711" does, and in "ORDER DTD 4711" all words are capitals. A
    word that is added is scored as the number is.
    """
    keys = {
        spec.name: _with_short(caption_keys(spec.captions))
        for spec in fields
        if spec.kind is Kind.IDENTIFIER and spec.captions
    }
    of_captions = _words(tuple(caption for spec in fields for caption in spec.captions))
    tagged = evidence.tagged()
    behind = [
        span
        for span in evidence.spans
        if span.field in keys and _is_behind_capitals(span, of_captions, tagged, evidence)
    ]
    if not behind:
        return evidence
    pages = {evidence.words[page.indices[0]][0].number: page for page in pages_of(evidence)}
    lacking = {
        span.start
        for span in behind
        if _is_at_a_caption(
            span.start - 1,
            keys[span.field],
            pages[evidence.words[span.start][0].number],
            evidence,
        )
    }
    return replace(
        evidence,
        spans=[
            Span(span.field, span.start - 1, span.end, (span.score,) * (span.end - span.start + 1))
            if span.start in lacking
            else span
            for span in evidence.spans
        ],
    )


@cache
def _with_short(keys: frozenset[str]) -> frozenset[str]:
    """Return the keys of captions, with "no" and without."""
    short = {" ".join(word for word in key.split() if word != NO) for key in keys}
    return (keys | short) - {""}


@cache
def _words(captions: tuple[str, ...]) -> frozenset[str]:
    """Return the words of captions; a letter alone may be a number's as well."""
    return frozenset(word for one in captions for word in caption_key(one).split() if word[1:])


def _is_behind_capitals(
    span: Span, of_captions: frozenset[str], tagged: Collection[int], evidence: Evidence
) -> bool:
    """Return whether a number stands behind untagged capitals that no caption has."""
    first = span.start - 1
    if first < 0 or first in tagged or not goes_on(first, evidence):
        return False
    word = evidence.words[first][1].text
    in_capitals = word.isalpha() and word.isupper() and len(word) <= _LONGEST
    return (
        in_capitals
        and has_digit(evidence.words[span.start][1].text)
        and of_captions.isdisjoint(caption_key(word).split())
    )


def _is_at_a_caption(
    first: int, keys: Collection[str], page: WordsOfPage, evidence: Evidence
) -> bool:
    """Return whether capitals stand at a caption of a number and are none of its words."""
    word = evidence.words[first][1].text
    above = page.above(first)
    texts = [*text_before(first, evidence), "" if above is None else text_around(above, evidence)]
    return any(
        key in keys
        and caption_key(f"{text} {word}") not in keys
        and (NO in key.split() or not text.isupper())
        for text, key in zip(texts, map(caption_key, texts), strict=True)
    )
