"""How a field's labels are written: the marks between its letters and digits, learnt from labels.

A printed address has line ends, spaces before commas and stops where the labels have commas. What
stands between two letters or digits is a gap. A style maps a printed gap to the gap that labels
have in its place; training counts the pairs (`autotag.styles`), this module applies them.
Gaps without a rule stay as printed, so an empty style changes nothing but white space.

A style also maps words that labels write otherwise ("&" to "and", "Incorporated" to "Inc."), and
says where labels give the value in place of the printed text (ISO dates, "2 years").
"""

from __future__ import annotations

import re
from typing import Any

from pipeline.values.schema import Kind
from pipeline.values.texts.address_lines import printed_address
from pipeline.values.texts.around_names import lines_of_name
from pipeline.values.texts.folded import fold
from pipeline.values.texts.names import clean_name
from pipeline.values.texts.strings import clean

_BESIDE_WORDS = ",;:"
LINE_END = "\n"
EDGE = "$"  # marks the end of the value, so that trailing marks have rules of their own

WORD = "word "  # before a printed word that has a rule; gaps hold no letters
FORM, BY_VALUE = "form", "value"  # the rule that labels give the value, not the text

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
        style: printed gap to written gap; a gap at the end of the value carries EDGE behind it,
            a word carries WORD before it.
    """
    text = rewrite(text, style)
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


def rewrite(text: str, style: Style) -> str:
    """Return printed text with the words replaced that labels write otherwise."""
    if not any(rule.startswith(WORD) for rule in style):
        return text

    def written(match: re.Match[str]) -> str:
        core = match.group().strip(_BESIDE_WORDS)
        rule = style.get(WORD + core.casefold())
        return match.group() if rule is None else match.group().replace(core, rule)

    return re.sub(r"\S+", written, text)


def core_of_word(word: str) -> str:
    """Return a printed word without the commas and colons beside it, as rules name it."""
    return word.strip(_BESIDE_WORDS).casefold()


def styled_value(value: Any, printed: str, kind: Kind, style: Style) -> Any:
    """Return a value in the words and marks that labels have learnt to write it with.

    Args:
        value: of the printed text; None where it is no value.
        printed: the text, line ends as LINE_END.
        kind: of the field. Only of names, texts and addresses the value is a text of its own.
        style: of the field.
    """
    if value is None or not style or kind not in _CLEANED:
        return value
    if kind is Kind.NAME:  # its captions and addresses are told by the ends of their lines
        printed = LINE_END.join(lines_of_name(printed))
    written = _CLEANED[kind](fold(restyle(printed, style)).text)
    if not written:
        return value
    return {**value, "formatted": written} if kind is Kind.ADDRESS else written


def as_labelled(text: str, value: Any, kind: Kind, style: Style) -> str:
    """Return an answer as the labels write it, to be compared with them.

    Args:
        text: of the answer, as printed.
        value: of the answer, as `styled_value` gives it.
        kind: of the field.
        style: of the field.
    """
    if value is None:
        return text
    if kind in (Kind.DATE, Kind.DURATION) and style.get(FORM) == BY_VALUE:
        return written_value(value, kind)
    if kind in _CLEANED:
        return str(value["formatted"] if kind is Kind.ADDRESS else value)
    return text


def written_value(value: Any, kind: Kind) -> str:
    """Return a date or a duration as labels that give values write it: 2018-12-25, 2 years."""
    if kind is not Kind.DURATION:
        return str(value)
    return f"{value['value']} {value['unit']}{'' if value['value'] == '1' else 's'}"


_CLEANED = {Kind.NAME: clean_name, Kind.TEXT: clean, Kind.ADDRESS: printed_address}


def _written(gap: str) -> str:
    return gap.replace(LINE_END, " ")


def _fold(gap: str) -> str:
    return re.sub(r"\s+", lambda space: LINE_END if LINE_END in space.group() else " ", gap)
