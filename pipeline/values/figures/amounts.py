"""Amounts of money in running text, as exact decimals with the currencies that they can be of.

The steps, for each run of digits and separators:

* read the run as a number: which of its separators is the decimal one follows from the run itself
  wherever it can (two kinds of separator, one or two digits after it); only "1.234" and "1,234"
  need to know the document's decimal separator or the currency's habit;
* look left and right for a sign, a currency, brackets, a scale ("1.2 million") and a dash that
  stands for no cents ("12,-", "500/-");
* drop what is no amount: percentages, times, dates, digits glued to letters or slashes.

Every pattern is bounded and every look-around short, so time grows with the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from pipeline.values.figures.currencies import (
    NAME,
    SIGN,
    SIGN_OR_NAME,
    SYMBOLS,
    WORD_CODE,
    currencies_of,
    decimals_of,
    is_in_thousands,
    usual_mark,
)
from pipeline.values.figures.numbers import (
    LONGEST,
    SEPARATORS,
    decimal_mark,
    grouped_values,
    read_number,
    times,
    winner_of,
)
from pipeline.values.patterns import lazy_pattern
from pipeline.values.wordlists import either

# These patterns are matched against the text in upper case, see `upper_of`.
# Letters before a code make it part of a word ("FORM 9.00"); a symbol may follow anything.
_BEFORE, _BEFORE_WHOLE = (
    lazy_pattern(
        rf"(?P<minus>[-−–+])?\s?(?P<sign>(?<![^\W\d_])(?:{signs})|[{SYMBOLS}])\.?\s{{0,2}}\*{{0,9}}$"
    )
    for signs in (SIGN, f"{SIGN}|{WORD_CODE}")
)
# "1,884.00 KGS" is a weight.
_AFTER, _AFTER_WHOLE = (
    lazy_pattern(
        rf"\s{{0,2}}(?P<open>\()?(?!KGS)(?P<sign>{signs})(?(open)\)|(?![^\W\d_]))"
        # that of the next number, where one follows that is no percentage and has none behind it
        rf"(?!(?P<dash>\s?[-−–])?\s?[.,]?\d(?![\d.,]{{0,6}}\s?%)"
        rf"(?(dash)|(?![\d.,]{{0,12}}\s?(?:{signs})(?![^\W\d_]))))"
    )
    for signs in (SIGN_OR_NAME, f"(?:{SIGN_OR_NAME}|{WORD_CODE})")
)
_MINUS = "-−–+"
_WINDOW = 18  # characters before a number in which its currency is looked for

_RUN = lazy_pattern(r"(?:(?<![\d.,])[.,](?=\d{1,2}(?![\d.,])))?\d+(?:[.,'’]\d+)*")
_SPACED = lazy_pattern(
    r"\d{1,3}(?:(?P<space>[ \u00a0\u202f\u2009])\d{3}(?!\d)){1,4}(?P<rest>[.,]\d{1,6}(?!\d))?"
)
_GOES_ON = lazy_pattern(r"[.,'’]\s?\d")  # a mark that ends a sentence is none of a number
_LAKHS = lazy_pattern(r"\d{1,2}(?: \d{2}){1,4} \d{3}(?P<rest>[.,]\d{1,2})?(?![\d.,])")
_GAPPED = lazy_pattern(
    r"(?:\d{1,7}|(?P<groups>\d{1,3}(?:[.,'’\u00a0]\d{3}){1,3}))(?P<before> (?=.\d))? ?"
    r"(?P<mark>[.,]) ?\d{2}(?![\d.,])"
)
_TRAILING_MINUS = lazy_pattern(rf"[-−](?!\s?[\w{SYMBOLS}])")
# Brackets repeat what stands in words before them: "ten thousand dollars ($10,000)".
_TENS = "TWENTY|THIRTY|FORTY|FIFTY|SIXTY|SEVENTY|EIGHTY|NINETY"
_LARGE = "HUNDRED|THOUSAND|MILLION|BILLION|LAKHS?|CRORES?"
_SPELT_BEFORE = lazy_pattern(
    rf"(?<![^\W\d_])(?:{NAME}|{_TENS}|{_LARGE}|CENTS|NO/100|\d{{1,2}}/100"
    rf"|(?:{_TENS}|{_LARGE}|AND)[\s-](?:ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE|TEN))\s?$"
    r"|[원円元圆圓][정也整]?\s?$"
)
_OPENING, _CLOSING = lazy_pattern(r"\(\s?$"), lazy_pattern(r"\s?\)")
_PER = lazy_pattern(r"/\s?[^\W\d_]{2}")  # $99/month
_NOTHING_MORE = lazy_pattern(r"\s{0,8}\Z")
_NO_CENTS = lazy_pattern(
    r"\s?/[-–=]{1,2}(?![\w-])|:[-–](?![\w-])|(?P<mark>[.,])[-–—−]{1,2}(?![\w-])"
)

_SCALES = {
    10**3: "THOUSAND|TSD|MILLE|MIL|MILA|TYS|ТЫС|ТЫСЯЧ|ТЫСЯЧИ|ТИС|RIBU|DUIZEND|TUSEN|NGHÌN|NGÀN",
    10**5: "LAKH|LAKHS|LAC|LACS",
    10**6: "MILLION|MILLIONS|MILLIONEN|MIO|MILL|MLN|MN|MILLONES|MILLÓN|MILHÕES|MILHÃO|MILIONI|"
    "MILIONE|MILJOEN|MILJONER|JUTA|МЛН|МИЛЛИОН|МИЛЛИОНА|МИЛЛИОНОВ|МІЛЬЙОН|МІЛЬЙОНИ|"
    "МІЛЬЙОНІВ|MILION|MILIONY|MILIONÓW|MILIÓN|MILIONŮ|MILLIÓ|MILIOANE|MILYON|TRIỆU",
    10**7: "CRORE|CRORES",
    10**9: "BILLION|BILLIONS|BN|MILLIARDEN|MILLIARDE|MRD|MILLIARD|MILLIARDS|MLD|MILIARDI|"
    "MILJARD|МЛРД|BILHÕES|BILHÃO|МИЛЛИАРД|МИЛЛИАРДА|МИЛЛИАРДОВ|MILIARD|MILIARDY|"
    "MILIARDÓW|MILLIÁRD|MILIARDE|MILYAR|MILIAR|MIL MILLONES|TỶ|TỈ",
}  # fmt: skip
_SCALE_OF = {word: scale for scale, words in _SCALES.items() for word in words.split("|")}
_MILLION = 10**6  # "mil." is short for one from Prague to Zagreb, and a thousand in Madrid
_SCALE = lazy_pattern(
    rf"\s?(?P<word>{either(_SCALE_OF)})(?![^\W_])\.?"
    rf"(?:\s(?:DE\s|DI\s|D['’])(?={SIGN_OR_NAME}))?"  # 3 millones de euros
)
_CJK_SCALE = lazy_pattern(r"\s?(?P<word>[万萬만億亿억]|千(?=[円元]))")
_CJK_MORE = lazy_pattern(
    r"\s?(?P<number>\d{1,3},\d{3}|\d{1,4})(?P<thousands>[千천])?(?:(?P<myriads>[万萬만])"
    r"(?:\s?(?P<ones>\d{1,3},\d{3}|\d{1,4}))?)?(?=\s?[円元원])"
)
_CJK_SCALE_OF = {"千": 10**3} | dict.fromkeys("万萬만", 10**4) | dict.fromkeys("億亿억", 10**8)
# With a currency only; "M.N." is Mexico's own.
_LETTER_SCALE = lazy_pattern(r"(?P<word>[kKmB]|\s?MM?(?!\.\s?N)|\s?Md)(?![^\W_])")
_LETTER_SCALE_OF = {
    "k": 10**3, "K": 10**3, "m": 10**6, "M": 10**6, "MM": 10**6, "B": 10**9, "Md": 10**9
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AmountReading:
    """One amount found in a text.

    Attributes:
        start, end: half-open range of characters, with the currency and the brackets of a
            negative amount.
        number_start, number_end: the part of it that is digits, separators and a sign glued to
            them.
        amount: the exact value, with as many decimals as are written.
        currencies: ISO 4217 codes that what is printed with it can stand for; empty where nothing
            is printed.
        alternatives: the other value, where a group of three digits could also be decimals.
    """

    start: int
    end: int
    number_start: int
    number_end: int
    amount: Decimal
    currencies: tuple[str, ...] = ()
    alternatives: tuple[Decimal, ...] = ()

    def moved(self, by: int, behind: int = -1) -> AmountReading:
        """Return the reading in a longer text: its places past `behind` are `by` further on."""
        places = self.start, self.end, self.number_start, self.number_end
        start, end, first, last = (place + by * (place > behind) for place in places)
        return replace(self, start=start, end=end, number_start=first, number_end=last)


def find_amounts(text: str, *, decimal: str | None, whole: bool = False) -> list[AmountReading]:
    """Return the amounts of `text`, left to right, none overlapping; whole numbers are included.

    Args:
        text: any text, such as a line of a document.
        decimal: the document's decimal separator, ``"."`` or ``","``. It decides only what the
            number leaves open: 1.234 and 1,234. With None the currency decides ($1,940); else a
            comma before three digits groups thousands and a point marks decimals, and the other
            reading is kept as the alternative.
        whole: the text is one value and no line of a page: a plain space groups digits, and codes
            that are other words too (PEN, TRY) are currencies.

    Brackets, a leading and a trailing minus mean a negative amount. In a line a plain space groups
    thousands only where the number says so (1 234,50; RM 1 234.50; 1 234 567), since columns stand
    a space apart too; a space beside the separator (8. 20) is read over only after a currency or
    at the end of the text. Percentages, times, dates and digits glued to letters are left out.

    Raises:
        ValueError: `decimal` is neither a point, a comma nor None.
    """
    if decimal not in (".", ",", None):
        raise ValueError(f"decimal is {decimal!r}: expected '.', ',' or None")
    scanner = _Scanner(text, decimal, whole)
    found: list[AmountReading] = []
    position = 0
    while (run := _RUN.search(text, position)) is not None:
        floor = found[-1].end if found else 0
        reading = scanner.reading_at(run, floor)
        if reading is not None:
            found.append(reading)
        position = max(run.end(), reading.end if reading is not None else 0)
    return found


_CODE = lazy_pattern(r"0\d")  # how an article's number may begin, and no amount does: 0016.4102


def infer_decimal(texts: Iterable[str]) -> str | None:
    """Return the decimal separator that the numbers of one document show, or None.

    Only numbers that leave no choice count, and those with one decimal only where there are no
    others: they number clauses and rows, in any country. At least four in five must agree: a point
    read as a comma is a common fault of OCR, and one such fault is no second convention.
    """
    votes: list[str] = []
    weak: list[str] = []
    for text in texts:
        upper = upper_of(text)
        for run in _RUN.finditer(text):
            mark = decimal_mark(run.group())
            if run.group()[0] in SEPARATORS or len(run.group()) > LONGEST:
                continue
            if _CODE.match(run.group()):
                continue
            if mark and not _is_part(text, upper, *run.span(), True):
                (weak if run.group()[-2] == mark else votes).append(mark)
    return winner_of(votes or weak)


def plain(amount: Decimal) -> str:
    """Return the amount in digits, such as ``1234.50``: the decimals as given, no exponent."""
    text = format(amount, "f")
    return text[1:] if text.startswith("-") and not amount else text


def amount_key(amount: Decimal) -> str:
    """Return a text that is equal for equal amounts: 9, 9.0 and 9.00 all give ``9``."""
    text = plain(amount)
    return text.rstrip("0").rstrip(".") if "." in text else text


def upper_of(text: str) -> str:
    """Return the text in upper case, every character in its place."""
    upper = text.upper()
    if len(upper) == len(text):
        return upper
    return "".join(c.upper() if len(c.upper()) == 1 else c for c in text)


class _Scanner:
    """Reads the amounts of one text; the arguments are those of `find_amounts`."""

    def __init__(self, text: str, decimal: str | None, whole: bool) -> None:
        self._text, self._upper = text, upper_of(text)
        self._decimal, self._whole = decimal, whole
        self._before = _BEFORE_WHOLE if whole else _BEFORE
        self._after = _AFTER_WHOLE if whole else _AFTER

    def reading_at(self, run: re.Match[str], floor: int) -> AmountReading | None:
        """Return the amount whose digits begin with `run`, taking nothing before `floor`."""
        text, start = self._text, run.start()
        glued = start > floor and text[start - 1] in _MINUS
        left, minus, currencies = self._currency_before(start - glued, floor)
        if glued and left == start - 1 and _joins(text, start - 1):
            glued, left = False, start
        signed = left < start - glued
        if run.group()[0] in SEPARATORS and text[start - 1 : start].isalnum():
            if not signed:
                start = left = start + 1  # "NO.53" is no 0.53
            elif text[start - 1].islower():
                start += 1  # nor is "Rs.50"
        if not currencies:  # what is printed behind decides on separators too
            currencies = self._currency_after(run.end())[1]
        end, values, tail = self._number_from(start, run.end(), currencies, signed)
        if not values:
            return None
        has_decimals = decimals_in(values[0]) > 0
        if tail == end and _is_part(text, self._upper, start, end, has_decimals):
            return None
        negative = minus or (glued and text[start - 1] != "+")
        right = tail
        # A dash behind yen and won ends the number, so that nobody adds a digit.
        ends = currencies[:1] in (("JPY",), ("KRW",))
        if not (negative or ends) and tail == end and self._minus_behind(end, has_decimals):
            negative, right = True, end + 1
        number = (start - glued, right if tail == end else end)
        right, values = self._scaled(right, currencies if signed else (), values)
        before_sign = right
        right, currencies = self._right_of(right, currencies if signed else ())
        signs = text[left : start - glued], text[before_sign:right]
        if any(is_in_thousands(sign.strip()) for sign in signs):
            values = tuple(times(value, 1000) for value in values)
        # "9.00 EUR-"
        if not (negative or ends) and right > before_sign and _TRAILING_MINUS.match(text, right):
            negative, right = True, right + 1
        bracket = None
        if self._whole or currencies or has_decimals:
            bracket = _bracketed(text, left, right, floor)
        if bracket is not None and not _SPELT_BEFORE.search(self._upper, floor, bracket[0]):
            negative, (left, right) = True, bracket
            # "$(76.50)": the sign may stand outside the brackets too.
            if not currencies:
                left, _, currencies = self._currency_before(left, floor)
            if not currencies:
                right, currencies = self._currency_after(right)
        if negative:
            values = tuple(value.copy_negate() for value in values)
        return AmountReading(left, right, *number, values[0], currencies, values[1:])

    def _minus_behind(self, end: int, has_decimals: bool) -> bool:
        """Return whether a minus stands right behind a number: "9.00-", "9.00- EUR", "9.00-€".

        Before a word or another number it is a dash, and so it is in "a 10-euro note".
        """
        if _TRAILING_MINUS.match(self._text, end):
            return True
        next_one = self._text[end + 1 : end + 2]
        return (
            self._text[end : end + 1] in (("-", "−", "–") if has_decimals else ("-", "−"))
            and (next_one.isspace() or (has_decimals and not next_one.isalpha()))
            and bool(self._currency_after(end + 1)[1])
        )

    def _currency_before(self, end: int, floor: int) -> tuple[int, bool, tuple[str, ...]]:
        """Return where the signs start that end at `end`, whether a minus does, and currencies."""
        start, minus, currencies = self._sign_before(end, floor)
        if len(currencies) > 1 and self._text[start] not in _MINUS:  # "USD $12.00"
            more, minus_too, named = self._sign_before(start, floor, _BEFORE_WHOLE)
            if len(named) == 1 and named[0] in currencies:
                return more, minus_too, named
        return start, minus, currencies

    def _sign_before(
        self, end: int, floor: int, form: re.Pattern[str] | None = None
    ) -> tuple[int, bool, tuple[str, ...]]:
        found = (form or self._before).search(self._upper, max(floor, end - _WINDOW), end)
        if found is None:
            return end, False, ()
        currencies = currencies_of(self._text[slice(*found.span("sign"))])
        if not currencies:
            return end, False, ()
        if found["minus"] and not _joins(self._text, found.start("minus")):
            return found.start("minus"), found["minus"] != "+", currencies
        return found.start("sign"), False, currencies

    def _currency_after(self, start: int) -> tuple[int, tuple[str, ...]]:
        found = self._after.match(self._upper, start)
        if found is None:
            return start, ()
        currencies = currencies_of(self._text[slice(*found.span("sign"))])
        return (found.end(), currencies) if currencies else (start, ())

    def _right_of(self, right: int, before: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
        """Return where the currency printed behind ends, and what both sides leave possible."""
        end, after = self._currency_after(right)
        if not before:
            return end, after
        # "$12.00 CAD": what stands behind says which dollar.
        common = tuple(code for code in before if code in after)
        return (end, common) if len(before) > 1 and common else (right, before)

    def _scaled(
        self, end: int, currencies: tuple[str, ...], values: tuple[Decimal, ...]
    ) -> tuple[int, tuple[Decimal, ...]]:
        """Return where the amount ends and its values, "1.2 million" and "USD 1.5M" in full.

        Args:
            end: where its number ends.
            currencies: printed before it.
            values: of the number.
        """
        if (word := _SCALE.match(self._upper, end)) is not None:
            scale = _SCALE_OF[word["word"]]
        elif (word := _CJK_SCALE.match(self._text, end)) is not None:
            scale = _CJK_SCALE_OF[word["word"]]
            if (more := _CJK_MORE.match(self._text, word.end())) is not None:  # 1억 2천만원
                rest = int(more["number"].replace(",", "")) * 1000 ** bool(more["thousands"])
                rest *= 10_000 ** bool(more["myriads"])
                rest += int((more["ones"] or "0").replace(",", ""))
                return more.end(), tuple(times(value, scale) + rest for value in values[:1])
        elif (word := _LETTER_SCALE.match(self._text, end)) is not None and (
            currencies or self._currency_after(word.end())[1]
        ):
            scale = _LETTER_SCALE_OF[word["word"].strip()]
        else:
            return end, values
        # Nobody writes a thousand millions: of two readings the one with decimals comes first.
        values = tuple(sorted(values, key=decimals_in, reverse=True))
        scales = (scale, _MILLION) if word.group().upper().strip() == "MIL." else (scale,)
        return word.end(), tuple(times(value, scale) for scale in scales for value in values)

    def _number_from(
        self, start: int, end: int, currencies: tuple[str, ...], signed: bool
    ) -> tuple[int, tuple[Decimal, ...], int]:
        """Return where the number ends that begins with the run [start, end), its values, its end.

        The last is that of a dash behind it which stands for no cents.
        """
        text = self._text
        spaced = _SPACED.match(text, start)
        if self._whole and spaced is None:
            spaced = _LAKHS.match(text, start)
        if spaced is not None and (
            not _GOES_ON.match(text, spaced.end()) or _NO_CENTS.match(text, spaced.end())
        ):
            space = spaced.groupdict().get("space") or " "
            # "5 881,000" may be two columns: a comma before three digits may group them.
            comma = re.fullmatch(r",\d{1,2}", spaced["rest"] or "") is not None
            sure = self._whole or space != " " or spaced.group().count(space) > 1
            if sure or comma or signed or self._decimal == ",":
                whole = spaced.group()[: len(spaced.group()) - len(spaced["rest"] or "")]
                values = grouped_values([(whole, (spaced["rest"] or "")[1:])])
                return spaced.end(), values, self._without_cents(spaced.end(), values)[0]
        gapped = _GAPPED.match(text, start)
        if (
            gapped is not None
            and gapped.end() > end
            and (
                signed
                or _NOTHING_MORE.match(text, gapped.end())
                or (
                    (self._whole or gapped["groups"] or gapped["before"])
                    and self._currency_after(gapped.end())[1]
                )
            )
        ):
            joined = re.sub(r"\s", "", gapped.group())
            return gapped.end(), read_number(joined, decimal=self._decimal), gapped.end()
        values = values_of(text[start:end], self._decimal, currencies)
        tail, mark = self._without_cents(end, values)
        if tail > end:  # "10.000,-": the mark before the dash parts the decimals
            if mark and mark not in text[start:end]:
                values = read_number(text[start:end], decimal=mark)
            values = tuple(value for value in values if not decimals_in(value)) or values
        return end, values, tail

    def _without_cents(self, end: int, values: tuple[Decimal, ...]) -> tuple[int, str | None]:
        """Return where a dash for no cents ends, or `end`, and the mark in front of it."""
        dash = _NO_CENTS.match(self._text, end)
        if dash is None or all(decimals_in(value) in (1, 2) for value in values):
            return end, None
        return dash.end(), dash["mark"]


def decimals_in(value: Decimal) -> int:
    """Return how many decimals a value is written with."""
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def values_of(run: str, decimal: str | None, currencies: tuple[str, ...]) -> tuple[Decimal, ...]:
    """Return the values of a number, what it leaves open decided by the currency where it can be.

    Open are 1.234 and 1,234. A currency without decimals groups; one that is written with two has
    thousands where its own mark or the document's says so, and two readings where they quarrel.

    Args:
        run: digits and separators, no sign.
        decimal: mark of the document; None where it does not show.
        currencies: what the amount can be in, the likeliest first.
    """
    readings = read_number(run)
    if len(readings) != 2 or not currencies:
        return readings if len(readings) != 2 else read_number(run, decimal=decimal)
    grouped, fraction = sorted(readings, key=decimals_in)
    places, usual = decimals_of(currencies), usual_mark(currencies)
    mark = next(c for c in run if c in SEPARATORS)
    if places == 0:
        return (grouped,)
    if places == 3:
        known = decimal or usual
        if known is None:
            return (fraction, grouped)
        return (fraction,) if mark == known else (grouped,)
    if mark != (decimal or usual or mark):
        return (grouped,)
    if decimal is None:
        return (grouped, fraction) if usual is None else (fraction, grouped)
    return (fraction,) if usual == mark else (grouped, fraction)


def _joins(text: str, index: int) -> bool:
    """Tell whether the dash at `index` joins two words or numbers, and so is no minus."""
    return index > 0 and (text[index - 1].isalnum() or text[index - 1] in "-−–")


def _is_part(text: str, upper: str, start: int, end: int, has_decimals: bool) -> bool:
    """Tell whether the digits [start, end) belong to something else than an amount."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if re.match(r"\s?[%‰٪]|:\d|/\d", after) or re.search(r"\d[:/]$|[\d][.,]$", before):
        return True
    if _PER.match(text, end) and _BEFORE.search(upper, max(0, start - _WINDOW), start):
        return False
    if before[-1:] in ("/", "\\", "#", "_") or (after[:1] in ("/", "_") and not has_decimals):
        return not re.search(r"S/$", upper[max(0, start - 2) : start])
    if has_decimals:
        # "3X8.00" and "8.00SR" are amounts; "4.5KG" and "V2.6" are not.
        cents = re.search(r"[.,]\s?\d{2}$", text[max(start, end - 4) : end]) is not None
        glued = before[-1:].isalpha() or after[:1].isalpha()
        return glued and not cents and not _money_beside(upper, start, end)
    if re.match(r"[-−–]\w", after) or re.search(r"\w[-−–]$", before):
        return True
    glued = before[-1:].isalpha() or after[:1].isalpha()
    return glued and not _money_beside(upper, start, end)


def _money_beside(upper: str, start: int, end: int) -> bool:
    """Tell whether letters glued to a number are its currency or its scale."""
    if _BEFORE_WHOLE.search(upper, max(0, start - _WINDOW), start):
        return True
    if _AFTER_WHOLE.match(upper, end) or _CJK_SCALE.match(upper, end):
        return True
    scale = _SCALE.match(upper, end) or _LETTER_SCALE.match(upper, end)
    return scale is not None and bool(
        _BEFORE.search(upper, max(0, start - _WINDOW), start)
        or _AFTER.match(upper, scale.end())
        or len(scale["word"].strip()) > 2
    )


def _bracketed(text: str, left: int, right: int, floor: int) -> tuple[int, int] | None:
    """Return the range with the round brackets just around [left, right), or None."""
    opening = _OPENING.search(text[max(floor, left - 2) : left])
    closing = _CLOSING.match(text, right)
    if opening is None or closing is None:
        return None
    return left - len(opening.group()), closing.end()
