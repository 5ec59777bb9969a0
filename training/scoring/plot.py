"""Draws how much goes through unread against how much of it is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from training.scoring.confidence import RiskCurve


def plot_risk(curves: Mapping[str, RiskCurve], picture: Path) -> None:
    """Write a PNG of risk-coverage curves."""
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name, curve in curves.items():
        axes.plot(curve.through, curve.wrong, label=name, linewidth=1.4, drawstyle="steps-post")
    axes.set(xlabel="values that go through unread", ylabel="wrong ones among them", xlim=(0, 1))
    axes.set_ylim(bottom=0)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(picture, dpi=120)
