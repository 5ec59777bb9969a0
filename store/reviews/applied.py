"""What people decided, and the answer with that applied: the only place where it is computed.

A decision is never changed or removed: one that was a mistake is followed by another that undoes
it. The machine's answer stays as it is.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from pipeline.errors import InvalidOption

DecisionKind = Literal["accept", "candidate", "reading", "edit", "pick", "absent", "undo"]
KINDS: tuple[DecisionKind, ...] = get_args(DecisionKind)

Value = dict[str, Any] | None
"""A value of a field as the answer has it; None for no value."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a person wants.

    Attributes:
        id: made by whoever sends it; the same one again changes nothing.
        kind: ``accept`` the value, take another ``candidate`` or ``reading`` of it, ``edit`` it as
            text, ``pick`` words of the page, say that it is ``absent``, or ``undo`` a decision.
        field: of the model; of the decision that is undone.
        place: of the value among those of its field, from 0; one behind the last adds one.
        number: of the candidate or reading, from 0.
        value: what was made of a text or of words.
        undoes: id of the decision that is taken back.
        seconds: that it took.
    """

    id: str
    kind: DecisionKind
    field: str
    place: int = 0
    number: int = 0
    value: Value = None
    undoes: str | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as it is kept; `at` is in seconds since 1970 by the database's clock."""

    id: str
    number: int
    kind: DecisionKind
    field: str
    place: int
    before: Value
    after: Value
    undoes: str | None
    reviewer: str
    at: float
    seconds: float | None


def values_of(answer: dict[str, Any], decisions: Sequence[Decision], field: str) -> list[Value]:
    """Return the values of a field with all decisions applied, None in the place of absent ones.

    Raises:
        InvalidOption: the answer has no such field.
    """
    if field not in answer["fields"]:
        raise InvalidOption(
            f"The answer has no field {field[:64]!r}.", advice="See `fields` of the answer."
        )
    given = answer["fields"][field]
    values: list[Value] = list(given) if isinstance(given, list) else [given]
    for decision in _in_force(decisions):
        if decision.field == field:
            values += [None] * (decision.place + 1 - len(values))
            values[decision.place] = decision.after
    return values


def after(made: Made, answer: dict[str, Any], decisions: Sequence[Decision]) -> tuple[Value, Value]:
    """Return a field's value before and after what a person wants.

    Raises:
        InvalidOption: there is nothing to accept, choose or undo, or no such place.
    """
    values = values_of(answer, decisions, made.field)
    many = isinstance(answer["fields"][made.field], list)
    if made.place > (len(values) if many else 0):
        raise InvalidOption(f"The field {made.field} has no place {made.place}.")
    before = values[made.place] if made.place < len(values) else None
    if made.kind in ("edit", "pick"):
        return before, made.value
    if made.kind == "absent":
        return before, None
    if made.kind == "undo":
        known = [one for one in _in_force(decisions) if one.id == made.undoes]
        if not known or known[0].field != made.field or known[0].place != made.place:
            raise InvalidOption("There is no such decision to undo.")
        left = [one for one in decisions if one.id != made.undoes]
        rest = values_of(answer, left, made.field)
        return before, rest[made.place] if made.place < len(rest) else None
    if before is None:
        if made.kind == "accept":  # that the document does not say it
            return None, None
        raise InvalidOption(f"The field {made.field} has no value to choose from.")
    return before, _confirmed(_chosen(before, made))


def places(answer: dict[str, Any], decisions: Sequence[Decision]) -> dict[str, Any]:
    """Return all fields with all decisions applied; in lists, what is absent leaves its place."""
    return {
        field: values if isinstance(given, list) else values[0]
        for field, given in answer["fields"].items()
        for values in [values_of(answer, decisions, field)]
    }


def applied(answer: dict[str, Any], decisions: Sequence[Decision], *, done: bool) -> dict[str, Any]:
    """Return the answer with all decisions applied, and marked as reviewed.

    Args:
        answer: the machine's.
        decisions: in their order.
        done: the review is finished.
    """
    reviewed = copy.deepcopy(answer)
    marks: dict[str, list[dict[str, Any]]] = {}
    for decision in _in_force(decisions):
        mark = {"place": decision.place, "decision": decision.kind, "by": decision.reviewer}
        marks.setdefault(decision.field, []).append({**mark, "at": _iso(decision.at)})
    for field in marks:
        values = values_of(answer, decisions, field)
        many = isinstance(answer["fields"][field], list)
        reviewed["fields"][field] = [one for one in values if one] if many else values[0]
    if decisions:
        reviewed["reviewed"] = {
            "done": done,
            "by": sorted({decision.reviewer for decision in decisions}),
            "at": _iso(decisions[-1].at),
            "fields": marks,
        }
    return reviewed


def _in_force(decisions: Sequence[Decision]) -> list[Decision]:
    """Return the decisions that nobody took back, without those that take back."""
    undone = {decision.undoes for decision in decisions}
    return [one for one in decisions if one.kind != "undo" and one.id not in undone]


def _chosen(value: dict[str, Any], made: Made) -> dict[str, Any]:
    """Return the value that is meant, as the machine offered it."""
    options = {"accept": [None], "candidate": value["candidates"]}
    options["reading"] = value["normalisation"]["alternatives"]
    if made.number >= len(options[made.kind]):
        raise InvalidOption(f"The value has no {made.kind} {made.number}.")
    option = options[made.kind][made.number]
    if made.kind == "candidate":
        plain: dict[str, Any] = {
            "status": "ok",
            "reason": None,
            "alternatives": [],
            "precision": None,
        }
        return {**value, **option, "words": [], "normalisation": plain}
    return value if made.kind == "accept" else {**value, "value": option}


def _confirmed(value: dict[str, Any]) -> dict[str, Any]:
    """Return a value that a person has confirmed: nothing is doubtful about it any more."""
    normalisation = {**value["normalisation"], "alternatives": []}
    if normalisation["status"] == "ambiguous":
        normalisation["status"] = "ok"
    return {
        **value,
        "confidence": 1.0,
        "needs_review": False,
        "candidates": [],
        "normalisation": normalisation,
    }


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
