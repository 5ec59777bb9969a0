"""The long-range paper's own task, on purchase orders that are invented: headers and positions.

Number, date and total of an order, and the article and quantity of each of its positions, by length
in pieces; macro F1 over the fields. `fieldwright invent purchases` makes the documents; each has a
layout of its own, so that all layouts that are scored are held out.
"""

from __future__ import annotations

import argparse

from benchmarks.papers import field_models
from benchmarks.papers.longrange import EXPERIMENT as LONGRANGE
from benchmarks.papers.longrange import run_by_length
from benchmarks.papers.options import Context
from benchmarks.papers.table import Experiment

EXPERIMENT = Experiment(
    "purchases",
    "Purchase orders: windows, pages or whole documents?",
    (*LONGRANGE.systems, "near-and-far"),
    LONGRANGE.paper,
    "business orders that are not public, macro F1 over their fields, encoders pre-trained alike.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    field_models.add_arguments(parser, EXPERIMENT.systems, transcription="own", by="issuer")


def run(arguments: argparse.Namespace, context: Context) -> None:
    """Do the runs that are not done."""
    run_by_length(EXPERIMENT, arguments, context, by_field=True)
