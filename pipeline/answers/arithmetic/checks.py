"""Arithmetic that the values of a document must keep: sums, products, dates in their order.

Rules are a package's own, in its `fields.toml`:

    [[check]]
    name = "items add up to the subtotal"
    rules = ["sum(items.amount) = subtotal", "sum(items.amount) + total_discount = subtotal"]

A rule compares two sides by ``=`` or ``<=``. A side is fields, columns and sums of columns, joined
by ``+``, ``-`` and ``*``; per cents count as hundredths. A rule that names a column outside of
``sum`` is about each row. A check is kept where one of its rules is; rules whose fields the
document does not have say nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from pipeline.errors import InvalidOption
from pipeline.result import Answer, CheckResult, FieldValue
from pipeline.values.figures.amounts import plain
from pipeline.values.schema import FieldSpec, Kind

_ADVICE = (
    'Write [[check]] with name and rules = ["subtotal + total_tax = invoice_total"]: fields, '
    "columns and sum(group.column), joined by + - * and compared by = or <=."
)
_TERM = re.compile(r"\s*(sum\()?\s*([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)\s*(\))?\s*([-+*]|$)")
ROUNDING = Decimal("0.005")  # by which each term may be off, where cents were rounded
_FIGURES = {Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT}

Row = Mapping[str, FieldValue | None]
Groups = Mapping[str, Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Term:
    """One value, or sum of a column, and how it is joined to what stands before it.

    Attributes:
        name: of the field or column.
        summed: over all rows.
        joined: ``+``, ``-`` or ``*``.
    """

    name: str
    summed: bool
    joined: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Two sides of terms, compared by ``=`` or ``<=``; `days` where both are dates."""

    left: tuple[Term, ...]
    compared: str
    right: tuple[Term, ...]
    days: bool = False

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of both sides."""
        return self.left + self.right

    @property
    def by_rows(self) -> bool:
        """Whether it adds up the rows of a group."""
        return any(term.summed for term in self.terms)


@dataclass(frozen=True, slots=True)
class Check:
    """A named check.

    Attributes:
        name: in words, as the answer has it.
        texts: its rules as written.
        rules: of which one must be kept.
    """

    name: str
    texts: tuple[str, ...]
    rules: tuple[Rule, ...]


def parse_checks(text: str, fields: Iterable[FieldSpec]) -> tuple[Check, ...]:
    """Return the checks of a `fields.toml`.

    Args:
        text: that `parse_fields` has read.
        fields: what it found there.

    Raises:
        InvalidOption: a check is not as described, has the name of another one, or names what is
            no figure or date.
    """
    # A field with many values has none to calculate with.
    kinds = {spec.name: spec.kind for spec in fields if spec.group or not spec.many}
    tables = tomllib.loads(text).get("check", [])
    found = tuple(
        _check(table, kinds) for table in (tables if isinstance(tables, list) else [tables])
    )
    names = [check.name for check in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InvalidOption(
            f"There are several checks {twice[0]!r}.", advice="Give each check its own name."
        )
    return found


def dump_checks(checks: Iterable[Check]) -> str:
    """Return the TOML text that `parse_checks` turns back into equal checks."""
    return "\n".join(
        "\n".join(
            ["[[check]]", f'name = "{check.name}"', "rules = ["]
            + [f'    "{text}",' for text in check.texts]
            + ["]", ""]
        )
        for check in checks
    )


def _check(table: Any, kinds: Mapping[str, Kind]) -> Check:
    name = table.get("name") if isinstance(table, dict) else None
    texts = table.get("rules") if isinstance(table, dict) else None
    if (
        not isinstance(name, str)
        or not re.fullmatch(r'[^"\\\n]{1,100}', name)
        or not isinstance(texts, list)
        or not texts
        or not all(isinstance(text, str) for text in texts)
        or table.keys() != {"name", "rules"}
    ):
        raise InvalidOption(f"A check is not usable: {table!r}.", advice=_ADVICE)
    return Check(name, tuple(texts), tuple(_rule(text, kinds) for text in texts))


def _rule(text: str, kinds: Mapping[str, Kind]) -> Rule:
    left, compared, right = text.partition("<=" if "<=" in text else "=")
    rule = Rule(tuple(_terms(left)), compared, tuple(_terms(right)))
    if unknown := [term.name for term in rule.terms if term.name not in kinds]:
        raise InvalidOption(
            f"The rule {text!r} cannot be checked: there is no field {unknown[0]!r}.",
            advice=_ADVICE,
        )
    found = [kinds[term.name] for term in rule.terms]
    columns = all("." in term.name for term in rule.terms if term.summed)
    one_group = {term.name.partition(".")[0] for term in rule.terms if _of_a_row(term)}
    # Dates are compared one with another, and in no other way.
    days = found == [Kind.DATE, Kind.DATE]
    # What is compared with itself always holds, and says nothing for its values.
    tells = Counter(rule.left) != Counter(rule.right)
    if not (tells and columns and len(one_group) <= 1 and (days or set(found) <= _FIGURES)):
        raise InvalidOption(f"The rule {text!r} cannot be checked.", advice=_ADVICE)
    return replace(rule, days=days)


def _terms(side: str) -> Iterator[Term]:
    joined, position = "+", 0
    while joined:
        match = _TERM.match(side, position)
        if match is None or bool(match[1]) != bool(match[3]):
            raise InvalidOption(f"{side.strip()!r} is no side of a rule.", advice=_ADVICE)
        yield Term(match[2], bool(match[1]), joined)
        joined, position = match[4], match.end()


def _of_a_row(term: Term) -> bool:
    return "." in term.name and not term.summed


def checked(
    checks: Iterable[Check], fields: Mapping[str, Answer], groups: Groups
) -> list[CheckResult]:
    """Return what came of the checks that a document has the values for."""
    found = (_result(check, fields, groups) for check in checks)
    return [result for result in found if result is not None]


def outcomes(
    checks: Iterable[Check], fields: Mapping[str, Answer], groups: Groups
) -> dict[str, bool]:
    """Return by name whether each check is kept that a document has the values for."""
    return {result.name: result.ok for result in checked(checks, fields, groups)}


def needed(
    rule: Rule,
    fields: Mapping[str, Answer],
    groups: Groups,
    taken_off: Collection[str] = (),
    lacking: Collection[str] = (),
) -> Iterator[tuple[str, Decimal]]:
    """Yield each field of a sum with the figure that the others leave for it.

    A rule that is no equation of sums, or lacks two of them, says nothing. What the rows come to
    says how much is taken off them, or what a field is that must be there, and never what another
    field is: of the rows of a table one is easily missed, and no figure is printed by which they
    are then too much. Less than half of it is taken off: more is the sum of other rows.

    Args:
        rule: of a check.
        fields: answers by name.
        groups: rows, as they are given.
        taken_off: fields that say how much is taken off, never added.
        lacking: fields that must be there, and are not or are in doubt.
    """
    fits = all(term.joined != "*" and not _of_a_row(term) for term in rule.terms)
    if not fits or rule.compared != "=" or rule.days:
        return
    signs = [1 if term.joined == "+" else -1 for term in rule.terms]
    signs[len(rule.left) :] = [-sign for sign in signs[len(rule.left) :]]
    said = [_sum(_values(term, fields, groups, 0).values()) for term in rule.terms]
    signed = [
        None if value is None else sign * value for sign, value in zip(signs, said, strict=True)
    ]
    rows = (value for term, value in zip(rule.terms, signed, strict=True) if term.summed)
    of_rows = sum(filter(None, rows), Decimal(0))
    for at, term in enumerate(rule.terms):
        others = signed[:at] + signed[at + 1 :]
        if None in others:
            continue
        figure = -signs[at] * sum(filter(None, others), Decimal(0))
        less = signs[at] * of_rows < 0 and 2 * abs(figure) < abs(of_rows)
        off = less and term.name in taken_off and not fields.get(term.name)
        if not rule.by_rows or off or term.name in lacking:
            yield term.name, figure


def _result(check: Check, fields: Mapping[str, Answer], groups: Groups) -> CheckResult | None:
    tried = [result for rule in check.rules if (result := _tried(check, rule, fields, groups))]
    return next((result for result in tried if result.ok), tried[0] if tried else None)


def _tried(
    check: Check, rule: Rule, fields: Mapping[str, Answer], groups: Groups
) -> CheckResult | None:
    """Return what came of one rule: of the first row that breaks it, where it is about rows."""
    group = next((term.name.partition(".")[0] for term in rule.terms if _of_a_row(term)), "")
    results: list[CheckResult] = []
    for number in range(len(groups.get(group, ())) if group else 1):
        values = [_values(term, fields, groups, number) for term in rule.terms]
        said = [_sum(named.values()) for named in values]
        sums = [figure for figure in said if figure is not None]
        if len(sums) < len(rule.terms):
            continue
        found = _joined(rule.left, sums)
        expected = _joined(rule.right, sums[len(rule.left) :])
        results.append(
            CheckResult(
                name=check.name,
                found=_shown(found, rule),
                expected=_shown(expected, rule),
                ok=_is_kept(found, rule, expected, ROUNDING * len(rule.terms)),
                fields=[name for named in values for name in named],
            )
        )
    return next((result for result in results if not result.ok), results[0] if results else None)


def _is_kept(found: Decimal, rule: Rule, expected: Decimal, slack: Decimal) -> bool:
    """Return whether two sides compare as a rule wants; negative ones by how much they are."""
    if rule.compared == "=":
        return abs(found - expected) <= slack
    if not rule.days and found < 0 and expected < 0:  # of a credit note too, little is taken off
        found, expected = -found, -expected
    return found <= expected + slack


def _values(
    term: Term, fields: Mapping[str, Answer], groups: Groups, number: int
) -> dict[str, FieldValue | None]:
    """Return the values of a term by name: one, that of a row, or those of all rows."""
    group, _, column = term.name.rpartition(".")
    if not group:
        given = fields.get(term.name)
        return {term.name: given if isinstance(given, FieldValue) else None}
    rows = groups.get(group, ())
    chosen = range(len(rows)) if term.summed else [number]
    return {f"{term.name}[{at}]": rows[at].get(column) for at in chosen}


def _sum(values: Iterable[FieldValue | None]) -> Decimal | None:
    """Return the sum of values; None where there are none, or one is no figure."""
    figures = [_figure(value) for value in values]
    known = [figure for figure in figures if figure is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(figures) else None


def _joined(terms: Sequence[Term], values: Sequence[Decimal]) -> Decimal:
    """Return what the terms of a side come to; products bind more closely than sums."""
    total, product = Decimal(0), Decimal(0)
    for term, value in zip(terms, values, strict=False):
        if term.joined == "*":
            product *= value
        else:
            total, product = total + product, value if term.joined == "+" else -value
    return total + product


def _shown(value: Decimal, rule: Rule) -> str:
    return date.fromordinal(int(value)).isoformat() if rule.days else plain(value)


def _figure(value: FieldValue | None) -> Decimal | None:
    return None if value is None else figure_of(value.value, Kind(value.kind))


def figure_of(value: Any, kind: Kind) -> Decimal | None:
    """Return a value's number: per cents as hundredths, dates as days; None where it has none."""
    said = value.get("amount") if isinstance(value, Mapping) else value
    try:
        if kind == Kind.DATE:
            return Decimal(date.fromisoformat(str(said)).toordinal())
        number = Decimal(str(said))
    except (InvalidOperation, ValueError):
        return None
    if not number.is_finite():
        return None
    return number / 100 if kind == Kind.PERCENT else number
