"""How fast an encoder is and how much memory it takes, by system and length.

Every measurement is one forward pass over one sequence, without gradients, repeated; the caller
gives each its own process, so that no measurement inherits another's memory or warmth. Beside the
presets there are two systems that are no presets:

    floor                  the cosformer's encoder with attention removed: values pass as they are,
                           projections, feed-forward and embeddings stay
    transformers-layoutlm  `transformers`' LayoutLMModel, base size: 12 layers, 768 wide
"""

from __future__ import annotations

import dataclasses
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from models.attention.base import Attention, Padding, PaddingPrior
from models.build import build_encoder
from models.config import PRESETS
from models.encoder import Encoder
from models.encoding import TaggerBatch

FLOOR = "floor"
LAYOUTLM = "transformers-layoutlm"
_PAGE = 512  # pieces a page of the invented document
_VOCABULARY = 30522


@dataclass(frozen=True, slots=True)
class Request:
    """What to measure.

    Attributes:
        system: a preset, `FLOOR` or `LAYOUTLM`.
        length: pieces in the sequence.
        layers: of our encoders, and `width`, their hidden size; 0 keeps the preset's.
        width: see layers.
        device: ``cpu`` or ``cuda``.
        threads: of PyTorch on the CPU.
        seconds: time to fill with passes after the first, at least three of them.
        memory: most bytes of address space that the process may take on a CPU; 0 for no limit.
    """

    system: str
    length: int
    layers: int = 0
    width: int = 0
    device: str = "cpu"
    threads: int = 1
    seconds: float = 1.0
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured.

    Attributes:
        seconds: median time of a pass.
        memory: most bytes that a pass took above what the model and its input hold.
        passes: how many were timed.
    """

    seconds: float
    memory: int
    passes: int


class _PassValues(Attention[Padding]):
    """No attention at all: every piece keeps its own values."""

    def forward(self, inputs: Sequence[Tensor], context: Padding) -> Tensor:
        return inputs[-1]


def measure(request: Request) -> Measurement | None:
    """Return the time and memory of a system, or None where it does not fit in memory.

    Limits the memory of this process for good: run it in one of its own.

    Raises:
        ValueError: there is no such system.
    """
    if request.memory and request.device == "cpu":
        resource.setrlimit(resource.RLIMIT_AS, (request.memory, request.memory))
    torch.set_num_threads(request.threads)
    torch.manual_seed(0)
    try:
        run = _system(request)
        return _measured(run, request)
    except (MemoryError, torch.OutOfMemoryError):
        return None
    except RuntimeError as error:
        if "allocate memory" in str(error):  # how PyTorch's CPU allocator says it
            return None
        raise


def _measured(run: Callable[[], Any], request: Request) -> Measurement:
    cuda = request.device == "cuda"

    def timed() -> float:
        started = time.perf_counter()
        run()
        if cuda:
            torch.cuda.synchronize()
        return time.perf_counter() - started

    with torch.inference_mode():
        held = _held(cuda)
        timed()
        memory = (torch.cuda.max_memory_allocated() if cuda else _status("VmHWM")) - held
        times: list[float] = []
        while len(times) < 3 or (sum(times) < request.seconds and len(times) < 200):
            times.append(timed())
    return Measurement(statistics.median(times), max(memory, 0), len(times))


def _held(cuda: bool) -> int:
    """Return bytes held now, and begin to watch for the most."""
    if cuda:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        return torch.cuda.memory_allocated()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets VmHWM
    return _status("VmRSS")


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"/proc/self/status has no {name}")


def _system(request: Request) -> Callable[[], Any]:
    """Return one forward pass of a system on an invented document."""
    batch = _document(request.length).to(request.device)
    if request.system == LAYOUTLM:
        return _layoutlm(batch, request)
    name = "cosformer" if request.system == FLOOR else request.system
    if name not in PRESETS:
        raise ValueError(f"there is no system {name!r}: choose a preset, {FLOOR} or {LAYOUTLM}")
    # The window is the length, so that tables and projections are of the size they must be.
    config = dataclasses.replace(
        PRESETS[name], vocab_size=_VOCABULARY, window=request.length, overlap=0
    )
    if request.layers:
        config = dataclasses.replace(config, layers=request.layers)
    if request.width:
        config = dataclasses.replace(
            config, hidden_size=request.width, intermediate_size=4 * request.width
        )
    encoder: Encoder = build_encoder(config).eval().to(request.device)
    if request.system == FLOOR:
        encoder.prior = PaddingPrior()
        for block in encoder.blocks:
            block.attention = _PassValues()
    return lambda: encoder(batch)


def _document(length: int) -> TaggerBatch:
    """Return one sequence of random words on pages of `_PAGE` pieces."""
    random = torch.Generator().manual_seed(0)
    corners = torch.rand(1, length, 2, 2, generator=random)
    return TaggerBatch(
        torch.randint(0, _VOCABULARY, (1, length), generator=random),
        torch.cat([corners.amin(2), corners.amax(2)], dim=-1),
        (torch.arange(length) // _PAGE)[None],
        torch.full((1, length), 0.7),
        torch.ones(1, length, dtype=torch.bool),
        torch.zeros(1, length, dtype=torch.int64),
    )


def _layoutlm(batch: TaggerBatch, request: Request) -> Callable[[], Any]:
    from transformers import LayoutLMConfig, LayoutLMModel

    config = LayoutLMConfig(max_position_embeddings=request.length)
    model: Any = LayoutLMModel(config)  # annotated so loosely that no other type fits
    model.eval().to(request.device)
    boxes = (batch.boxes * 1000).long()
    mask = batch.keep.long()
    return lambda: model(input_ids=batch.input_ids, bbox=boxes, attention_mask=mask)
