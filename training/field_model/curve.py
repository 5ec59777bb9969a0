"""Learning curves: how good a recipe is, by the number of documents it learns from.

Someone with fifty labelled documents can see from it whether labelling fifty more is worth it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from training.data import Transcription
from training.field_model.cross import train_model
from training.field_model.prepared import Prepared, drawn_in_a_pass
from training.field_model.recipe import Recipe
from training.loop import Session
from training.scoring import Scores

Curve = Mapping[int, Mapping[Transcription, Scores]]
"""Scores on the documents held out, by the number of documents in training."""


def learning_curve(
    prepared: Prepared,
    recipe: Recipe,
    sizes: Sequence[int],
    session: Session,
    *,
    on_size: Callable[[int], None] = lambda size: None,
) -> Curve:
    """Train on more and more documents, and score each model on the same documents held out.

    Smaller parts lie within the larger ones. Fewer documents are passed over more often, so that
    all trainings take about the same number of steps.

    Args:
        prepared: documents to draw from, and those held out.
        recipe: of every training.
        sizes: numbers of documents; those not below the size of the training set are left out.
        session: how it is run; each training has a folder in its.
        on_size: told of each number before its training.

    Returns:
        Scores in the order of the numbers.

    Raises:
        DatasetError, InvalidOption: as `training.field_model.cross.train_model`.
    """
    found: dict[int, Mapping[Transcription, Scores]] = {}
    order = np.random.default_rng(0).permutation(len(prepared.train))
    whole = drawn_in_a_pass(prepared, recipe.loop.per_group)
    for size in sorted(set(sizes)):
        if size >= len(prepared.train):
            break
        on_size(size)
        drawn = sorted(order[:size].tolist())
        part = dataclasses.replace(prepared, train=tuple(prepared.train[place] for place in drawn))
        in_part = drawn_in_a_pass(part, recipe.loop.per_group)
        passes = round(recipe.loop.passes * whole / in_part)
        loop = dataclasses.replace(recipe.loop, passes=passes)
        found[size] = train_model(
            part, dataclasses.replace(recipe, loop=loop), session.within(f"curve-{size}")
        ).scores
    return found
