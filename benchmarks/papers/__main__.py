"""The papers' experiments, each one command; finished runs are kept and shown as Markdown.

Usage: python -m benchmarks.papers {lambert,lope,skim,longrange,purchases} DATA [--seeds N]
           [--budget MINUTES]
       python -m benchmarks.papers table [EXPERIMENT ...]

A command that was broken off goes on from where it was. Each says more with --help.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from benchmarks.machine import machine
from benchmarks.papers import lambert, longrange, lope, purchases, skim
from benchmarks.papers.options import Context
from benchmarks.papers.runs import Budget, Store
from benchmarks.papers.table import tables
from pipeline.errors import FieldwrightError

_MODULES = {
    module.EXPERIMENT.name: module for module in (lambert, lope, skim, longrange, purchases)
}


def main() -> None:
    """Run an experiment and print its tables, or print those of what was run before."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, default=Path(".fieldwright/papers"))
    parser.add_argument("--threads", type=int, default=0, help="CPU threads; 0 for all cores")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in _MODULES.items():
        title = module.EXPERIMENT.title
        module.add_arguments(commands.add_parser(name, help=title, description=title))
    show = commands.add_parser("table", help="Markdown of the finished runs")
    show.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="all by default")
    arguments = parser.parse_args()
    store = Store(arguments.store)
    names = [arguments.command]
    if arguments.command == "table":
        names = arguments.experiments or list(_MODULES)
        if unknown := [name for name in names if name not in _MODULES]:
            parser.error(f"no experiment {', '.join(unknown)}")
    try:
        if arguments.command != "table":
            _MODULES[arguments.command].run(arguments, _context(arguments, store))
        records = store.records()
    except FieldwrightError as error:
        sys.exit(str(error))
    print("\n".join(line for name in names for line in tables(_MODULES[name].EXPERIMENT, records)))


def _context(arguments: argparse.Namespace, store: Store) -> Context:
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    about = machine()
    if arguments.device.startswith("cuda"):
        about = f"{torch.cuda.get_device_name(arguments.device)}, {about}"
    cache = arguments.store.parent / "readings"
    return Context(store, Budget(arguments.budget), arguments.device, about, cache)


if __name__ == "__main__":
    main()
