"""Amounts of money: ``{"amount": "9.00", "currency": "MYR"}``, or currency null.

What is printed with the number constrains the currency: no hint makes a dollar a ringgit. Then the
document's own evidence counts (a currency it names, the country it is from). A hint of the model
is a tie-break among what these leave open, and its value says so ("assumed ..."); where nothing on
the page supports it the value is ambiguous, with no currency as the alternative.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pipeline.values.context import DocumentContext, currency_of
from pipeline.values.figures.amounts import (
    AmountReading,
    amount_key,
    decimals_in,
    find_amounts,
    plain,
    upper_of,
    values_of,
)
from pipeline.values.figures.currencies import NAME, SIGN, currencies_of
from pipeline.values.figures.misread import (
    FIRST,
    IN_FRONT,
    WITHIN,
    is_time,
    readings_of,
    with_digits,
    with_point,
)
from pipeline.values.figures.numbers import OPEN, read_number, times
from pipeline.values.figures.words import LANGUAGES, cjk_number, number_of
from pipeline.values.kinds.measures import is_measured
from pipeline.values.normalised import ASSUMED, Normalised, Status, failed
from pipeline.values.patterns import lazy_pattern
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded, without_gaps

_MIDDLE_DOT = lazy_pattern(r"(?<=\d)·(?=\d\d(?!\d))")  # £12·50
_SIDE = lazy_pattern(
    r"(?:(?<=[\d)-])\s?|(?<=[A-Z€$£])\s)(?P<side>CR|DR|DB|Cr|Dr|cr|dr|(?<=\s)(?:OD|[SH]))\.?(?:\s?\([^\W\d_]{1,12}\))?\s?$"
)
_SIDE_BEFORE = lazy_pattern(r"^\s?(?P<side>CR|DR|Cr|Dr)\b\.?[\s:]{0,3}(?=\D{0,4}\d)")
_OWED = ("CR", "OD")
_MINUS_APART = lazy_pattern(r"^[-−–]\s+(?=\S)")
_DASH_FOR_NOUGHT = lazy_pattern(r"[-−–],\d\d(?!\d)")  # EUR -,50
_MINUS_BEHIND_CAPTION = lazy_pattern(r"(?<=[^\W\d_])\s?:\s?(?P<minus>[-−–]\s)(?=\S)")
_CENTS = lazy_pattern(
    r"\s*(?P<cents>\d{1,2}(?:[.,]\d{1,3})?)\s?(?:¢|[Cc]ents?|[Cc]t\.?|(?P<pence>(?<=\d)p))\s*"
)
# Groups parted by spaces are one number, with whatever words beside it; "1 234:50" and "1 234-56"
# are how Swedes and Russians part the cents.
_GROUPED = lazy_pattern(
    r"(?<![\d.,/:-])(?<!\d [\d.,/:-] )(?<!\d[.,/:-] )(?<!\d )(?P<whole>\d{1,3}(?: \d{3})+)"
    r"(?:[:-](?P<cents>\d\d)(?![\d:.,-]))?(?!\d)"
)
_MINUS_WORD = lazy_pattern(r"(?<![^\W_])minus\s(?=\D{0,4}\d)", re.IGNORECASE)
_NOTE_MARK = lazy_pattern(r"(?<=[^\d\sm])[¹²³⁴-⁹]{1,2}(?=\s*$)")  # 50,00 €¹
_TRIANGLE = lazy_pattern(r"[▲△](?=\s?[¥\d])")  # a minus in Japan
_CROWNS = lazy_pattern(
    r"(?<=\d):(?=\d\d\s?(?:kr|sek|EUR|€)(?![^\W_]))|(?:(?<=\d{3})-|(?<=\d)-(?=0))(?=\d\d\s?(?:руб|р\.|₽|грн))"
    r"|(?<![^\W_])(?P<before>(?:kr|sek)[.:]{0,2}\s{0,2}\d{1,6}):(?=\d\d(?![\d:]))",
    re.IGNORECASE,
)
# 1 234 руб. 56 коп.: the coins beside a whole amount
_COIN = (
    r"(?:коп\w{0,4}|к(?=\.|$)|gr|groszy|cents?|cts?|sen|öre|øre|centimes?|centavos?|céntimos?|pais[ae]|pence"
    r"|bani|стотинки|ст(?=\.|$))"
)
_COINS = lazy_pattern(
    r"(?P<amount>.{0,30}\d.{0,12}?)[\s,]{1,2}(?:(?:and|und|et|y|e|i|и)\s)?(?P<coins>\d{1,2})\s?"
    rf"{_COIN}\.?",
    re.IGNORECASE,
)
_COINS_BEHIND = lazy_pattern(rf"\s?{_COIN}(?![^\W_])", re.IGNORECASE)
# 12€50, 7 € 20, 7 EUR 20; "3 €50" can be three at fifty
_SIGN_WITHIN = lazy_pattern(
    r"\D{0,40}(?P<whole>\d{1,6})(?P<gap> ?)(?:€|EUR)(?P<gap2> ?)(?P<cents>\d\d)\s*"
)
# 12 50 €: the cents as they are raised on a price, or two numbers
_CENTS_APART = lazy_pattern(
    rf"(?:(?P<before>{SIGN})\s?)?(?P<whole>\d{{1,4}}) (?P<cents>\d\d)"
    rf"(?(before)|\s?(?P<after>{SIGN}))"
)
_CODE = lazy_pattern(rf"(?<![^\W_])(?=[A-Z]{{3}}(?![^\W_])){SIGN}(?![^\W_])")
# Total (RM) 58.30; Montant en euros : 96,80. "Won" before a number is what somebody won.
_IN_CAPTION = lazy_pattern(rf"(?<![^\W_])(?!won)(?P<sign>{SIGN}|{NAME})\s?[):]", re.IGNORECASE)
_RANGE = lazy_pattern(
    rf"\s?(?:{SIGN}\s?)?(?:[-–—~]|to|bis|à|au?|al|до|and|und|et|y|e)\s?", re.IGNORECASE
)
# Codes that are other words too count right beside a number with cents or thousands.
# "DA 150,00" and "150,00 DA PAGARE" are Italian, "25 000 DA" is Algerian.
_WORD_CODE_BEFORE = lazy_pattern(
    rf"(?<![^\W_])(?<!SDN )(?!DA\s?$)(?P<code>[A-Z]{{2,3}}|(?i:lei|(?!won){NAME}))\s?$"
)
_WORD_CODE_BEHIND = lazy_pattern(
    r"\s?(?!DA\s[^\W\d_]{2,15}R[EI](?![^\W_]))(?P<code>[A-Z]{2,3})(?![^\W_])"
)
_COUNT_BEFORE = lazy_pattern(
    r"(?<![^\W_])(?:qty|quantity|menge|cant(?:idad)?|qté|quantité|quantità)[\s.:]{1,3}$",
    re.IGNORECASE,
)
_MARKED = lazy_pattern(r"\d[.,' \u00a0]\d{3}(?!\d)|\d[.,]\d\d(?!\d)")
# What tells which currency of those that share a sign
_TELLING = {
    "CHF": lazy_pattern(r"\d'\d{3}(?!\d)"),
    "MXN": lazy_pattern(r"\d\s?M\.?\s?N(?![^\W_])", re.IGNORECASE),  # moneda nacional
    "MAD": lazy_pattern(r"\d,\d\d(?!\d)"),  # Emirates part cents with a point
    "CNY": lazy_pattern(r"小写|人民币"),
    "JPY": lazy_pattern(r"[\u3041-\u30ff]|税[込抜]|[内外]税|消費税"),
}
_THOUSANDS_APART = lazy_pattern(
    r"(?<![\d.,])(?P<head>[1-9]\d{0,2})(?: (?P<mark>[.,]) ?|(?P<mark2>[.,]) )$"
)
_WHOLE_BEFORE = lazy_pattern(r"(?<![\d.,])(?P<whole>\d{1,6}), $")
_TWO_DIGITS = lazy_pattern(r"\d\d")
_REST = lazy_pattern(r"\d{3}(?P<decimal>[.,])\d{2}(?!\d)")
# "+49 30 1234567" and an IBAN have figures, and none of money.
_PHONE = lazy_pattern(r"\W*\+\d{1,3}(?:[ ()/.-]{1,2}\d{1,8}){2,6}\W*")
_IBAN = lazy_pattern(
    r"(?<![^\W_])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![^\W_])"
)
# 5 000 (five thousand) dollars: the words say no more than the number
_WORDS_WITHIN = lazy_pattern(
    rf"(?<=\d)\s?\([^\W\d_][^()\d]{{2,90}}\)(?=\s?(?:{SIGN}|{NAME})(?![^\W_]))", re.I
)
_SPELLED = lazy_pattern(
    rf"\s*(?:(?!{SIGN}|{NAME})[^\d:]{{1,40}}:\s)?(?P<before>(?:{SIGN}|{NAME})(?![^\W_])[\s:.]{{0,3}})?(?P<words>[^\W\d_][^\d_]{{0,100}}?)"
    rf"(?P<after>\s(?:{NAME}|{SIGN}))?"
    r"(?:[\s,]{1,2}(?P<joint>AND|UND|ET|Y|E|CON|&)?\s?(?:(?P<hundredths>\d{1,2})(?:/100|\sCENTS?|\sCT)"
    rf"|(?(joint)|(?(after)|(?!)))(?![^\d_]{{0,30}}?\s{NAME}\s)(?P<coin>PAISE\s)?(?P<cents>[^\W\d_][^\d_]{{0,30}}?)"
    rf"(?(coin)|\s(?i:{_COIN}))))?"
    rf"(?P<last>\s(?:{NAME}|{SIGN}))?(?P<only>[\s,]{{0,2}}ONLY)?[\s.*]{{0,5}}"
)
# 金壱万円也, 壹仟元整, 금 일백만원정, 叁佰元伍角
_CJK = "〇零一二三四五六七八九十百千万萬两壹壱贰貳弐叁參参肆伍陆陸柒捌玖拾佰仟"
_CJK += "일이삼사오육칠팔구십백천만"
_NUMERALS = lazy_pattern(
    rf"\s?(?:[^\d{_CJK}]{{0,20}}?[\s:：)）金금币幣]|一金\s?)?(?P<words>[{_CJK}]{{1,20}})"
    r"\s?(?P<sign>元整|[円元圆圓원])"
    rf"(?:(?P<tenths>[{_CJK}])角)?(?:[零〇]?(?P<hundredths>[{_CJK}])分)?[也整正정]?[\s。.]{{0,2}}"
)
_SCALE = "The word behind the number can mean thousands or millions."
_MARK = lazy_pattern(r"\d[.,]\d")
_LISTED = lazy_pattern(r"\d, \d{3}(?!\d)(?=[^.]*$)")  # $112, 000 or two amounts
_SEVERAL = "The text holds more than one amount."
_CREDIT = "CR and DR say which side of an account, which is no sign everywhere."
_DASH = "The dash in front can be a minus or a mark of its own."
_DIGITS_WITHIN = "A letter within the number was read as a digit."
_FIRST_DIGIT = "The letter in front can be a digit that was misread."
_TIME = "The text can be a time of day."
_SHARED = "The sign stands for several currencies, and nothing told which."


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the amount of a text; of several numbers the one that is most surely money."""
    source = without_gaps(source)
    text = _CROWNS.sub(
        lambda crowns: f"{crowns['before'] or ''},", _MIDDLE_DOT.sub(".", source.numeric)
    )
    text = _MINUS_WORD.sub("     -", _TRIANGLE.sub("-", text))
    text = _NOTE_MARK.sub(lambda mark: " " * len(mark[0]), _GROUPED.sub(_as_one_number, text))
    if _PHONE.fullmatch(text) or _has_iban(text):
        return failed(source, "The text is a phone or account number.")
    if "KGS" in context.named:  # that are kilograms elsewhere
        text = text.replace("KGS", "СОМ")
    found, note, doubt = _find(text, context)
    if len(found) == 1 and _DASH_FOR_NOUGHT.match(text, found[0].number_start):
        cents = found[0].amount
        found, doubt = [replace(found[0], amount=-cents, alternatives=(cents,))], _DASH
    if spec.unsigned:
        found = [_without_sign(reading) for reading in found]
        doubt = None if doubt in (_DASH, _CREDIT) else doubt
    if not found:
        return failed(source, "No amount was found in the text.")
    for longer in list(filter(None, (_with_thousands(text, reading) for reading in found))):
        found = [r for r in found if not longer.start <= r.start < longer.end]
        found.append(longer)
    best = max(found, key=lambda reading: (_rank(reading), -reading.start))
    rivals = [
        reading
        for reading in found
        if reading.amount != best.amount
        and (_rank(reading) == _rank(best) or _other_end(text, reading, best))
    ]
    at = best.number_start
    if (whole := _WHOLE_BEFORE.search(text, max(0, at - 9), at)) is not None and (
        _TWO_DIGITS.fullmatch(text, at, best.number_end)
    ):  # Total 12, 50 EUR
        rivals.append(replace(best, amount=Decimal(whole["whole"]) + best.amount.scaleb(-2)))
    printed = best.currencies if len(best.currencies) == 1 else _named(text, best)
    codes, told = settle_currency(printed, spec.currency, context)
    by_page = codes == settle_currency(printed, None, context)[0]
    best = _likely_first(text, best, codes[:1], context, by_page=by_page)
    values = [
        _value(amount, code) for code in codes for amount in (best.amount, *best.alternatives)
    ]
    for rival in rivals:
        # Of "10 - 20 EUR" both ends are euros.
        other = rival.currencies
        if not other and _other_end(text, rival, best):
            other = best.currencies
        values.append(_value(rival.amount, settle_currency(other, spec.currency, context)[0][0]))
    values = [value for at, value in enumerate(values) if value not in values[:at]]
    if len(values) == 1 and doubt in (_CREDIT, _DASH):  # nothing is neither owed nor due
        doubt = None
    if doubt is None and len(values) > 1 and (best.alternatives or rivals):
        has_mark = _MARK.search(text, best.start, best.end) is not None
        doubt = _SEVERAL if not best.alternatives else OPEN if has_mark else _SCALE
    # The sign that stands for "minus" is where the word ends.
    worded = {match.end() - 1: match.start() for match in _MINUS_WORD.finditer(source.numeric)}
    start, end = source.span(worded.get(best.start, best.start), best.end)
    number_start = best.number_start + (best.number_start in worded)
    first, last = source.span(number_start, best.number_end)
    if doubt is None and _LISTED.search(source.printed, first, last):
        doubt = _SEVERAL
    status: Status = "ok" if len(values) == 1 and not doubt else "ambiguous"
    return Normalised(
        text=source.printed[start:end],
        number=(first - start, last - start),
        key=amount_key(best.amount),
        value=values[0],
        status=status,
        reason=" ".join(reason for reason in (doubt or note, told) if reason) or None,
        alternatives=tuple(values[1:]),
    )


