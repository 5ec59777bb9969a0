"""How a field's labels are written: the marks between its letters and digits, learnt from labels.

A printed address has line ends, spaces before commas and stops where the labels have commas. What
stands between two letters or digits is a gap. A style maps a printed gap to the gap that labels
have in its place; training counts the pairs (`training.surface`), this module applies them.
Gaps without a rule stay as printed, so an empty style changes nothing but white space.
"""

from __future__ import annotations

import re

LINE_END = "\n"
EDGE = "$"  # marks the end of the value, so that trailing marks have rules of their own

Style = dict[str, str]


def gaps(text: str) -> list[str]:
    """Return what stands before, between and after the runs of letters and digits of `text`.

    White space is folded to one space, or to one LINE_END where it holds one.
    """
    found, end = [], 0
    for match in re.finditer(r"[^\W_]+", text):
        found.append(_fold(text[end : match.start()]))
        end = match.end()
    return [*found, _fold(text[end:])]


def restyle(text: str, style: Style) -> str:
    """Return printed text as labels write it.

    Args:
        text: as printed, line ends as LINE_END.
        style: printed gap to written gap; a gap at the end of the value carries EDGE behind it.
    """
    runs = re.findall(r"[^\W_]+", text)
    between = gaps(text)
    if not runs:
        return _written(between[0])
    parts = [_written(between[0]).lstrip()]
    for run, gap in zip(runs[:-1], between[1:-1], strict=True):
        parts += [run, _written(style.get(gap, gap))]
    tail = between[-1]
    parts += [runs[-1], _written(style.get(tail + EDGE, tail)).rstrip()]
    return "".join(parts)


def _written(gap: str) -> str:
    return gap.replace(LINE_END, " ")


def _fold(gap: str) -> str:
    return re.sub(r"\s+", lambda space: LINE_END if LINE_END in space.group() else " ", gap)
