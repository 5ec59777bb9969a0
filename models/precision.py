"""The precision of matrix products: one rule for training and for use."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

import torch

Precision = Literal["auto", "float32", "bfloat16"]


def autocast(device: str, precision: Precision) -> AbstractContextManager[Any]:
    """Return the context in which matrix products run in the precision asked for.

    Args:
        device: ``cpu`` or ``cuda``, with or without a number.
        precision: ``auto`` takes bfloat16 where the hardware has it.
    """
    kind = torch.device(device).type
    if precision == "float32":
        return nullcontext()
    if kind == "cpu" and precision == "auto" and not _has_bfloat16():
        return nullcontext()  # emulated, it is slower than float32
    return torch.autocast(kind, torch.bfloat16)


def _has_bfloat16() -> bool:
    """Return whether the processor multiplies in bfloat16, at several times the speed."""
    return torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
