"""The command line as users meet it: data on standard output, exit codes, one-line errors."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image
from typer.core import TyperGroup as Group
from typer.main import get_command

from cli.main import COMMANDS, build
from pipeline.reading.einvoice import read_xml
from tests.builders import encrypted_pdf, make_receipt, receipt_pdf, scanned_pdf
from tests.commands import run
from tests.datasets import SEEDS, write_dataset
from tests.packages import RECEIPT_FIELDS, tiny_package
from tests.pipeline.reading.einvoice.test_einvoice import CII
from tests.service import ROOT
from training.data import build_corpus, load_dataset
from training.scoring.held_out import HeldOut


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Command:
    """Runs `fieldwright` in this process with its own home."""

    def __init__(self, patch: pytest.MonkeyPatch, home: Path) -> None:
        self.home = home
        patch.setenv("FIELDWRIGHT_HOME", str(home))
        patch.setenv("FIELDWRIGHT_MODEL", "tiny")

    def __call__(self, *arguments: object, code: int | None = None) -> Done:
        done = run(*arguments, code=code)
        return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("name", COMMANDS)
def test_command_that_is_run_is_the_only_one_that_is_known(name: str) -> None:
    known = get_command(build(name))
    assert isinstance(known, Group)
    assert list(known.commands) == [name]


@pytest.mark.parametrize("name", [None, "extrakt", "main"])
def test_all_commands_are_known_where_none_of_them_is_named(name: str | None) -> None:
    known = get_command(build(name))
    assert isinstance(known, Group)
    assert sorted(known.commands) == sorted(COMMANDS)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_package(Path(tmp_path_factory.mktemp("package")) / "tiny")


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: Path) -> Command:
    shutil.copytree(package, tmp_path / "home" / "models" / "tiny" / "0.0.1")
    return Command(monkeypatch, tmp_path / "home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three documents, the second of which cannot be read, and what is no document."""
    place = tmp_path / "documents"
    (place / "inner").mkdir(parents=True)
    (place / "a.pdf").write_bytes(receipt_pdf(make_receipt(1)))
    (place / "b.PDF").write_bytes(encrypted_pdf(receipt_pdf(), "secret"))
    (place / "inner" / "c.pdf").write_bytes(receipt_pdf(make_receipt(3)))
    (place / "notes.txt").write_text("no document")
    (place / ".hidden.pdf").write_text("no document either")
    return place


def test_one_document_is_one_object(command: Command, folder: Path) -> None:
    done = command("extract", folder / "a.pdf")
    assert (done.code, done.err) == (0, "")
    answer = json.loads(done.out)
    assert answer["document"] == str(folder / "a.pdf")
    assert set(answer["fields"]) == {spec.name for spec in RECEIPT_FIELDS}
    assert answer["model"]["name"] == "tiny"
    assert answer["source"]["media_type"] == "application/pdf"


def test_lines_come_in_input_order_with_errors_in_place(command: Command, folder: Path) -> None:
    done = command("extract", folder / "inner" / "c.pdf", folder, "--format", "jsonl", code=3)
    lines = [json.loads(line) for line in done.out.splitlines()]
    names = [Path(line["document"]).name for line in lines]
    assert names == ["c.pdf", "a.pdf", "b.PDF", "c.pdf"]
    assert set(lines[2]) == {"document", "error"}
    assert set(lines[2]["error"]) == {"code", "detail", "advice"}
    assert lines[2]["error"]["code"] == "pdf_encrypted"
    assert "--password-file" in lines[2]["error"]["advice"]
    assert "b.PDF" in done.err
    assert "--password-file" in done.err
    assert all("fields" in line for index, line in enumerate(lines) if index != 2)


def test_a_link_to_nothing_is_told(command: Command, folder: Path) -> None:
    (folder / "inner" / "moved.pdf").symlink_to(folder / "nowhere.pdf")
    done = command("extract", folder / "inner")
    assert (done.code, len(json.loads(done.out))) == (3, 2)
    assert "moved.pdf: The file cannot be read: No such file or directory. Check" in done.err


def test_what_a_folder_holds_besides_documents_is_told(command: Command, folder: Path) -> None:
    notes = folder / "notes.txt"
    told = f"1 file left out, which is no document by its name: {notes}.\n"
    assert command("extract", folder).err.startswith(told)
    for name in ("m.txt", "o.txt", "p.txt"):
        (folder / name).write_text("no document")
    done = command("extract", folder)
    assert done.err.startswith("4 files left out, which are no documents by their names: ")
    assert f"m.txt, {notes}, {folder}/o.txt and 1 more.\n" in done.err
    assert ".hidden.pdf" not in done.err
    assert "left out" not in command("extract", notes).err  # named itself, it is tried