def _has_iban(text: str) -> bool:
    """Return whether an account number with right check digits stands in a text."""
    if (match := _IBAN.search(text)) is None:
        return False
    from stdnum import iban

    return bool(iban.is_valid(match.group(), check_country=False))


def _named(text: str, reading: AmountReading) -> tuple[str, ...]:
    """Return the currencies that a sign can stand for, the one that the text names if it does.

    So "Total (CAD): $88.15" is Canadian, and "Amount in EUR: 12.50" is in euros.
    """
    possible = reading.currencies
    named = {one for code in _CODE.findall(text) for one in currencies_of(code)}
    for bracket in _IN_CAPTION.finditer(text):
        signs = currencies_of(bracket["sign"])
        named |= set(signs) if len(signs) == 1 else set()
    named |= {code for code, mark in _TELLING.items() if code in possible and mark.search(text)}
    if not named and _MARKED.search(text, reading.start, reading.end):
        beside = (
            _WORD_CODE_BEFORE.search(text, max(0, reading.start - 24), reading.start),
            _WORD_CODE_BEHIND.match(text, reading.end),
        )
        # Right beside such a number LEI are no legal entity's, but Romania's.
        codes = [
            currencies_of(code["code"]) or currencies_of(code["code"].lower())
            for code in beside
            if code is not None
        ]
        named = {one for code in codes if len(code) == 1 for one in code}
    told = [code for code in named if code in possible or not possible]
    return (told[0],) if len(named) == len(told) == 1 else possible


