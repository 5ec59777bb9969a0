"""Linear maps for inference: their weights are laid out the way oneDNN multiplies by them.

For float32 products on a CPU PyTorch uses MKL, which on AMD processors is half as fast as oneDNN
(220 pieces, 384 to 1536: 2.6 ms and 1.1 ms); on Intel's the two are about equal.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.encoder import Encoder

# oneDNN compiles a kernel of some 2 MB for each number of rows it meets, and caches a thousand.
# Rows are filled up to a multiple of _STEP, _MOST at most: there are eight such numbers.
_STEP, _MOST = 64, 512


class PackedLinear(nn.Module):
    """Computes what `nn.Linear` does, in float32 on a CPU; can be neither trained nor saved.

    Args:
        linear: whose weights are copied.

    Raises:
        ValueError: its weights are not float32 on a CPU.
    """

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach()
        if weight.dtype != torch.float32 or weight.device.type != "cpu":
            raise ValueError(f"weights of {weight.dtype} on {weight.device} cannot be packed")
        self._width = len(weight)
        self._bias = None if linear.bias is None else linear.bias.detach()
        self._weight = torch.ops.mkldnn._reorder_linear_weight(weight)

    def forward(self, x: Tensor) -> Tensor:
        """Return (..., out) from (..., in)."""
        rows = x.reshape(-1, x.shape[-1])
        if len(rows) <= _MOST:
            return self._product(rows).view(*x.shape[:-1], self._width)
        out = x.new_empty(len(rows), self._width)
        for start in range(0, len(rows), _MOST):
            out[start : start + _MOST] = self._product(rows[start : start + _MOST])
        return out.view(*x.shape[:-1], self._width)

    def _product(self, rows: Tensor) -> Tensor:
        """Return (N, out) from (N, in), N at most `_MOST`."""
        fill = -len(rows) % _STEP
        filled = F.pad(rows, (0, 0, 0, fill)) if fill else rows
        out: Tensor = torch.ops.mkldnn._linear_pointwise(
            filled, self._weight, self._bias, "none", [], ""
        )
        return out[: len(rows)]

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse to save: packed weights have another layout than trained ones.

        Raises:
            ValueError: always.
        """
        raise ValueError("packed weights cannot be saved: save what they were packed from")


def pack(encoder: Encoder) -> None:
    """Pack the linear maps of an encoder's blocks, which do most of its work; there is no way back.

    Where PyTorch was built without oneDNN they stay as they are.
    """
    onednn: Any = torch.backends.mkldnn  # without annotations
    if not onednn.is_available():
        return
    for block in encoder.blocks:
        for name, part in block.named_children():
            if isinstance(part, nn.Linear):
                setattr(block, name, PackedLinear(part))