def test_folder_is_an_array_even_of_one(command: Command, folder: Path) -> None:
    done = command("extract", folder / "inner")
    assert len(json.loads(done.out)) == 1


def test_password_file_opens_documents(command: Command, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("secret\n")
    command("extract", folder / "b.PDF", "--password-file", tmp_path / "password", code=0)


def test_ocr_can_be_turned_off(command: Command, tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(scanned_pdf())
    answer = json.loads(command("extract", tmp_path / "scan.pdf", "--ocr", "never").out)
    (page,) = answer["source"]["pages"]
    assert (page["text_source"], page["reason"]) == ("none", "no text layer, and OCR is turned off")


def test_answers_take_the_shape_of_azure(command: Command, folder: Path) -> None:
    one = json.loads(command("extract", folder / "a.pdf", "--format", "azure").out)
    assert (one["status"], one["analyzeResult"]["apiVersion"]) == ("succeeded", "2024-11-30")
    done = command("extract", folder, "--format", "azure", code=3)
    assert [each["status"] for each in json.loads(done.out)] == ["succeeded", "failed", "succeeded"]


def test_an_e_invoice_is_read_and_written_again(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(CII)
    done = command("extract", tmp_path / "a.xml", "--format", "facturx", "--output", tmp_path / "b")
    assert (done.code, done.out) == (0, "")
    assert "EN 16931 asks for BT-55" in done.err
    made, given = read_xml((tmp_path / "b").read_bytes(), "b"), read_xml(CII, "a")
    assert made is not None
    assert given is not None
    assert (made.fields, made.groups) == (given.fields, given.groups)
    done = command("extract", tmp_path, "--format", "cii", code=2)
    assert "one document at a time" in done.err


def test_a_workbook_has_what_models_and_e_invoices_answer(
    command: Command, folder: Path, tmp_path: Path
) -> None:
    (folder / "d.xml").write_bytes(CII)
    command("extract", folder, "--format", "xlsx", "--output", tmp_path / "out.xlsx", code=3)
    with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
        book = archive.read("xl/workbook.xml").decode()
        fields = archive.read("xl/worksheets/sheet1.xml").decode()
    assert all(f'name="{name}"' in book for name in ("fields", "items", "taxes"))
    assert fields.count("<row ") == 5
    assert "Schrauben GmbH" in fields


def test_table_has_one_row_a_document(command: Command, folder: Path, tmp_path: Path) -> None:
    done = command("extract", folder, "--format", "csv", "--output", tmp_path / "out.csv")
    assert (done.code, done.out) == (3, "")
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["error"] for row in rows] == ["", "pdf_encrypted", ""]
    assert {"document", "total", "total_currency", "total_confidence"} <= set(rows[0])
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_a_table_on_standard_output_says_what_it_lacks(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(CII)
    done = command("extract", tmp_path / "a.xml", "--format", "csv", code=0)
    assert done.err.startswith("The rows of items and taxes are left out: ")
    assert "--output" in done.err
    assert done.err.count("\n") == 1
    done = command("extract", tmp_path / "a.xml", "--format", "csv", "--output", tmp_path / "a.csv")
    assert (done.code, done.err) == (0, "")
    assert (tmp_path / "a.items.csv").is_file()


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "azure", "xlsx"])
def test_names_of_files_may_be_any_bytes(form: str, command: Command, tmp_path: Path) -> None:
    place = tmp_path / "documents"
    place.mkdir()
    (place / os.fsdecode(b"r\xe4.pdf")).write_bytes(receipt_pdf(make_receipt(1)))
    (place / os.fsdecode(b"s\xe4.pdf")).write_bytes(b"no document")
    command("extract", place, "--format", form, "--output", tmp_path / "out", code=3)
    if form == "xlsx":
        with zipfile.ZipFile(tmp_path / "out") as archive:
            text = archive.read("xl/worksheets/sheet1.xml").decode()
    else:
        text = (tmp_path / "out").read_text(encoding="utf-8")
    assert form == "azure" or f"{place}/r\ufffd.pdf" in text


def test_standard_output_is_utf_8_wherever_it_goes() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "value", "text", "5 €"],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("utf-8"))["value"] == "5 €"


