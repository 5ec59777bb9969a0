"""The benchmark of attentions: its tables, its marks, and what does not fit."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import build
from cli.measuring import benchmark
from cli.measuring.attention import FLOOR, LAYOUTLM, Measurement, Request, measure
from pipeline.errors import InvalidOption
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
GIB = 2**30


@pytest.mark.slow
def test_table_plot_and_numbers_of_real_measurements(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        build(),
        [
            "benchmark", "attention", "--systems", "floor, cosformer", "--lengths", "8",
            "--layers", "1", "--width", "48", "--rounds", "1", "--seconds", "0", "--threads", "1",
            "--device", "cpu", "--plot", str(tmp_path / "p.png"),
            "--output", str(tmp_path / "o.json"),
        ],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    rows = [line.split("|") for line in done.stdout.splitlines() if line.startswith("|")]
    assert [row[1].strip() for row in rows] == [
        *("ms a pass", "-" * 12, "floor", "cosformer"),
        *("MiB a pass", "-" * 12, "floor", "cosformer"),
    ]
    assert [cell.strip() for cell in rows[0][2:-1]] == ["8"]
    assert all(float(cell) > 0 for row in rows[2:4] for cell in row[2:-1])
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    numbers = json.loads((tmp_path / "o.json").read_text())
    assert {(row["system"], row["length"]) for row in numbers} == {("floor", 8), ("cosformer", 8)}


@pytest.mark.parametrize("system", [FLOOR, LAYOUTLM, "linformer", "long-skimformer"])
def test_any_system_is_measured(system: str) -> None:
    found = measure(Request(system, 8, layers=1, width=48, seconds=0))
    assert found is not None
    assert found.passes == 3
    assert found.seconds > 0


@pytest.mark.slow
def test_what_does_not_fit_in_memory_is_none_and_harms_no_other() -> None:
    request = Request("lambert", 8192, layers=1, width=48, seconds=0, memory=3 * GIB)
    assert benchmark._alone(request) is None  # its biases alone take 3 GiB
    assert measure(Request(FLOOR, 8, layers=1, width=48, seconds=0)) is not None


def test_unknown_system_is_an_error() -> None:
    with pytest.raises(ValueError, match="no system 'gpt'"):
        measure(Request("gpt", 8))


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--systems", "gpt"], id="system"),
        pytest.param(["--lengths", "few"], id="no_number"),
        pytest.param(["--lengths", "0"], id="no_length"),
    ],
)
def test_what_cannot_be_measured_is_refused(options: list[str]) -> None:
    with pytest.raises(InvalidOption):
        build()(["benchmark", "attention", *options], standalone_mode=False)


def test_marks_say_what_was_missed() -> None:
    found: benchmark.Table = {
        ("cosformer", 2048): Measurement(1.0, 100, 3),
        ("cosformer", 16384): Measurement(8.0, 2000, 3),
        ("floor", 16384): Measurement(4.0, 500, 3),
        ("layoutlm", 16384): None,
    }
    assert benchmark._marks(found) == [
        "- time a piece, cosformer at 16,384 over cosformer at 2,048: 1.000 (at most 1.300)",
        "- memory a piece, cosformer at 16,384 over cosformer at 2,048: 2.500"
        " (at most 1.300, MISSED)",
        "- time, cosformer at 16,384 over floor at 16,384: 2.000 (at most 1.400, MISSED)",
    ]


def test_lengths_that_would_take_too_long_are_left_out() -> None:
    assert benchmark._expected(None, 512) == 0.0
    assert benchmark._expected((512, Measurement(1.0, 0, 3)), 2048) == pytest.approx(8.0)
    assert benchmark._expected((512, None), 1024) == float("inf")


@pytest.mark.long
def test_what_was_measured_is_shown_when_it_is_broken_off() -> None:
    command = [
        sys.executable, "-m", "cli.main", "benchmark", "attention", "--systems", "floor",
        "--lengths", "8,64,512,2048,4096", "--layers", "1", "--rounds", "1", "--seconds", "2",
    ]  # fmt: skip
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert any("floor, 64 pieces" in line for line in process.stderr)
        process.terminate()
        shown, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert re.search(r"\| floor +\| +[\d.]+ \|", shown)  # of the first length
    assert "not run" in shown
    assert "Broken off" in told
    assert "Traceback" not in told
