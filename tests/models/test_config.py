"""Configs: they survive JSON, and refuse sizes that do not go together."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from models.config import PRESETS, TaggerConfig


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_presets_survive_json_and_know_their_name(preset: str) -> None:
    config = PRESETS[preset]
    assert config.preset == preset
    assert TaggerConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


def test_default_is_the_preset_that_it_names() -> None:
    assert TaggerConfig() == PRESETS[TaggerConfig().preset]


def test_unknown_key_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown keys: colour"):
        TaggerConfig.from_json({**PRESETS["text"].to_json(), "colour": "red"})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"heads": 5}, "heads", id="heads_do_not_divide_the_width"),
        pytest.param({"heads": 0}, "heads is a number from 1 on", id="no_heads"),
        pytest.param({"layers": -1}, "layers is a number from 1 on", id="less_than_no_layer"),
        pytest.param({"bias_range": 0}, "bias_range is a number from 1", id="no_distance"),
        pytest.param({"layout_dim": 0}, "layout_dim is a number from 1", id="no_layout"),
        pytest.param({"window": 2, "overlap": 0}, "no room", id="window_of_its_ends"),
        pytest.param({"layout_dim": 12}, "layout_dim", id="not_four_coordinates_of_pairs"),
        pytest.param({"overlap": 300}, "overlap", id="overlap_beyond_half_a_window"),
        pytest.param({"overlap": -1}, "overlap", id="negative_overlap"),
        pytest.param({"layout_frequencies": (5.0, 5.0)}, "frequencies", id="one_frequency"),
        pytest.param({"layout_frequencies": (0.0, 5.0)}, "frequencies", id="no_wave"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(PRESETS["lambert"], **changes)
