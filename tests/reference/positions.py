"""Position encodings word for word from their papers, piece by piece: LoPE, LayoutLM, LAMBERT's."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from models.config import PageUnit
from models.encoding import TaggerBatch
from tests.reference.lambert import BoxInUnits, box_in_units


def sine(p: int, size: int) -> Tensor:
    """Return PE_sine(p): [2k] = sin(p / 10000^(2k/D)), [2k+1] = cos(the same)."""
    found = []
    for k in range(size // 2):
        angle = p / 10000 ** (2 * k / size)
        found += [math.sin(angle), math.cos(angle)]
    return torch.tensor(found, dtype=torch.float64)


def lope(p: int, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """Return FFN(PE_sine(p)), FFN(x) = GELU(x W1 + b1) W2 + b2, weights as torch keeps them."""
    x = w1 @ sine(p, w1.shape[1]) + b1
    phi = 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    return w2 @ (x * phi) + b2


def on_grid(batch: TaggerBatch, row: int, i: int) -> tuple[int, int, int, int]:
    """Return one box on the grid of 0 to 1000."""
    x0, top, x1, bottom = (round(float(value) * 1000) for value in batch.boxes[row, i])
    return x0, top, x1, bottom


def real_on_page(batch: TaggerBatch, row: int, i: int) -> list[int]:
    """Return the real pieces that stand on the page of piece i, itself included."""
    page = batch.page_index[row, i]
    length = batch.keep.shape[1]
    return [j for j in range(length) if batch.keep[row, j] and batch.page_index[row, j] == page]


def raster(batch: TaggerBatch, row: int, i: int, unit: PageUnit) -> Tensor:
    """Return the 64 x 64 cells of 22 line heights around piece i, 1 where a box is in a cell."""
    boxes = {j: box_in_units(batch, row, j, unit) for j in real_on_page(batch, row, i)}
    heights = [box[3] - box[1] for box in boxes.values() if box[3] > box[1]]
    line = sum(heights) / len(heights)
    cell = 22 * line / 64
    middle_x = (boxes[i][0] + boxes[i][2]) / 2
    middle_y = (boxes[i][1] + boxes[i][3]) / 2
    cells = torch.zeros(64, 64, dtype=torch.float64)
    for x0, top, x1, bottom in boxes.values():
        left, right = (x0 - middle_x) / cell + 32, (x1 - middle_x) / cell + 32
        upper, lower = (top - middle_y) / cell + 32, (bottom - middle_y) / cell + 32
        columns = [x for x in range(64) if left < x + 1 and right >= x]
        for y in range(64):
            if upper < y + 1 and lower >= y:
                cells[y, columns] = 1.0
    return cells


def convolve(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return a convolution of stride 2 and padding 1: (n, C, S, S) to (n, C', S/2, S/2)."""
    out, _, kernel, _ = weight.shape
    side = x.shape[-1] // 2
    framed = torch.zeros(*x.shape[:2], x.shape[2] + 2, x.shape[3] + 2, dtype=x.dtype)
    framed[:, :, 1:-1, 1:-1] = x
    cells = []
    for i in range(side):
        for j in range(side):
            patch = framed[:, :, 2 * i : 2 * i + kernel, 2 * j : 2 * j + kernel]
            cells.append(patch.flatten(1) @ weight.flatten(1).T + bias)
    return torch.stack(cells, dim=-1).view(len(x), out, side, side)


def normalised(x: Tensor) -> Tensor:
    """Return a vector with mean 0 and variance 1 (1e-5 added, as in layer norms)."""
    return (x - x.mean()) / (x.var(unbiased=False) + 1e-5).sqrt()


def neighbours(batch: TaggerBatch, row: int, i: int) -> list[int]:
    """Return the 5 nearest boxes of the page by l^(1/2), axes scaled to square boxes on average."""
    on_page = real_on_page(batch, row, i)
    boxes = {j: box_in_units(batch, row, j, "height") for j in on_page}
    width = sum(box[2] - box[0] for box in boxes.values()) / len(boxes)
    height = sum(box[3] - box[1] for box in boxes.values()) / len(boxes)

    def middle(box: BoxInUnits) -> tuple[float, float]:
        return (box[0] + box[2]) / 2 / width, (box[1] + box[3]) / 2 / height

    x, y = middle(boxes[i])

    def distance(j: int) -> float:
        other = middle(boxes[j])
        return (abs(x - other[0]) ** 0.5 + abs(y - other[1]) ** 0.5) ** 2

    return sorted((j for j in on_page if j != i), key=distance)[:5]


def factor(batch: TaggerBatch, form: str) -> Tensor:
    """Return B of squircle or cross attention, (B, L, L), on the grid of 0 to M = 1000."""
    rows, length = batch.keep.shape
    out = torch.zeros(rows, length, length, dtype=torch.float64)
    for row in range(rows):
        middles = [
            (500 * float(box[0] + box[2]), 500 * float(box[1] + box[3])) for box in batch.boxes[row]
        ]
        for i, (x_i, y_i) in enumerate(middles):
            for j, (x_j, y_j) in enumerate(middles):
                across = math.cos(math.pi / 2000 * (x_i - x_j))
                down = math.cos(math.pi / 2000 * (y_i - y_j))
                out[row, i, j] = across * down if form == "squircle" else max(across, down)
    return out