@pytest.mark.parametrize(
    ("document", "code"), [("examples/invoice.pdf", 0), ("missing.pdf", 2), ("README.md", 3)]
)
def test_standard_error_may_be_closed(tmp_path: Path, document: str, code: int) -> None:
    command = [sys.executable, "-m", "cli.main", "extract", document]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *command],
        cwd=ROOT,
        env={**os.environ, "FIELDWRIGHT_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == code
    assert bool(done.stdout) == (code != 2)


@pytest.mark.parametrize(
    ("variables", "colored"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_errors_are_colored_on_terminals_that_want_it(
    variables: dict[str, str], colored: bool
) -> None:
    leader, terminal = os.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    try:
        subprocess.run(
            [sys.executable, "-m", "cli.main", "extract", "missing.pdf"],
            cwd=ROOT,
            env={**environment, "TERM": "xterm", **variables},
            stderr=terminal,
            check=False,
        )
        shown = os.read(leader, 10_000).decode()
    finally:
        os.close(leader)
        os.close(terminal)
    assert "Error: missing.pdf does not exist" in shown
    assert ("\x1b[31m" in shown) == colored


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["extract", "missing.pdf"], id="missing_file"),
        pytest.param(["extract", "."], id="folder_without_documents"),
        pytest.param(["extract"], id="no_path"),
        pytest.param(["extract", "DOCUMENT", "--format", "xml"], id="format"),
        pytest.param(["extract", "DOCUMENT", "--ocr", "perhaps"], id="ocr"),
        pytest.param(["extract", "DOCUMENT", "--engine", "typist"], id="engine"),
        pytest.param(["extract", "DOCUMENT", "--language", "English"], id="language"),
        pytest.param(["extract", "DOCUMENT", "--processes", "0"], id="processes"),
        pytest.param(["extract", "DOCUMENT", "--model", "none"], id="unknown_model"),
        pytest.param(["extract", "DOCUMENT", "--output", "no/such/folder/x"], id="output"),
        pytest.param(["extract", "DOCUMENT", "--output", "."], id="output_is_a_folder"),
        pytest.param(["extract", "DOCUMENT", "--password-file", "none"], id="password_file"),
        pytest.param(["serve", "--host", "203.0.113.1"], id="host"),
        pytest.param(["models", "show", "none"], id="show_unknown"),
        pytest.param(["models", "promote", "tiny"], id="promote_without_version"),
        pytest.param(["trainings", "start", "x", "--version", "a b"], id="training_version"),
        pytest.param(["trainings", "start", "x", "--preset", "No"], id="training_preset"),
        pytest.param(["benchmark", "service", "--url", "nonsense"], id="no_url"),
        pytest.param(["nothing"], id="unknown_command"),
        pytest.param(["dataset", "check", "missing"], id="no_dataset"),
        pytest.param(["dataset", "check", "BINARY"], id="a_file_for_a_dataset"),
        pytest.param(["train", "missing", "--name", "x"], id="nothing_to_train_on"),
        pytest.param(["evaluate", "missing", "--model", "tiny"], id="nothing_to_score"),
        pytest.param(
            ["benchmark", "service", "--url", "http://[::1]:1", "--key-file", "none"], id="key"
        ),
        pytest.param(
            ["benchmark", "service", "--url", "http://[::1]:1", "--key-file", "BINARY"],
            id="binary_key",
        ),
    ],
)
def test_wrong_calls_exit_with_2_and_no_traceback(
    command: Command,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    files = {"DOCUMENT": str(folder / "a.pdf"), "BINARY": str(binary)}
    done = command(*[files.get(argument, argument) for argument in arguments], code=2)
    assert done.out == ""
    assert "Traceback" not in done.err
    assert done.err


@pytest.mark.parametrize(
    "arguments", [["value", "amunt", "5"], ["extract", "x", "--format", "yaml"]]
)
def test_a_value_that_is_refused_is_told_plainly(command: Command, arguments: list[str]) -> None:
    done = command(*arguments, code=2)
    assert "is not one of" in done.err
    assert "Value error" not in done.err


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["trainings", "show", "x"], "fieldwright trainings list"),
        (["trainings", "start", "Delivery notes"], "fieldwright trainings list"),
        (["models", "shadow", "tiny"], "fieldwright models shadow NAME@VERSION"),
    ],
)
def test_advice_is_in_the_terms_of_the_command_line(
    command: Command, arguments: list[str], advice: str
) -> None:
    done = command(*arguments)
    assert (done.code, done.out) == (2, "")
    assert f"`{advice}`" in done.err
    assert not re.search("(GET|POST) /", done.err)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LEASE_SECONDS", "soon"),
        ("HEARTBEAT_SECONDS", "1000"),
        ("HOME", "/dev/null/home"),
        ("DATABASE_URL", "nonsense"),
        ("BROKER_URL", "amqp://guest@localhost"),
        ("BLOB_URL", "ftp://host/folder"),
        ("TRACES", "localhost:4318"),
        ("DEVICE", "gpu"),
        ("DEVICE", ""),
    ],
)
def test_wrong_settings_are_named(
    command: Command, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"FIELDWRIGHT_{name}", value)
    done = command("serve", "--port", "0", code=2)
    assert f"FIELDWRIGHT_{name}" in done.err
    assert "Traceback" not in done.err


