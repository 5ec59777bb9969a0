"""The house rules that no type checker sees: who imports whom, and what stays light."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.main import STATUS
from pipeline.errors import FieldwrightError

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    "module", ["app.main", "cli.main", "store.batches", "workers.embedded.supervisor"]
)
def test_light_processes_load_no_torch(module: str) -> None:
    code = f"import {module}, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


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
