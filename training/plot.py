"""Draws a run's loss and validation score from its log, and a dataset's templates."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from training.templates import Templates


def plot_log(log: Path, picture: Path) -> bool:
    """Write a PNG of the training curve; return False where matplotlib is not installed.

    Args:
        log: log.jsonl of a run.
        picture: path to write.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return False
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    steps = [line for line in lines if "loss" in line]
    scores = [line for line in lines if "score" in line]
    last = max((line["step"] for line in steps), default=1)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    losses = figure.add_subplot()
    places = [line["epoch"] - 1 + line["step"] / last for line in steps]
    losses.plot(places, [line["loss"] for line in steps], color="tab:blue", linewidth=0.8)
    losses.set(xlabel="epoch", ylabel="training loss", yscale="log")
    marks = losses.twinx()
    marks.plot(
        [line["epoch"] for line in scores],
        [line["score"] for line in scores],
        color="tab:orange",
        marker="o",
    )
    marks.set_ylabel("validation F1 (lenient)")
    figure.savefig(picture, dpi=120)
    return True


def plot_templates(templates: Templates, picture: Path) -> bool:
    """Draw the similarity of all documents, ordered by template, and where templates end.

    True templates are bright squares on the diagonal, with little light beside them. Returns
    False where matplotlib is not installed.

    Args:
        templates: as grouped.
        picture: PNG file to write.
    """
    try:
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle
    except ModuleNotFoundError:
        return False
    clusters = templates.clusters()
    place = {name: index for index, name in enumerate(templates.ids)}
    order = [place[name] for names in clusters for name in names]
    figure = Figure(figsize=(9, 8), layout="constrained")
    axes = figure.add_subplot()
    alike = templates.similarity[np.ix_(order, order)]
    image = axes.imshow(alike, vmin=0, vmax=1, cmap="magma")
    edge = 0
    for names in clusters:
        if (size := len(names)) > 1:
            corner = (edge - 0.5, edge - 0.5)
            axes.add_patch(Rectangle(corner, size, size, fill=False, edgecolor="cyan"))
        edge += size
    axes.set_title(f"{len(order)} documents in {len(clusters)} templates")
    axes.set_xlabel("documents by template, the largest template first")
    figure.colorbar(image, label="similarity")
    figure.savefig(picture, dpi=120)
    return True
