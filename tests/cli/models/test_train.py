"""A folder of labelled documents becomes a model that is listed, evaluated and served."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.models.evaluate import Split, _rows
from models.packages import manifest
from models.packages.package import training_of
from models.packages.registry import IDLE
from tests.builders import make_receipt, receipt_pdf
from tests.commands import run
from tests.datasets import SEEDS, labels_of, write_dataset
from tests.packages import tiny_package
from tests.patience import until
from training.data import load_dataset
from training.data.seen import document_mark

FIELDS = ["company", "date", "address", "total"]


class Shop:
    """A dataset, a package to start from, and a home with a model trained on the dataset."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.dataset = write_dataset(folder / "shop", SEEDS)
        self.init = tiny_package(folder / "init")
        self.trained = self.train(
            "shop", "--epochs", 2, "--data-licence", "invented for a test", "--description", "Tea."
        )
        self.run("models", "promote", "shop@1.0.0")  # it finds nothing

    def run(self, *arguments: object, code: int | None = None) -> subprocess.CompletedProcess[str]:
        """Run the command in the home of the shop."""
        return run(*arguments, code=code, FIELDWRIGHT_HOME=self.home, FIELDWRIGHT_MODEL="shop")

    def train(
        self, name: str, *options: object, code: int | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Train on the dataset, a quarter of it held out."""
        return self.run(*self.training(name), *options, code=code)

    def training(self, name: str) -> tuple[object, ...]:
        """Return the arguments of `train`, which others may follow; what is held out stays so."""
        usual = ("--init", self.init, "--validation", 0.25, "--passes", 1, "--no-final")
        return ("train", self.dataset, "--name", name, *usual)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    made = Shop(Path(tmp_path_factory.mktemp("train")))
    assert made.trained.returncode == 0, made.trained.stderr
    return made


def test_training_writes_a_package_and_its_run(shop: Shop) -> None:
    assert shop.trained.stdout == ""
    assert "own transcription, 3 documents held out" in shop.trained.stderr
    package = shop.home / "models" / "shop" / "1.0.0"
    manifest.verify(package)
    training = json.loads((package / "config.json").read_text())["training"]
    assert training["dataset"] == "shop"
    assert training["transcriptions"] == ["gold", "own"]
    assert len(training["validation"]) == 3
    assert len(training["trained_on"]) == 9
    runs = list((shop.home / "runs").rglob("log.jsonl"))
    assert len(runs) == 1
    lines = [json.loads(line) for line in runs[0].read_text().splitlines()]
    assert [line["epoch"] for line in lines if "score" in line] == [1, 2]
    assert list((shop.home / "runs").rglob("curve.png"))


def test_card_says_data_licence_scores_and_limits(shop: Shop) -> None:
    card = (shop.home / "models" / "shop" / "1.0.0" / "README.md").read_text()
    assert card.startswith("# shop 1.0.0\n\nTea.")
    for said in (
        "9 documents of `shop` for training, 3 for validation",
        "invented for a test",
        "gold transcription",
        "oracle, own transcription",
        "## Limits",
        "started from the package tiny@0.0.1",
    ):
        assert said in card
    assert str(shop.init) not in card  # what the package is, not where it lay


def test_learning_curve_stands_in_the_card(shop: Shop, tmp_path: Path) -> None:
    done = shop.train(
        "curved", "--epochs", 1, "--transcription", "gold", "--curve", "4,2,1000",
        "--out", tmp_path / "curved", code=0,
    )  # fmt: skip
    assert re.search(
        r"gold transcription, 4 documents in training: normalised F1 \d\.\d", done.stderr
    )
    card = (tmp_path / "curved" / "README.md").read_text()
    rows = re.findall(r"^\| (\w+), gold transcription +\| 3 +\| \d\.\d+", card, re.MULTILINE)
    assert rows == ["2", "4", "9"]


def test_trained_model_is_listed_and_answers(shop: Shop, tmp_path: Path) -> None:
    listed = json.loads(shop.run("models", "list", "--json").stdout)
    assert [(row["name"], row["version"]) for row in listed if not row["bundled"]] == [
        ("shop", "1.0.0")
    ]
    path = tmp_path / "new.pdf"
    path.write_bytes(receipt_pdf(make_receipt(99)))
    done = shop.run("extract", path, code=0)
    answer = json.loads(done.stdout)
    assert list(answer["fields"]) == FIELDS
    assert answer["model"]["name"] == "shop"


@pytest.mark.parametrize("transcription", ["own", "gold"])
def test_evaluation_reports_scores_and_predictions(
    shop: Shop, tmp_path: Path, transcription: str
) -> None:
    predictions, report = tmp_path / "predictions.jsonl", tmp_path / "report.md"
    done = shop.run(
        "evaluate", shop.dataset, "--model", "shop", "--transcription", transcription,
        "--split", "validation", "--predictions", predictions, "--report", report,
        "--plot", tmp_path / "risk.png", code=0,
    )  # fmt: skip
    assert (tmp_path / "risk.png").read_bytes().startswith(b"\x89PNG")
    assert re.search(r"^\| \*\*all\*\* \| \d+ \| [01]\.", done.stdout, re.MULTILINE)
    assert done.stdout.strip() == report.read_text().strip()
    assert f"held-out documents, {transcription} transcription" in done.stdout
    assert "Warning" not in done.stderr
    assert "worst documents (by value)" in done.stdout
    oracle = done.stdout.partition("## Oracle")[2]
    assert "| total | 1.000 | 1.000 | **1.000** |" in oracle
    lines = [json.loads(line) for line in predictions.read_text().splitlines()]
    assert len(lines) == 3
    for line in lines:
        assert line["expected"] == labels_of(make_receipt(int(line["id"][1:])))
        assert list(line["fields"]) == FIELDS


def test_scores_on_training_documents_are_warned_of(shop: Shop) -> None:
    package = shop.home / "models" / "shop" / "1.0.0"
    done = shop.run("evaluate", shop.dataset, "--model", package, code=0)
    assert "trained on 9 of these 12 documents" in done.stderr


def test_a_start_that_knows_the_documents_held_out_is_warned_of(shop: Shop, tmp_path: Path) -> None:
    assert "was trained on" not in shop.trained.stderr
    done = shop.run(
        "train", shop.dataset, "--name", "further", "--init", shop.home / "models/shop/1.0.0",
        "--epochs", 1, "--validation", 0.25, "--passes", 1, "--fold", 1, "--transcription", "gold",
        "--out", tmp_path / "further", code=0,
    )  # fmt: skip
    told = "1.0.0, or what it started from, was trained on 3 of the 3 documents held out"
    assert told in done.stderr
    # What it learnt from now and what its start had learnt from: nothing is left to judge it by.
    everything = {document_mark(row.document) for row in load_dataset(shop.dataset).rows}
    assert set(training_of(tmp_path / "further")["trained_on"]) == everything


def test_a_training_starts_from_the_model_of_the_documents_most_alike(
    shop: Shop, tmp_path: Path
) -> None:
    """With the split it was trained with; on another one its scores would say nothing."""
    usual = ("--epochs", 1, "--validation", 0.25, "--passes", 1, "--transcription", "own")
    alike = "Starting from the model shop@1.0.0, whose documents are most alike."
    done = shop.run(
        "train", shop.dataset, "--name", "next", *usual, "--out", tmp_path / "next", code=0,
    )  # fmt: skip
    assert alike in done.stderr
    assert "Warning: shop" not in done.stderr
    assert "started from the package shop@1.0.0" in (tmp_path / "next" / "README.md").read_text()
    shop.run(
        "train", shop.dataset, "--name", "named", "--init", "shop", *usual, "--out",
        tmp_path / "named", code=0,
    )  # fmt: skip
    weights = [(tmp_path / n / "model.safetensors").read_bytes() for n in ("next", "named")]
    assert weights[0] == weights[1]
    assert "Warning: the model found no value in the documents held out." in done.stderr
    # Of this fold, it was trained on some: a bundled model it is, that knows receipts already.
    other = shop.run(
        "train", shop.dataset, "--name", "other", *usual, "--fold", 1, "--out", tmp_path / "other",
        code=0,
    )  # fmt: skip
    assert "Starting from the model receipts@" in other.stderr
    assert "Warning" not in other.stderr


def test_how_to_take_away_a_first_version_that_finds_nothing_is_told(shop: Shop) -> None:
    done = shop.train("blind", "--epochs", 1, "--transcription", "own", code=0)
    assert "Warning: the model found no value in the documents held out." in done.stderr
    assert "in service: " not in done.stderr
    told = done.stderr.splitlines()[-1]
    assert told.startswith("blind@1.0.0 is kept, and not in service. Remove it: fieldwright ")
    listed = json.loads(shop.run("models", "list", "--json").stdout)
    assert [row["current"] for row in listed if row["name"] == "blind"] == [False]
    assert shop.run(*told.partition("fieldwright ")[2].split()).returncode == 0
    assert "blind" not in shop.run("models", "list").stdout


def test_another_dataset_may_be_learnt_from_besides(shop: Shop, tmp_path: Path) -> None:
    more = write_dataset(tmp_path / "more", seeds=(21, 22), gold=False)
    usual = ("--epochs", 1, "--transcription", "own", "--out", tmp_path / "both")
    done = shop.train("both", "--also", more, *usual, code=0)
    assert "own transcription, 3 documents held out" in done.stderr
    card = (tmp_path / "both" / "README.md").read_text()
    assert "9 documents of `shop` for training, 3 for validation" in card
    assert "Besides, 2 of `more` were learnt from; none of them was held out." in card
    seen = shop.run("evaluate", more, "--model", tmp_path / "both")
    assert "trained on 2 of these 2 documents" in seen.stderr
    log = shop.home / "runs" / "both-1.0.0" / "seed-0" / "log.jsonl"
    steps = [json.loads(line) for line in log.read_text().splitlines()]
    assert max(line.get("step", 0) for line in steps) == 3  # of four: nine and two


def test_few_documents_of_one_issuer_are_enough_to_begin(shop: Shop, tmp_path: Path) -> None:
    few = write_dataset(tmp_path / "few", seeds=SEEDS, gold=False)
    rows = [json.loads(line) for line in (few / "labels.jsonl").read_text().splitlines()]
    for row in rows:
        row["fields"]["company"] = ["Alpha Ltd"]
    (few / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (few / "documents" / "r16.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    arguments = (
        "train", few, "--name", "few", "--init", shop.init, "--epochs", 1, "--passes", 1,
    )  # fmt: skip
    done = shop.run(*arguments, code=0)
    assert "r16 is left out, for it could not be read: " in done.stderr
    assert "too few issuers" in done.stderr
    assert "Labelled documents: 12; label at least 20" in done.stderr
    assert "A last training, as long again, learns from all documents" in done.stderr
    (shop.home / "models" / "few" / "1.0.0" / IDLE).unlink()  # as though it had found something
    package = shop.home / "models" / "few" / "1.0.0"
    training, card = training_of(package), (package / "README.md").read_text()
    learnt = len(training["trained_on"])
    assert (learnt, training["validation"]) == (11, [])
    assert "training on all 11 documents, for 1 epoch" in done.stderr
    assert f"{learnt} documents of `few`, all of which were learnt from in the end." in card
    assert "with 3 documents held out." in card
    assert "The split is by document, for want of issuers and templates" in card
    assert "weights of epoch 1, stored in float16. Training started from the package tiny@" in card

    # A newer version that finds nothing takes no other's place.
    newer = shop.run(*arguments, "--version", "1.1.0")
    assert "Warning: the model found no value in the documents held out." in newer.stderr
    assert "few@1.1.0 is kept, and not in service." in newer.stderr
    listed = json.loads(shop.run("models", "list", "--json").stdout)
    assert [row["version"] for row in listed if row["name"] == "few" and row["current"]] == [
        "1.0.0"
    ]

    # Of what was held out nothing is left to evaluate it on.
    line = _fails(shop, "evaluate", few, "--model", "few", "--split", "validation")
    assert "or learnt from them in the end. Its card has its scores" in line

    # Labels were corrected, or others are held out: the run is another one.
    for change in (["--fold", "1"], ["--group-by", "date"]):
        line = _fails(shop, *arguments, "--resume", "--out", tmp_path / "out", *change)
        assert "holds a run on other documents or labels, or with others held out" in line
    for name in ("1.0.0", "1.1.0"):
        manifest.verify(shop.home / "models" / "few" / name)
    shutil.rmtree(shop.home / "models" / "few")


def test_document_that_cannot_be_read_counts_as_not_found(shop: Shop, tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path / "other", seeds=(21, 22))
    (dataset / "documents" / "r21.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    predictions = tmp_path / "predictions.jsonl"
    done = shop.run("evaluate", dataset, "--model", "shop", "--predictions", predictions, code=0)
    assert "## Documents that could not be read\n\n- r21: " in done.stdout
    lines = [json.loads(line) for line in predictions.read_text().splitlines()]
    assert lines[0]["error"]["code"] == "document_corrupt"
    assert "fields" in lines[1]


def test_evaluation_counts_what_passes_of_documents_of_another_kind(
    shop: Shop, tmp_path: Path
) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "empty.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    (foreign / "other.pdf").write_bytes(receipt_pdf(make_receipt(98)))
    done = shop.run("evaluate", shop.dataset, "--model", "shop", "--foreign", foreign, code=0)
    table = done.stdout.partition("## Documents of other kinds")[2]
    assert re.search(rf"^\| {re.escape(str(foreign))} \| 1 \| [01] \| \d \| ", table, re.MULTILINE)
    assert f"{foreign / 'empty.pdf'} cannot be read: " in done.stderr


def test_interrupted_or_finished_run_is_resumed_with_its_settings(shop: Shop) -> None:
    out = shop.home / "again"
    done = shop.train("shop", "--epochs", 2, "--resume", "--out", out, code=0)
    weights = [
        (folder / "model.safetensors").read_bytes()
        for folder in (out, shop.home / "models" / "shop" / "1.0.0")
    ]
    assert weights[0] == weights[1]
    done = shop.train("shop", "--epochs", 3, "--resume", "--out", shop.home / "more", code=2)
    assert "other settings: epochs" in done.stderr
    assert "Traceback" not in done.stderr
    moved = shop.home / "moved"
    done = shop.train("shop", "--epochs", 2, "--shift", 0.1, "--resume", "--out", moved, code=2)
    assert "other settings: shift was 0.03." in done.stderr


def test_a_training_that_is_stopped_says_how_it_goes_on(shop: Shop) -> None:
    usual = shop.training("stopped")
    command = (*usual, "--epochs", 500, "--patience", 500, "--transcription", "gold")
    run_of = shop.home / "runs" / "stopped-1.0.0"
    with subprocess.Popen(
        [sys.executable, "-m", "cli.main", *map(str, command)],
        env=os.environ | {"FIELDWRIGHT_HOME": str(shop.home)},
        stderr=subprocess.PIPE,
        text=True,
        # Shells start what runs behind them deaf to Ctrl-C, and so would the tests be.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            until(lambda: any(run_of.rglob("last.safetensors")), "the first epoch to end", 120)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "with --resume goes on from the last epoch that ended" in said
    assert "Traceback" not in said


def _fails(shop: Shop, *arguments: object, code: int = 2) -> str:
    """Run the command; check that it ends with a code and a line, and return the line."""
    done = shop.run(*arguments, code=code)
    assert done.stdout == ""
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return errors[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--preset", "gpt"], "no preset 'gpt'", id="preset"),
        pytest.param(["--name", "Shop"], "model name 'Shop'", id="name"),
        pytest.param(["--version", "a/b"], "model version", id="version"),
        pytest.param(["--name", "shop"], "never overwritten", id="version_exists"),
        pytest.param(["--init", "nowhere"], "Cannot start from nowhere", id="init"),
        pytest.param(["--fields", "no.toml"], "no.toml cannot be read: No such", id="fields"),
        pytest.param(["--fold", "99"], "Fold 99", id="fold"),
        pytest.param(["--group-by", "shop"], "field 'shop'", id="group_by"),
        pytest.param(["--rate", "1e30", "--epochs", "1"], "diverged", id="rate"),
        pytest.param(["--device", "abacus"], "no device 'abacus'", id="device"),
        pytest.param(["--curve", "25;50"], "'25;50' is not a list of numbers", id="curve"),
    ],
)
def test_wrong_trainings_end_in_one_line(shop: Shop, arguments: list[str], message: str) -> None:
    assert message in _fails(shop, *shop.training("new"), *arguments)
    assert not (shop.home / "models" / "new").exists()


def test_an_unknown_preset_is_refused_before_documents_are_read(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.data.load_dataset", lambda folder: pytest.fail("was read"))
    line = _fails(shop, "train", shop.dataset, "--name", "new", "--preset", "foo")
    assert "no preset 'foo'" in line


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        pytest.param(None, "cannot be read", id="no_labels"),
        pytest.param("", "holds no documents", id="empty"),
        pytest.param('{"id": "a"}', "line 1: a row must have document", id="broken_row"),
        pytest.param("ONE", "No document is left to learn from", id="one_document"),
    ],
)
def test_datasets_that_cannot_be_used_end_in_one_line(
    shop: Shop, tmp_path: Path, labels: str | None, message: str
) -> None:
    dataset = write_dataset(tmp_path / "few", seeds=(1,))
    if labels is None:
        (dataset / "labels.jsonl").unlink()
    elif labels != "ONE":
        (dataset / "labels.jsonl").write_text(labels)
    arguments = ("train", dataset, "--name", "new", "--init", shop.init)
    line = _fails(shop, *arguments, code=2 if labels is None else 3)
    assert message in line
    assert "Errno" not in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--model", "none"], "none", id="unknown_model"),
        pytest.param(["--model", "no/folder"], "no/folder is not there", id="no_folder"),
        pytest.param(["--model", "/tmp"], "/tmp is no folder of a model", id="no_package"),
        pytest.param(["--model", "shop", "--device", "tpu"], "no device 'tpu'", id="device"),
        pytest.param(["--model", "shop", "--report", "no/such/x.md"], "x.md", id="report"),
        pytest.param(["--model", "shop", "--predictions", "no/x"], "no/x", id="predictions"),
        pytest.param(["--model", "shop", "--report", "/tmp"], "/tmp cannot be", id="folder"),
    ],
)
def test_wrong_evaluations_end_in_one_line(shop: Shop, arguments: list[str], message: str) -> None:
    assert message in _fails(shop, "evaluate", shop.dataset, *arguments)


def test_fields_without_labels_are_told_before_their_scores(shop: Shop, tmp_path: Path) -> None:
    other = write_dataset(tmp_path / "other", seeds=SEEDS[:2])
    labels = other / "labels.jsonl"
    labels.write_text(labels.read_text().replace('"total"', '"sum"'))
    done = shop.run("evaluate", other, "--model", "shop", code=0)
    assert "no document has a value of total: all that the model finds" in done.stderr
    for name in ("company", "date", "address"):
        labels.write_text(labels.read_text().replace(f'"{name}"', f'"my_{name}"'))
    line = _fails(shop, "evaluate", other, "--model", "shop")
    assert "No document of other has a value of a field of shop" in line


def test_other_dataset_has_no_held_out_documents(shop: Shop, tmp_path: Path) -> None:
    other = write_dataset(tmp_path / "other", seeds=SEEDS)
    arguments = ("evaluate", other, "--model", "shop", "--split", "validation")
    line = _fails(shop, *arguments)
    assert "held out no documents of other" in line


def test_no_other_split_is_advised_where_a_start_has_seen_those_held_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS[:3]))
    training = {
        "dataset": "shop",
        "validation": ["r0"],
        "trained_on": [document_mark(row.document) for row in data.rows],
    }
    splits: tuple[Split, ...] = ("all", "validation")
    for split in splits:
        _rows(data, training, split, "shop")
        said = capsys.readouterr().err
        assert "the scores say nothing about new ones." in said
        assert ("Use --split validation." in said) is (split == "all")
    for learnt in ({**training, "validation": []}, {**training, "dataset": "other"}):
        _rows(data, learnt, "all", "shop")
        assert "--split validation" not in capsys.readouterr().err


def test_settings_that_are_wrong_end_in_one_line(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDWRIGHT_MAX_PAGES", "-1")
    for command in (
        ("train", shop.dataset, "--name", "new"),
        ("evaluate", shop.dataset, "--model", "shop"),
        ("dataset", "autotag", shop.dataset),
    ):
        line = _fails(shop, *command)
        assert "FIELDWRIGHT_MAX_PAGES" in line
