"""Amounts of money in running text, as exact decimals with their currency.

The steps, for each run of digits and separators:

* read the run as a number: which of its separators is the decimal one follows from the run itself
  wherever it can (two kinds of separator, one or two digits after it); only "1.234" and "1,234"
  need to know the document's decimal separator;
* look left and right for a sign, a currency and brackets;
* drop what is no amount: percentages, times, dates, digits glued to letters or slashes.

Every pattern is bounded and every look-around short, so time grows with the text alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from pipeline.values.numbers import (
    LONGEST,
    SEPARATORS,
    decimal_mark,
    grouped_values,
    read_number,
)

# Symbols and codes to ISO 4217; None where several countries share the sign. Left out are codes
# that are common words or names on business documents: ALL, BHD ("SDN BHD"), CUP, PEN, RON
# ("RON 95" is petrol), TOP, TRY.
CURRENCIES: dict[str, str | None] = {
    "$": None, "US$": "USD", "S$": "SGD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD",
    "HK$": "HKD", "NT$": "TWD", "NZ$": "NZD", "R$": "BRL", "MX$": "MXN",
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₫": "VND",
    "฿": "THB", "₱": "PHP", "₪": "ILS", "₦": "NGN", "₴": "UAH",
    "RM": "MYR", "RP": "IDR", "RS": None, "KR": None, "ZŁ": "PLN", "KČ": "CZK", "FR": None,
} | {
    code: code
    for code in (
        "AED", "ARS", "AUD", "BDT", "BND", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EGP", "EUR",
        "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KES", "KRW", "KWD", "LKR", "MXN",
        "MYR", "NGN", "NOK", "NZD", "PHP", "PKR", "PLN", "QAR", "RUB", "SAR", "SEK", "SGD", "THB",
        "TWD", "UAH", "USD", "VND", "ZAR",
    )
}  # fmt: skip

# Where these are money, a point marks the decimals: "$1,940" leaves no choice.
_POINT_SIGNS = frozenset({"$", "US$", "S$", "A$", "HK$", "NZ$", "£", "¥", "₹", "RM", "USD", "MYR"})
_SIGNS = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
# Letters before a code make it part of a word ("FORM 9.00"); a symbol may follow anything.
_BEFORE = re.compile(
    rf"(?P<minus>[-−–])?(?P<sign>(?<![^\W\d_])(?:{_SIGNS})|[$€£¥₹₩₽₺₫฿₱₪₦₴])\.?\s{{0,2}}$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"\s{{0,2}}(?P<sign>{_SIGNS})(?![^\W\d_])(?!\s?[-−–]?\s?[.,]?\d)", re.IGNORECASE
)
# A currency in a caption, "(RM)" or "TOTAL RM", or before a number; a code within other words
# may be anything ("SEK U9" is a section of a town).
_STANDALONE = re.compile(
    rf"(?<![^\W_])(?P<sign>{_SIGNS})"
    r"(?![^\W\d_])(?=\s{0,2}[)\]]|[\s:.=]{0,4}\Z|\.?\s{0,2}[-−(]?\s?[.,]?\d)"
)

_RUN = re.compile(r"(?:(?<![\d.,])[.,](?=\d{1,2}(?![\d.,])))?\d+(?:[.,'’]\d+)*")
_SPACED = re.compile(
    r"\d{1,3}(?:(?P<space>[ \u00a0\u202f\u2009])\d{3}(?!\d)){1,4}(?P<rest>[.,]\d{1,2}(?!\d))?"
)
_GAPPED = re.compile(r"\d{1,7} ?(?P<mark>[.,]) ?\d{2}(?![\d.,])")
_TRAILING_MINUS = re.compile(r"[-−](?!\s?\w)")
_OPENING, _CLOSING = re.compile(r"\(\s?$"), re.compile(r"\s?\)")
_NOTHING_MORE = re.compile(r"\s{0,8}\Z")


@dataclass(frozen=True, slots=True)
class AmountReading:
    """One amount found in a text.

    Attributes:
        start, end: half-open range of characters, with the currency and the brackets of a
            negative amount.
        number_start, number_end: the part of it that is digits, separators and a sign glued to
            them.
        amount: the exact value, with as many decimals as are written.
        currency: ISO 4217 code, or None where none is written or several share the sign ($).
        alternatives: the other value, where a group of three digits could also be decimals.
        signed: True where a currency sign or code stands with the number, shared ones included.
    """

    start: int
    end: int
    number_start: int
    number_end: int
    amount: Decimal
    currency: str | None
    alternatives: tuple[Decimal, ...] = ()
    signed: bool = False


def find_amounts(text: str, *, decimal: str | None) -> list[AmountReading]:
    """Return the amounts of `text`, left to right, none overlapping; whole numbers are included.

    Args:
        text: any text, such as a line of a document.
        decimal: the document's decimal separator, ``"."`` or ``","``. It decides only what the
            number leaves open: 1.234 and 1,234. With None the currency decides ($1,940); else a
            comma before three digits groups thousands and a point marks decimals, and the other
            reading is kept as the alternative.

    Brackets, a leading and a trailing minus mean a negative amount. A plain space groups thousands
    only where the number says so (1 234,50; RM 1 234.50; 1 234 567), since columns stand a space
    apart too; a space beside the separator (8. 20) is read over only after a currency or at the
    end of the text. Percentages, times, dates and digits glued to letters are left out.

    Raises:
        ValueError: `decimal` is neither a point, a comma nor None.
    """
    if decimal not in (".", ",", None):
        raise ValueError(f"decimal is {decimal!r}: expected '.', ',' or None")
    found: list[AmountReading] = []
    position = 0
    while (run := _RUN.search(text, position)) is not None:
        floor = found[-1].end if found else 0
        reading = _reading_at(text, run, decimal, floor)
        if reading is not None:
            found.append(reading)
        position = max(run.end(), reading.end if reading is not None else 0)
    return found


def infer_decimal(texts: Iterable[str]) -> str | None:
    """Return the decimal separator that the numbers of one document show, or None.

    Only numbers that leave no choice count. At least four in five must agree: a point read as a
    comma is a common fault of OCR, and one such fault is no second convention.
    """
    votes: Counter[str] = Counter()
    for text in texts:
        for run in _RUN.finditer(text):
            mark = decimal_mark(run.group())
            if run.group()[0] in SEPARATORS or len(run.group()) > LONGEST:
                continue
            if mark and not _is_part(text, *run.span(), True):
                votes[mark] += 1
    return _winner(votes)


def infer_currency(texts: Iterable[str]) -> str | None:
    """Return the currency that one document names (in amounts or captions such as "(RM)").

    Signs that several currencies share do not count. At least four in five must agree.
    """
    votes: Counter[str] = Counter()
    for text in texts:
        for match in _STANDALONE.finditer(text):
            code = CURRENCIES[match["sign"]]
            if code is not None:
                votes[code] += 1
    return _winner(votes)


def plain(amount: Decimal) -> str:
    """Return the amount in digits, such as ``1234.50``: the decimals as given, no exponent."""
    text = format(amount, "f")
    return text[1:] if text.startswith("-") and not amount else text


def amount_key(amount: Decimal) -> str:
    """Return a text that is equal for equal amounts: 9, 9.0 and 9.00 all give ``9``."""
    text = plain(amount)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _winner(votes: Counter[str]) -> str | None:
    if not votes:
        return None
    winner, count = votes.most_common(1)[0]
    return winner if count * 5 >= votes.total() * 4 else None


def _reading_at(
    text: str, run: re.Match[str], decimal: str | None, floor: int
) -> AmountReading | None:
    """Return the amount whose digits begin with `run`, taking nothing before `floor`."""
    start = run.start()
    glued = start > floor and text[start - 1] in "-−–"
    before = _BEFORE.search(text[max(floor, start - 9) : start - glued])
    if glued and before is None and _joins(text, start - 1):
        glued = False
    if before is None and run.group()[0] in SEPARATORS and text[start - 1 : start].isalnum():
        start += 1  # "NO.53" is no 0.53
    if decimal is None and before is not None and before["sign"].upper() in _POINT_SIGNS:
        decimal = "."
    end, values = _number_from(text, start, run.end(), decimal, currency_before=before is not None)
    if not values or _is_part(text, start, end, values[0].as_tuple().exponent != 0):
        return None
    negative, currency = glued, before["sign"] if before else None
    left, right = start - glued, end
    if before is not None:
        left -= before.end() - before.start("sign")
        if before["minus"] and not _joins(text, left - 1):
            negative, left = True, left - 1
    if not negative and _TRAILING_MINUS.match(text, end):
        negative, right = True, end + 1
    number = (start - glued, right)
    after = _AFTER.match(text, right) if before is None else None
    if after is not None:
        currency, right = after["sign"], after.end()
    bracket = None
    if currency is not None or values[0].as_tuple().exponent != 0:
        bracket = _bracketed(text, left, right, floor)
    if bracket is not None:
        negative, (left, right) = True, bracket
        # "$(76.50)": the sign may stand outside the brackets too.
        outside = _BEFORE.search(text[max(floor, left - 8) : left]) if currency is None else None
        if outside is not None:
            currency, left = outside["sign"], left - (outside.end() - outside.start("sign"))
    if negative:
        values = tuple(value.copy_negate() for value in values)
    code = CURRENCIES[currency.upper()] if currency is not None else None
    return AmountReading(left, right, *number, values[0], code, values[1:], currency is not None)


def _number_from(
    text: str, start: int, end: int, decimal: str | None, *, currency_before: bool
) -> tuple[int, tuple[Decimal, ...]]:
    """Return where the number ends that begins with the run [start, end), and its values."""
    spaced = _SPACED.match(text, start)
    if spaced is not None and text[spaced.end() : spaced.end() + 1] not in SEPARATORS:
        groups = spaced.group().count(spaced["space"])
        comma = (spaced["rest"] or "").startswith(",")
        if spaced["space"] != " " or groups > 1 or comma or currency_before or decimal == ",":
            whole = spaced.group()[: len(spaced.group()) - len(spaced["rest"] or "")]
            return spaced.end(), grouped_values([(whole, (spaced["rest"] or "")[1:])])
    gapped = _GAPPED.match(text, start)
    if (
        gapped is not None
        and gapped.end() > end
        and (currency_before or _NOTHING_MORE.match(text, gapped.end()))
    ):
        joined = gapped.group().replace(" ", "")
        return gapped.end(), read_number(joined, decimal=decimal)
    return end, read_number(text[start:end], decimal=decimal)


def _joins(text: str, index: int) -> bool:
    """Tell whether the dash at `index` joins two words or numbers, and so is no minus."""
    return index > 0 and (text[index - 1].isalnum() or text[index - 1] in "-−–")


def _is_part(text: str, start: int, end: int, has_decimals: bool) -> bool:
    """Tell whether the digits [start, end) belong to something else than an amount."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if re.match(r"\s?[%‰]|:\d|/\d", after) or re.search(r"\d[:/]$|[\d][.,]$", before):
        return True
    if before[-1:] in ("/", "\\", "#", "_") or (after[:1] in ("/", "_") and not has_decimals):
        return True
    if has_decimals:
        # "3X8.00" and "8.00SR" are amounts; "4.5KG" and "V2.6" are not.
        cents = re.search(r"[.,]\s?\d{2}$", text[max(start, end - 4) : end]) is not None
        glued = before[-1:].isalpha() or after[:1].isalpha()
        return glued and not cents and not _currency_beside(text, start, end)
    if re.match(r"[-−–]\w", after) or re.search(r"\w[-−–]$", before):
        return True
    glued = before[-1:].isalpha() or after[:1].isalpha()
    return glued and not _currency_beside(text, start, end)


def _currency_beside(text: str, start: int, end: int) -> bool:
    return bool(_BEFORE.search(text[max(0, start - 8) : start]) or _AFTER.match(text, end))


def _bracketed(text: str, left: int, right: int, floor: int) -> tuple[int, int] | None:
    """Return the range with the round brackets just around [left, right), or None."""
    opening = _OPENING.search(text[max(floor, left - 2) : left])
    closing = _CLOSING.match(text, right)
    if opening is None or closing is None:
        return None
    return left - len(opening.group()), closing.end()
