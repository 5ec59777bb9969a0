"""The house rules that no type checker sees: who imports whom, and what stays light."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import app.errors
import models.errors
import pipeline.errors
import store.errors
from app.problems import STATUS
from pipeline.errors import FieldwrightError
from training.invent.plain_receipts import text_pdf

ROOT = Path(__file__).resolve().parents[1]
HEAVY = frozenset(
    [
        "celery",
        "cv2",
        "matplotlib",
        "numpy",
        "onnxruntime",
        "PIL",
        "pypdfium2",
        "scipy",
        "torch",
        "transformers",
        "weasyprint",
    ]
)


@pytest.mark.parametrize(
    "module",
    ["app.main", "cli.main", "cli.service.serve", "store.batches", "workers.embedded.supervisor"],
)
def test_light_processes_load_no_library_that_reads_draws_or_trains(module: str) -> None:
    code = f"import {module}, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.slow
def test_extracting_loads_no_library_that_reads_draws_or_trains(tmp_path: Path) -> None:
    document = tmp_path / "receipt.pdf"
    document.write_bytes(text_pdf(0))
    code = (
        "import atexit, sys; from cli.main import main; "
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "extract", str(document), "--model", "receipts"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["fields"]["total"]["value"]
    loaded = set(done.stderr.split())
    assert HEAVY & loaded == {"numpy", "onnxruntime"}
    assert not {"httpx", "rich", "sqlalchemy"} & loaded


def test_imports_run_one_way() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_every_error_has_a_status_and_its_own_code() -> None:
    kinds, codes = [FieldwrightError], []
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if "code" in kind.__dict__:
            codes.append(kind.code)
    assert len(set(codes)) == len(codes)
    assert set(codes) <= set(STATUS)


@pytest.mark.parametrize("module", [models.errors, pipeline.errors, store.errors, app.errors])
def test_the_tree_in_a_docstring_is_that_of_the_errors(module: ModuleType) -> None:
    above: list[tuple[int, str]] = []
    told = set()
    for line in (module.__doc__ or "").splitlines():
        if found := re.fullmatch(r"( {4,})([A-Z]\w+)(?: .*?(?:  ([a-z_]+))?)?", line):
            depth, name, code = len(found[1]), found[2], found[3]
            above = [(other, base) for other, base in above if other < depth]
            told.add((name, above[-1][1] if above else None, code))
            above.append((depth, name))
    for kind in vars(module).values():
        ours = isinstance(kind, type) and kind.__module__ == module.__name__
        if ours and issubclass(kind, FieldwrightError):
            base = kind.__base__.__name__ if kind is not FieldwrightError else None
            assert (kind.__name__, base, kind.__dict__.get("code")) in told
