"""Every parameter has the role that its builder gives it, in all architectures."""

from __future__ import annotations

import dataclasses

import pytest
from torch import nn

from models.config import PRESETS
from models.labels import LabelSet
from models.roles import Role, parts_of
from models.tagger import Tagger
from tests.packages import tiny_config

every_preset = pytest.mark.parametrize("preset", sorted(PRESETS))


def _tagger(preset: str) -> Tagger:
    return Tagger(tiny_config(preset), LabelSet(["total"]))


def _named(module: nn.Module, role: Role) -> set[str]:
    return {part.name for part in parts_of(module) if part.role is role}


@every_preset
def test_parts_are_the_named_parameters_in_their_order(preset: str) -> None:
    # Checkpoints name the moments of an optimiser by the places of its parameters.
    tagger = _tagger(preset)
    parts = [(part.name, id(part.parameter)) for part in parts_of(tagger)]
    assert parts == [(name, id(item)) for name, item in tagger.named_parameters()]


@every_preset
def test_blocks_are_made_of_mixing_and_feed_forward(preset: str) -> None:
    parts = parts_of(_tagger(preset).encoder.blocks)
    roles = {part.role for part in parts if not part.name.endswith(".gate")}
    assert roles == {Role.MIXING, Role.FEED_FORWARD}


@every_preset
def test_the_head_is_the_linear_layer_over_labels(preset: str) -> None:
    assert _named(_tagger(preset), Role.HEAD) == {"head.weight", "head.bias"}


@every_preset
def test_every_role_names_something_that_its_module_may_have(preset: str) -> None:
    said, there = set(), set()
    for module in _tagger(preset).modules():
        said |= {(type(module), name) for name in getattr(module, "roles", {})}
        there |= {(type(module), name) for name in vars(module)}
        there |= {(type(module), name) for name, _ in module.named_children()}
        there |= {(type(module), name) for name, _ in module.named_parameters(recurse=False)}
    # A block has either of two projections.
    assert {name for _, name in said - there} <= {"query_key_value", "value"}


@pytest.mark.parametrize(
    ("preset", "changes", "biases"),
    [
        pytest.param("lambert", {}, ["sequence", "horizontal", "vertical"], id="all_three"),
        pytest.param("lambert", {"sequence_bias": False}, ["horizontal", "vertical"], id="layout"),
        pytest.param(
            "skimming-mask", {"sequence_bias": True}, ["inner.sequence"], id="under_a_mask"
        ),
        pytest.param("cosformer", {}, [], id="none"),
    ],
)
def test_tables_of_relative_biases_are_biases(
    preset: str, changes: dict[str, object], biases: list[str]
) -> None:
    tagger = Tagger(tiny_config(preset, **changes), LabelSet(["total"]))
    assert _named(tagger, Role.BIAS) == {f"encoder.prior.{name}" for name in biases}


def test_the_gate_of_the_far_learns_as_biases_do() -> None:
    tagger = Tagger(tiny_config("near-and-far"), LabelSet(["total"]))
    gates = {name for name, _ in tagger.named_parameters() if name.endswith(".attention.gate")}
    assert gates
    assert gates <= _named(tagger, Role.BIAS)


@pytest.mark.parametrize("layout", ["winding", "autoencoder", "graph", "skim"])
def test_the_map_from_layout_to_the_encoder_is_an_adapter(layout: str) -> None:
    config = dataclasses.replace(tiny_config("lambert"), layout=layout)  # type: ignore[arg-type]
    tagger = Tagger(config, LabelSet(["total"]))
    assert _named(tagger, Role.ADAPTER) == {"encoder.positions.1.adapter.weight"}
