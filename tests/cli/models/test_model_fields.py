"""`fieldwright models fields`: a model with other captions, checks or hints, without training."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from models.packages import BUNDLED
from tests.builders import draw_pdf
from tests.commands import run

INVOICES = BUNDLED / "invoices"
VERSION = json.loads((INVOICES / "config.json").read_text(encoding="utf-8"))["version"]


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A copy of the fields of `invoices`, to be changed."""
    copy = tmp_path / "fields.toml"
    copy.write_text((INVOICES / "fields.toml").read_text(encoding="utf-8"), encoding="utf-8")
    return copy


def _made(rules: Path, tmp_path: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    made = ("models", "fields", f"invoices@{VERSION}", rules, "--version", "9.0.0")
    return run(*made, code=code, FIELDWRIGHT_HOME=tmp_path / "home")


def _change(rules: Path, old: str, new: str) -> None:
    text = rules.read_text(encoding="utf-8")
    assert old in text
    rules.write_text(text.replace(old, new, 1), encoding="utf-8")


def _page(canvas: Canvas) -> None:
    for height, line in enumerate(("Quarry ledger: QL-7731", "Lime, 2 t", "Invoice", "Pell Ltd")):
        canvas.drawString(60, 400 + 90 * height, line)


def _customer(document: Path, model: str, tmp_path: Path) -> str | None:
    done = run("extract", document, "--model", model, FIELDWRIGHT_HOME=tmp_path / "home", code=0)
    value = json.loads(done.stdout)["fields"]["customer_id"]
    return None if value is None else str(value["value"])


def test_a_caption_that_was_missed_is_added_without_training(rules: Path, tmp_path: Path) -> None:
    document = tmp_path / "invoice.pdf"
    document.write_bytes(draw_pdf(_page))
    assert _customer(document, f"invoices@{VERSION}", tmp_path) is None
    _change(rules, '"Customer no",', '"Customer no", "Quarry ledger",')
    done = _made(rules, tmp_path, code=0)
    assert "models promote" in done.stderr
    assert _customer(document, "invoices@9.0.0", tmp_path) == "QL-7731"
    made = tmp_path / "home" / "models" / "invoices" / "9.0.0"
    assert (made / "fields.toml").read_text() == rules.read_text()
    assert (made / "calibration.json").read_bytes() == (INVOICES / "calibration.json").read_bytes()


def test_a_version_is_written_once(rules: Path, tmp_path: Path) -> None:
    _made(rules, tmp_path)
    again = _made(rules, tmp_path, code=2)
    assert "Choose another --version" in again.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param(
            '[fields.iban]\nkind = "iban"\n', "", "iban (iban) is in one of them alone", id="less"
        ),
        pytest.param(
            '[fields.due_date]\nkind = "date"', '[fields.due_date]\nkind = "text"',
            "kind text", id="kind",
        ),
        pytest.param(
            '[fields.iban]\nkind = "iban"', '[fields.iban]\nkind = "number"',
            "iban (number) is in one of them alone", id="another_kind",
        ),
        pytest.param("[fields.iban]", "[fields.iban", "is not valid TOML", id="no_toml"),
        pytest.param('"subtotal + total_tax', '"subtotal + tax', "is no field 'tax'", id="check"),
    ],
)  # fmt: skip
def test_what_the_model_has_not_learnt_is_refused(
    rules: Path, tmp_path: Path, old: str, new: str, said: str
) -> None:
    _change(rules, old, new)
    done = _made(rules, tmp_path, code=2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    done = _made(tmp_path / "nowhere.toml", tmp_path, code=2)
    assert "nowhere.toml cannot be read" in done.stderr


def test_a_file_of_another_encoding_is_named(rules: Path, tmp_path: Path) -> None:
    text = rules.read_text(encoding="utf-8")
    rules.write_bytes(b"# caf\xe9\n" + text.encode())
    done = _made(rules, tmp_path, code=2)
    assert "it is not in UTF-8. Save it in UTF-8." in done.stderr
    rules.write_text(text, encoding="utf-8-sig")  # as editors on Windows write it
    _made(rules, tmp_path, code=0)
