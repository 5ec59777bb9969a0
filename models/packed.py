"""Linear maps that only answer: their weights lie the way oneDNN multiplies by them.

PyTorch takes MKL for float32 products on a CPU, which on AMD's processors does half of what oneDNN
does there (220 pieces of 384 to 1536: 2.6 ms and 1.1 ms); on Intel's they are about equal.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from models.encoder import Encoder


class PackedLinear(nn.Module):
    """What `nn.Linear` computes, in float32 on a CPU; neither trained nor saved.

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
        self._bias = None if linear.bias is None else linear.bias.detach()
        self._weight = torch.ops.mkldnn._reorder_linear_weight(weight)

    def forward(self, x: Tensor) -> Tensor:
        """Return (..., out) from (..., in)."""
        out: Tensor = torch.ops.mkldnn._linear_pointwise(
            x, self._weight, self._bias, "none", [], ""
        )
        return out

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: what was packed is no longer what was trained.

        Raises:
            ValueError: always.
        """
        raise ValueError("packed weights cannot be saved: save what they were packed from")


def pack(encoder: Encoder) -> None:
    """Pack the linear maps of an encoder's blocks, which are most of its work, for good.

    Where PyTorch comes without oneDNN they stay as they are.
    """
    onednn: Any = torch.backends.mkldnn  # without annotations
    if not onednn.is_available():
        return
    for block in encoder.blocks:
        for name, part in block.named_children():
            if isinstance(part, nn.Linear):
                setattr(block, name, PackedLinear(part))