def test_a_path_that_cannot_be_used_is_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    done = command("invent", "receipts", tmp_path / "file", "--count", "1")
    assert (done.code, done.out) == (3, "")
    assert f"Error: {tmp_path / 'file' / 'documents'} cannot be used: " in done.err
    assert "Traceback" not in done.err


def test_damaged_model_is_one_line(command: Command, folder: Path) -> None:
    (command.home / "models" / "tiny" / "0.0.1" / "model.safetensors").write_bytes(b"")
    done = command("extract", folder / "a.pdf", code=3)
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1


def test_models_are_promoted_and_rolled_back(command: Command) -> None:
    folder = command.home / "models" / "tiny"
    shutil.copytree(folder / "0.0.1", folder / "0.0.2")

    def current() -> list[str]:
        rows = json.loads(command("models", "list", "--json").out)
        return [row["version"] for row in rows if row["name"] == "tiny" and row["current"]]

    assert current() == ["0.0.2"]
    assert command("models", "promote", "tiny@0.0.1").code == 0
    assert current() == ["0.0.1"]
    assert command("models", "rollback", "tiny").code == 0
    assert current() == ["0.0.2"]
    assert command("models", "remove", "tiny@0.0.1").code == 0
    assert "tiny@0.0.1" not in command("models", "list").out


@pytest.mark.parametrize(
    ("default", "marked"),
    [("tiny", ["0.0.2"]), ("tiny@0.0.1", ["0.0.1"]), ("gone@1.0.0", []), ("auto", [])],
)
def test_the_default_is_the_version_that_answers(
    command: Command, monkeypatch: pytest.MonkeyPatch, default: str, marked: list[str]
) -> None:
    folder = command.home / "models" / "tiny"
    shutil.copytree(folder / "0.0.1", folder / "0.0.2")
    monkeypatch.setenv("FIELDWRIGHT_MODEL", default)
    rows = json.loads(command("models", "list", "--json").out)
    assert [row["version"] for row in rows if row["default"]] == marked


def test_a_model_with_a_profile_can_be_chosen(command: Command, tmp_path: Path) -> None:
    data = write_dataset(tmp_path / "shop", SEEDS[:4])
    asked = ("--version", "0.0.2", "--transcription", "gold")
    assert command("models", "profile", "tiny@0.0.1", data, *asked).code == 0
    (tmp_path / "a.pdf").write_bytes(receipt_pdf(make_receipt(40)))
    done = command("extract", tmp_path / "a.pdf", "--model", "auto", "--format", "jsonl", code=0)
    model = json.loads(done.out)["model"]
    assert model["name"] in ("tiny", "receipts")  # both read receipts
    assert set(model["choice"]["others"]) >= {"nda"}
    again = command("models", "profile", "tiny@0.0.1", data, *asked, code=2)
    assert "never overwritten" in again.err
    others = write_dataset(tmp_path / "others", SEEDS[4:8])
    asked = ("--measured", others, "--version", "0.0.3", "--transcription", "gold")
    made = command("models", "profile", "tiny@0.0.1", data, "--also", others, *asked, code=0)
    assert "8 documents" in made.out
    asked = ("--measured", others, "--version", "0.0.4", "--transcription", "gold")
    again = command("models", "profile", "tiny@0.0.3", *asked, code=0)
    assert "measured on 4 documents" in again.out
    old, new = (
        json.loads((command.home / "models/tiny" / version / "profile.json").read_text("utf-8"))
        for version in ("0.0.3", "0.0.4")
    )
    assert new["log_probability"] == old["log_probability"]
    alone = command("models", "profile", "tiny@0.0.3", "--version", "0.0.6", code=2)
    assert "needs a profile, and documents to measure it on" in alone.err
    blank = write_dataset(tmp_path / "blank", SEEDS[:2])
    for document in (blank / "documents").iterdir():
        Image.new("RGB", (600, 800), "white").save(document, "PNG")
    wordless = ("--measured", blank, "--version", "0.0.7")
    refused = command("models", "profile", "tiny@0.0.3", *wordless, code=2)
    assert "No profile can be made: no document to measure a profile on has words" in refused.err
    for document in (others / "documents").iterdir():
        document.write_bytes(b"no document")
    unread = ("--measured", others, "--version", "0.0.5")
    refused = command("models", "profile", "tiny@0.0.1", data, *unread, code=2)
    assert "can be read" in refused.err
    assert refused.err.count("was left out") == 4


