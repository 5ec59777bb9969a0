"""Draws the templates of a dataset."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from training.data.templates import Templates


def plot_templates(templates: Templates, picture: Path) -> None:
    """Draw the similarity of all documents, ordered by template, and where templates end.

    True templates are bright squares on the diagonal, with little light beside them.
    """
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
