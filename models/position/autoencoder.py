"""LAMBERT's autoencoder layout embedding (Garncarek et al., 2020, appendix).

    l_i = E(R_i),   R_i[y, x] = 1 where a box of the page meets cell (y, x), else 0

R_i is a 64 x 64 raster of the square of 22 line heights around the middle of box i; E is six
convolutions of stride 2, 64 x 64 to 1 x 1. A cell is half open, a point lights the cell it is in.
Ours: a line is as high as the mean box of the page that has a height; kernels are 4 x 4 with 8, 16,
32, 64, 64 and dim channels and GELU between them; l_i is normalised (no affine part), so that the
adapter's start has a known size. `RasterDecoder` is the other half: before anything else, the two
learn to draw R_i again, and E is then trained on with the rest.
"""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn
from torch.nn import functional as F

from models.config import PageUnit
from models.encoding import TaggerBatch
from models.position.base import AdaptedPosition
from models.position.pages import page_mean, same_page
from models.position.winding import page_units

CELLS = 64
LINES = 22
_CHANNELS = (8, 16, 32, 64, 64)
_LEAST_LINE = 1e-3  # of the page unit; where no box has a height


def rasters(batch: TaggerBatch, page_unit: PageUnit) -> Tensor:
    """Return the surroundings of each real piece, (n, 64, 64) of 0 and 1.

    The n pieces are those of ``batch.keep``, row after row. Rectangles are drawn as a difference
    image, +1 and -1 at their corners, that is summed along both axes: O(L^2) for a sequence.
    """
    boxes = page_units(batch.boxes, batch.aspect, page_unit)  # (B, L, 4)
    near = same_page(batch)
    height = boxes[..., 3] - boxes[..., 1]
    line = page_mean(height[..., None], near & (height > 0)[:, None, :])  # (B, L, 1)
    cell = line.clamp(min=_LEAST_LINE) * LINES / CELLS
    middle = (boxes[..., :2] + boxes[..., 2:]) / 2  # (B, L, 2)
    row, i, j = (near & batch.keep[:, :, None]).nonzero(as_tuple=True)  # P pairs that share a page
    number = batch.keep.flatten().cumsum(0).view_as(batch.keep)[row, i] - 1
    placed = (boxes[row, j].view(-1, 2, 2) - middle[row, i, None]) / cell[row, i, None]
    # In 64 cells from 0; a box beyond the square keeps no cell between its first and its end.
    placed = placed.clamp(-CELLS, CELLS).floor().long() + CELLS // 2
    x, y = placed[:, 0].unbind(-1)
    x_end, y_end = (placed[:, 1] + 1).unbind(-1)
    x, y, x_end, y_end = (edge.clamp(0, CELLS) for edge in (x, y, x_end, y_end))
    side = CELLS + 1
    drawn = boxes.new_zeros(int(batch.keep.sum()) * side * side)
    one = drawn.new_ones(len(number))
    for down, across, sign in ((y, x, 1), (y, x_end, -1), (y_end, x, -1), (y_end, x_end, 1)):
        drawn.index_add_(0, (number * side + down) * side + across, one, alpha=sign)
    counts = drawn.view(-1, side, side).cumsum(1).cumsum(2)[:, :CELLS, :CELLS]
    return (counts > 0.5).to(boxes.dtype)


class AutoencoderEmbedding(AdaptedPosition):
    """Boxes to (B, L, D): the encoded surroundings of each piece through a linear adapter.

    Args:
        dim: size of the encoding.
        hidden_size: D.
        page_unit: which side of the page has length 1.
    """

    def __init__(self, dim: int, hidden_size: int, page_unit: PageUnit) -> None:
        super().__init__()
        self.page_unit = page_unit
        sizes = (1, *_CHANNELS, dim)
        self.encoder = nn.ModuleList(
            nn.Conv2d(before, after, 4, stride=2, padding=1) for before, after in pairwise(sizes)
        )
        self.adapter = nn.Linear(dim, hidden_size, bias=False)
        self.start_at(0.02 * dim**0.5)  # the paper's N(0, 0.02^2)

    def encode(self, pictures: Tensor) -> Tensor:
        """Return the normalised encodings (n, dim) of rasters (n, 64, 64)."""
        x = pictures[:, None]
        for number, layer in enumerate(self.encoder):
            x = layer(x if number == 0 else F.gelu(x))
        return F.layer_norm(x.flatten(1), (x.shape[1],))

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the layout term of the input, (B, L, D); 0 on padding."""
        encoded: Tensor = self.adapter(self.encode(rasters(batch, self.page_unit)))  # (n, D)
        term = encoded.new_zeros(*batch.keep.shape, encoded.shape[-1])
        return term.masked_scatter(batch.keep[..., None], encoded)


class RasterDecoder(nn.Module):
    """The mirror of the encoder: encodings (n, dim) to logits of cells (n, 64, 64).

    Args:
        dim: size of the encoding.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        sizes = (dim, *reversed(_CHANNELS), 1)
        self.layers = nn.ModuleList(
            nn.ConvTranspose2d(before, after, 4, stride=2, padding=1)
            for before, after in pairwise(sizes)
        )

    def forward(self, encoded: Tensor) -> Tensor:
        """Return (n, 64, 64)."""
        x = encoded[:, :, None, None]
        for number, layer in enumerate(self.layers):
            x = layer(x if number == 0 else F.gelu(x))
        return x[:, 0]
