"""What the pages of results and the model cards point to is there."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("benchmarks/**/*.md"), *ROOT.glob("weights/*/README.md")])
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@every_page
def test_links_lead_to_files(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


@every_page
def test_commands_name_modules_that_exist(page: Path) -> None:
    modules = set(re.findall(r"python -m ([\w.]+)", page.read_text(encoding="utf-8")))
    assert [name for name in modules if importlib.util.find_spec(name) is None] == []


def test_every_page_of_results_is_linked_from_the_first() -> None:
    first = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "benchmarks" / "results").iterdir()}
    assert pages == set(re.findall(r"\(results/([\w-]+\.md)\)", first))
