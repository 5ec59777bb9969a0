"""Packed weights answer as the weights they were made of."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from models.packages.package import load_package
from models.packed import PackedLinear, pack
from tests.packages import tiny_package

Shape = tuple[int, ...]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(1, 24), (64, 24), (3, 7, 24), (512, 24), (2, 600, 24), (0, 24)])
def test_as_the_linear_map_it_was_made_of(shape: Shape, bias: bool) -> None:
    torch.manual_seed(0)
    linear = nn.Linear(24, 40, bias=bias)
    packed, x = PackedLinear(linear), torch.randn(shape)
    with torch.inference_mode():
        torch.testing.assert_close(packed(x), linear(x), rtol=1e-5, atol=1e-6)


def test_a_view_of_other_strides_gives_the_same() -> None:
    linear, x = nn.Linear(24, 40), torch.randn(24, 2, 9).permute(1, 2, 0)
    with torch.inference_mode():
        torch.testing.assert_close(PackedLinear(linear)(x), linear(x), rtol=1e-5, atol=1e-6)


def test_other_numbers_cannot_be_packed() -> None:
    with pytest.raises(ValueError, match="bfloat16 on cpu cannot be packed"):
        PackedLinear(nn.Linear(4, 4).to(torch.bfloat16))


def test_blocks_are_packed_once_and_no_longer_saved(tmp_path: Path) -> None:
    tagger = load_package(tiny_package(tmp_path / "package")).tagger
    packed = [part for part in tagger.modules() if isinstance(part, PackedLinear)]
    assert len(packed) == 4 * len(tagger.encoder.blocks)
    pack(tagger.encoder)
    assert [part for part in tagger.modules() if isinstance(part, PackedLinear)] == packed
    with pytest.raises(ValueError, match="cannot be saved"):
        tagger.state_dict()


def test_what_tags_in_bfloat16_is_not_packed(tmp_path: Path) -> None:
    tagger = load_package(tiny_package(tmp_path / "package"), precision="bfloat16").tagger
    assert not [part for part in tagger.modules() if isinstance(part, PackedLinear)]
