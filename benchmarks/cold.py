"""Cold commands: what `fieldwright extract` of one page takes from its start, as a Markdown table.

Usage: python -m benchmarks.cold [--rounds 7] [--against FOLDER]

Each row is a command of its own process, and all take turns, so that what else the machine does
hits all. Processor seconds are those of the command and of what it waited for. The first two rows
are what no command that tags goes below. With --against, the commands of another checkout of the
project take turns with those of this one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from benchmarks.machine import machine

_ROOT = Path(__file__).resolve().parents[1]
_EXTRACT = (sys.executable, "-m", "cli.main", "extract")
_DOCUMENTS = {
    "PDF with a text layer, named model": ("examples/order.pdf", "--model", "orders"),
    "PDF with a text layer, auto": ("examples/order.pdf",),
    "scan, named model": ("examples/receipt.png", "--model", "receipts"),
    "scan, auto": ("examples/receipt.png",),
}
_FLOORS = {
    "python": (sys.executable, "-c", "pass"),
    "python, torch imported": (sys.executable, "-c", "import torch"),
}


def seconds_of(command: tuple[str, ...], folder: Path) -> tuple[float, float]:
    """Run a command; return the seconds that it took, and those of processors."""
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{folder / 'client'}"}
    started, before = time.perf_counter(), os.times()
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - started, os.times()
    spent = after.children_user + after.children_system
    return wall, spent - before.children_user - before.children_system


def main() -> None:
    """Print the machine and the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--against", type=Path, help="another checkout of the project")
    arguments = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    about = machine()
    commands: dict[str, tuple[tuple[str, ...], Path]]
    commands = {name: (command, _ROOT) for name, command in _FLOORS.items()}
    for name, options in _DOCUMENTS.items():
        commands[name] = (*_EXTRACT, *options), _ROOT
        if arguments.against:
            commands[f"{name}, the other"] = (*_EXTRACT, *options), arguments.against.resolve()
    taken: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for number in range(arguments.rounds + 1):
        for name, (command, folder) in commands.items():
            seconds = seconds_of(command, folder)
            if number:  # the first round reads files from the disk
                taken[name].append(seconds)
    print(f"{about}.\n")
    print("| what | median s | least | processor s, median |\n|---|---:|---:|---:|")
    for name, runs in taken.items():
        walls, spent = zip(*runs, strict=True)
        row = f"{statistics.median(walls):.2f} | {min(walls):.2f} | {statistics.median(spent):.2f}"
        print(f"| {name} | {row} |")


if __name__ == "__main__":
    main()
