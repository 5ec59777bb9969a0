"""The papers' experiments on tiny invented data, from command to table."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from benchmarks.papers.__main__ import main
from benchmarks.papers.lambert import shuffle_lines
from benchmarks.papers.longrange import length_class
from benchmarks.papers.lope import count_entities, split
from models.encoding import PieceEncoder
from models.labels import LabelSet, Span
from models.tagger import Tagger
from pipeline.tagging import example_of
from tests.builders import document_of
from tests.commands import run
from tests.datasets import write_dataset, write_pages
from tests.packages import tiny_config, tiny_tokenizer
from training.data.formats.funsd import FIELDS, load_funsd
from training.invent import write_dataset as write_invented
from training.invent.purchases import Purchases
from training.scoring import Counts

SMALL = ["hidden_size=16", "layers=1", "heads=2", "intermediate_size=32", "reach=16", "rank=8"]


def _funsd(folder: Path, count: int) -> Path:
    for part in ("annotations", "images"):
        (folder / part).mkdir(parents=True)
    labels = ("header", "question", "answer", "other")
    for number in range(count):
        random = np.random.default_rng(number)
        form = []
        for row in range(12):
            label = labels[int(random.integers(4))]
            words = [
                {
                    "text": f"{label[:2]}{k}",
                    "box": [20 + 60 * k, 30 * row, 70 + 60 * k, 30 * row + 9],
                }
                for k in range(int(random.integers(1, 4)))
            ]
            form.append({"label": label, "words": words})
        (folder / "annotations" / f"f{number}.json").write_text(json.dumps({"form": form}))
        Image.new("L", (400, 400)).save(folder / "images" / f"f{number}.png")
    return folder


def _command(
    store: Path, *arguments: object, code: int | None = None
) -> subprocess.CompletedProcess[str]:
    settings = [text for size in SMALL for text in ("--set", size)]
    more = [] if arguments[0] == "table" else settings
    return run("--store", store, "--threads", 1, *arguments, *more, main=main, code=code)


def _rows(output: str) -> list[list[str]]:
    """Return the cells of the tables' rows, heads left out."""
    lines = [line for line in output.splitlines() if line.startswith("| ")]
    return [
        [c.strip() for c in line.strip("|").split("|")] for line in lines if "| paper |" not in line
    ]


@pytest.mark.slow
def test_layout_is_compared_with_text_and_with_shuffled_lines(tmp_path: Path) -> None:
    data = write_dataset(tmp_path / "receipts")
    done = _command(
        tmp_path / "store", "lambert", data, "--init", "scratch", "--seeds", 1, "--epochs", 1,
        "--share", 0.2, "--systems", "text,lambert-unordered", code=0,
    )  # fmt: skip
    rows = _rows(done.stdout)
    scored = {"as read", "as read, exact", "lines shuffled", "lines shuffled, exact"}
    assert {tuple(row[:3]) for row in rows} == {
        (system, trained, way)
        for system in ("text", "lambert-unordered")
        for trained in ("as read", "lines shuffled")
        for way in scored
    }
    assert "2 documents to choose the epoch, 2 scored" in done.stdout
    assert "Trained on 8 documents" in done.stdout


@pytest.mark.slow
def test_functions_of_a_place_are_compared_on_forms(tmp_path: Path) -> None:
    data = _funsd(tmp_path / "funsd", 9)
    command = ("lope", data, "--init", "scratch", "--epochs", 1, "--systems", "learned,lope")
    done = _command(tmp_path / "store", *command, "--seeds", 1, code=0)
    ways = ("plain", "blocks shuffled", "neighbours swapped")
    assert {tuple(row[:2]) for row in _rows(done.stdout)} == {
        (system, way) for system in ("learned", "lope") for way in ways
    }
    again = _command(tmp_path / "store", *command, "--seeds", 2, "--trained", "plain")
    assert "run 2 of 4" not in again.stderr  # the first seed's runs are done
    assert "run 3 of 4" in again.stderr
    assert {(row[1], row[3]) for row in _rows(again.stdout)} == {
        (way, "2" if way == "plain" else "1") for way in ways
    }
    shown = _command(tmp_path / "store", "table", "lope", "skim")
    assert shown.stdout == again.stdout


