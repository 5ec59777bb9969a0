"""Numbers such as quantities: an exact decimal in digits, ``"12.5"``; units are left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from pipeline.values.context import DocumentContext
from pipeline.values.figures.amounts import amount_key, plain
from pipeline.values.figures.misread import (
    FIRST,
    IN_NUMBER,
    MISREAD,
    WITHIN,
    readings_of,
    with_digits,
)
from pipeline.values.figures.numbers import OPEN, grouped_values, read_number, times
from pipeline.values.figures.words import cjk_number, number_in_words
from pipeline.values.normalised import Normalised, failed, first_of
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded, without_gaps
from pipeline.values.texts.strings import as_matched
from pipeline.values.wordlists import either

Found = tuple[int, int, tuple[Decimal, ...]]
"""Start, end and possible values of a number."""

_FRACTION = re.compile(
    r"(?<![\d.,/])(?:(?P<whole>\d{1,6})[\s-])?(?P<top>\d{1,3})/(?P<bottom>\d{1,3})(?![\d/])"
)
_SPACED = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3}){1,4}(?:[.,]\d{1,6})?(?![\d.,]|\s\d)")
_RUN = re.compile(r"(?<![\d.,])[.,]?\d+(?:[.,'’]\d+)*")
_MINUS = re.compile(r"(?:^|(?<!\d)[\s(])[-−–]\s?$|\bminus\s$", re.IGNORECASE)
_TRAILING_MINUS = re.compile(r"[-−]\s*$")  # glued, and nothing behind it: 12- in a credit note
_MOST_MINUS = 6  # characters
_MOST_NUMBERS = 50  # a text of more is no value, and would take long to read
_SCALES = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "mio": 10**6, "million": 10**6,
           "millions": 10**6, "bn": 10**9, "billion": 10**9, "lakh": 10**5, "crore": 10**7,
           "dozen": 12, "dozens": 12}  # fmt: skip
# A lone letter can be a unit, such as metres: then the number is in doubt.
_SCALE = re.compile(rf"\s?(?P<scale>{either(_SCALES)})\.?(?![^\W_])", re.IGNORECASE)
_LETTER = "The letter behind the number can be a scale or a unit."
_EXPONENT = re.compile(r"\d[eE][-+]?\d|\d\^\d|(?<=[\d)])\s?[²³¹⁰-⁹]")  # no power of m²
_SQUARE = re.compile(r"(?<=[\d ])(?P<unit>[kcdm]?m)(?P<power>[23])(?![^\W_])")  # 5 m2
_SCIENTIFIC = re.compile(r"(?P<digits>[-+]?\d{1,3}(?:[.,]\d{1,12})?)E(?P<power>[-+]\d{1,2})")
# Captions and units of languages that write decimals behind a comma.
_OF_COMMAS = re.compile(
    r"(?<![^\W_])(?:menge|anzahl|stück|stk|stck|gewicht|länge|fläche|quantité|qté|poids|nombre|pièces"
    r"|cantidad|unidades|uds|peso|quantità|q\.?tà|pezzi|pz|hoeveelheid|aantal|stuks|quantidade|qtd"
    r"|unid|ilość|szt|sztuk|množství|ks|antal|määrä|kpl)(?![^\W_])",
    re.IGNORECASE,
)
_COUNTER = re.compile(r"[個个台本枚箱冊点名件袋包瓶只套张張개대매권명]$")
_DATE_OR_TIME = re.compile(r"\d{1,4}([/.-])\d{1,2}\1\d{1,4}|\d:\d\d")


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the number of a text; ambiguous where a separator is, or the text holds several."""
    source = without_gaps(source)
    if (power := _SCIENTIFIC.fullmatch(source.numeric)) is not None:
        scaled = Decimal(power["digits"].replace(",", ".")).scaleb(int(power["power"]))
        return outcome(source, [(*power.span(), (scaled,))], None)
    read_so = reading_of(source.numeric, partial(find_numbers, decimal=context.decimal))
    if read_so is not None:
        return outcome(source, _likely_first(source, read_so), read_so.note, read_so.doubt)
    numerals = _COUNTER.sub("", source.text)
    if len(source.text) > 1 and (number := cjk_number(numerals)) is not None:
        return outcome(source, [(0, len(numerals), (Decimal(number),))], None)
    if (number := number_in_words(source.text.strip(" .()"))) is not None:
        return outcome(source, [(0, len(source.text), (Decimal(number),))], None)
    return failed(source, "No number was found in the text.")


