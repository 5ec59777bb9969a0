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

DecisionKind = Literal[
    "accept",
    "candidate",
    "reading",
    "edit",
    "pick",
    "absent",
    "insert",
    "remove",
    "split",
    "model",
    "undo",
]
KINDS: tuple[DecisionKind, ...] = get_args(DecisionKind)

Value = dict[str, Any] | None
"""A value of a field as the answer has it; None for no value."""

ROW_KINDS = ("insert", "remove", "split")
BEFORE_THE_FIRST = -1


@dataclass(frozen=True, slots=True)
class Made:
    """What a person wants.

    Attributes:
        id: made by whoever sends it; the same one again changes nothing.
        kind: ``accept`` the value, take another ``candidate`` or ``reading`` of it, ``edit`` it as
            text, ``pick`` words of the page, say that it is ``absent``, or ``undo`` a decision. Of
            rows: ``insert`` one behind the row `place`, ``remove`` it, or ``split`` it. Of the
            document: take the answer of another ``model`` in place of the first one.
        field: of the model, ``group.column`` of a cell, or the group of a row; of the decision
            that is undone.
        place: of the value among those of its field, from 0, where one behind the last adds one;
            of cells and rows the row's number, which it keeps for good.
        number: of the candidate or reading, from 0.
        value: what was made of a text or of words; of a row that is split, ``above`` and ``below``
            with the cells of each part; of one that is inserted, its empty cells; the answer of
            another model.
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


def based(
    answer: dict[str, Any], decisions: Sequence[Decision]
) -> tuple[dict[str, Any], list[Decision]]:
    """Return the answer of the model that was chosen last, and the decisions made on that one.

    Args:
        answer: the machine's first one.
        decisions: all, in their order.
    """
    chosen = _chosen_model(decisions)
    if chosen is None:
        return answer, list(decisions)
    return chosen.after or {}, [one for one in decisions if one.number > chosen.number]


def in_force(answer: dict[str, Any], decisions: Sequence[Decision]) -> list[Decision]:
    """Return the decisions on values that hold: none that was undone, or made on another model."""
    return _in_force(based(answer, decisions)[1])


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


def rows_of(
    answer: dict[str, Any], decisions: Sequence[Decision], group: str
) -> list[tuple[int, dict[str, Value]]]:
    """Return the rows of a group with all decisions applied, each behind its number.

    Rows are numbered as the machine found them, then as people add them; a number is never used
    again, and what is said of a row that is gone says nothing.

    Raises:
        InvalidOption: the answer has no such group.
    """
    if group not in answer.get("groups", {}):
        raise InvalidOption(
            f"The answer has no group {group[:64]!r}.", advice="See `groups` of the answer."
        )
    order = list(range(len(answer["groups"][group])))
    rows: dict[int, dict[str, Value]] = {n: dict(answer["groups"][group][n]) for n in order}
    gone: set[int] = set()
    for decision in _in_force(decisions):
        of, _, column = decision.field.partition(".")
        if of != group or (not column and decision.kind not in ROW_KINDS):
            continue
        place, said = decision.place, decision.after or {}
        if decision.kind in ("insert", "split"):
            behind = order.index(place) + 1 if place in rows else 0
            if decision.kind == "split" and place not in rows:
                continue
            order.insert(behind, said["row"])
            rows[said["row"]] = dict(said["below"])
            if decision.kind == "split":
                rows[place] = dict(said["above"])
        elif place in rows and decision.kind == "remove":
            gone.add(place)
        elif place in rows:
            rows[place][column] = decision.after
    return [(number, rows[number]) for number in order if number not in gone]


def after(made: Made, answer: dict[str, Any], decisions: Sequence[Decision]) -> tuple[Value, Value]:
    """Return a field's value before and after what a person wants.

    Raises:
        InvalidOption: there is nothing to accept, choose or undo, or no such place.
    """
    chosen = _chosen_model(decisions)
    answer, decisions = based(answer, decisions)
    if made.kind == "model":
        return {"model": answer["model"]}, made.value
    if made.kind == "undo" and chosen is not None and made.undoes == chosen.id:
        return {"model": answer["model"]}, chosen.before
    if made.kind == "undo":
        return _taken_back(made, answer, decisions)
    if made.kind in ROW_KINDS:
        return _row_after(made, answer, decisions)
    before = _before(made, answer, decisions)
    if made.kind in ("edit", "pick"):
        return before, made.value
    if made.kind == "absent":
        return before, None
    if before is None:
        if made.kind == "accept":  # that the document does not say it
            return None, None
        raise InvalidOption(f"The field {made.field} has no value to choose from.")
    return before, _confirmed(_chosen(before, made))


def check_same(kept: Decision, made: Made) -> None:
    """Raise InvalidOption where what has the id of a decision that is kept is another one."""
    if (kept.kind, kept.field, kept.place) != (made.kind, made.field, made.place):
        raise InvalidOption(
            "Another decision on this answer has the same `id`.",
            advice="Make an id for each decision; only one that is sent again keeps its own.",
        )


def _before(made: Made, answer: dict[str, Any], decisions: Sequence[Decision]) -> Value:
    """Return the value that a decision is about; raises InvalidOption where it has no place."""
    group, _, column = made.field.rpartition(".")
    if group:
        cells = _row(made.place, answer, decisions, group)
        if column not in cells:
            raise InvalidOption(f"The group {group} has no column {column}.")
        return cells[column]
    values = values_of(answer, decisions, made.field)
    many = isinstance(answer["fields"][made.field], list)
    if not 0 <= made.place <= (len(values) if many else 0):
        raise InvalidOption(f"The field {made.field} has no place {made.place}.")
    return values[made.place] if made.place < len(values) else None


def _row(
    place: int, answer: dict[str, Any], decisions: Sequence[Decision], group: str
) -> dict[str, Value]:
    rows = dict(rows_of(answer, decisions, group))
    if place not in rows:
        raise InvalidOption(
            f"The group {group} has no row {place}.", advice="See GET /reviews/{job_id}/decisions."
        )
    return rows[place]


def _row_after(
    made: Made, answer: dict[str, Any], decisions: Sequence[Decision]
) -> tuple[Value, Value]:
    """Return a row before and after it is inserted, removed or split."""
    if made.kind == "insert" and made.place == BEFORE_THE_FIRST:
        rows_of(answer, decisions, made.field)  # there is such a group
        before = None
    else:
        before = _row(made.place, answer, decisions, made.field)
    if made.kind == "remove":
        return before, None
    of_group = [one for one in decisions if one.field == made.field]
    added = [one.after["row"] for one in of_group if one.after and one.kind in ("insert", "split")]
    new = {"row": max([len(answer["groups"][made.field]) - 1, *added]) + 1}
    if made.kind == "insert":
        empty = made.value or {}
        return None, {**new, "below": {column: None for column in empty}}
    return before, {**new, **(made.value or {})}


def _taken_back(
    made: Made, answer: dict[str, Any], decisions: Sequence[Decision]
) -> tuple[Value, Value]:
    """Return a value before and after a decision on it is undone."""
    known = [one for one in _in_force(decisions) if one.id == made.undoes]
    if not known or known[0].field != made.field or known[0].place != made.place:
        raise InvalidOption("There is no such decision to undo.")
    left = [one for one in decisions if one.id != made.undoes]
    if known[0].kind in ROW_KINDS:
        return known[0].after, known[0].before
    group, _, column = made.field.rpartition(".")
    if group:
        now, then = (dict(rows_of(answer, these, group)) for these in (decisions, left))
        return now.get(made.place, {}).get(column), then.get(made.place, {}).get(column)
    values, rest = (values_of(answer, these, made.field) for these in (decisions, left))
    return (
        values[made.place] if made.place < len(values) else None,
        rest[made.place] if made.place < len(rest) else None,
    )


def places(answer: dict[str, Any], decisions: Sequence[Decision]) -> dict[str, Any]:
    """Return all fields with all decisions applied; in lists, what is absent leaves its place."""
    answer, decisions = based(answer, decisions)
    return {
        field: values if isinstance(given, list) else values[0]
        for field, given in answer["fields"].items()
        for values in [values_of(answer, decisions, field)]
    }


def numbered_rows(
    answer: dict[str, Any], decisions: Sequence[Decision]
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all groups with all decisions applied, each as its number and cells."""
    answer, decisions = based(answer, decisions)
    return {
        group: [{"row": number, "cells": cells} for number, cells in rows]
        for group in answer.get("groups", {})
        for rows in [rows_of(answer, decisions, group)]
    }