def _likely_first(
    text: str,
    reading: AmountReading,
    codes: tuple[str | None, ...],
    context: DocumentContext,
    *,
    by_page: bool,
) -> AmountReading:
    """Return an amount whose separator is open as its currency would have it: CLP 12.500.

    The other reading goes where the currency leaves one alone, and is the page's: `by_page`.
    """
    run = text[reading.number_start : reading.number_end].strip("-−–+ ")
    if not reading.alternatives or codes == (None,) or not run[:1].isdecimal():
        return reading
    likely = values_of(run, context.decimal, tuple(filter(None, codes)))
    values = (reading.amount, *reading.alternatives)
    first, *others = sorted(values, key=lambda value: abs(value) not in likely[:1])
    if by_page and len(likely) == 1 and len(values) == len(read_number(run)) == 2:
        others = []
    return replace(reading, amount=first, alternatives=tuple(others))


def _with_thousands(text: str, reading: AmountReading) -> AmountReading | None:
    """Return an amount with the thousands that a space parts from it: "1. 234,50".

    What stands in front can be the number of a row too, so the amount as it was stays possible.
    """
    mark = _THOUSANDS_APART.search(text, max(0, reading.number_start - 8), reading.number_start)
    rest = _REST.match(text, reading.number_start)
    if (
        mark is None
        or rest is None
        or (mark["mark"] or mark["mark2"]) == rest["decimal"]
        or reading.amount < 0
    ):
        return None
    whole = reading.amount + 1000 * Decimal(mark["head"])
    before = find_amounts(text[: mark.end("head")], decimal=None)
    currencies = reading.currencies or (before[-1].currencies if before else ())
    return replace(
        reading,
        start=min(reading.start, before[-1].start if before else mark.start("head")),
        number_start=mark.start("head"),
        amount=whole,
        currencies=currencies,
        alternatives=(reading.amount, *reading.alternatives),
    )


