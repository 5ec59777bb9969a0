"""Tagged spans to the answer, in two passes: rank what a document offers, then say it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from models.labels import Span
from pipeline.answers.arithmetic.checks import Check, checked
from pipeline.answers.arithmetic.choosing import agreeing, agreement, cell_name, chosen
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.doubts import marked
from pipeline.answers.missed.captioned import with_captioned
from pipeline.answers.missed.captioned_names import with_captioned_names
from pipeline.answers.missed.prefixes import with_prefixes
from pipeline.answers.missed.sums import PrintedSums
from pipeline.answers.missed.told_durations import with_told_durations
from pipeline.answers.missed.too_few import with_enough
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.half_dates import reading_of, with_beginnings
from pipeline.answers.places.mentions import Mention
from pipeline.answers.places.own_currency import with_own_currency
from pipeline.answers.places.ranges import ends_of, is_sure, with_untagged_end
from pipeline.answers.places.ranking import Value, rank_values
from pipeline.answers.places.whole_values import with_whole_values
from pipeline.answers.rendering import Basis, Offer
from pipeline.answers.rows.by_sums import RowsBySums
from pipeline.answers.rows.cells import strays
from pipeline.answers.rows.groups import rows_of
from pipeline.answers.rows.products import read_together, unproven, with_products
from pipeline.document import Document
from pipeline.result import Answer, CheckResult, FieldValue
from pipeline.values.normalise import Normalised
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import lenient

__all__ = ["Answer", "Groups", "OfferedRows", "Resolved", "rank", "resolve_all"]

_ACCOUNTS = range(15, 35)  # letters and digits of an IBAN: a telephone number is none

Groups = dict[str, list[dict[str, FieldValue | None]]]
"""Rows by group, and in each row a value, or None, for every column."""
OfferedRows = dict[str, list[dict[str, Offer]]]
"""Rows by group, and in each row what the columns that have something are made of."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the spans of a document come to.

    Attributes:
        fields: by name.
        groups: rows by name.
        checks: of sums, products and dates, as they came out.
        offers: what each field is chosen from, the value given first.
        rows: what the cells of `groups` are made of, row by row.
        evidence: the document as tagged.
    """

    fields: dict[str, Answer]
    groups: Groups
    checks: list[CheckResult]
    offers: dict[str, list[Offer]]
    rows: OfferedRows
    evidence: Evidence


def resolve_all(
    document: Document,
    spans: Sequence[Span],
    fields: Sequence[FieldSpec],
    calibration: Calibration,
    checks: Sequence[Check] = (),
    fit: float | None = None,
    expected: Collection[str] = (),
) -> Resolved:
    """Return fields, rows and checks; where a check fails, near values may take a field's place.

    All places that say a value count as its evidence, on all pages. Where nothing tells the order
    of day and month, it is the one in which dates follow each other as the checks want it.

    Args:
        document: as read.
        spans: the tagger's spans over the document's words.
        fields: the model's fields, in the order of the answer; the field that begins a range
            stands before the one that ends it.
        calibration: of the same model.
        checks: of the same model.
        fit: how well the document fits it, where it can tell.
        expected: fields that all documents of the model have.
    """
    evidence = Evidence.of(document, spans)
    for mend in (with_beginnings, with_whole_values, with_prefixes, with_own_currency):
        evidence = mend(evidence, fields)

    def resolved(likely_day_first: bool | None = None) -> Resolved:
        context = replace(evidence.context, likely_day_first=likely_day_first)
        basis = Basis(fields, replace(evidence, context=context), calibration, fit)
        return _resolved(document, spans, basis, checks, expected)

    found = resolved()
    if evidence.context.day_first is not None or _dates_follow(found, checks) is not False:
        return found
    others = (resolved(order) for order in (True, False))
    return next((other for other in others if _dates_follow(other, checks)), found)


def _dates_follow(resolved: Resolved, checks: Sequence[Check]) -> bool | None:
    """Return whether all checks of dates are kept that a document has the values for, if any."""
    of_dates = {check.name for check in checks if any(rule.days for rule in check.rules)}
    outcomes = [result.ok for result in resolved.checks if result.name in of_dates]
    return all(outcomes) if outcomes else None


def _resolved(
    document: Document,
    spans: Sequence[Span],
    basis: Basis,
    checks: Sequence[Check],
    expected: Collection[str],
) -> Resolved:
    single = [spec for spec in basis.fields if not spec.group]
    offers = offered(replace(basis, fields=single))
    rows = _offered_rows(spans, basis, checks)

    def said() -> tuple[dict[str, Answer], Groups]:
        return (
            {spec.name: basis.answer(spec, offers[spec.name]) for spec in single},
            _rendered_rows(rows, basis),
        )

    answers, groups = said()
    if not checks:
        return Resolved(answers, groups, [], offers, rows, basis.evidence)
    offers |= chosen(checks, offers, answers, groups, single)
    answers, groups = said()
    one = [spec for spec in single if not spec.many]
    sums = PrintedSums(document, replace(basis, fields=one), expected)

    def settle(step: Callable[[RowsBySums], list[dict[str, Offer]]]) -> None:
        """Take the rows of each group as a step leaves them."""
        nonlocal answers, groups
        found = {
            group: step(RowsBySums(basis, group, rows[group], checks, answers, groups))
            for group in groups
        }
        if found != rows:
            rows.update(found)
            answers, groups = said()

    mended = set[str]()
    for check in checks:
        if any(rule.by_rows for rule in check.rules):
            settle(RowsBySums.without_surplus)
        mending = sums.mending(check, checks, answers, groups)
        if mending is not None:
            name, offer = mending
            mended.add(name)
            offers[name] = [offer, *offers[name]]
            answers, groups = said()
    settle(RowsBySums.without_surplus)
    settle(RowsBySums.moved)
    settle(RowsBySums.whole)
    settle(RowsBySums.added)
    found = checked(checks, answers, groups)
    for name, sign in agreement(found, checks).items():
        field, column, number = cell_name(name)
        if column is None:
            if offers.get(field) and field not in mended:
                offers[field] = [agreeing(offers[field][0], sign), *offers[field][1:]]
        elif column in rows[field][number]:
            rows[field][number][column] = agreeing(rows[field][number][column], sign)
    answers, groups = said()
    for group, of_group in groups.items():
        for number, name in unproven(of_group, checks, group, found):
            if (cell := of_group[number][name]) is not None:
                of_group[number][name] = marked(cell)
    return Resolved(answers, groups, found, offers, rows, basis.evidence)


def offered(basis: Basis) -> dict[str, list[Offer]]:
    """Return what a document offers for each field of a basis, the most credible first."""
    ranked: dict[str, list[Value]] = {}
    found: dict[str, list[Offer]] = {}
    names: list[str] = []
    for spec in basis.fields:
        found[spec.name] = basis.offers(spec, rank(spec, basis.evidence, ranked, names))
        ranked[spec.name] = [offer.value for offer in found[spec.name]]
        if spec.kind is Kind.NAME:
            names += [value.normalised.text for value in ranked[spec.name][:1]]
    for add in (with_captioned, with_captioned_names, with_told_durations, with_enough):
        found = add(basis, found)
    return found


def _offered_rows(spans: Sequence[Span], basis: Basis, checks: Sequence[Check]) -> OfferedRows:
    """Return what is offered for the cells of all rows; a row without a cell to give is none."""
    columns: dict[str, list[FieldSpec]] = {}
    for spec in basis.fields:
        if spec.group:
            columns.setdefault(spec.group, []).append(spec)
    found: OfferedRows = {}
    for group, specs in columns.items():
        rows = rows_of(specs, spans, basis.evidence.words)
        offered: list[dict[str, Offer]] = []
        given: list[list[str]] = []
        for row in with_products(rows, checks, specs, basis.evidence):
            own = [spec for spec in specs if spec.column in row]
            said = {spec.column: basis.reading(spec, row[spec.column]) for spec in own}
            said = read_together(said, checks, specs)
            cells = {
                spec.column: basis.offered(spec, row[spec.column], said[spec.column])
                for spec in own
                if said[spec.column].text
            }
            offered.append(cells)
            given.append(
                [
                    spec.column
                    for spec in own
                    if spec.column in cells and basis.is_given(spec, cells[spec.column])
                ]
            )
        none = strays(given, specs)
        found[group] = [cells for at, cells in enumerate(offered) if given[at] and at not in none]
    return found


def _rendered_rows(rows: OfferedRows, basis: Basis) -> Groups:
    return {
        group: [
            {
                spec.column: basis.cell(spec, cells[spec.column]) if spec.column in cells else None
                for spec in basis.fields
                if spec.group == group
            }
            for cells in offered
        ]
        for group, offered in rows.items()
    }


def rank(
    spec: FieldSpec,
    evidence: Evidence,
    ranked: Mapping[str, Sequence[Value]],
    names: Collection[str] = (),
) -> list[Value]:
    """Return all values that a document offers for a field, the most credible first.

    Args:
        spec: the field.
        evidence: the document as tagged.
        ranked: values of the fields before it, which decide on the end of a range, given or not.
        names: of these fields, see `Evidence.mentions`.
    """
    mentions = evidence.mentions(spec, names)
    values = _by_credibility(mentions, spec, evidence)
    starts = ranked.get(spec.range_start or "")
    if not starts:
        return values
    values = ends_of(values, starts[0])
    if is_sure(values):
        return values
    mentions = with_untagged_end(mentions, starts[0], spec, evidence)
    return ends_of(_by_credibility(mentions, spec, evidence), starts[0])


def _by_credibility(
    mentions: Sequence[Mention], spec: FieldSpec, evidence: Evidence
) -> list[Value]:
    readings = [reading_of(one, spec, evidence) for one in mentions]
    said = [
        place
        for place, (mention, reading) in enumerate(zip(mentions, readings, strict=True))
        if _may_say(mention, reading, spec, evidence)
    ]
    return rank_values([mentions[at] for at in said], [readings[at] for at in said], spec)


def _may_say(mention: Mention, reading: Normalised, spec: FieldSpec, evidence: Evidence) -> bool:
    """Return whether a place may say a field's value.

    Of a name that is a bar or a tilde, as OCR sees rulings, nothing is left that could be given;
    and a weight is no sum of money.
    """
    if spec.kind is Kind.IBAN:
        return len(lenient(reading.text)) in _ACCOUNTS
    if spec.kind is Kind.AMOUNT and reading.status != "failed":
        return not evidence.is_measure(spec, evidence.text(mention), mention.words[-1])
    return bool(reading.text)
