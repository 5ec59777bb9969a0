"""The precision of matrix products: one rule for training and for inference."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

Precision = Literal["auto", "float32", "bfloat16"]


def autocast(device: str, precision: Precision) -> AbstractContextManager[Any]:
    """Return the context in which matrix products run as asked; see `is_float32`."""
    if is_float32(device, precision):
        return nullcontext()
    import torch

    return torch.autocast(torch.device(device).type, torch.bfloat16)


def is_float32(device: str, precision: Precision) -> bool:
    """Return whether the precision asked for means float32 on this device.

    Args:
        device: ``cpu``, or ``cuda`` with or without a number.
        precision: ``auto`` takes bfloat16 where the hardware has it.
    """
    if precision == "auto" and device == "cpu":
        return not _has_bfloat16()  # emulated, it is slower than float32
    return precision == "float32"


def _has_bfloat16() -> bool:
    """Return whether the processor multiplies in bfloat16, at several times the speed."""
    import torch

    return torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
