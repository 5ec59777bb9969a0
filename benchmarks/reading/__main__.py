"""Tables on reading documents: text layers, trust in them, and recognition of scans.

Usage: python -m benchmarks.reading {layers,trust,scans} ...; each says more with --help.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.machine import machine
from benchmarks.reading import layers, scans
from pipeline.errors import FieldwrightError

_COMMANDS = {
    "layers": (layers.add_layers, layers.run_layers),
    "trust": (layers.add_trust, layers.run_trust),
    "scans": (scans.add_scans, scans.run_scans),
}


def main() -> None:
    """Print the machine and the table asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (add_arguments, run) in _COMMANDS.items():
        command = commands.add_parser(name)
        add_arguments(command)
        command.set_defaults(run=run)
    arguments = parser.parse_args()
    about = machine()
    try:
        lines = arguments.run(arguments)
    except FieldwrightError as error:
        sys.exit(f"{error.detail} {error.advice}")
    print(f"{about}.\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
