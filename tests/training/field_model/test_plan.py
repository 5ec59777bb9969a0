"""A plan decides what is left open, refuses what cannot be done, and trains nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.packages import Registry
from pipeline.errors import InvalidOption
from tests.builders import document_of, make_receipt, receipt_pdf
from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package
from training.data import Dataset, Transcription, infer_fields, load_dataset
from training.errors import DatasetError
from training.field_model.new_package import NewPackage
from training.field_model.plan import (
    Plan,
    TrainingOptions,
    parse_sizes,
    plan_training,
    usual_passes,
    usual_share,
)
from training.field_model.prepared import Prepared, drawn_in_a_pass, prepare_folds
from training.field_model.recipe import Recipe
from training.loop import LoopConfig
from training.starts import MINILM


@pytest.fixture
def data(tmp_path: Path) -> Dataset:
    return load_dataset(write_dataset(tmp_path / "shop", SEEDS))


def _plan(data: Dataset, home: Path, options: TrainingOptions) -> Plan:
    return plan_training(
        data,
        options,
        NewPackage(home / "new", "new"),
        registry=Registry(home / "models", bundled=home / "none"),
        readings=home / "readings",
    )


def test_what_is_left_open_is_decided(data: Dataset, tmp_path: Path) -> None:
    plan = _plan(data, tmp_path, TrainingOptions(loop=LoopConfig(per_group=8)))
    assert plan.recipe.init == MINILM  # nothing is in service
    assert plan.recipe.transcriptions == ("gold", "own")
    assert plan.recipe.share == 0.25
    [fold] = plan.folds
    assert len(fold.validation) == 3
    assert plan.recipe.loop.passes == usual_passes(fold, 8) > 1
    assert plan.notes == ()
    assert plan.final  # they are few


def test_what_is_asked_is_kept(data: Dataset, tmp_path: Path) -> None:
    options = TrainingOptions(init="scratch", transcriptions=("gold",), share=0.34, passes=2)
    recipe = _plan(data, tmp_path, options).recipe
    assert (recipe.init, recipe.transcriptions, recipe.share) == ("scratch", ("gold",), 0.34)
    assert recipe.loop.passes == 2


def test_folds_hold_out_every_document_in_turn(data: Dataset, tmp_path: Path) -> None:
    plan = _plan(data, tmp_path, TrainingOptions(cross=3, transcriptions=("gold",)))
    assert plan.final
    assert len(plan.folds) == 3
    held_out = [name for fold in plan.folds for name in fold.validation]
    assert sorted(held_out) == sorted(row.id for row in data.rows)
    assert plan.curve_of is plan.folds[0]


def test_the_model_of_the_documents_most_alike_is_started_from_and_named(
    data: Dataset, tmp_path: Path
) -> None:
    receipts = [document_of(" ".join(make_receipt(seed).words)) for seed in range(6)]
    package = tiny_package(
        tmp_path / "models/shops/1", name="shops", version="1", documents=receipts
    )
    plan = _plan(data, tmp_path, TrainingOptions(transcriptions=("gold",)))
    assert plan.recipe.init == str(package)
    assert plan.notes == ("Starting from the model shops@1, whose documents are most alike.",)
    # A package is of one architecture.
    for asked in (TrainingOptions(preset="cosformer"), TrainingOptions(config={"layers": 2})):
        assert _plan(data, tmp_path, asked).recipe.init == MINILM


FORMS = {
    "order": "ORDER FORM|Advertiser {}|Station hereabouts|Gross total {}|Buyer signs here please",
    "bill": "INVOICE|Remit to {}|Customer account|Amount due {}|Thank you for your business",
    "deed": "This deed of {}|says that each party|shall keep secrets|for a fee of {}|and no less",
    "note": "DELIVERY|Goods from {}|were received whole|worth about {}|Driver and plate number",
}


def _of_few_issuers(folder: Path, forms: Sequence[str]) -> Dataset:
    """Write twelve documents of two issuers, in some forms in turn."""
    for part in ("documents", "ocr"):
        (folder / part).mkdir(parents=True)
    rows = []
    for number in range(12):
        issuer, total = ("Alpha Ltd", "Omega Ltd")[number % 2], f"{number + 3}.{number + 30}"
        text = FORMS[forms[number % len(forms)]].format(issuer, total)
        lines = [
            {"text": line, "box": [40, 40 + 30 * place, 40 + 6 * len(line), 54 + 30 * place]}
            for place, line in enumerate(text.split("|"))
        ]
        page = {"number": 1, "width": 400, "height": 600, "lines": lines}
        (folder / "ocr" / f"{number}.json").write_text(json.dumps({"id": "", "pages": [page]}))
        (folder / "documents" / f"{number}.pdf").write_bytes(receipt_pdf(make_receipt(number)))
        rows.append(
            {
                "id": str(number),
                "document": f"documents/{number}.pdf",
                "ocr": f"ocr/{number}.json",
                "fields": {"company": [issuer], "total": [total]},
            }
        )
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return load_dataset(folder)


def test_of_too_few_issuers_templates_are_held_out(tmp_path: Path) -> None:
    data = _of_few_issuers(tmp_path / "shop", tuple(FORMS))
    options = TrainingOptions(transcriptions=("gold",))
    plan = _plan(data, tmp_path, options)
    [fold] = plan.folds
    assert fold.unit == "template"
    assert len(fold.validation) == 3
    assert len({int(name) % 4 for name in fold.validation}) == 1
    assert plan.notes == (
        "The documents are of too few issuers: templates are held out in their place.",
    )
    assert len(_plan(data, tmp_path, replace(options, cross=4)).folds) == 4


def test_of_too_few_templates_documents_are_held_out(tmp_path: Path) -> None:
    data = _of_few_issuers(tmp_path / "shop", ["bill"])
    plan = _plan(data, tmp_path, TrainingOptions(transcriptions=("gold",)))
    [fold] = plan.folds
    assert fold.unit == "document"
    assert len(fold.validation) == 3
    assert not set(fold.validation) & set(fold.train)
    [note] = plan.notes
    assert note.startswith("Warning: the documents are of too few issuers and templates")
    curve = TrainingOptions(transcriptions=("gold",), curve=(4, 9, 50))
    assert _plan(data, tmp_path, curve).notes[1:] == (
        "The learning curve is without 9, 50: its largest part is all 9 documents in training.",
    )
    # What is asked for is not replaced by something else.
    for asked in ({"by_template": True}, {"group_by": "company"}):
        with pytest.raises(DatasetError, match="cannot be split"):
            _plan(data, tmp_path, TrainingOptions(transcriptions=("gold",), **asked))
    with pytest.raises(InvalidOption, match="Templates are told by what is printed"):
        _plan(data, tmp_path, TrainingOptions(by_template=True, group_by="company"))


def test_of_one_template_and_a_few_others_documents_are_held_out(tmp_path: Path) -> None:
    data = _of_few_issuers(tmp_path / "shop", ["bill"] * 7 + ["order"] * 3 + ["deed"] * 2)
    options = TrainingOptions(transcriptions=("gold",), share=0.34)
    [fold] = _plan(data, tmp_path, options).folds
    assert (fold.unit, len(fold.validation), len(fold.train)) == ("document", 4, 8)
    crossed = _plan(data, tmp_path, replace(options, share=None, cross=3)).folds
    assert [(fold.unit, len(fold.validation)) for fold in crossed] == [("document", 4)] * 3
    # A fold of several templates may be more than half: each of them is learnt from in another.
    even = _of_few_issuers(tmp_path / "even", ["bill", "order", "deed"])
    crossed = _plan(even, tmp_path, replace(options, share=None, cross=2)).folds
    assert [(fold.unit, len(fold.validation)) for fold in crossed] == [
        ("template", 8),
        ("template", 4),
    ]
    # Who asks for templates has them; held out is what comes near the share.
    [fold] = _plan(data, tmp_path, replace(options, by_template=True)).folds
    assert (fold.unit, len(fold.validation)) == ("template", 3)
    [fold] = _plan(data, tmp_path, replace(options, by_template=True, fold=2)).folds
    assert (fold.unit, len(fold.validation)) == ("template", 7)


def test_what_was_held_out_is_learnt_from_where_documents_are_few(
    data: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def final(asked: bool | None) -> bool:
        options = TrainingOptions(final=asked, transcriptions=("gold",))
        return _plan(data, tmp_path, options).final

    assert [final(asked) for asked in (None, True, False)] == [True, True, False]
    monkeypatch.setattr("training.field_model.plan._FEW", len(data.rows))
    assert [final(asked) for asked in (None, True, False)] == [False, True, False]


@pytest.mark.parametrize("fields", [{}, {"company": (), "total": ()}], ids=["none", "blank"])
def test_documents_without_any_value_are_refused(
    data: Dataset, tmp_path: Path, fields: dict[str, tuple[str, ...]]
) -> None:
    rows = tuple(replace(row, fields=fields) for row in data.rows)
    with pytest.raises(DatasetError, match="has a value: there is nothing to learn"):
        _plan(replace(data, rows=rows), tmp_path, TrainingOptions())


def test_documents_that_cannot_be_read_are_named_and_not_counted(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS, gold=False))
    broken = data.rows[0]
    broken.document.write_bytes(b"%PDF-1.7 nothing that could be read")
    plan = _plan(data, tmp_path, TrainingOptions())
    assert list(plan.folds[0].unread()) == [broken.id]
    [note] = plan.notes
    assert note.startswith(f"Warning: {broken.id} is left out, for it could not be read: ")


def test_fields_whose_values_are_printed_nowhere_are_named(data: Dataset, tmp_path: Path) -> None:
    """As a spreadsheet gives dates, by their number; one that is mistyped needs no warning."""
    assert not any(
        "are not found" in note for note in _plan(data, tmp_path, TrainingOptions()).notes
    )
    rows = [
        replace(row, fields={**row.fields, "date": (f"45{n}67.9",)})
        for n, row in enumerate(data.rows)
    ]
    rows[0] = replace(rows[0], fields={**rows[0].fields, "total": ("91827364.55",)})
    [note] = _plan(replace(data, rows=tuple(rows)), tmp_path, TrainingOptions()).notes
    assert f"most values of date ({len(rows)} of {len(rows)}) are not found" in note
    assert "dataset autotag" in note


def test_a_start_is_marked_by_documents_labels_and_split(data: Dataset, tmp_path: Path) -> None:
    def mark(of: Dataset, **options: Any) -> str:
        given = TrainingOptions(transcriptions=("gold",), **options)
        return _plan(of, tmp_path, given).folds[0].mark()

    known = mark(data)
    assert mark(data) == known
    first, *rest = data.rows
    other_label = replace(first, fields={**first.fields, "total": ("1.00",)})
    marks = {
        known,
        mark(replace(data, rows=(other_label, *rest))),
        mark(replace(data, rows=tuple(rest))),
        mark(data, fold=1),
        mark(data, also=(write_dataset(tmp_path / "also", (3,)),)),
    }
    assert len(marks) == 5
    first.document.write_bytes(receipt_pdf(make_receipt(3)))
    assert mark(data) not in marks


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(TrainingOptions(cross=1), "no cross-validation", id="cross"),
        pytest.param(TrainingOptions(cross=2, fold=1), "every fold is held out", id="cross_fold"),
        pytest.param(TrainingOptions(cross=2, final=False), "are learnt from", id="cross_final"),
        pytest.param(TrainingOptions(cross=3, share=0.5), "make 2 folds", id="few_folds"),
        pytest.param(TrainingOptions(init="nowhere"), "Cannot start from nowhere", id="init"),
        pytest.param(TrainingOptions(fold=9), "Fold 9 of ", id="fold"),
        pytest.param(TrainingOptions(group_by="shop"), "field 'shop'", id="group_by"),
        pytest.param(TrainingOptions(fields=Path("no.toml")), "no.toml", id="fields"),
    ],
)
def test_what_cannot_be_done_is_refused(
    data: Dataset, tmp_path: Path, options: TrainingOptions, message: str
) -> None:
    with pytest.raises(InvalidOption, match=message):
        _plan(data, tmp_path, options)


def test_a_package_that_exists_is_refused_before_anything_is_read(
    data: Dataset, tmp_path: Path
) -> None:
    (tmp_path / "new").mkdir()
    with pytest.raises(InvalidOption, match="never overwritten"):
        _plan(data, tmp_path, TrainingOptions())
    assert not (tmp_path / "readings").exists()


def test_a_package_that_cannot_be_made_is_refused_before_anything_is_read(
    data: Dataset, tmp_path: Path
) -> None:
    """Only after hours of training it would be found out."""
    (tmp_path / "file").touch()
    with pytest.raises(InvalidOption, match="cannot be made: Not a directory") as refused:
        NewPackage(tmp_path / "file" / "new", "new").check()
    assert refused.value.advice == "Choose another --out."
    NewPackage(tmp_path / "new", "new").check()
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("text", "sizes"), [("", ()), ("25", (25,)), ("25,50, 100,", (25, 50, 100))]
)
def test_sizes_of_a_learning_curve_are_numbers_with_commas(
    text: str, sizes: tuple[int, ...]
) -> None:
    assert parse_sizes(text) == sizes


@pytest.mark.parametrize("text", ["25;50", "a", "0,5", "-1"])
def test_other_sizes_are_refused(text: str) -> None:
    with pytest.raises(InvalidOption, match="not a list of numbers"):
        parse_sizes(text)


@pytest.mark.parametrize(
    ("documents", "share"), [(8, 0.25), (50, 0.25), (100, 0.2), (200, 0.1), (100_000, 0.1)]
)
def test_of_few_documents_a_larger_share_is_held_out(documents: int, share: float) -> None:
    assert usual_share(documents) == pytest.approx(share)


@pytest.mark.parametrize(
    ("transcriptions", "per_group", "drawn"),
    [
        pytest.param(("own",), 0, 9, id="all"),
        pytest.param(("gold", "own"), 0, 18, id="each_both_ways"),
        pytest.param(("gold", "own"), 3, 3, id="three_of_the_one_issuer"),
    ],
)
def test_an_epoch_of_few_documents_goes_over_them_more_often(
    tmp_path: Path, transcriptions: tuple[Transcription, ...], per_group: int, drawn: int
) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    recipe = Recipe(share=0.25, transcriptions=transcriptions)
    [prepared, *_] = prepare_folds(data, infer_fields(data), recipe, cache=tmp_path / "readings")
    one = Prepared(
        prepared.corpora, prepared.train, prepared.validation, dict.fromkeys(prepared.groups, "one")
    )
    assert drawn_in_a_pass(one, per_group) == drawn
    passes = usual_passes(one, per_group)
    assert passes * drawn >= 400
    assert (passes - 1) * drawn < 400


@given(st.integers(1, 5000), st.integers(0, 50))
def test_many_documents_are_gone_over_once(documents: int, per_group: int) -> None:
    names = tuple(map(str, range(documents)))
    prepared = Prepared({"own": None}, names, (), {n: n for n in names})  # type: ignore[dict-item]
    assert drawn_in_a_pass(prepared, per_group) == documents
    assert (usual_passes(prepared, per_group) == 1) == (documents >= 400)
