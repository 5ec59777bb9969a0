"""Tables on reading documents: text layers, trust in them, recognition of scans, and throughput.

Usage: python -m benchmarks.reading {layers,trust,scans,throughput} ...; each says more with --help.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import reading_layers, reading_scans, reading_throughput
from benchmarks.receipts import machine
from pipeline.errors import FieldwrightError

_COMMANDS = {
    "layers": (reading_layers.add_layers, reading_layers.run_layers),
    "trust": (reading_layers.add_trust, reading_layers.run_trust),
    "scans": (reading_scans.add_scans, reading_scans.run_scans),
    "throughput": (reading_throughput.add_throughput, reading_throughput.run_throughput),
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