def _without_sign(reading: AmountReading) -> AmountReading:
    """Return how much an amount is, whichever sign is printed with it."""
    amount, *others = dict.fromkeys(map(abs, (reading.amount, *reading.alternatives)))
    return replace(reading, amount=amount, alternatives=tuple(others))


def _as_one_number(match: re.Match[str]) -> str:
    """Return a number in groups as one that no reader parts, as long as it was."""
    cents = "" if match["cents"] is None else f",{match['cents']}"
    return match["whole"].replace(" ", "\u00a0") + cents


def _other_end(text: str, one: AmountReading, other: AmountReading) -> bool:
    """Tell whether two numbers are the ends of a range: the 10 of "10 - 20 EUR"."""
    first, second = sorted((one, other), key=lambda reading: reading.start)
    return _RANGE.fullmatch(text, first.end, second.start) is not None


def settle_currency(
    printed: tuple[str, ...], hint: str | None, context: DocumentContext
) -> tuple[tuple[str | None, ...], str | None]:
    """Return the currency of an amount, the likeliest first, and how a doubt was settled.

    Args:
        printed: what the sign or code with the number can stand for; empty where there is none.
        hint: the ISO 4217 code that the model's documents usually have.
        context: what the document shows.
    """
    if len(printed) == 1:
        return printed, None
    possible = printed or context.signs
    local = currency_of(context.country) if context.country else None
    if possible:
        named = [code for code in possible if code in context.named]
        if context.currency in possible or len(named) == 1:
            return (context.currency if context.currency in possible else named[0],), None
        if local in possible:
            return (local,), f"The sign is that of {local} where the page is from."
        if hint in possible and local is None:
            return (hint,), f"{ASSUMED}: the sign is that of {hint} among others."
        if local == hint == "MYR" and possible[0] == "USD":
            return (hint,), f"{ASSUMED}: the page is Malaysian, where $ is printed for ringgit too."
        if possible[0] == "JPY":
            return possible, _SHARED
        return (None,), _SHARED
    if context.currency is not None:
        return (context.currency,), None
    if context.named:
        if hint in context.named:
            return (hint,), f"{ASSUMED}: the page names several currencies, {hint} among them."
        return (None,), f"The page names other currencies than {hint}." if hint else None
    if local is not None:
        told = f"{ASSUMED}: no currency is named, and {local} is that of the page's country."
        return (local,), told
    if hint is None:
        return (None,), None
    return (hint, None), f"{ASSUMED}: nothing on the page tells the currency."


