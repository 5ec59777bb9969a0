"""What the README states is what the program does: its answer, its settings, its error codes."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from app.main import STATUS
from app.settings import ApiSettings
from models.packages import BUNDLED, Registry
from pipeline.result import Extraction

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ANSWER: dict[str, Any] = json.loads((ROOT / "examples" / "answer.json").read_text("utf-8"))


def rows(header: str) -> list[list[str]]:
    """Return the cells of the table that starts with a header line."""
    lines = README.partition(f"{header}\n")[2].splitlines()[1:]
    table = lines[: next(number for number, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_answer_shown_is_the_answer_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.delitem(sys.modules, "refresh", raising=False)
    import refresh

    assert refresh.with_answer(README, ANSWER) == README
    shown = README.partition(refresh.BEGIN + "```json\n")[2].partition("```")[0]
    assert json.loads(shown) == refresh.rounded(ANSWER)
    assert max(map(len, shown.splitlines())) <= 100
    assert Extraction.model_validate(ANSWER).fields["total"] is not None


@pytest.mark.skipif(
    not (BUNDLED / "receipts" / "config.json").is_file(), reason="no bundled model yet"
)
def test_answer_is_of_the_bundled_model(tmp_path: Path) -> None:
    """Where this fails, `make example` makes the answer and the picture again."""
    bundled = Registry(tmp_path).resolve("receipts")
    assert (ANSWER["model"]["name"], ANSWER["model"]["version"]) == ("receipts", bundled.version)


def test_the_settings_shown_have_their_defaults() -> None:
    shown = {
        cells[0].strip("`"): cells[1].strip("`")
        for cells in rows("| variable | default | meaning |")
    }
    known = {
        f"FIELDWRIGHT_{name.upper()}": field.default
        for name, field in ApiSettings.model_fields.items()
    }
    assert shown
    for name, value in shown.items():
        default = known[name]
        assert value == (f"{default:g}" if isinstance(default, float) else str(default))


def test_every_error_code_stands_there_with_its_status() -> None:
    shown = {
        code: int(status[:3])
        for status, codes in rows("| status | codes |")
        for code in re.findall(r"`(\w+)`", codes)
    }
    assert shown == STATUS


def test_make_has_every_target_that_is_named() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"(?:^ {4}|`)make ([a-z-]+)", README, re.MULTILINE))
    assert {"serve", "test", "check", "bench", "example", "lock"} <= named
    assert named <= targets
