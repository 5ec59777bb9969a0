"""What the signs tell of the values of a document is learnt, and used only where it helps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.values.schema import FieldSpec, Kind
from training.scoring.calibrate import fit, nested, through
from training.scoring.cases import Case, Cases
from training.scoring.second_reading import chosen, rankings, read_again

NUMBER = FieldSpec("number", Kind.IDENTIFIER)


def _case(document: int, score: float, right: bool, **signs: float) -> Case:
    return Case("number", str(document), "own", document % 5, score, signs, right, True)


def _choices(count: int, *, told: bool, seed: int = 0) -> list[Case]:
    """Return choices of two; the right one, second in a third of them, is named where `told`."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        first_is_right = number % 3 > 0
        cases = []
        for at, right in enumerate((first_is_right, not first_is_right)):
            named = (1.0 if right else -1.0) if told else float(random.normal())
            cases.append(_case(number, 0.6 - 0.2 * at, right, named=named))
        found.append(replace(cases[0], others=(cases[1],)))
    return found


def _of(field: str, case: Case) -> Case:
    others = tuple(replace(other, field=field) for other in case.others)
    return replace(case, field=field, others=others)


def test_what_names_the_right_value_puts_it_first() -> None:
    cases = _choices(60, told=True)
    parts = [case.part for case in cases]
    learnt = rankings(cases, parts)
    assert learnt["number"]["named"] > 0
    assert all(chosen(case, learnt).right for case in cases)
    assert all(case.right for case in read_again(cases, parts))


def test_what_tells_nothing_changes_nothing() -> None:
    cases = _choices(60, told=False)
    parts = [case.part for case in cases]
    assert rankings(cases, parts) == {}
    assert read_again(cases, parts) == cases


def test_fields_are_ranked_together_or_not_at_all() -> None:
    told = _choices(60, told=True)
    few = [_of("other", case) for case in _choices(10, told=False, seed=1)]
    cases = [*told, *few]
    parts = [case.part for case in cases]
    assert rankings(cases, parts).keys() == {"number", "other"}
    assert rankings(few, [case.part for case in few]) == {}


def test_a_text_that_is_no_value_stays_behind_those_that_are() -> None:
    learnt = {"number": {"named": 1.0}}
    junk = replace(_case(0, 0.9, False, named=3.0), sound=False)
    case = replace(_case(0, 0.5, True, named=-1.0), others=(junk,))
    assert chosen(case, learnt).right
    assert chosen(case, learnt).others == (junk,)


def test_a_case_without_others_is_what_it_was() -> None:
    case = _case(0, 0.5, True)
    assert chosen(case, {"number": {"named": 1.0}}) is case


def test_confidences_are_of_the_values_chosen() -> None:
    cases = Cases(tuple(_choices(60, told=True)), {part: 12 for part in range(5)})
    calibration = fit(cases, [NUMBER], styles={}, source="a test")
    assert calibration.of("number").ranking["named"] > 0
    given = nested(cases, [NUMBER])
    assert len(given) == 60
    assert all(one.case.right for one in given)
    marked = sum(one.marked for one in given)
    assert through(given, [NUMBER]) == {"number": round(1 - marked / 60, 4)}