def _find(
    text: str, context: DocumentContext
) -> tuple[list[AmountReading], str | None, str | None]:
    """Return the amounts of a text, how they were read, and what makes them doubtful."""
    words = _WORDS_WITHIN.search(text)
    if words is not None and text.count("(") == 1:
        bare, how, why = _find(text[: words.start()] + text[words.end() :], context)
        by = words.end() - words.start()
        return [reading.moved(by, words.start()) for reading in bare], how, why
    whole, doubt = _whole(text, context.decimal)
    if whole is not None:
        return [whole], None, doubt
    if (minus := _MINUS_BEHIND_CAPTION.search(text)) is not None:
        at = minus.start("minus")
        whole, doubt = _whole(text[at:], context.decimal)
        if whole is not None:
            return [whole.moved(at)], None, doubt
    found: list[AmountReading] = []
    note: str | None = None
    for reading_of, how in (*readings_of(text), *with_point(text, context.decimal)):
        amounts = find_amounts(reading_of, decimal=context.decimal)
        if note is not None:  # 1,25 is no part of "1,25O"
            amounts = [r for r in amounts if text[r.end : r.end + 1] not in ("O", "o")]
        # "RM9.OO" is also a bare 9: the reading that is more surely money counts.
        if max(map(_rank, amounts), default=-1) > max(map(_rank, found), default=-1):
            found, note = amounts, how
    if others := [reading for reading in found if not _is_of_something_else(text, reading)]:
        found = others
    elif found:
        spelled = _spelled(text)
        return [spelled] if spelled is not None else [], None, None
    if note is None and (misread := _misread(text, found, context.decimal)) is not None:
        return misread
    if max(map(_rank, found), default=0) == 0 and (spelled := _spelled(text)) is not None:
        return [spelled], None, None
    minus = _MINUS_APART.match(text)
    if minus is not None and [reading.start for reading in found] == [minus.end()]:
        [one] = found  # - 15,00 € discount
        values = (one.amount, *one.alternatives)
        flipped = (*(-value for value in values[1:]), *values)
        return [replace(one, amount=-one.amount, alternatives=flipped)], note, _DASH
    return found, note, _TIME if is_time(text) else None


