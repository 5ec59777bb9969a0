"""docs/deploy.md says what the product does: its settings, commands, metrics and processes."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from prometheus_client.parser import text_string_to_metric_families

from app.main import build
from app.settings import ApiSettings
from cli.main import build as build_command
from tests.app.inside import call
from tests.builders import make_receipt, receipt_pdf
from tests.service import serving
from tests.stores import prepare

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
COMPOSED: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def commands() -> list[list[str]]:
    """Return the commands of the page and of the composition, split into words."""
    found = re.findall(
        r"^ {4}(?:docker compose run --rm api|fieldwright) (.*)$", PAGE, re.MULTILINE
    )
    own = [shlex.split(line) for line in found]
    own += [
        [str(word) for word in service["command"]]
        for service in COMPOSED["services"].values()
        if "build" in service and "command" in service
    ]
    return own


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_and_option_exists(words: list[str]) -> None:
    command: Any = typer.main.get_command(build_command())
    rest = list(words)
    while hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= known


def test_settings_stand_there_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where this fails, `python docs/settings_table.py` writes the table again."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    monkeypatch.delitem(sys.modules, "settings_table", raising=False)
    from settings_table import refreshed, settings_table

    assert refreshed(PAGE) == PAGE
    rows = [line.split("|") for line in settings_table().splitlines()[2:]]
    assert len(rows) > 30
    assert all(meaning.strip() for _, _, _, meaning, _ in rows)


def test_no_setting_is_named_that_does_not_exist() -> None:
    known = {f"FIELDWRIGHT_{name.upper()}" for name in ApiSettings.model_fields}
    known |= {"FIELDWRIGHT_SECRETS_DIR"}
    only_composed = {"FIELDWRIGHT_READERS", "FIELDWRIGHT_PORT", "FIELDWRIGHT_BIND"}
    composed = (ROOT / "docker-compose.yml").read_text()
    for name in only_composed:
        assert f"${{{name}:-" in composed
    assert set(re.findall(r"FIELDWRIGHT_[A-Z_]+[A-Z]", PAGE + composed)) <= known | only_composed


def test_every_metric_is_explained_and_every_explained_one_exists(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path))
    prepare(api.state.jobs)
    text = call(api, "GET", "/metrics", base="http://127.0.0.1").text
    api.state.jobs.close()
    shown = set()
    for family in text_string_to_metric_families(text):
        if family.name.startswith("fieldwright_"):
            shown.add(f"{family.name}_total" if family.type == "counter" else family.name)
    table = PAGE.partition("| metric | labels | tells |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(fieldwright_\w+)`", table)) == shown


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="sqlite3 is not installed")
def test_what_is_backed_up_while_the_service_works_is_whole(tmp_path: Path) -> None:
    """Run the page's own lines; a file of the store's log restored beside the copy damages it."""
    copy, home = tmp_path / "copy", tmp_path / "restored"
    copy.mkdir()
    home.mkdir()
    section = PAGE.partition("\n## Back-up\n")[2].partition("\n## ")[0]
    lines = [
        re.search(rf"^ {{4}}({name} .*)$", section, re.MULTILINE) for name in ("sqlite3", "tar")
    ]
    with serving(tmp_path / "home") as service:
        jobs = [service.submit(receipt_pdf(make_receipt(number))) for number in range(10)]
        for line in lines:
            assert line is not None
            command = line[1].replace("BACKUP", str(copy))
            environment = {**os.environ, "FIELDWRIGHT_HOME": str(service.home)}
            done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True)
            assert done.returncode in (0, 1), done.stderr  # 1: a file changed while it was read
            service.ended(jobs[-1])  # so that the second line sees another moment
        service.kill()
    shutil.unpack_archive(copy / "home.tar", home, filter="data")
    shutil.copy(copy / "jobs.db", home)
    store = sqlite3.connect(home / "jobs.db")
    assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    store.close()
    with serving(home) as service:
        assert {service.ended(job)["state"] for job in jobs} == {"succeeded"}
