"""Position encodings against their equations as loops: outputs and gradients, in float64."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from torch import Tensor, nn

from models.config import Axis
from models.encoding import TaggerBatch
from models.position.autoencoder import AutoencoderEmbedding, RasterDecoder, rasters
from models.position.corners import GRID, AnyAxis, CornerEmbedding, ExtentEmbedding, grid
from models.position.graph import GraphEmbedding, neighbours
from models.position.learned import LearnedAxis
from models.position.lope import LopeAxis
from models.position.pages import PageEmbedding
from models.position.sequential import SequentialEmbedding
from models.position.sinusoidal import SineAxis
from tests.reference import positions as reference
from tests.reference.lambert import box_in_units
from tests.twins import assert_twins, every_length, twin_batch

SIZE = 6
AXES: list[Axis] = ["learned", "sine", "lope", "lope-sc"]
every_axis = pytest.mark.parametrize("kind", AXES)


def _drawn(module: nn.Module) -> nn.Module:
    """Return a module in float64 with random weights, no one at its start of 0 or 1."""
    random = torch.Generator().manual_seed(3)
    module.double()
    for tensor in (*module.parameters(), *module.buffers()):
        tensor.data.copy_(0.5 * torch.randn(tensor.shape, generator=random, dtype=tensor.dtype))
    return module


def _place(axis: AnyAxis, p: int) -> Tensor:
    """Return the encoding of one place by its equation."""
    if isinstance(axis, LearnedAxis):
        return axis.weight[p]
    if isinstance(axis, SineAxis):
        return axis.scale * reference.sine(p, SIZE)
    weights = (axis.widen.weight, axis.widen.bias, axis.narrow.weight, axis.narrow.bias)
    encoded = reference.lope(p, *weights)
    return axis.scale * (encoded + reference.sine(p, SIZE) if axis.shortcut else encoded)


@every_length
@every_axis
def test_order_is_its_equation(length: int, kind: Axis) -> None:
    module = SequentialEmbedding(length, SIZE, kind=kind)
    _drawn(module)
    theirs = torch.stack([_place(module.table, p) for p in range(length)])
    ours = module(twin_batch(length))[0]
    if theirs.requires_grad:
        assert_twins(ours, theirs, list(module.parameters()))
    else:
        torch.testing.assert_close(ours, theirs, rtol=1e-9, atol=1e-12)


@every_length
@every_axis
def test_corners_are_their_equation(length: int, kind: Axis) -> None:
    _assert_boxes_are_their_equation(length, CornerEmbedding(kind, SIZE))


@every_length
def test_extents_are_their_equation(length: int) -> None:
    _assert_boxes_are_their_equation(length, ExtentEmbedding(SIZE))


def _assert_boxes_are_their_equation(
    length: int, module: CornerEmbedding | ExtentEmbedding
) -> None:
    _drawn(module)
    batch = twin_batch(length)
    rows = []
    for row in range(2):
        for i in range(length):
            x0, top, x1, bottom = reference.on_grid(batch, row, i)
            total = _place(module.x, x0) + _place(module.y, top)
            total = total + _place(module.x, x1) + _place(module.y, bottom)
            if isinstance(module, ExtentEmbedding):
                total = total + module.width.weight[x1 - x0] + module.height.weight[bottom - top]
            rows.append(total)
    theirs = torch.stack(rows).view(2, length, SIZE)
    ours = module(batch)
    if theirs.requires_grad:
        assert_twins(ours, theirs, list(module.parameters()))
    else:
        torch.testing.assert_close(ours, theirs, rtol=1e-9, atol=1e-12)


@every_length
def test_pages_are_their_equation(length: int) -> None:
    module = PageEmbedding(3, SIZE)
    _drawn(module)
    batch = twin_batch(length)
    batch = dataclasses.replace(batch, page_index=batch.page_index * 4)  # page 4 of 3
    rows = [module.weight[min(int(page), 2)] for page in batch.page_index.flatten()]
    theirs = torch.stack(rows).view(2, length, SIZE)
    assert_twins(module(batch), theirs, [module.weight])


@pytest.mark.parametrize(
    ("fraction", "line"),
    [(0.0, 0), (1.0, GRID), (0.0004, 0), (0.0006, 1), (0.57, 570), (1e6, GRID), (-3.0, 0)],
)
def test_fractions_go_to_the_nearest_line_of_the_grid(fraction: float, line: int) -> None:
    assert grid(torch.tensor([fraction])).tolist() == [line]


@every_axis
@pytest.mark.parametrize("rms", [0.03, 1.0])
def test_axis_starts_at_the_size_asked_for(kind: Axis, rms: float) -> None:
    torch.manual_seed(0)
    module = SequentialEmbedding(1000, 64, kind=kind)
    module.start_at(rms)
    found = module(twin_batch(1000)).detach()
    assert float(found.square().mean().sqrt()) == pytest.approx(rms, rel=0.2)


@pytest.mark.parametrize("module", [CornerEmbedding("learned", 64), ExtentEmbedding(64)])
def test_corners_start_at_the_size_asked_for(module: CornerEmbedding) -> None:
    torch.manual_seed(0)
    module.start_at(0.1)
    found = module(twin_batch(64)).detach()
    assert float(found.square().mean().sqrt()) == pytest.approx(0.1, rel=0.1)


@every_length
def test_rasters_are_their_equation(length: int) -> None:
    batch = twin_batch(length)
    batch = dataclasses.replace(batch, boxes=_small(batch.boxes))
    real = [(row, i) for row, i in batch.keep.nonzero().tolist()]
    theirs = torch.stack([reference.raster(batch, row, i, "height") for row, i in real])
    assert torch.equal(rasters(batch, "height"), theirs)
    assert 0 < float(theirs.mean()) < 1


def _small(boxes: Tensor) -> Tensor:
    """Return boxes a tenth as large where they begin, the first of each row a point."""
    small = torch.cat(
        [boxes[..., :2], boxes[..., :2] + 0.1 * (boxes[..., 2:] - boxes[..., :2])], -1
    )
    if boxes.shape[1] > 2:
        small[:, 0, 2:] = small[:, 0, :2]
    return small


def test_a_point_lights_one_cell_and_a_page_of_points_is_no_error() -> None:
    batch = twin_batch(1)
    point = dataclasses.replace(batch, boxes=batch.boxes[..., [0, 1, 0, 1]])
    for picture in rasters(point, "height"):
        assert picture.nonzero().tolist() == [[32, 32]]


@every_length
def test_autoencoder_is_its_equation(length: int) -> None:
    module = AutoencoderEmbedding(8, SIZE, "height")
    torch.manual_seed(0)
    module.double()
    batch = twin_batch(length)
    x = rasters(batch, "height")[:, None]
    for number, layer in enumerate(module.encoder):
        assert isinstance(layer, nn.Conv2d)
        assert layer.bias is not None
        if number:
            x = x * 0.5 * (1 + torch.erf(x / 2**0.5))
        x = reference.convolve(x, layer.weight, layer.bias)
    found = [module.adapter.weight @ reference.normalised(encoded) for encoded in x.flatten(1)]
    rows = torch.zeros(*batch.keep.shape, SIZE, dtype=torch.float64)
    theirs = rows.index_put(tuple(batch.keep.nonzero().T), torch.stack(found))
    assert_twins(module(batch), theirs, list(module.parameters()))


def test_decoder_mirrors_the_encoder() -> None:
    assert RasterDecoder(8)(torch.randn(3, 8)).shape == (3, 64, 64)


@every_length
def test_graph_is_its_equation(length: int) -> None:
    module = GraphEmbedding(8, SIZE, "longer_side")
    _drawn(module)
    batch = twin_batch(length)
    rows = torch.zeros(2, length, SIZE, dtype=torch.float64)
    found = []
    for row in range(2):
        real = [i for i in range(length) if batch.keep[row, i]]
        h = {
            i: torch.tensor(box_in_units(batch, row, i, "longer_side"), dtype=torch.float64)
            for i in real
        }
        near = {i: reference.neighbours(batch, row, i) for i in real}
        for block in module.blocks:
            mixed = {i: (1 + block.own) * h[i] + sum(h[j] for j in near[i]) for i in real}
            h = {
                i: block.second.weight @ (block.first.weight @ x + block.first.bias).clamp(min=0)
                + block.second.bias
                for i, x in mixed.items()
            }
        found += [module.adapter.weight @ reference.normalised(h[i]) for i in real]
    theirs = rows.index_put(tuple(batch.keep.nonzero().T), torch.stack(found))
    ours = module(batch) * batch.keep[..., None]
    assert_twins(ours, theirs, list(module.parameters()))


def test_rounding_does_not_choose_among_boxes_equally_far() -> None:
    batch = twin_batch(12)
    place = torch.arange(12)
    corner = torch.stack([place % 4, place // 4], 1) / 5  # four columns of three rows
    boxes = torch.cat([corner, corner + 0.1], 1).expand_as(batch.boxes).to(batch.boxes.dtype)
    grid = dataclasses.replace(batch, boxes=boxes, page_index=torch.zeros_like(batch.page_index))
    index, real = neighbours(grid)
    assert (index[real].diff() < 0).any()
    for seed in range(5):
        noise = torch.randn(boxes.shape, generator=torch.Generator().manual_seed(seed)) * 1e-7
        again, _ = neighbours(dataclasses.replace(grid, boxes=boxes + noise.to(boxes.dtype)))
        assert again[real].equal(index[real])


@every_length
def test_neighbours_are_the_nearest_by_the_root_distance(length: int) -> None:
    batch = twin_batch(length, seed=5)
    index, real = neighbours(batch)
    for row, i in batch.keep.nonzero().tolist():
        ours = [int(j) for j, is_one in zip(index[row, i], real[row, i], strict=True) if is_one]
        assert ours == reference.neighbours(batch, row, i)


def test_of_equally_far_boxes_the_earlier_are_neighbours_whatever_the_padding() -> None:
    grid_of_points = torch.cartesian_prod(torch.arange(4.0), torch.arange(4.0)) / 4
    boxes = torch.cat([grid_of_points, grid_of_points + 0.25], dim=-1)[None]
    zeros = torch.zeros(1, 16, dtype=torch.long)
    batch = TaggerBatch(zeros, boxes, zeros, torch.ones(1, 16), torch.ones(1, 16).bool(), zeros)
    padded = TaggerBatch(
        *(
            torch.cat([getattr(batch, name), filling], dim=1)
            for name, filling in (
                ("input_ids", zeros),
                ("boxes", torch.full((1, 16, 4), 1e6)),
                ("page_index", zeros),
                ("aspect", torch.ones(1, 16)),
                ("keep", torch.zeros(1, 16).bool()),
                ("word_shape", zeros),
            )
        )
    )
    index, real = neighbours(batch)
    index_padded, real_padded = neighbours(padded)
    assert torch.equal(index, index_padded[:, :16])
    assert torch.equal(real, real_padded[:, :16])
    assert index[0, 0].tolist() == [1, 4, 2, 8, 3]


@pytest.mark.parametrize("kind", [AutoencoderEmbedding, GraphEmbedding])
def test_lambert_embedding_starts_at_the_size_asked_for(
    kind: type[AutoencoderEmbedding] | type[GraphEmbedding],
) -> None:
    torch.manual_seed(0)
    module = kind(128, 384, "height").double()
    module.start_at(0.05)
    batch = twin_batch(64)
    found = module(batch).detach()[batch.keep]
    assert float(found.square().mean().sqrt()) == pytest.approx(0.05, rel=0.15)


@pytest.mark.parametrize("kind", [kind for kind in AXES if kind != "sine"])  # it learns nothing
def test_learning_does_not_blow_a_small_encoding_up(kind: Axis) -> None:
    """Steps of a usual size, all in one direction, leave it of the size of the words."""
    torch.manual_seed(0)
    module = SequentialEmbedding(512, 384, kind=kind)
    module.start_at(0.02)
    optimizer = torch.optim.AdamW(module.parameters(), lr=2e-4)
    places = torch.arange(512)
    for _ in range(20):
        optimizer.zero_grad()
        module.table(places).sum().backward()
        optimizer.step()
    assert float(module.table(places).detach().square().mean().sqrt()) < 0.06


def test_lope_sees_each_place_once() -> None:
    axis = LopeAxis(SIZE, shortcut=False)
    seen = []
    axis.widen.register_forward_hook(lambda module, inputs, output: seen.append(len(inputs[0])))
    axis(torch.tensor([[5, 5, 7], [7, 5, 9]]))
    assert seen == [3]
