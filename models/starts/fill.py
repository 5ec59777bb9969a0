"""Weights by name: an encoder's own, another library's renamed, or those of a teacher."""

from __future__ import annotations

import re
from collections.abc import Mapping

from torch import Tensor

from models.encoder import Encoder

# What may be new beside weights that come in: slots 1 and 2, and what slot 3 learns for itself.
_SLOTS = re.compile(r"(positions|prior|blocks\.\d+\.attention)\.")


def fill(encoder: Encoder, source: Mapping[str, Tensor]) -> list[str]:
    """Fill an encoder from weights under its own names; return the names that were left new.

    New are the parts of the three slots only: positions that the source does not have, the prior,
    and what an attention learns for itself. A table shorter than the source's takes its first
    rows; a longer table of places repeats them, as Longformer did (Beltagy et al., 2020, sec. 5).
    The source's table is left out where the encoder has none, and so are its queries and keys
    where the attention takes values only (Skimformer).

    Args:
        encoder: to fill.
        source: weights; the tables that `_tables` names go by those names, whatever their place.

    Raises:
        ValueError: the shapes differ, or a parameter outside the slots would stay new.
    """
    target = dict(source)
    own = encoder.state_dict()
    for name, place in _tables(encoder).items():
        if name not in target:
            continue
        table = target.pop(name)
        if place is None:
            continue
        rows = own[place].shape[0]
        if name == "order.weight":
            table = table.repeat(-(-rows // len(table)), 1)
        target[place] = table[:rows]
    for index in range(len(encoder.blocks)):
        for part in ("weight", "bias"):
            value, stacked = (f"blocks.{index}.{n}.{part}" for n in ("value", "query_key_value"))
            if value in own and stacked in target:
                target[value] = target.pop(stacked).chunk(3)[2]
    wrong = [
        f"{name}: {tuple(tensor.shape)} for {tuple(own[name].shape)}"
        for name, tensor in target.items()
        if name in own and own[name].shape != tensor.shape
    ]
    if wrong:
        raise ValueError(f"shapes differ: {'; '.join(wrong)}")
    result = encoder.load_state_dict(target, strict=False)
    new = list(result.missing_keys)
    if result.unexpected_keys or not all(_SLOTS.match(name) for name in new):
        raise ValueError(f"not filled: {new}; no place for: {result.unexpected_keys}")
    return new


def load_teacher(encoder: Encoder, teacher: Encoder) -> list[str]:
    """Fill an encoder with what another one of its width and depth has; return what was left new.

    Words, projections, feed-forwards and norms are taken over, and those of the slots that both
    have in the same form; see `fill`.

    Raises:
        ValueError: the two differ in width or depth, or the teacher has no queries.
    """
    sizes = [(len(one.blocks), one.words.embedding_dim) for one in (encoder, teacher)]
    if sizes[0] != sizes[1]:
        (layers, width), (theirs, wide) = sizes
        raise ValueError(
            f"the teacher has {theirs} layers, {wide} wide, the student {layers}, {width} wide"
        )
    own, tables = encoder.state_dict(), _tables(encoder)
    named = {place: name for name, place in _tables(teacher).items() if name in tables}
    source: dict[str, Tensor] = {}
    for name, value in teacher.state_dict().items():
        alike = name in own and own[name].shape == value.shape
        if name in named:
            source[named[name]] = value
        elif alike or not _SLOTS.match(name):
            source[name] = value
    return fill(encoder, source)


def _tables(encoder: Encoder) -> dict[str, str | None]:
    """Return where an encoder keeps the tables that a source may fill; None for nowhere.

    A table of places may be left out; those over the page may not, so they have no None.
    """
    found: dict[str, str | None] = {"order.weight": None}
    for index, position in enumerate(encoder.position_terms()):
        for name, place in position.pretrained_tables().items():
            found[name] = f"positions.{index}.{place}"
    return found
