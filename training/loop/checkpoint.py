"""Checkpoints of a training: one safetensors file, written whole or not at all; nothing pickled.

Tensors by part (``weights.``, ``optimizer.`` and whatever else the loop has), and beside them, in
the file's own metadata, a JSON state with the settings: so that the two are always
of the same moment.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from pipeline.errors import InvalidOption

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

NAME = "last.safetensors"
ROOM = "Make room on the disk; --resume goes on from the last epoch that ended."
AGAIN = "Give the settings of that run, or leave --resume out to start anew."


def save_checkpoint(
    folder: Path,
    parts: Mapping[str, Mapping[str, Tensor]],
    optimizer: torch.optim.Optimizer,
    *,
    config: DataclassInstance,
    state: Mapping[str, Any],
) -> None:
    """Replace a folder's checkpoint.

    Args:
        folder: of the run.
        parts: named groups of tensors.
        optimizer: whose moments are kept.
        config: settings of the run, JSON values; `load_checkpoint` compares them.
        state: what is done, a JSON value.
    """
    tensors = {
        f"{part}.{name}": value.detach().cpu().contiguous()
        for part, values in parts.items()
        for name, value in values.items()
    }
    for index, moments in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{key}": value.cpu() for key, value in moments.items()}
    kept = json.dumps({"config": asdict(config), "state": state})
    write_tensors(folder / NAME, tensors, {"fieldwright": kept})


def write_tensors(
    path: Path, tensors: dict[str, Tensor], metadata: dict[str, str] | None = None
) -> None:
    """Replace a file of tensors by another one, which is whole or not there.

    Raises:
        InvalidOption: it cannot be written, as on a full disk; the file of before stays.
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        save_file(tensors, draft, metadata=metadata)
        draft.replace(path)
    except (SafetensorError, OSError) as error:
        draft.unlink(missing_ok=True)
        raise InvalidOption(f"{path} cannot be written: {error}.", advice=ROOM) from error


def load_checkpoint(
    folder: Path, optimizer: torch.optim.Optimizer, *, config: DataclassInstance
) -> tuple[dict[str, dict[str, Tensor]], dict[str, Any]] | None:
    """Return the parts and the state of a folder's checkpoint, None where there is none.

    The optimiser takes its moments back. A setting that the checkpoint does not name was added
    later; it counts as its default, which changes nothing.

    Raises:
        InvalidOption: the checkpoint is damaged, or of a run with other settings.
    """
    path = folder / NAME
    if not path.is_file():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            kept = json.loads(file.metadata()["fieldwright"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidOption(f"{path} is not a checkpoint: {error!r}.", advice=AGAIN) from error
    wanted, defaults = (json.loads(json.dumps(asdict(item))) for item in (config, type(config)()))
    had = {**defaults, **kept["config"]}
    if had != wanted:
        changed = [key for key in had if had[key] != wanted.get(key)]
        raise InvalidOption(
            f"{folder} holds a run with other settings: {', '.join(changed)}.", advice=AGAIN
        )
    parts: dict[str, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        part, _, name = key.partition(".")
        parts.setdefault(part, {})[name] = value
    moments: dict[int, dict[str, Tensor]] = {}
    for key, value in parts.pop("optimizer", {}).items():
        index, _, name = key.partition(".")
        moments.setdefault(int(index), {})[name] = value
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": moments, "param_groups": groups})
    return parts, kept["state"]
