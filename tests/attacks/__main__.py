"""Attacks a real service and prints what it did to it.

    python -m tests.attacks [--mode embedded] [--only TEXT] [--root PATH]

Exits with 1 where a bound was not kept. Takes minutes a mode; `--quick` is what the tests run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.attacks.frame import Measure, Mode, Place
from tests.attacks.table import ATTACKS
from tests.service import ROOT

MODES: tuple[Mode, ...] = ("embedded", "production")


def main() -> int:
    """Run the attacks that were asked for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("--mode", choices=MODES, action="append", help="default: both")
    parser.add_argument("--only", action="append", help="attacks whose name holds this text")
    parser.add_argument("--root", type=Path, default=ROOT, help="code to attack; default: this")
    parser.add_argument("--quick", action="store_true", help="short limits, small volumes")
    chosen = parser.parse_args()
    show(("mode", "attack", "measured", "value", "bound", "held"))
    show(("---",) * 6)
    broken = 0
    for mode in chosen.mode or MODES:
        with tempfile.TemporaryDirectory(prefix="attacks-") as folder:
            place = Place(Path(folder), mode, chosen.root.resolve(), full=not chosen.quick)
            with place:
                for name, attack in ATTACKS.items():
                    if not any(text in name for text in chosen.only or [""]):
                        continue
                    try:
                        measures = attack(place)
                    except Exception as error:  # what it did not survive is a figure, too
                        sys.stderr.write(f"{name}: {error!r}\n")
                        measures = [Measure(f"broke off: {type(error).__name__}", 1, 0)]
                    for measure in measures:
                        broken += not measure.held
                        held = "yes" if measure.held else "**no**"
                        value, bound = f"{measure.value:.4g}", f"{measure.bound:.4g}"
                        show((mode, name, measure.what, value, bound, held))
    return 1 if broken else 0


def show(cells: tuple[str, ...]) -> None:
    """Print a line of a table in Markdown."""
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
