"""What one document as a whole tells about its values: the evidence that comes before any hint."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pipeline.values.figures.amounts import infer_decimal
from pipeline.values.figures.currencies import CODES, NAME, SIGN, SYMBOLS, currencies_of
from pipeline.values.figures.numbers import winner_of
from pipeline.values.patterns import lazy_pattern
from pipeline.values.texts.around_names import is_caption
from pipeline.values.texts.countries import codes_of
from pipeline.values.texts.strings import lenient
from pipeline.values.times.dates import infer_day_first
from pipeline.values.wordlists import words_of

# A currency in a caption, "(RM)" or "TOTAL RM", or beside a number; a code within other words may
# be anything ("SEK U9" is a section of a town).
_STANDALONE = lazy_pattern(
    rf"(?<![^\W_])(?P<sign>{SIGN})"
    r"(?![^\W\d_])(?=\s{0,2}[)\]]|[\s:.=]{0,4}\Z|\.?\s{0,2}[-−(]?\s?[.,]?\d(?!\d{8}))"
    rf"|(?<=[.,]\d\d)\s?(?P<behind>{SIGN})(?![^\W_])|(?<=\d)\s?(?P<symbol>[{SYMBOLS}])"
    rf"|(?<![^\W_])(?P<name>{NAME})(?![^\W_])"
    r"|\((?P<lower>usd|eur|gbp|myr|cad|aud|sgd|inr|chf|jpy|cny)\)"
)
_CENTS = lazy_pattern(r"\.?\s{0,2}[-−(]?\s?\d[\d.,' ]{0,12}[.,]\d\d(?!\d)")

# What only pages of one country print: legal forms, captions of its taxes, its places.
_MARKS: dict[str, str] = {
    "MY": r"SDN\.?\s?BHD|\bBERHAD\b|SELANGOR|KUALA LUMPUR|\bJOHOR|PULAU PINANG|\bJALAN\b|\bTAMAN\b",
    "DE": r"\bUSt-?Id|Steuernummer|\bHRB\b|\bDE\d{9}\b|Deutschland|\bGermany\b",
    "AT": r"\bATU\d{8}\b|Österreich|\bAustria\b",
    "CH": r"\bCHE-\d{3}\.\d{3}\.\d{3}|\bSchweiz\b|\bSuisse\b|\bSwitzerland\b",
    "FR": r"\bSIRET\b|\bSIREN\b|\bR\.?C\.?S\b(?!\W{1,3}Lux)|\bFR ?\d\d(?: ?\d{3}){3}\b|\bFrance\b",
    "IT": r"\bP\.?\s?IVA\b|\bIT\d{11}\b|\bS\.p\.A\.|\bItalia\b|\bItaly\b",
    "ES": r"\bC\.?I\.?F\.?:|\bN\.?I\.?F\.?:|\bEspaña\b|\bSpain\b",
    "NL": r"\bKvK\b|\bNL\d{9}B\d{2}\b|\bNederland\b|\bNetherlands\b",
    "BE": r"\b(?:TVA|BTW)\W{1,4}0\d(?:[ .]?\d){8}\b|\bBE ?[01]\d{3}(?:[ .]?\d{3}){2}\b"
    r"|\bBelgi(?:um|que|ë)\b",
    "PT": r"\bPT\d{9}\b|\bNIPC\b|\bPortugal\b",
    "PL": r"\bNIP\b|\bSp\. z o\.\s?o\.|\bPolska\b|\bPoland\b",
    "CZ": r"\bIČO?\b(?! DPH)|\bDIČ\b|Česk[áé]",
    "SK": r"\bIČ DPH\b|\bSK\d{10}\b|\bSlovensk",
    "HU": r"\bAdószám\b|\bKft\b",
    "SE": r"\bOrg\.?\s?nr\b|\bBankgiro\b|\bSverige\b|\bSweden\b",
    "NO": r"\bMVA\b|\bNorge\b|\bNorway\b",
    "DK": r"\bCVR\b|\bDanmark\b|\bDenmark\b",
    "FI": r"\bY-tunnus\b|\bOyj?\b|\bSuomi\b|\bFinland\b",
    "GB": r"\b(?:London|England|Scotland|Wales|United Kingdom)\b|\bGB ?\d{3} ?\d{4} ?\d{2}\b"
    r"|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b",
    "IE": r"\bIreland\b|\bDublin\b",
    # Germans write "DE 10115 Berlin".
    "US": r"\b(?:A[LKZR]|C[AOT]|DC|(?<=, )DE|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]"
    r"|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]),? \d{5}(?:-\d{4})?\b"
    r"|\bU\.?S\.?A\.?\b|\bUnited States\b",
    "CA": r"\b[A-Z]\d[A-Z] \d[A-Z]\d\b|\bCanada\b|\bHST\b",
    "AU": r"\bA\.?B\.?N\.?:? ?\d|(?<!\()\bPty\b|\bAustralia\b",
    "NZ": r"\bNew Zealand\b",
    "SG": r"\bPTE\.? LTD|\bSingapore\b",
    "IN": r"\bGSTIN\b|\bIndia\b|\bPvt\.? Ltd",
    "ID": r"\bNPWP\b|\bIndonesia\b",
    "JP": r"[\u3041-\u30ff]|\bJapan\b",
    "CN": r"人民币|发票|\bChina\b",
    "KR": r"[\uac00-\ud7a3]|\bKorea\b",
    "BR": r"\bCNPJ\b|\bBrasil\b|\bBrazil\b",
    "MX": r"\bMéxico\b|\bMexico\b|\bR\.?F\.?C\b\W{0,4}[A-Z&Ñ]{3,4}\d{6}",
    "AR": r"\bC\.?U\.?I\.?T\b",
    "CL": r"\bR\.?U\.?T\b\W{0,4}\d{1,2}\.?\d{3}\.?\d{3}-[\dK]\b",
    "CO": r"\bN\.?I\.?T\b\W{0,4}\d{3}\.?\d{3}\.?\d{3}-\d\b",
    "TR": r"\bVergi\b|\bTürkiye\b",
    "ZA": r"\(Pty\)|\bSouth Africa\b",
    "AE": r"\bUnited Arab Emirates\b|\bDubai\b",
}
_COUNTRY = lazy_pattern("|".join(f"(?P<{name}>{marks})" for name, marks in _MARKS.items()))
_IBAN = lazy_pattern(r"\b([A-Z]{2})\d{2}(?: ?[A-Z0-9]{4}){3,7}")

_CYRILLIC = lazy_pattern(r"[\u0410-\u044f]{3}")
# Scripts of one country
_SCRIPTS = lazy_pattern(
    r"(?P<TH>[\u0e01-\u0e5b]{3})|(?P<IL>[\u05d0-\u05ea]{3})|(?P<GE>[\u10a0-\u10ff]{3})"
    r"|(?P<AM>[\u0531-\u0587]{3})|(?P<KH>[\u1780-\u17ff]{3})|(?P<LA>[\u0e81-\u0edf]{3})"
    r"|(?P<MM>[\u1000-\u109f]{3})|(?P<LK>[\u0d80-\u0dff]{3})"
)
# The end of an address: "Santiago, Chile"; "Atlanta, Georgia" is in America, and ham can be turkey.
_LAST_PART = lazy_pattern(r"(?:^|[,;(]\s?|\s[-–·|]\s)(?P<name>[^\W\d_][^\d,;()|·]{3,30}?)[\s.)]*$")
# Parts of addresses, not of dates and amounts
_NUMBER = lazy_pattern(r"(?<![\d.,/:-])\d{1,7}(?!\d|[.,/:-]\d)")
_POSTCODE = lazy_pattern(
    r"(?<![\d.,/:-])(?:\d{4,7}|\d{3} \d{2,3})(?!\d|[.,/:]\d|-\d\d?-)|\d[A-Z]{2}$"
)
_MOST_LINES = 5  # of an address with a name, below "Bill to"
_OTHER_THINGS = frozenset({"georgia", "jordan", "jersey", "turkey", "chad", "guinea"})
# Of a few languages the commonest short words of their business documents: they write the day
# first. English says nothing.
_DAY_FIRST_WORDS = words_of("""
    und der die das für mit vom bis rechnung datum seite gesamt betrag et le la les des du pour
    facture page montant une aux el los las por para fecha factura importe della dei del per il
    fattura data totale importo van het een voor met factuur bedrag aan o da do com nota emissão
    valor na za dnia razem faktura kwota dan yang untuk dari tarikh och för att av som kronor
    jumlah
