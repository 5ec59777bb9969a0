"""The fast code of LAMBERT against its equations as loops: outputs and gradients, in float64."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from models.attention.base import CLOSED, Padding
from models.attention.relative_bias import Bias, BiasedAttention, PaddingBias, RelativeBias
from models.attention.softmax import SoftmaxAttention
from models.config import PageUnit
from models.encoding import TaggerBatch
from models.position.winding import WindingEmbedding, page_units
from tests.reference import lambert
from tests.twins import assert_twins, every_length, twin_batch, twin_heads

UNITS: list[PageUnit] = ["height", "longer_side"]
SPAN = 10  # small, so that some distances are clipped


@every_length
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(("sequence", "layout"), [(True, True), (True, False), (False, True)])
def test_relative_bias_is_its_equation(
    length: int, unit: PageUnit, sequence: bool, layout: bool
) -> None:
    bias = RelativeBias(3, sequence=sequence, layout=layout, page_unit=unit, span=SPAN).double()
    random = torch.Generator().manual_seed(2)
    for table in bias.parameters():
        torch.nn.init.normal_(table, generator=random)
    batch = twin_batch(length)
    ours = bias(batch)
    theirs = lambert.relative_bias(
        batch,
        unit=unit,
        span=SPAN,
        sequence=bias.sequence,
        horizontal=bias.horizontal,
        vertical=bias.vertical,
        closed=CLOSED,
    )
    assert_twins(ours, theirs, list(bias.parameters()))


def test_bias_without_layout_closes_padding_alone() -> None:
    batch = twin_batch(8)
    bias = PaddingBias()(batch).expand(2, 3, 8, 8)
    assert torch.equal(bias == CLOSED, ~batch.keep[:, None, None, :].expand_as(bias))
    assert (bias[bias != CLOSED] == 0).all()


@pytest.mark.parametrize("unit", UNITS)
def test_biases_start_at_zero_and_close_padding(unit: PageUnit) -> None:
    batch = twin_batch(8)
    bias = RelativeBias(3, sequence=True, layout=True, page_unit=unit)(batch)
    assert bias.shape == (2, 3, 8, 8)
    real = batch.keep[:, None, None, :].expand_as(bias)
    assert (bias[real] == 0).all()
    assert (bias[~real] == CLOSED).all()


@pytest.mark.parametrize("unit", UNITS)
def test_relative_bias_does_not_move_with_the_page(unit: PageUnit) -> None:
    bias = RelativeBias(3, sequence=True, layout=True, page_unit=unit, span=SPAN)
    random = torch.Generator().manual_seed(3)
    for table in bias.parameters():
        torch.nn.init.normal_(table, generator=random)
    grid = torch.randint(0, 32, (1, 9, 2), generator=random) / 64  # exact in binary
    boxes = torch.cat([grid, grid + 4 / 64], dim=-1)
    page, keep = torch.zeros(1, 9, dtype=torch.long), torch.ones(1, 9, dtype=torch.bool)
    aspect = torch.full((1, 9), 0.5)

    def of(moved: Tensor) -> Tensor:
        found: Tensor = bias(TaggerBatch(page, moved, page, aspect, keep, page))
        return found

    assert torch.equal(of(boxes), of(boxes + 8 / 64))
    stretched = torch.cat([boxes[:, :1] + 8 / 64, boxes[:, 1:]], dim=1)
    assert not torch.equal(of(boxes), of(stretched))


@every_length
@pytest.mark.parametrize("unit", UNITS)
def test_winding_embedding_is_its_equation(length: int, unit: PageUnit) -> None:
    module = WindingEmbedding(16, 5, (0.25, 500.0), unit).double()
    batch = twin_batch(length)
    frequencies = [float(th) for th in module.frequencies]
    flat = torch.tensor(
        [
            lambert.winding(lambert.box_in_units(batch, row, i, unit), frequencies)
            for row in range(2)
            for i in range(length)
        ],
        dtype=torch.float64,
    )
    theirs = (flat @ module.adapter.weight.T).view(2, length, 5)
    ours = module(batch)
    assert_twins(ours, theirs, [module.adapter.weight])


@pytest.mark.parametrize(("low", "high"), [(1.0, 500.0), (0.25, 500.0)])
def test_frequencies_are_geometric_between_their_ends(low: float, high: float) -> None:
    module = WindingEmbedding(128, 4, (low, high), "height")
    expected = [low * (high / low) ** (r / 15) for r in range(16)]
    assert module.frequencies.tolist() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("rms", [0.05, 1.0])
def test_adapter_starts_at_the_size_asked_for(rms: float) -> None:
    torch.manual_seed(0)
    module = WindingEmbedding(128, 384, (1.0, 500.0), "height").double()
    module.start_at(rms)
    found = float(module(twin_batch(64)).detach().square().mean().sqrt())
    assert found == pytest.approx(rms, rel=0.1)


@pytest.mark.parametrize(
    ("unit", "aspect", "expected"),
    [
        pytest.param("height", 0.5, (0.5, 1.0), id="portrait_by_height"),
        pytest.param("height", 2.0, (2.0, 1.0), id="landscape_by_height"),
        pytest.param("longer_side", 0.5, (0.5, 1.0), id="portrait_by_longer_side"),
        pytest.param("longer_side", 2.0, (1.0, 0.5), id="landscape_by_longer_side"),
    ],
)
def test_page_corner_in_page_units(
    unit: PageUnit, aspect: float, expected: tuple[float, float]
) -> None:
    corner = page_units(torch.tensor([[[0.0, 0.0, 1.0, 1.0]]]), torch.tensor([[aspect]]), unit)
    assert corner[0, 0].tolist() == [0.0, 0.0, *expected]


def _attend(inputs: Sequence[Tensor], keep: Tensor, bias: Tensor | None) -> Tensor:
    """Return attention with a bias, or without one."""
    if bias is None:
        return SoftmaxAttention()(inputs, Padding(keep))
    return BiasedAttention()(inputs, Bias(bias))


def _bias(kind: str, keep: Tensor, dtype: torch.dtype = torch.float64) -> Tensor | None:
    """Return a bias of two rows and heads that closes padding, (2, 2, L, L), or none."""
    length, random = keep.shape[1], torch.Generator().manual_seed(5)
    bias = torch.randn(2, 2, length, length, generator=random, dtype=dtype)
    closed = bias.masked_fill(~keep[:, None, None, :], CLOSED)
    return None if kind == "none" else closed.requires_grad_(kind == "trained")


every_kind = pytest.mark.parametrize("kind", ["none", "fixed", "trained"])


@every_length
@every_kind
def test_attention_is_its_equation(length: int, kind: str) -> None:
    inputs, keep = twin_heads(length), twin_batch(length).keep
    bias = _bias(kind, keep)
    ours, theirs = _attend(inputs, keep, bias), lambert.softmax_attention(*inputs, keep, bias)
    learnt = [bias] if bias is not None and bias.requires_grad else []
    assert_twins(ours, theirs, [*inputs, *learnt])


@every_kind
def test_padding_is_inert_in_attention(kind: str) -> None:
    query, key, value = (part.detach().float() for part in twin_heads(9))
    keep = twin_batch(9).keep
    bias = _bias(kind, keep, torch.float32)
    real = keep[:, None, :, None]
    loud = (query, key.where(real, 100.0), value.where(real, 1e9))
    planted = _attend(loud, keep, bias)
    clean = _attend((query, key * real, value * real), keep, bias)
    assert torch.equal(planted, clean)


@every_kind
def test_row_of_padding_alone_is_finite(kind: str) -> None:
    inputs, keep = [part.detach().float() for part in twin_heads(3)], torch.zeros(2, 3).bool()
    assert _attend(inputs, keep, _bias(kind, keep, torch.float32)).isfinite().all()
