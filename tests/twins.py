"""What tests of fast code against slow twins share: batches in float64, and gradients."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from models.encoding import TaggerBatch

every_length = pytest.mark.parametrize("length", [1, 7, 33])


def twin_batch(length: int, seed: int = 0) -> TaggerBatch:
    """Two rows of random boxes on two pages, one wide and one high; the second row is padded."""
    random = torch.Generator().manual_seed(seed)
    corners = torch.rand(2, length, 2, 2, generator=random, dtype=torch.float64)
    boxes = torch.cat([corners.amin(2), corners.amax(2)], dim=-1)
    page = (torch.arange(length) >= length / 2).long().expand(2, length)
    aspect = torch.where(page == 0, 0.7, 1.6).double()
    keep = torch.ones(2, length, dtype=torch.bool)
    keep[1, (length + 1) // 2 :] = False
    zeros = torch.zeros(2, length, dtype=torch.long)
    return TaggerBatch(zeros, boxes, page, aspect, keep, zeros)


def twin_heads(length: int) -> list[Tensor]:
    """Return query, key and value of two rows and two heads, (2, 2, L, 4) each, to learn from."""
    random = torch.Generator().manual_seed(4)
    return [
        torch.randn(2, 2, length, 4, generator=random, dtype=torch.float64).requires_grad_()
        for _ in range(3)
    ]


def gradients(out: Tensor, inputs: Sequence[Tensor]) -> list[Tensor]:
    """Return the gradients of a sum of `out` with fixed random weights."""
    random = torch.Generator().manual_seed(1)
    weights = torch.rand(out.shape, generator=random, dtype=out.dtype)
    return list(torch.autograd.grad((out * weights).sum(), inputs))


def assert_twins(ours: Tensor, theirs: Tensor, inputs: Sequence[Tensor]) -> None:
    """Assert that two results, and their gradients to the same inputs, are equal in float64."""
    torch.testing.assert_close(ours, theirs, rtol=1e-9, atol=1e-12)
    for own, their in zip(gradients(ours, inputs), gradients(theirs, inputs), strict=True):
        torch.testing.assert_close(own, their, rtol=1e-9, atol=1e-12)
