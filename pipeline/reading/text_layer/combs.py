"""The letters of comb fields, one to a cell: their words are told by the cells, not by gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.reading.text_layer.characters import Characters, Frame
from pipeline.reading.text_layer.words import is_blank

_EMPTY = 1.5  # cells from one letter to the next: more, and one between them is empty


@dataclass(frozen=True, slots=True)
class Comb:
    """A form field that is divided into cells.

    Attributes:
        place: left, bottom, right, top in PDF units of the page.
        cells: their number; 0 where the form does not tell.
    """

    place: tuple[float, float, float, float]
    cells: int


def in_cells(characters: Characters, combs: Sequence[Comb], frame: Frame) -> Characters:
    """Return the characters of a page, those in comb fields as wide as their cells: they touch."""
    if not combs:
        return characters
    boxes, spaced = characters.boxes.copy(), characters.spaced.copy()
    stepped = characters.stepped.copy()
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    shown = ~is_blank(characters.codes)
    places = frame.shown(np.array([comb.place for comb in combs]))
    for comb, place in zip(combs, places, strict=True):
        inside = shown & ((middle >= place[:2]) & (middle <= place[2:])).all(axis=1)
        letters = np.flatnonzero(inside)
        if len(letters) < 2:
            continue
        way = int(characters.direction[letters[0]] % 180 != 0)
        letters = letters[np.argsort(middle[letters, way], kind="stable")]
        steps = np.diff(middle[letters, way])
        cell = (place[2 + way] - place[way]) / comb.cells if comb.cells else steps.min()
        if not cell > 0:
            continue
        boxes[letters, way] = middle[letters, way] - cell / 2
        boxes[letters, 2 + way] = middle[letters, way] + cell / 2
        # Where the cells end, whatever PDFium takes for a space.
        apart = np.concatenate(([True], steps > _EMPTY * cell))
        spaced[letters], stepped[letters] = apart, False
    return replace(characters, boxes=boxes, spaced=spaced, stepped=stepped)
