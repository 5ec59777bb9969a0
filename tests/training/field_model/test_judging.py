"""What a model is scored by are the answers that the service gives."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from models.labels import Span
from pipeline.answers.arithmetic.checks import parse_checks
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of
from training.data.autotag.align import Tagged
from training.data.corpus import Corpus
from training.data.dataset import Row
from training.field_model.judging import Trained, judged
from training.field_model.learning import Learnt
from training.field_model.prepared import Prepared
from training.scoring.held_out import HeldOut

FIELDS = (FieldSpec("total", Kind.AMOUNT), FieldSpec("items.amount", Kind.AMOUNT, many=True))
RULE = '[[check]]\nname = "rows"\nrules = ["sum(items.amount) = total"]\n'
COUNT = 100  # one of them may lack what all documents have


def _judged(rules: str) -> Trained:
    """Return a model that misses one total of many, which its rows come to."""
    documents, tags, rows, found = {}, {}, [], {}
    for number in range(COUNT):
        name = f"{number:03d}"
        first, second = f"{number + 1}.50", f"{2 * number + 3}.25"
        total = f"{3 * number + 4}.75"
        documents[name] = document_of(f"A {first} | B {second} | TOTAL {total}")
        amounts = [Span("items.amount", at, at + 1, (0.9,)) for at in (1, 3)]
        tags[name] = Tagged((*amounts, Span("total", 5, 6, (1.0,))), ())
        found[name] = amounts + [Span("total", 5, 6, (0.9,))] * (number > 0)
        items = ({"amount": first}, {"amount": second})
        labels = {"total": (total,), "items.amount": (first, second)}
        rows.append(Row(name, Path(f"{name}.txt"), None, labels, groups={"items": items}))
    names = tuple(documents)
    corpus = Corpus(tuple(rows), FIELDS, documents, tags, {})
    prepared = Prepared({"own": corpus}, (), names, dict(zip(names, names, strict=True)))
    held_out = HeldOut("slips")
    held_out.add({"own": found})
    learnt = cast("Learnt", SimpleNamespace(tagger=None, tokenizer=None, outcome=None))
    return judged(prepared, learnt, held_out, source="slips", checks=parse_checks(rules, FIELDS))


@pytest.mark.parametrize(("rules", "found"), [(RULE, COUNT), ("", COUNT - 1)])
def test_scores_know_what_all_documents_have(rules: str, found: int) -> None:
    trained = _judged(rules)
    assert trained.expected == ("total",)
    assert trained.scores["own"].total("normalised", "total").tp == found
    answer: Any = trained.answers["own"]["000"]["total"]
    assert (answer is not None) == (found == COUNT)
    given = {one.case.document for one in trained.given if one.case.field == "total"}
    assert ("000" in given) == (found == COUNT)  # its confidence is fitted on, too
