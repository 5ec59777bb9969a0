"""What benchmarks share: the machine in a line, processes, their memory, files of a folder."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

_ROOT = Path(__file__).resolve().parents[1]
P = ParamSpec("P")
T = TypeVar("T")
Row = tuple[str, str]
"""What was measured, and the figure."""
_SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff")


def machine() -> str:
    """Return the machine and the commit in a line."""

    def output(*command: str) -> str:
        return subprocess.run(
            command, cwd=_ROOT, capture_output=True, text=True, check=True
        ).stdout.strip()

    cpu = next(
        line.partition(":")[2].strip()
        for line in [*Path("/proc/cpuinfo").read_text().splitlines(), "model name: unknown"]
        if line.startswith("model name")
    )
    commit = output("git", "rev-parse", "--short", "HEAD")
    if output("git", "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    tesseract = output("tesseract", "--version").splitlines()[0]
    return (
        f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"{tesseract}, load {os.getloadavg()[0]:.1f} at the start; commit {commit}"
    )


def figures(rows: Sequence[Row]) -> list[str]:
    """Return rows as the lines of a Markdown table."""
    width = max(len(name) for name, _ in rows)
    head = [f"| {'what':{width}} | figure |", f"|{'-' * (width + 2)}|--------|"]
    return head + [f"| {name:{width}} | {figure} |" for name, figure in rows]


def alone(act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what an act gives in a process of its own, which inherits no memory and no warmth."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(act, *args, **kwargs).result()


def peak_bytes(pid: int) -> int:
    """Return the most bytes that a process ever held in memory."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return 1024 * next(int(row.split()[1]) for row in status.splitlines() if row[:5] == "VmHWM")


def json_lines(path: Path) -> list[Any]:
    """Return the values of JSON lines; not by splitlines: their texts may hold U+2028."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def pictures(folder: Path) -> list[Path]:
    """Return the pictures of a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES)