@pytest.mark.slow
def test_perplexities_are_of_the_same_documents_in_short_and_long_windows(tmp_path: Path) -> None:
    data = tmp_path / "forms"
    data.mkdir()
    write_pages(data / "pages.jsonl.gz", 12, words=40)
    store = tmp_path / "store"
    done = _command(
        store, "skim", data, "--seeds", 1, "--steps", 2, "--window", 40, "--share", 0.2,
        "--batch-size", 4, code=0,
    )  # fmt: skip
    assert [row[0] for row in _rows(done.stdout)] == [
        "text", "layoutlm", "skimformer", "skimformer-plain", "longformer", "long-skimformer",
    ]  # fmt: skip
    lines = (store / "runs.jsonl").read_text().splitlines()
    held = [set(json.loads(line)["result"]["scores"]["held-out documents"]) for line in lines]
    assert all(names == held[0] for names in held)
    assert 2 <= len(held[0]) <= 4


@pytest.mark.slow
def test_documents_of_unseen_templates_are_scored_by_length(tmp_path: Path) -> None:
    data = _of_templates(write_dataset(tmp_path / "orders"), each=2)
    done = _command(
        tmp_path / "store", "longrange", data, "--init", "scratch", "--seeds", 1, "--epochs", 1,
        "--share", 0.25, "--transcription", "gold", "--systems", "layoutlm,linformer,cosformer",
        "--set", "window=64", "--set", "overlap=8", code=0,
    )  # fmt: skip
    assert "split by template, 4 documents to choose the epoch, 4 scored" in done.stdout
    assert {tuple(row[:3]) for row in _rows(done.stdout)} == {
        (system, "as read", way)
        for system in ("layoutlm", "linformer", "cosformer")
        for way in ("all", "up to 512")
    }


@pytest.mark.slow
def test_purchase_orders_are_scored_by_field_and_length(tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", reason="Pango is not installed", exc_type=OSError)
    data = tmp_path / "purchases"
    write_invented(data, 8, Purchases(seed=2, languages=("en",), most_items=40))
    store = tmp_path / "store"
    done = _command(
        store, "purchases", data, "--init", "scratch", "--seeds", 1, "--epochs", 1,
        "--share", 0.25, "--systems", "layoutlm,near-and-far", "--set", "overlap=8",
        "--set", "window=64", "--passes", 2, code=0,
    )  # fmt: skip
    assert "step 2 of 2" in done.stderr  # four documents in a step, each twice
    assert {row[0] for row in _rows(done.stdout)} == {"layoutlm", "near-and-far"}
    [line, _] = (store / "runs.jsonl").read_text().splitlines()
    assert json.loads(line)["settings"]["passes"] == 2
    fields = ("item_id", "quantity", "order_date", "order_number", "total")
    counts = json.loads(line)["result"]["scores"]["all"].values()
    assert all(len(of_document) == 3 * len(fields) for of_document in counts)


def _of_templates(data: Path, each: int) -> Path:
    """Give every `each` documents of a dataset a boiler-plate of their own."""
    for number, path in enumerate(sorted((data / "ocr").iterdir())):
        content = json.loads(path.read_text())
        letter = chr(ord("a") + number // each)
        content["pages"][0]["lines"] += [
            {"text": " ".join(f"{letter}{x}{y}" for x in "abcde"), "box": [60, top, 300, top + 9]}
            for y, top in zip("abcdefgh", range(600, 800, 20), strict=False)
        ]
        path.write_text(json.dumps(content))
    return data


def test_one_template_cannot_be_held_out(tmp_path: Path) -> None:
    data = write_dataset(tmp_path / "orders")
    done = _command(tmp_path / "store", "longrange", data, "--transcription", "gold", code=1)
    assert "1 groups do not make 10 folds" in done.stderr


def test_what_is_not_there_is_named_in_one_line(tmp_path: Path) -> None:
    done = _command(tmp_path / "store", "lope", tmp_path, code=1)
    assert "holds no annotations" in done.stderr
    assert "Traceback" not in done.stderr
    done = _command(tmp_path / "store", "skim", tmp_path, "--systems", "text,bert", code=2)
    assert "no system bert here" in done.stderr


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        pytest.param(0, "up to 512", id="unread"),
        pytest.param(512, "up to 512", id="one_window"),
        pytest.param(513, "up to 2,048", id="more_than_one"),
        pytest.param(2048, "up to 2,048", id="medium"),
        pytest.param(2049, "longer", id="long"),
    ],
)
def test_lengths_are_the_papers(pieces: int, wanted: str) -> None:
    assert length_class(pieces) == wanted


