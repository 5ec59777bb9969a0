"""What each parameter is to a training, which decides how fast it learns.

A module says it of what it builds, in a class attribute that names its own parameters and children:

    class AdaptedPosition(Position):
        roles = {"adapter": Role.ADAPTER}

What is below a name has its role, unless a module further down says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import NamedTuple

from torch import nn


class Role(Enum):
    """What a parameter is.

    BODY is everything that no module gives another role, such as words and tables of positions.
    """

    BODY = auto()
    MIXING = auto()
    """Of an attention: its own parameters and the projections around it."""
    FEED_FORWARD = auto()
    """Of a block's feed-forward, or of its norms."""
    ADAPTER = auto()
    """Of the linear map from a layout encoding to the encoder's width."""
    BIAS = auto()
    """What an attention adds from 0 on: a table of relative biases, the gate of the far."""
    HEAD = auto()
    """Of the layer that gives the labels."""


class Part(NamedTuple):
    """A parameter with its name, as `named_parameters` gives it, and its role."""

    name: str
    parameter: nn.Parameter
    role: Role


def parts_of(module: nn.Module) -> Iterator[Part]:
    """Yield the parameters of a module in the order of `named_parameters`, each with its role."""
    yield from _parts(module, "", Role.BODY)


def _parts(module: nn.Module, prefix: str, inherited: Role) -> Iterator[Part]:
    said: Mapping[str, Role] = getattr(module, "roles", {})
    for name, parameter in module.named_parameters(recurse=False):
        yield Part(prefix + name, parameter, said.get(name, inherited))
    for name, child in module.named_children():
        yield from _parts(child, f"{prefix}{name}.", said.get(name, inherited))
