"""`fieldwright dataset`: what it says of a folder, its tags and its splits."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pipeline.values.schema import Kind, parse_fields
from tests.builders import make_receipt
from tests.cli.test_command_line import Done
from tests.datasets import SEEDS, write_dataset

Command = Callable[..., Done]


@pytest.fixture
def command(command: Callable[..., Done]) -> Command:
    """Runs `fieldwright dataset`; its home is `home`."""
    return partial(command, "dataset")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(Path(tmp_path_factory.mktemp("data")) / "shop", SEEDS)


def test_check_prints_the_fields_as_toml(command: Command, dataset: Path) -> None:
    code, out, err = command("check", dataset)
    assert code == 0
    kinds = {spec.name: spec.kind for spec in parse_fields(out)}
    assert kinds == {
        "company": Kind.NAME,
        "date": Kind.DATE,
        "address": Kind.ADDRESS,
        "total": Kind.AMOUNT,
    }
    assert "Documents: 12, 12 with a gold transcription" in err
    assert "total: a value in 12 of 12 documents" in err


def test_check_names_broken_lines(command: Command, tmp_path: Path) -> None:
    broken = write_dataset(tmp_path / "broken", (1, 2))
    (broken / "documents" / "r2.pdf").unlink()
    code, out, err = command("check", broken)
    assert (code, out) == (3, "")
    assert "line 2: documents/r2.pdf is not there" in err
    assert err.count("\n") == 1


def test_check_refuses_what_nothing_can_be_learnt_from(command: Command, tmp_path: Path) -> None:
    blank = write_dataset(tmp_path / "blank", (1, 2))
    rows = [json.loads(line) for line in (blank / "labels.jsonl").read_text().splitlines()]
    lines = [json.dumps({**row, "fields": {name: [""] for name in row["fields"]}}) for row in rows]
    (blank / "labels.jsonl").write_text("\n".join(lines))
    code, out, err = command("check", blank)
    assert (code, out) == (3, "")
    assert "has a value: there is nothing to learn" in err


def test_documents_without_values_are_not_labelled(command: Command, tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "many", SEEDS)
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    rows += [{**row, "id": f"{row['id']}-{more}", "fields": {}} for row in rows for more in "ab"]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "Labelled documents: 12; label at least 20" in command("check", folder)[2]


def test_check_names_fields_that_may_be_mistyped(command: Command, tmp_path: Path) -> None:
    shop = write_dataset(tmp_path / "shop", (1, 2, 4))
    labels = shop / "labels.jsonl"
    labels.write_text(labels.read_text().replace('"address"', '"adress"', 1))
    code, _, err = command("check", shop)
    assert code == 0
    assert err.count("is one mistyped?") == 1
    assert "adress and address are alike" in err


@pytest.mark.parametrize("transcription", ["gold", "own"])
def test_autotag_writes_tags_and_a_report(
    command: Command, dataset: Path, transcription: str, tmp_path: Path
) -> None:
    target = tmp_path / "tags"
    code, out, err = command(
        "autotag", dataset, "--transcription", transcription, "--output", target
    )
    assert code == 0, err
    assert (target / "report.md").read_text() == out
    assert f"# Auto-tags of shop, {transcription} transcription" in out
    assert "## Values not found\n\nNone." in out
    header, *rows = [line.strip("|").split("|") for line in out.splitlines() if "|" in line][:6]
    assert [cell.strip() for cell in header][-2:] == ["placed", "places"]
    assert {len(row) for row in rows} == {len(header)}
    lines = [json.loads(line) for line in (target / "tags.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == [f"r{seed}" for seed in SEEDS]
    for seed, line in zip(SEEDS, lines, strict=True):
        words = make_receipt(seed).words
        tagged = {
            span["field"]: " ".join(words[span["start"] : span["end"]]) for span in line["spans"]
        }
        assert tagged["company"] == make_receipt(seed).company
        assert tagged["total"] == make_receipt(seed).total
        assert line["misses"] == []


def test_values_that_rows_have_several_times_count_as_often(
    command: Command, tmp_path: Path
) -> None:
    folder = write_dataset(tmp_path / "rows", (1, 2))
    lines = ["Tea 2 5.00", "Cake 2 4.00", "Bun 2 5.00"]
    shown = [
        {"text": text, "box": [40, 40 + 30 * place, 300, 54 + 30 * place]}
        for place, text in enumerate(lines)
    ]
    page = {"number": 1, "width": 400, "height": 600, "lines": shown}
    (folder / "ocr" / "r1.json").write_text(json.dumps({"id": "r1", "pages": [page]}))
    names = ("name", "count", "price")
    items = [dict(zip(names, text.split(), strict=True)) for text in lines]
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    rows[0] |= {"fields": {}, "groups": {"items": [*items, {"name": "Jam", "count": "2"}]}}
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "documents" / "r2.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    code, out, err = command("autotag", folder)
    assert code == 0, err
    found = {
        name.strip(): [int(labels), int(all_found)]
        for name, labels, all_found in re.findall(
            r"^\| items\.(\w+) \| (\d+) \| (\d+) \|", out, re.MULTILINE
        )
    }
    assert found == {"name": [4, 3], "count": [4, 3], "price": [3, 3]}
    assert "- r1 items.name: `Jam`: not found" in out
    code, out, err = command("autotag", folder, "--transcription", "own")
    assert code == 0, err
    assert "## Documents that could not be read\n\n- r2: " in out


def test_autotag_without_a_transcription_says_so(command: Command, tmp_path: Path) -> None:
    own = write_dataset(tmp_path / "own", (1, 2), gold=False)
    code, out, err = command("autotag", own, "--transcription", "gold")
    assert (code, out) == (3, "")
    assert "Use --transcription own" in err
    assert "Traceback" not in err
    code, out, _ = command("autotag", own)  # where there is none, it reads by itself
    assert code == 0
    assert "own transcription" in out
    assert (tmp_path / "home" / "tags" / "own" / "report.md").read_text() == out


def test_split_shows_folds_of_whole_issuers(command: Command, dataset: Path) -> None:
    code, out, err = command("split", dataset, "--validation", "0.25")
    assert code == 0
    found = json.loads(out)
    assert [len(fold) for fold in found] == [3, 3, 3, 3]
    assert sorted(name for fold in found for name in fold) == sorted(f"r{seed}" for seed in SEEDS)
    assert "fold 0: 3 documents of 3 issuers" in err
    assert json.loads(command("split", dataset, "--validation", "0.25")[1]) == found


def test_split_shows_what_train_holds_out_by_default(command: Command, dataset: Path) -> None:
    found = json.loads(command("split", dataset)[1])
    assert [len(fold) for fold in found] == [3, 3, 3, 3]  # of few documents a quarter


def test_split_by_template_holds_each_form_out_once(command: Command, tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "forms", SEEDS)
    mirrored = {f"r{seed}" for seed in SEEDS[::2]}
    for name in mirrored:  # another form: other captions at the same places
        path = folder / "ocr" / f"{name}.json"
        data = json.loads(path.read_text())
        for line in data["pages"][0]["lines"]:
            line["text"] = line["text"][::-1]
        path.write_text(json.dumps(data))
    picture = tmp_path / "templates.png"
    arguments = ("split", folder, "--by", "template", "--validation", "0.5", "--plot", picture)
    code, out, err = command(*arguments)
    assert code == 0, err
    one, other = json.loads(out)
    assert mirrored in (set(one), set(other))
    assert sorted(one + other) == sorted(f"r{seed}" for seed in SEEDS)
    assert "template 0: 6 documents, such as r" in err
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_what_trainings_need_is_named_where_it_is_missing(
    command: Command, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy.cluster.hierarchy", None)
    code, out, err = command("split", dataset, "--by", "template")
    assert (code, out) == (3, "")
    assert "This needs scipy. Run: pip install 'fieldwright[train]'" in err


def test_dataset_of_one_template_cannot_be_split(command: Command, dataset: Path) -> None:
    code, out, err = command("split", dataset, "--by", "template")
    assert (code, out) == (3, "")
    assert "1 groups do not make 4 folds" in err
    assert "or by template" not in err  # which is what was asked for


def test_single_documents_are_told_in_the_singular(command: Command, tmp_path: Path) -> None:
    few = write_dataset(tmp_path / "few", (1, 2, 3, 4))
    assert "fold 0: 1 document of 1 issuer\n" in command("split", few)[2]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["--plot", "x.png"], 2, "Add --by template", id="picture_of_issuers"),
        pytest.param(
            ["--by", "template", "--group-by", "company"], 2, "Leave out --group-by", id="field_too"
        ),
        pytest.param(["--group-by", "shop"], 2, "No document has the field 'shop'", id="field"),
        pytest.param(["--group-by", "total", "--validation", "0.9"], 2, "0.5", id="share"),
    ],
)
def test_wrong_splits_are_refused(
    command: Command, dataset: Path, arguments: list[str], code: int, message: str
) -> None:
    found, out, err = command("split", dataset, *arguments)
    assert (found, out) == (code, "")
    assert message in err
    assert "Traceback" not in err


def test_dataset_of_one_issuer_cannot_be_split(command: Command, tmp_path: Path) -> None:
    one = write_dataset(tmp_path / "one", (1, 2, 4))
    rows = [json.loads(line) for line in (one / "labels.jsonl").read_text().splitlines()]
    for row in rows:
        row["fields"]["company"] = ["KEDAI CONTOH"]
    (one / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, out, err = command("split", one)
    assert (code, out) == (3, "")
    assert "0 of 1 issuers are small enough" in err


def test_wrong_fields_file_is_one_line(command: Command, dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "fields.toml").write_text("[fields.total]\nkind = 'money'\n")
    code, _, err = command("autotag", dataset, "--fields", tmp_path / "fields.toml")
    assert code == 2
    assert "unknown kind 'money'" in err
    assert err.count("Error: ") == 1
