"""docs/architecture.md says what is there: its picture, its files and names, its import rules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from docs.draw_architecture import FLOORS, PICTURE, ROUTE, Stop, drawn, imports, packages

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w./]+\.py):([\w.]+)`", PAGE)))
FILES = sorted(set(re.findall(r"`([\w./-]+/[\w.-]*)`", PAGE)))


def names_in(file: str) -> set[str]:
    """Return what a file defines, methods as ``Class.method``."""
    found: set[str] = set()
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {
                f"{node.name}.{item.name}"
                for item in node.body
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
            }
    return found


def test_the_picture_shows_the_folders_and_imports_of_today() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "run docs/draw_architecture.py"


@pytest.mark.parametrize("stop", ROUTE, ids=lambda stop: stop.title)
def test_every_stop_of_the_route_exists(stop: Stop) -> None:
    file, _, name = stop.place.partition(":")
    assert name in names_in(file)


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_name_on_the_page_exists(file: str, name: str) -> None:
    assert name in names_in(file)


@pytest.mark.parametrize("file", FILES)
def test_every_file_and_folder_on_the_page_exists(file: str) -> None:
    assert (ROOT / file).exists()


def test_ten_questions_are_answered_with_at_most_two_files_each() -> None:
    rows = [line for line in PAGE.splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) == 10
    for row in rows:
        files = set(re.findall(r"`([\w./]+\.(?:py|toml))", row))
        assert 1 <= len(files) <= 2, row


def test_imports_go_down_the_floors_only() -> None:
    floor_of = {top: number for number, floor in enumerate(FLOORS) for top in floor}
    assert set(floor_of) == set(packages())
    assert all(floor_of[top] < floor_of[low] for top, low in imports(list(floor_of)))


def test_every_package_has_its_line_on_the_page() -> None:
    for top, inside in packages().items():
        folder = top if (ROOT / top).is_dir() else f"client/{top}"
        assert f"`{folder}/`" in PAGE
        for name in inside:
            assert f"`{top}/{name.replace('.', '/')}/`" in PAGE
