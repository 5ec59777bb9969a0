"""What all pages for users name is there: commands and their options, settings, addresses."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from app.main import build
from app.settings import ApiSettings
from cli.main import build as build_command

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "SECURITY.md", "client/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def commands(page: Path) -> list[list[str]]:
    """Return the words of each `fieldwright ...` of a page, in blocks and in sentences."""
    text = re.sub(r"\\\n\s*", " ", page.read_text(encoding="utf-8"))
    blocks = re.findall(r"^ {4}\S*(?:fieldwright|\$F) ([a-z][^#|\n]*)", text, re.MULTILINE)
    inline = re.findall(r"`(?:fieldwright|\$F) ([a-z][^`]*)`", text)
    return [shlex.split(command) for command in [*blocks, *inline]]


@every_page
def test_every_command_and_option_exists(page: Path) -> None:
    for words in commands(page):
        command: Any = typer.main.get_command(build_command())
        rest = list(words)
        while hasattr(command, "commands") and rest:
            several = rest.pop(0).split("|")
            assert set(several) <= set(command.commands), words
            command = command.commands[several[0]]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= known, words


def test_commands_are_found_in_blocks_and_in_sentences() -> None:
    found = [words[0] for words in commands(ROOT / "docs" / "models.md")]
    assert len(found) > 10
    assert {"train", "invent", "models", "pretrain"} <= set(found)


@every_page
def test_every_setting_exists(page: Path) -> None:
    known = {f"FIELDWRIGHT_{name.upper()}" for name in ApiSettings.model_fields}
    known |= {"FIELDWRIGHT_SECRETS_DIR", "FIELDWRIGHT_API_KEY", "FIELDWRIGHT_READERS"}
    named = re.findall(r"FIELDWRIGHT_[A-Z_]+[A-Z]", page.read_text(encoding="utf-8"))
    assert set(named) <= known


@every_page
def test_every_address_exists(page: Path, tmp_path: Path) -> None:
    """Addresses of calls stand as `GET /jobs`, or behind 127.0.0.1:8000, as those of pages do."""
    api = build(ApiSettings(home=tmp_path))
    shapes = [re.sub(r"\{[^}]+\}", "[^/]+", path) for path in api.openapi()["paths"]]
    shapes += ["/", "/docs", "/openapi.json", "/v1", "/review", "/teach"]
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`(?:GET|POST|PUT|PATCH|DELETE) (/[\w/{}.]*)", text)
    named += re.findall(r"https?://(?:127\.0\.0\.1|HOST):8000(/[\w/{}.]*)", text)
    missing = [path for path in named if not any(re.fullmatch(s, path) for s in shapes)]
    assert missing == []
