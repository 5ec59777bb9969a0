"""Learns how labels write a field, from pairs of printed text and label."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from pipeline.postprocess.strings import lenient
from pipeline.postprocess.surface import EDGE, Style, gaps

_LEAST_WITNESSES = 3  # distinct labels; one shop's habit is not the labels' style
_LEAST_SHARE = 0.6


def learn_style(pairs: Iterable[tuple[str, str]]) -> Style:
    """Return the gaps that labels write otherwise than they are printed.

    Only pairs whose letters and digits agree tell anything; each distinct label has one vote a
    gap, so that a shop with forty receipts does not decide alone.

    Args:
        pairs: printed text (line ends kept) and label.
    """
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    witnesses: defaultdict[str, set[str]] = defaultdict(set)
    for printed, label in dict.fromkeys(pairs):
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
    style: Style = {}
    for gap, counts in votes.items():
        written, count = counts.most_common(1)[0]
        as_printed = gap.removesuffix(EDGE).replace("\n", " ")
        enough = len(witnesses[gap]) >= _LEAST_WITNESSES
        if enough and written != as_printed and count >= _LEAST_SHARE * counts.total():
            style[gap] = written
    return style
