"""What the README and its pages state is what the program does, and their links lead somewhere."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from app.main import build
from app.problems import RETRY_AFTER, STATUS
from app.settings import ApiSettings
from models.packages import BUNDLED, Registry
from pipeline.result import Extraction
from tests.commands import run

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ANSWERS, API, MODELS = (
    (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("answers", "api", "models")
)
ANSWER: dict[str, Any] = json.loads((ROOT / "examples" / "answer.json").read_text("utf-8"))


def rows(page: str, header: str) -> list[list[str]]:
    """Return the cells of a page's table that starts with a header line."""
    lines = page.partition(f"{header}\n")[2].splitlines()[1:]
    table = lines[: next(number for number, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_answer_shown_is_the_answer_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.delitem(sys.modules, "refresh", raising=False)
    import refresh

    assert refresh.with_answer(ANSWERS, ANSWER) == ANSWERS
    shown = ANSWERS.partition(refresh.BEGIN + "```json\n")[2].partition("```")[0]
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
        for cells in rows(README, "| variable | default | meaning |")
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
        for status, codes in rows(API, "| status | codes |")
        for code in re.findall(r"`(\w+)`", codes)
    }
    assert shown == STATUS


def test_what_comes_with_retry_after_is_told() -> None:
    told = {
        code
        for status, codes in rows(API, "| status | codes |")
        if status == "503, with `Retry-After`"
        for code in re.findall(r"`(\w+)`", codes)
    }
    assert told == {code for code in RETRY_AFTER if STATUS[code] == 503} | {"overloaded"}


def test_every_option_of_a_request_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(tmp_path))
    described = build().openapi()
    form = described["paths"]["/extract"]["post"]["requestBody"]["content"]["multipart/form-data"]
    schema = described["components"]["schemas"][form["schema"]["$ref"].rpartition("/")[2]]
    shown = {
        name
        for cells in rows(API, "| option | default | meaning |")
        for name in re.findall(r"`(\w+)`", cells[0])
    }
    assert shown == set(schema["properties"]) - {"file"}


def test_make_has_every_target_that_is_named() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    pages = "".join((README, ANSWERS, API, MODELS))
    named = set(re.findall(r"(?:^ {4}|`)make ([a-z-]+)", pages, re.MULTILINE))
    assert {"serve", "test", "check", "bench", "example", "lock"} <= named
    assert named <= targets


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda path: path.stem
)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name) if name else page
        assert path.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
            assert anchor in anchors, target


def test_options_shown_are_those_of_the_command() -> None:
    """Where this fails, an option of `train` that docs/models.md tells of is called otherwise."""
    helped = run("train", "--help").stdout
    shown = [
        cells[0].strip("`").split()[0]
        for cells in rows(MODELS, "| option of `train` | what it does |")
    ]
    assert shown
    assert [option for option in shown if option not in helped] == []