def applied(answer: dict[str, Any], decisions: Sequence[Decision], *, done: bool) -> dict[str, Any]:
    """Return the answer with all decisions applied, and marked as reviewed.

    Rows that nobody filled are left out. Once the review is done, no value asks for one.
    """
    chosen, all_of = _chosen_model(decisions), decisions
    answer, decisions = based(answer, decisions)
    reviewed = copy.deepcopy(answer)
    reviewed["needs_review"] = answer.get("needs_review", False) and not done
    marks: dict[str, list[dict[str, Any]]] = {}
    for decision in _in_force(decisions):
        mark = {"place": decision.place, "decision": decision.kind, "by": decision.reviewer}
        marks.setdefault(decision.field, []).append({**mark, "at": iso(decision.at)})
    for group in {field.partition(".")[0] for field in marks} & answer.get("groups", {}).keys():
        rows = rows_of(answer, decisions, group)
        reviewed["groups"][group] = [cells for _, cells in rows if any(cells.values())]
    for field in marks.keys() & answer["fields"].keys():
        values = values_of(answer, decisions, field)
        many = isinstance(answer["fields"][field], list)
        reviewed["fields"][field] = [one for one in values if one] if many else values[0]
    if all_of:
        reviewed["reviewed"] = {
            "done": done,
            "by": sorted({decision.reviewer for decision in all_of}),
            "at": iso(all_of[-1].at),
            "fields": marks,
        }
    if chosen is not None and chosen.before is not None:
        was = "{name}@{version}".format(**chosen.before["model"])
        mark = {"was": was, "by": chosen.reviewer, "at": iso(chosen.at)}
        reviewed["reviewed"]["model"] = mark
    return _settled(reviewed) if done else reviewed


def _settled(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer that a person is done with: no value of it asks for review any more."""

    def settled(value: Value) -> Value:
        return None if value is None else {**value, "needs_review": False}

    fields = {
        field: [settled(one) for one in given] if isinstance(given, list) else settled(given)
        for field, given in answer["fields"].items()
    }
    groups = {
        group: [{column: settled(cell) for column, cell in cells.items()} for cells in rows]
        for group, rows in answer.get("groups", {}).items()
    }
    return {**answer, "fields": fields, **({"groups": groups} if "groups" in answer else {})}


def _in_force(decisions: Sequence[Decision]) -> list[Decision]:
    """Return the decisions that nobody took back, without those that take back."""
    undone = {decision.undoes for decision in decisions}
    return [one for one in decisions if one.kind != "undo" and one.id not in undone]


def _chosen_model(decisions: Sequence[Decision]) -> Decision | None:
    """Return the last decision in force that took the answer of another model."""
    return next((one for one in reversed(_in_force(decisions)) if one.kind == "model"), None)


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


def iso(seconds: float) -> str:
    """Return a time in seconds since 1970 as answers have it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