def _likely_first(source: Folded, read_so: Reading) -> list[Found]:
    """Return the numbers found, decimals behind commas first where words of such languages are."""
    if _OF_COMMAS.search(source.text) is None:
        return read_so.found
    commas = {start: values[0] for start, _, values in find_numbers(read_so.text, ",")}
    return [
        (start, end, tuple(sorted(values, key=lambda value: value != commas.get(start))))
        for start, end, values in read_so.found
    ]


class Reading(NamedTuple):
    """How the numbers of a text were found.

    Attributes:
        text: that they are in, letters that were read as digits among them.
        found: at least one number.
        note: what was read as a digit, if anything.
        doubt: what may be a digit, if anything.
    """

    text: str
    found: list[Found]
    note: str | None
    doubt: str | None


def reading_of(numeric: str, find: Callable[[str], list[Found]]) -> Reading | None:
    """Return how the numbers of a text are read, letters for digits among them; None without any.

    Args:
        numeric: the text.
        find: the numbers of a text.
    """
    for text, note in readings_of(numeric):
        found, doubt = find(text), None
        if found and note is None and (first := with_digits(FIRST, text)) is not None:
            found = [*find(first), *found]
        misread = find(with_digits(IN_NUMBER, text) or "")
        if misread and [values for *_, values in misread] != [values for *_, values in found]:
            doubt = MISREAD
            # They come first where such a letter stands between digits: "4S4" is no 4.
            is_first = with_digits(WITHIN, text) is not None or not found
            found = [*misread, *found] if is_first else [*found, *misread]
        if found:
            return Reading(text, found, note, doubt)
    return None


def outcome(
    source: Folded, found: list[Found], note: str | None, doubt: str | None = None
) -> Normalised:
    """Return the first of some numbers as a value, the others as its alternatives.

    Args:
        source: that was read.
        found: start, end and possible values of each number.
        note: how it was read.
        doubt: why it is ambiguous though there may be no other number.
    """
    start, end, values = found[0]
    others = dict.fromkeys(
        plain(value) for reading in found for value in reading[2] if value != values[0]
    )
    printed = source.cut(start, end)
    if len(values) > 1:
        doubt = _LETTER if printed[-1:].isalpha() else OPEN
    several, key = "The text holds more than one number.", amount_key(values[0])
    return first_of(printed, [plain(values[0]), *others], several, note=note, doubt=doubt, key=key)


def find_numbers(text: str, decimal: str | None) -> list[Found]:
    """Return start, end and possible values of each number of a text, left to right.

    Empty where a power or an exponent is written (5² is no 52, and 1e9 no quantity), and where
    there are more than any value has.
    """
    text = _SQUARE.sub(lambda unit: unit["unit"] + " ²³"[int(unit["power"]) - 1], text)
    if _EXPONENT.search(text) or _DATE_OR_TIME.search(text):
        return []
    found: list[Found] = []
    position = 0
    while position < len(text):
        matches = (pattern.search(text, position) for pattern in (_FRACTION, _SPACED, _RUN))
        ordered = [match for match in matches if match is not None]
        if not ordered:
            break
        match = min(ordered, key=lambda match: (match.start(), -match.end()))
        values = _values(match, decimal)
        start = match.start()
        if (minus := _MINUS.search(text, max(0, start - _MOST_MINUS), start)) is not None:
            values = tuple(-value for value in values)
            start = minus.end() - len(minus.group().lstrip(" ("))
        elif _TRAILING_MINUS.match(text, match.end()) is not None:
            values = tuple(-value for value in values)
        end = match.end()
        if (scale := _SCALE.match(text, end)) is not None:
            factor = _SCALES[as_matched(scale["scale"])]
            scaled = tuple(times(value, factor) for value in values)
            values = scaled if len(scale["scale"]) > 1 else (*scaled, *values)
            end = scale.end()
        if values:
            found.append((start, end, values))
        if len(found) > _MOST_NUMBERS:
            return []
        position = end
    return found


def _values(match: re.Match[str], decimal: str | None) -> tuple[Decimal, ...]:
    if match.re is _FRACTION:
        top, bottom = int(match["top"]), int(match["bottom"])
        if not 0 < top < bottom:
            return ()
        value = Decimal(match["whole"] or 0) + Decimal(top) / Decimal(bottom)
        return (value,) if value == round(value, 6) else ()
    if match.re is _SPACED:
        whole, _, rest = match.group().replace(",", ".").partition(".")
        return grouped_values([(whole, rest)])
    return read_number(match.group(), decimal=decimal)
