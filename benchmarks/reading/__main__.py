"""Tables on reading documents: text layers, trust in them, and recognition of scans.

Usage: python -m benchmarks.reading {layers,trust,scans} ...; each says more with --help.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.machine import figures, machine
from benchmarks.reading import layers, scans
from pipeline.errors import FieldwrightError


def main() -> None:
    """Print the machine and the table asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("layers")
    command.add_argument("folder", type=Path, help="folder of PDFs")
    command.add_argument("--every", type=int, default=1, help="each n-th document, by name")
    command.set_defaults(run=lambda a: figures(layers.compare(a.folder, a.every)))
    command = commands.add_parser("trust")
    command.add_argument("folders", type=Path, nargs="+", help="folders of PDFs")
    command.set_defaults(run=lambda a: figures(layers.judged(a.folders)))
    command = commands.add_parser("scans")
    command.add_argument("folder", type=Path, help="dataset folder of pictures, with ocr/")
    command.add_argument("--every", type=int, default=10, help="each n-th document, by its row")
    command.set_defaults(run=lambda a: scans.compare(a.folder, a.every))
    arguments = parser.parse_args()
    about = machine()
    try:
        lines = arguments.run(arguments)
    except FieldwrightError as error:
        sys.exit(str(error))
    print(f"{about}.\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