""")
_LEAST_WORDS = 6  # different ones, as "la", "data" and "total" are on English pages too
_YEAR_OR_EITHER_FIRST = frozenset(
    {"CA", "JP", "CN", "KR", "KP", "TW", "MN", "ZA", "SE", "HU", "LT", "PH", "PA", "IR", "BT"}
)
_MONTH_FIRST = frozenset({"US", "PR", "GU", "FM", "MH", "PW", "VI", "AS", "MP"})


@dataclass(frozen=True, slots=True)
class DocumentContext:
    """What one document as a whole tells about its values.

    Attributes:
        day_first: the order of its numeric dates; None where it does not show.
        likely_day_first: the order in which no date is before one that it has to follow, where
            only one is like that; it decides which reading of a date comes first.
        decimal: its decimal separator, ``"."`` or ``","``; None where it does not show.
        currency: the ISO 4217 code of the one currency it names, or None.
        signs: what its amounts are printed with where several currencies share it: of dollars
            every ISO 4217 code; empty where no such sign leads.
        named: every currency that it names.
        country: ISO 3166 code of the one country that its words and numbers show, or None.
    """

    day_first: bool | None = None
    likely_day_first: bool | None = None
    decimal: str | None = None
    currency: str | None = None
    signs: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    country: str | None = None


def infer_context(lines: Sequence[str]) -> DocumentContext:
    """Return what the lines of one document tell about its dates and amounts.

    The order of day and month is that of a date which allows one order alone; else that of the
    country, of the currency's country or of the language.
    """
    marks = list(_countries(lines))
    country = winner_of(marks)
    printed = _currencies(lines, currency_of(country) if country else None)
    if not any(map(_CYRILLIC.search, lines)):
        printed.pop(("KGS",), None)  # those are kilograms
    leading = winner_of(" ".join(codes) for codes in printed.elements())
    leading_codes = tuple(leading.split()) if leading else ()
    # "$" and "CAD": what all can stand for, else what most do
    common = set.intersection(*map(set, printed)) if printed else set()
    named = {codes[0] for codes in printed if len(codes) == 1}
    if len(common) != 1:
        common = {*leading_codes} & named if len(leading_codes) > 1 else {*leading_codes}
    currency = common.pop() if len(common) == 1 else None
    if not marks:
        country = _named_country(lines, leading_codes)
    day_first = infer_day_first(lines)
    if day_first is None:
        day_first = _usual_order(country, currency, lines)
    return DocumentContext(
        day_first=day_first,
        decimal=infer_decimal(lines),
        currency=currency,
        signs=leading_codes if currency is None else (),
        named=frozenset(named),
        country=country,
    )


def _currencies(texts: Iterable[str], local: str | None) -> Counter[tuple[str, ...]]:
    """Count what stands for currencies in a document, by what each can stand for.

    Args:
        texts: its lines.
        local: the currency of the country that its marks show. Letters and words for others count
            beside cents, or as captions where it is not printed: "00198 Roma (RM)" is Rome, and
            "FR76 3000" begins an account.
    """
    votes: Counter[tuple[str, ...]] = Counter()
    captions: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        for match in _STANDALONE.finditer(text):
            sign = match[match.lastgroup or 0]
            codes = currencies_of(sign)
            is_word = sign.isalpha() and sign.upper() not in CODES and match["behind"] is None
            if local is None or not is_word or local in codes or _CENTS.match(text, match.end()):
                votes[codes] += 1
            elif not any(map(str.isdecimal, text)):
                captions[codes] += 1
    if not any(local in codes for codes in votes):
        votes += captions
    votes.pop((), None)
    return votes


def _countries(lines: Sequence[str]) -> Iterator[str]:
    """Yield the country of each mark that one country alone prints."""
    for line in lines:
        yield from (match.lastgroup for match in _COUNTRY.finditer(line) if match.lastgroup)
        yield from (match[1] for match in _IBAN.finditer(line) if match[1] in _MARKS)


def _named_country(lines: Sequence[str], currencies: tuple[str, ...]) -> str | None:
    """Return the country whose name ends addresses, or whose script a document is in.

    Args:
        lines: of the document.
        currencies: what its prices can be in, where that is printed: a name of a country with other
            money is a customer's, or where a flight ends.
    """
    named = winner_of(_named_countries(lines))
    money = currency_of(named) if named else None
    return named if money is None or not currencies or money in currencies else None


def _named_countries(lines: Sequence[str]) -> Iterator[str]:
    """Yield the country of each line's script, and the one that ends an address.

    That has a number, in the same line or above: "Providencia 1234, Santiago, Chile". A line of its
    own counts below a postcode: "Kenya" alone may be coffee. What has a caption, "Bill to:", "Port
    of discharge:", in the line or above, is mostly of others than who writes the page.
    """
    below_caption = 0  # lines that may still be of it
    for above, line in itertools.pairwise(("", *lines)):
        if (script := _SCRIPTS.search(line)) is not None and script.lastgroup:
            yield script.lastgroup
        is_of_caption, below_caption = below_caption > 0, below_caption - 1
        if is_caption(line.strip()):
            below_caption = _MOST_LINES
        last = _LAST_PART.search(line)
        if last is None or is_of_caption or ":" in line:
            continue
        if last["name"].casefold() in _OTHER_THINGS:
            continue
        number = _POSTCODE if last.start() == 0 else _NUMBER
        if number.search(above) is None and _NUMBER.search(line) is None:
            continue
        if len(lenient(last["name"])) > len("USA"):  # "First Street, S.E." is not in Sweden
            codes = codes_of(last["name"], languages=1)
            if len(codes) == 1:
                yield codes[0]


@cache
def currency_of(country: str) -> str | None:
    """Return the ISO 4217 code of a country's one currency; None where it has several or none.

    Args:
        country: ISO 3166 code.
    """
    from babel.numbers import get_territory_currencies

    codes = get_territory_currencies(country)
    return codes[0] if len(codes) == 1 and codes[0] in CODES else None


def _usual_order(country: str | None, currency: str | None, lines: Sequence[str]) -> bool | None:
    """Return whether pages of a country, a currency or a language write the day first."""
    if country is None and currency not in (None, "EUR", "USD"):
        country = currency[:2]  # as ISO 4217 makes its codes
    if country is not None:
        return None if country in _YEAR_OR_EITHER_FIRST else country not in _MONTH_FIRST
    if currency == "EUR":
        return True
    words = {word for line in lines for word in re.findall(r"[^\W\d_]+", line.lower())}
    return True if len(words & _DAY_FIRST_WORDS) >= _LEAST_WORDS else None
