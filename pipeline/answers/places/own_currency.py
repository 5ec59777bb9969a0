"""Which of the currencies on a page its sums are in: the one that is printed beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.answers.places.beside import has_digit
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.values.figures.currencies import currencies_of
from pipeline.values.schema import FieldSpec, Kind

_LIKELY = 0.5  # score of a place that says a sum


def with_own_currency(evidence: Evidence, fields: Sequence[FieldSpec]) -> Evidence:
    """Return the evidence with the one currency beside its sums, where the page names several.

    An invoice may say what its total is in other money, or what freight costs in dollars: amounts
    that are printed without a currency are in that of the sums.
    """
    if evidence.context.currency is not None:
        return evidence
    beside = {
        codes[0]
        for spec in fields
        if spec.kind is Kind.AMOUNT and not spec.group
        for mention in evidence.mentions(spec)
        if mention.score >= _LIKELY
        for codes in map(currencies_of, _beside(mention, evidence))
        if len(codes) == 1 and codes[0] in evidence.context.named
    }
    if len(beside) != 1:
        return evidence
    return replace(evidence, context=replace(evidence.context, currency=beside.pop()))


def _beside(mention: Mention, evidence: Evidence) -> Iterator[str]:
    """Yield the words of an amount, and those before and behind it in its line.

    What stands before another figure is that one's: in "200.00 CZK 5,000.00" the currency is.
    """
    first, last = mention.start, mention.words[-1]
    for index in range(max(0, first - 1), last + 1):
        if evidence.same_line(index, first):
            yield evidence.words[index][1].text
    behind, farther = last + 1, last + 2
    if behind < len(evidence.words) and evidence.same_line(behind, last):
        text = evidence.words[farther][1].text if farther < len(evidence.words) else ""
        if not (has_digit(text) and evidence.same_line(farther, behind)):
            yield evidence.words[behind][1].text
