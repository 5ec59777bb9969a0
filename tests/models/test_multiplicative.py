"""Squircle and cross attention against their quadratic formula, and their laws."""

from __future__ import annotations

import dataclasses
import math

import pytest
import torch

from models.attention.multiplicative import MultiplicativeAttention, MultiplicativePrior
from models.config import FactorForm
from tests.reference.lambert import softmax_attention
from tests.reference.positions import factor
from tests.twins import assert_twins, every_length, twin_batch, twin_heads

every_form = pytest.mark.parametrize("form", ["squircle", "cross"])


@every_length
@every_form
def test_attention_is_softmax_times_b(length: int, form: FactorForm) -> None:
    query, key, value = twin_heads(length)
    batch = twin_batch(length)
    ours = MultiplicativeAttention()((query, key, value), MultiplicativePrior(form)(batch))
    b = factor(batch, form)
    # The twin's softmax gives row i of weights where values are unit vectors.
    units = torch.eye(length, dtype=torch.float64).expand(2, 2, length, length)
    weights = softmax_attention(query, key, units, batch.keep, None)
    theirs = torch.stack(
        [
            torch.stack([(weights[row, head] * b[row]) @ value[row, head] for head in range(2)])
            for row in range(2)
        ]
    )
    assert_twins(ours, theirs, [query, key, value])


@every_form
def test_factor_is_symmetric_1_on_itself_and_does_not_move_with_the_page(form: FactorForm) -> None:
    batch = twin_batch(9)
    prior = MultiplicativePrior(form)
    b = prior(batch).factor
    assert torch.equal(b, b.transpose(-1, -2))
    assert torch.equal(b.diagonal(dim1=-2, dim2=-1), torch.ones(2, 1, 9).double())
    half = dataclasses.replace(batch, boxes=batch.boxes / 2)
    moved = dataclasses.replace(batch, boxes=batch.boxes / 2 + 0.25)
    torch.testing.assert_close(prior(half).factor, prior(moved).factor, rtol=0, atol=1e-12)


def test_cross_is_high_along_a_row_where_squircle_is_low() -> None:
    batch = twin_batch(2)
    boxes = torch.tensor([[[0.0, 0.5, 0.0, 0.5], [1.0, 0.5, 1.0, 0.5]]]).double()
    first = [getattr(batch, field.name)[:1] for field in dataclasses.fields(batch)[:-1]]
    row = dataclasses.replace(type(batch)(*first), boxes=boxes)
    cross, squircle = MultiplicativePrior("cross")(row), MultiplicativePrior("squircle")(row)
    assert float(cross.factor[0, 0, 0, 1]) == 1.0
    assert float(squircle.factor[0, 0, 0, 1]) == pytest.approx(math.cos(math.pi / 2), abs=1e-12)