def test_confidences_are_fitted_anew_from_what_was_kept(command: Command, tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "shop", SEEDS[:4])
    corpus = build_corpus(load_dataset(folder), RECEIPT_FIELDS, "gold", cache=tmp_path / "cache")
    kept = HeldOut("shop", ("date",))
    names = list(corpus.documents)
    for some in (names[:2], names[2:]):  # as taggers that are always right would label them
        kept.add({"gold": {name: list(corpus.tags[name].spans) for name in some}})
    kept.save(tmp_path / "held-out.jsonl")
    asked = ("--held-out", tmp_path / "held-out.jsonl", "--version", "0.0.2", "--error", "0.05")
    done = command("models", "calibrate", "tiny@0.0.1", folder, *asked, code=0)
    assert "at most 5% of them are wrong" in done.out
    old, new = (command.home / "models" / "tiny" / version for version in ("0.0.1", "0.0.2"))
    assert json.loads(command("models", "show", "tiny@0.0.2").out)["version"] == "0.0.2"
    assert (old / "model.safetensors").read_bytes() == (new / "model.safetensors").read_bytes()
    calibration = json.loads((new / "calibration.json").read_text())
    assert (calibration["version"], calibration["error"]) == (2, 0.05)
    assert calibration["doubtful"] == ["date"]
    assert "2 folds" in calibration["source"]
    card = (new / "README.md").read_text()
    assert card.count("## Confidence\n") == 1
    again = command("models", "calibrate", "tiny@0.0.1", folder, *asked, code=2)
    assert "0.0.2 exists; a package is never overwritten" in again.err
    assert "reading" not in again.err  # it is refused before any work
    other = write_dataset(tmp_path / "bakery", SEEDS[:4])
    foreign = (*asked[:2], "--version", "0.0.3")
    refused = command("models", "calibrate", "tiny@0.0.1", other, *foreign, code=3)
    assert "'shop', not of 'bakery'" in refused.err
    # Documents that it had not learnt from are answered by the model itself, with folds or without.
    third = (*asked[:2], "--unseen", other, "--version", "0.0.3")
    command("models", "calibrate", "tiny@0.0.1", folder, *third, code=0)
    source = json.loads((old.parent / "0.0.3" / "calibration.json").read_text())["source"]
    assert source.startswith("4 documents in 2 folds")
    assert source.endswith("and 4 documents of bakery, which it had not learnt from")
    few = command(
        "models", "calibrate", "tiny@0.0.1", "--unseen", other, "--version", "0.0.4", code=0
    )
    assert "Labelled documents: 4; label at least 20" in few.err
    source = json.loads((old.parent / "0.0.4" / "calibration.json").read_text())["source"]
    assert source == "4 documents of bakery, which it had not learnt from"
    nothing = command("models", "calibrate", "tiny@0.0.1", folder, "--version", "0.0.5", code=2)
    assert "--held-out, or --unseen FOLDER" in nothing.err
    beside = ("--unseen", other, "--also", folder, "--version", "0.0.5")
    nothing = command("models", "calibrate", "tiny@0.0.1", *beside, code=2)
    assert "leave --also out" in nothing.err


def test_show_verifies_the_package(command: Command) -> None:
    shown = json.loads(command("models", "show", "tiny").out)
    assert shown["fields"] == {spec.name: spec.kind.value for spec in RECEIPT_FIELDS}
    (command.home / "models" / "tiny" / "0.0.1" / "README.md").write_text("changed")
    rules = command.home / "models" / "tiny" / "0.0.1" / "fields.toml"
    for changing in (["fields", "tiny@0.0.1", rules], ["profile", "tiny@0.0.1", command.home]):
        done = command("models", *changing, "--version", "0.0.2", code=3)
        assert "README.md was altered. Restore the package" in done.err
    done = command("models", "show", "tiny", code=3)
    assert "README.md was altered" in done.err


def test_help_names_the_commands(command: Command) -> None:
    done = command("--help", code=0)
    for name in ("extract", "serve", "models"):
        assert name in done.out


def test_version_needs_no_command(command: Command) -> None:
    done = command("--version", code=0)
    assert done.out.startswith("fieldwright ")
