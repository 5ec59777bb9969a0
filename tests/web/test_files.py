"""What the pages are made of: nothing inline, no other host, a library that is what it says."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[2] / "web"
LIBRARY = WEB / "library"
OWN = sorted(path for path in WEB.rglob("*") if path.is_file() and not path.is_relative_to(LIBRARY))
MOST_BYTES = 150_000
MOST_BYTES_OF_ALL = 210_500


def test_library_is_unchanged() -> None:
    lines = (LIBRARY / "lit-html" / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    for name, digest in sums.items():
        assert hashlib.sha256((LIBRARY / "lit-html" / name).read_bytes()).hexdigest() == digest
    kept = {f"./{path.relative_to(LIBRARY / 'lit-html')}" for path in LIBRARY.rglob("*.js")}
    assert kept <= set(sums)


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(WEB)))
def test_file_asks_no_other_host_and_makes_no_code_of_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://", text)
    assert not re.search(r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|eval)\b", text)
    assert not re.search(r"\bdocument\.write|new Function", text)
    if path.suffix == ".html":
        assert not re.search(r"<style|\son\w+=|\sstyle=|<script(?![^>]*\bsrc=)", text)


@pytest.mark.parametrize("page", ["try", "review", "teach"])
def test_own_code_of_a_page_is_small(page: str) -> None:
    others = {"try", "review", "teach"} - {page}
    loaded = [path for path in OWN if not others & set(path.relative_to(WEB).parts)]
    assert any(path.parent.name == page for path in loaded)
    assert sum(path.stat().st_size for path in loaded) < MOST_BYTES


def test_own_code_of_all_pages_stays_small() -> None:
    assert sum(path.stat().st_size for path in OWN) < MOST_BYTES_OF_ALL