def _is_of_something_else(text: str, reading: AmountReading) -> bool:
    """Return whether a unit stands behind a number without a currency, or the name of coins."""
    if reading.currencies:
        return False
    decimals = decimals_in(reading.amount)
    if not decimals and _COUNT_BEFORE.search(text, max(0, reading.start - 16), reading.start):
        return True
    return is_measured(text, reading.end, decimals) or bool(_COINS_BEHIND.match(text, reading.end))


def _misread(
    text: str, found: Sequence[AmountReading], decimal: str | None
) -> tuple[list[AmountReading], None, str] | None:
    """Return the amounts of a text in which letters may be digits, as `_find`; None where none are.

    Args:
        text: that is read.
        found: its amounts as it stands.
        decimal: mark of the page.
    """
    if (within := with_digits(WITHIN, text)) is not None:
        amounts = find_amounts(within, decimal=decimal)
        return (amounts, None, _DIGITS_WITHIN) if amounts else None
    ends = {reading.end: reading for reading in found}
    for letters in (FIRST, IN_FRONT):
        for longer in find_amounts(with_digits(letters, text) or "", decimal=decimal):
            shorter = ends.get(longer.end)
            if shorter is None or longer.amount == shorter.amount:
                continue
            one, two = (longer, shorter) if letters is FIRST else (shorter, longer)
            both = replace(one, alternatives=(*one.alternatives, two.amount))
            return [both, *(r for r in found if r is not shorter)], None, _FIRST_DIGIT
    return None


