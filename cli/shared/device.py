"""Where models run: the device that an option names, if it is there, and how many threads."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.errors import InvalidOption

Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]
Threads = Annotated[int, typer.Option(min=0, help="CPU threads; 0 for all cores.")]


def device_of(name: str, threads: int = 0) -> str:
    """Return the torch device for ``auto``, ``cpu`` or ``cuda``; auto takes a GPU if there is one.

    Args:
        name: of the device.
        threads: of the CPU that this process takes from now on; 0 leaves them as they are.

    Raises:
        InvalidOption: another name, or no GPU that PyTorch can use.
    """
    import os

    # Asked of the driver's management library: a process that has asked CUDA itself can fork no
    # children that use it, and workers fork.
    os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")
    import torch

    if threads:
        torch.set_num_threads(threads)
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if name not in ("cpu", "cuda"):
        raise InvalidOption(f"There is no device {name!r}.", advice="Choose auto, cpu or cuda.")
    if name == "cuda" and not torch.cuda.is_available():
        raise InvalidOption("PyTorch finds no GPU here.", advice="Choose --device cpu.")
    return name
