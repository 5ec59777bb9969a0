"""Percentages: the number in front of the sign as an exact decimal, ``"8.25"``."""

from __future__ import annotations

import re
from decimal import Decimal

from pipeline.values.context import DocumentContext
from pipeline.values.figures.amounts import amount_key, plain
from pipeline.values.figures.currencies import SIGN, SYMBOLS
from pipeline.values.figures.words import cjk_number, number_in_words
from pipeline.values.kinds.number import Found, Reading, find_numbers, outcome, reading_of
from pipeline.values.normalised import Normalised, failed, first_of
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded, without_gaps
from pipeline.values.times.durations import HALF_BEHIND

_SIGN = re.compile(
    r"[%٪‰]|(?<![^\W\d_])(?:per\s?cent|pct|prozent|pour\s?cent|por\s?ciento|por\s?cento|per\s?cento"
    r"|percento|procento?|проц\w{0,8}|v\.?\s?h\.?|peratus|persen)(?![^\W_])\.?",
    re.IGNORECASE,
)
_PER_MILLE = "‰"
_BASIS_POINTS = re.compile(
    r"(?<=\d)\s?(?:bps?|basis\s?points?|basispunkte?n?)(?![^\W_])", re.IGNORECASE
)
_IN_HUNDRED = re.compile(
    r"百分之(?P<number>\d{1,3}(?:\.\d{1,4})?|[〇零一二三四五六七八九十百两]{1,5})"
)
_TENTHS = re.compile(  # 2割5分: two tenths and five hundredths
    r"(?P<tenths>\d{1,2}|[一二三四五六七八九])割(?:(?P<hundredths>\d|[一二三四五六七八九])分)?"
)
_MONEY = re.compile(
    rf"(?<![^\W_])(?:{SIGN})\s?[-−]?\d|\d\s?(?:{SIGN})(?![^\W_])|[{SYMBOLS}]\s?\d|\d\s?[{SYMBOLS}]"
)
_IN_WORDS = re.compile(r"\s?\([^\d()]{2,40}\)")
_TORN = re.compile(r"(?<![\d.,])(?P<whole>\d{1,2})\. (?P<decimals>\d{1,2})\s?%")  # 3. 4%
_SUM = "The percentages can be parts of one."
_NONE = "No percentage was found in the text."


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the percentage of a text; ambiguous where no sign says that 0.19 is not 19."""
    source = without_gaps(source)
    if (points := _BASIS_POINTS.search(source.numeric)) is not None:
        found = find_numbers(source.numeric[: points.start()], None)[-1:]
        hundredths = [(s, points.end(), tuple(v / 100 for v in values)) for s, _, values in found]
        return outcome(source, hundredths, None) if found else failed(source, _NONE)
    if (told := _without_a_sign(source.numeric)) is not None:
        return outcome(source, [told], None)
    if _SIGN.search(source.numeric) is None and _MONEY.search(source.numeric) is not None:
        return failed(source, "The number is an amount of money.")
    if (torn := _TORN.search(source.numeric)) is not None:
        either = "{whole}.{decimals}".format(**torn.groupdict()), str(int(torn["decimals"]))
        return first_of(source.cut(*torn.span()), either, "The number can be two.")
    if (read_so := reading_of(source.numeric, _percentages)) is not None:
        return _with_sign(source, read_so)
    sign = _SIGN.search(source.text)
    if sign is None:
        return failed(source, _NONE)
    words = source.text[: sign.start()].strip()
    bare = HALF_BEHIND.sub("", words)
    half = Decimal("0.5") if bare != words else Decimal(0)
    if (number := number_in_words(bare)) is not None:
        return outcome(source, [(0, sign.end(), (number + half,))], None)
    return failed(source, _NONE)


def _without_a_sign(text: str) -> Found | None:
    """Return a percentage that Chinese or Japanese words tell: 百分之五, 2割引."""
    if (match := _IN_HUNDRED.search(text)) is not None:
        spelled = cjk_number(match["number"])
        return (*match.span(), (Decimal(match["number"] if spelled is None else spelled),))
    if (match := _TENTHS.search(text)) is not None:
        tenths, hundredths = (
            int(part) if part.isdecimal() else cjk_number(part) or 0
            for part in (match["tenths"], match["hundredths"] or "0")
        )
        return (*match.span(), (Decimal(tenths * 10 + hundredths),))
    return None


def _percentages(text: str) -> list[Found]:
    """Return the numbers of a text that its sign stands beside, or all where there is no sign."""
    # Nobody writes thousands of percents: a point or a comma marks decimals.
    found = [
        (start, end, tuple(sorted(values, key=abs))[:1])
        for start, end, values in find_numbers(text, None)
    ]
    signs = list(_SIGN.finditer(text))
    if not signs:
        return found
    beside = [one for one in found if any(_stands_beside(text, one[:2], sign) for sign in signs)]
    found = [one for one in found if one in beside or (beside and _is_range(text, one))]
    if signs[0].group() == _PER_MILLE:
        return [(start, end, tuple(v / 10 for v in values)) for start, end, values in found]
    return found


def _with_sign(source: Folded, read_so: Reading) -> Normalised:
    text, found, note, doubt = read_so
    sign = _SIGN.search(text)
    start, end, values = found[0]
    if sign is None and 0 < abs(values[0]) < 1:
        shares = plain(values[0]), amount_key(values[0] * 100)
        why = "The text has no percent sign: the number can be a share."
        return first_of(source.cut(start, end), shares, why, key=amount_key(values[0]))
    if len(found) > 1 and all(one[2] == values for one in found) and "+" in text:
        doubt = _SUM  # CGST 9% + SGST 9%
    if sign is not None:
        found[0] = (min(start, sign.start()), max(end, sign.end()), values)
    else:
        note = note or "The text has no percent sign."
    return outcome(source, found, note, doubt)


def _stands_beside(text: str, span: tuple[int, int], sign: re.Match[str]) -> bool:
    between = (
        text[span[1] : sign.start()] if span[1] <= sign.start() else text[sign.end() : span[0]]
    )
    between = _IN_WORDS.sub("", between)  # 20 (twenty) %
    return len(between) <= 3 and not any(map(str.isalnum, between))


def _is_range(text: str, one: Found) -> bool:
    """Tell whether a number begins a range: the 5 of "5-10 %"."""
    return re.match(r"\s?(?:-|–|to|bis|à)\s?\d", text[one[1] : one[1] + 8]) is not None
