"""A full disk ends a training in a sentence, and what it kept before stays."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from pipeline.errors import InvalidOption
from training.loop.checkpoint import write_tensors

_LARGEST = 10_000  # bytes of a file


@contextmanager
def _little_room() -> Iterator[None]:
    """Let this process write small files alone."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_does_not_fit_leaves_what_was_there(tmp_path: Path) -> None:
    path, small = tmp_path / "best.safetensors", {"a": torch.ones(3)}
    write_tensors(path, small)
    with _little_room(), pytest.raises(InvalidOption, match="File too large") as full:
        write_tensors(path, {"a": torch.ones(_LARGEST)})
    assert "--resume" in full.value.advice
    assert torch.equal(load_file(path)["a"], small["a"])
    assert list(tmp_path.iterdir()) == [path]