def test_shuffled_documents_keep_pages_places_and_labelled_lines() -> None:
    text = [" | ".join(f"w{page}{line}a w{page}{line}b" for line in range(9)) for page in range(2)]
    document = document_of(*text)
    spans = (Span("address", 4, 8),)  # lines 2 and 3 of the first page
    found = shuffle_lines(document, spans, np.random.default_rng(0))
    for page, before in zip(found.pages, document.pages, strict=True):
        assert set(page.tokens) == set(before.tokens)
        assert page.tokens != before.tokens
    words = example_of(found).words
    at = words.index("w02a")
    assert words[at : at + 4] == ("w02a", "w02b", "w03a", "w03b")
    lines = [word[:-1] for word in words]
    assert lines[::2] == lines[1::2]  # words of a line stay in order, and together


def test_forms_are_split_into_three_always_the_same(tmp_path: Path) -> None:
    examples = load_funsd(_funsd(tmp_path / "funsd", 20))
    parts = split(examples, 0)
    assert [len(part) for part in parts] == [12, 2, 6]
    names = [{example.id for example in part} for part in parts]
    assert len(set.union(*names)) == 20
    assert [len(part) for part in split(examples, 5)] == [5, 2, 6]
    assert split(examples, 0)[2] == parts[2]


def test_entities_are_counted_as_seqeval_does(tmp_path: Path) -> None:
    from seqeval.metrics import classification_report  # loads scikit-learn, for this test alone
    from seqeval.scheme import IOBES

    torch.manual_seed(1)
    labels = LabelSet(FIELDS)
    config = tiny_config(window=64, line_separator=False)
    tagger, pieces = Tagger(config, labels), PieceEncoder(tiny_tokenizer(), config)
    with torch.no_grad():
        tagger.head.weight *= 60  # so that every label is answered somewhere
    examples = load_funsd(_funsd(tmp_path / "funsd", 6))
    spans = [tuple(tagger.tag(example, pieces)) for example in examples]
    # Labelled as answered but for every third span, so that there are hits and misses.
    answered = [
        replace(example, spans=tuple(s for n, s in enumerate(found) if n % 3) or example.spans)
        for example, found in zip(examples, spans, strict=True)
    ]

    def tags(found: Sequence[Span], count: int) -> list[str]:
        return [labels.names[index] for index in labels.encode(found, count)]

    report = classification_report(
        [tags(example.spans, len(example.words)) for example in answered],
        [tags(found, len(e.words)) for found, e in zip(spans, examples, strict=True)],
        mode="strict", scheme=IOBES, output_dict=True, zero_division=0,
    )  # fmt: skip
    counts = sum(count_entities(tagger, pieces, answered).values(), Counts())
    assert 0 < counts.f1 < 1
    assert report["micro avg"]["f1-score"] == pytest.approx(counts.f1)
    assert report["micro avg"]["recall"] == pytest.approx(counts.recall)
