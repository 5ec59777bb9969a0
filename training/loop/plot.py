"""Draws a run's loss and validation score from its log."""

from __future__ import annotations

import json
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter


def plot_log(log: Path, picture: Path) -> None:
    """Write a PNG of the training curve."""
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    steps = [line for line in lines if "loss" in line]
    scores = [line for line in lines if "score" in line]
    last = max((line["step"] for line in steps), default=1)
    figure = Figure(figsize=(8, 4.5))
    figure.subplots_adjust(left=0.09, right=0.91, bottom=0.11, top=0.97)
    losses = figure.add_subplot()
    places = [line["epoch"] - 1 + line["step"] / last for line in steps]
    losses.plot(places, [line["loss"] for line in steps], color="tab:blue", linewidth=0.8)
    losses.set(xlabel="epoch", ylabel="training loss", yscale="log")
    losses.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    losses.yaxis.set_major_formatter("{x:g}")
    losses.yaxis.set_minor_formatter(NullFormatter())
    marks = losses.twinx()
    marks.plot(
        [line["epoch"] for line in scores],
        [line["score"] for line in scores],
        color="tab:orange",
        marker="o",
    )
    marks.set_ylabel("validation F1 (lenient)")
    figure.savefig(picture, dpi=120)
