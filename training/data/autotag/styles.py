"""Learns how labels write a field, from pairs of printed text and label."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.strings import fold_space, lenient
from pipeline.values.texts.surface import (
    BY_VALUE,
    EDGE,
    FORM,
    WORD,
    Style,
    core_of_word,
    gaps,
    rewrite,
    written_value,
)

_LEAST_WITNESSES = 3  # distinct labels; one shop's habit is not the labels' style
_LEAST_SHARE = 0.6
_MOST_CHANGED = 2  # words of one label; more of them are another text
_DIGIT = re.compile(r"\d")


def learn_style(pairs: Iterable[tuple[str, str]]) -> Style:
    """Return the gaps and words that labels write otherwise than they are printed.

    Gaps are learnt from pairs whose letters and digits agree; each distinct label votes once for a
    gap, so that a shop with forty receipts does not decide alone.

    Args:
        pairs: printed text (line ends kept) and label.
    """
    distinct = list(dict.fromkeys(pairs))
    words = _learn_words(distinct)
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    witnesses: defaultdict[str, set[str]] = defaultdict(set)
    for as_printed, label in distinct:
        printed = rewrite(as_printed, words)
        if lenient(printed) != lenient(label):
            continue
        ours, theirs = gaps(printed), gaps(label)
        if len(ours) != len(theirs):
            continue  # a word was split or joined: the gaps do not pair up
        for place in range(1, len(ours)):
            last = place == len(ours) - 1
            gap = ours[place] + (EDGE if last else "")
            votes[gap][theirs[place]] += 1
            witnesses[gap].add(lenient(label))
    style = dict(words)
    for gap, counts in votes.items():
        written, count = counts.most_common(1)[0]
        unchanged = gap.removesuffix(EDGE).replace("\n", " ")
        enough = len(witnesses[gap]) >= _LEAST_WITNESSES
        if enough and written != unchanged and count >= _LEAST_SHARE * counts.total():
            style[gap] = written
    return style


def _learn_words(pairs: Sequence[tuple[str, str]]) -> Style:
    """Return the rules of words, from pairs that differ in a few words and no more."""
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for printed, label in pairs:
        ours, theirs = printed.split(), label.split()
        if len(ours) != len(theirs) or lenient(printed) == lenient(label):
            continue  # marks alone differ: that is for gaps
        changed = [lenient(a) != lenient(b) for a, b in zip(ours, theirs, strict=True)]
        if sum(changed) > min(_MOST_CHANGED, len(ours) - 1):
            continue
        for our, their, other in zip(ours, theirs, changed, strict=True):
            # A word as printed is one vote for no rule, however its letters are cased.
            votes[core_of_word(our)][their.strip(",;:") if other else ""] += 1
    style: Style = {}
    for word, counts in votes.items():
        written, count = counts.most_common(1)[0]
        enough = count >= max(_LEAST_WITNESSES, _LEAST_SHARE * counts.total())
        # Digits are read or misread ("1 l" as "1 1"), never another way of writing.
        if word and written and enough and not _DIGIT.search(word + written):
            style[WORD + word] = written
    return style


def learn_form(
    pairs: Iterable[tuple[str, str]], spec: FieldSpec, context: DocumentContext
) -> Style:
    """Return the rule that labels give a field's value in place of its text, where they do.

    Args:
        pairs: printed text and label.
        spec: a field of dates or durations.
        context: of the documents, for both sides.
    """
    votes: Counter[str] = Counter()
    for printed, label in dict.fromkeys(pairs):
        folded, typed = fold_space(printed), fold_space(label)
        if lenient(folded) == lenient(typed):
            votes["as printed"] += 1
            continue
        read = normalise(typed, spec, context)
        if read.status != "failed" and written_value(read.value, spec.kind) == typed:
            votes[BY_VALUE] += 1
    enough = max(_LEAST_WITNESSES, _LEAST_SHARE * votes.total())
    return {FORM: BY_VALUE} if votes[BY_VALUE] >= enough else {}