def _whole(text: str, decimal: str | None) -> tuple[AmountReading | None, str | None]:
    """Return the amount that is all of a text, and what makes it doubtful; None where none is."""
    if (cents := _CENTS.fullmatch(text)) is not None:
        span = (cents.start("cents"), len(text.rstrip()))
        value = Decimal(cents["cents"].replace(",", ".")).scaleb(-2)
        currencies = ("GBP",) if cents["pence"] else ()
        return AmountReading(*span, *cents.span("cents"), value, currencies), None
    if (parts := _SIGN_WITHIN.fullmatch(text)) is not None:
        span = parts.start("whole"), parts.end("cents")
        value = Decimal(f"{parts['whole']}.{parts['cents']}")
        reading = AmountReading(*span, *span, value, currencies_of("€"))
        if parts["gap"] == parts["gap2"]:
            return reading, None
        return replace(reading, alternatives=(Decimal(parts["cents"]),)), _SEVERAL
    if (apart := _CENTS_APART.fullmatch(upper_of(text))) is not None:
        value = Decimal(f"{apart['whole']}.{apart['cents']}")
        sign = text[slice(*apart.span("before" if apart["before"] else "after"))]
        beside = Decimal(apart["whole"] if apart["before"] else apart["cents"])
        number = apart.start("whole"), apart.end("cents")
        reading = AmountReading(*apart.span(), *number, value, currencies_of(sign), (beside,))
        return reading, _SEVERAL
    if (coins := _COINS.fullmatch(text)) is not None:
        amounts = find_amounts(coins["amount"], decimal=decimal, whole=True)
        whole = amounts[0] if len(amounts) == 1 else None
        ends = whole is not None and not any(map(str.isalnum, coins["amount"][whole.end :]))
        if whole is not None and ends and whole.currencies and whole.amount % 1 == 0:
            amount = whole.amount + Decimal(coins["coins"]).scaleb(-2).copy_sign(whole.amount)
            return replace(whole, end=coins.end(), amount=amount, alternatives=()), None
    side = _SIDE.search(text)
    before = None if side else _SIDE_BEFORE.match(text)
    minus = None if before else _MINUS_APART.match(text)
    first = before or minus
    start, end = first.end() if first else 0, side.start() if side else len(text)
    side = side or before
    found = find_amounts(text[start:end], decimal=decimal, whole=True)
    if len(found) != 1:
        return None, None
    at = found[0]
    if side is not None and not first:  # "Balance 250.00 CR"
        start, end = start + at.start, end
        at = at.moved(-at.start)
    if _says_more(text[start:end], at):
        return None, None
    reading = at.moved(start)
    if minus is None and side is None:
        return reading, None
    if side is not None and not before and at.currencies[:1] == ("INR",) and side["side"] == "Cr":
        return replace(reading, end=side.end(), amount=times(at.amount, 10**7)), None
    values = (at.amount, *at.alternatives)
    flipped = tuple(-value for value in values)
    first_negative = minus is not None or (side is not None and side["side"].upper() in _OWED)
    ordered = (*flipped, *values) if first_negative else (*values, *flipped)
    reading = replace(
        reading,
        start=first.start() if first else reading.start,
        end=side.end("side") if side and not before else reading.end,
        amount=ordered[0],
        alternatives=ordered[1:],
    )
    return reading, _CREDIT if side else _DASH


def _says_more(text: str, reading: AmountReading) -> bool:
    """Tell whether letters or digits stand beside an amount."""
    return any(map(str.isalnum, text[: reading.start] + text[reading.end :]))


def _spelled(text: str) -> AmountReading | None:
    """Return the amount that a text says in words: "one hundred dollars and 50/100 only"."""
    if (numerals := _NUMERALS.fullmatch(text)) is not None:
        number = cjk_number(numerals["words"])
        tenths = (cjk_number(numerals[name] or "零") for name in ("tenths", "hundredths"))
        if number is not None:
            amount = Decimal(number)
            if numerals["tenths"] or numerals["hundredths"]:
                amount = Decimal("{}.{}{}".format(number, *tenths))
            span = numerals.span("words")
            before = text[: span[0]].strip(" :：()（）")
            currencies = currencies_of(before) or currencies_of(numerals["sign"])
            return AmountReading(*span, *span, amount, currencies)
    upper = upper_of(text)
    match = _SPELLED.fullmatch(upper)
    if match is None:
        return None
    sign = match["before"] or match["after"] or match["last"] or ""
    if not (sign or match["only"]):
        return None
    currencies = currencies_of(sign.strip(" :.")) if sign else ()
    words, coins = match["words"], match["cents"]
    if coins and not (match["before"] or match["after"]):  # "mille deux cents euros"
        words, coins = upper[match.start("words") : match.start("last")], None
    for language in LANGUAGES:
        number = number_of(words.strip(" ,"), language)
        cents = match["hundredths"]
        if coins:
            spelled = number_of(coins.strip(), language)
            cents = None if spelled is None or spelled > 99 else str(spelled)
            number = None if cents is None else number
        if number is not None:
            amount = Decimal(number) if cents is None else Decimal(f"{number}.{int(cents):02d}")
            span = (len(text) - len(text.lstrip()), len(text.rstrip()))
            return AmountReading(*span, *match.span("words"), amount, currencies)
    return None


def _value(amount: Decimal, currency: str | None) -> dict[str, Any]:
    return {"amount": plain(amount), "currency": currency}


def _rank(reading: AmountReading) -> int:
    """How sure a number is to be money: 2 with decimals and a currency, 1 with either, else 0."""
    return (decimals_in(reading.amount) > 0) + bool(reading.currencies)
