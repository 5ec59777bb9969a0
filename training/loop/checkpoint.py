"""Checkpoints of a training: one safetensors file, written whole or not at all; nothing pickled.

Tensors by part (``weights.``, ``optimizer.`` and whatever else the loop has), and beside them, in
the file's own metadata, a JSON state with what makes the run: so that the two are always of the
same moment.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from pipeline.errors import InvalidOption

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

NAME = "last.safetensors"
ROOM = "Make room on the disk; --resume goes on from the last epoch that ended."
_ANEW = ", or leave --resume out to start anew."
AGAIN = f"Give the settings of that run{_ANEW}"


def has_checkpoint(folder: Path) -> bool:
    """Return whether a run left a checkpoint of any of its trainings."""
    return any(folder.rglob(NAME))


@dataclass(frozen=True, slots=True)
class Begun:
    """What a run began with; a checkpoint of another beginning is not resumed.

    A setting of the loop that the checkpoint does not name was added later; it counts as its
    default, which changes nothing. What else an older checkpoint does not say is not compared.

    Attributes:
        config: settings of the loop, JSON values.
        settings: what else makes the run, such as where it started from; JSON values by name.
        documents: a mark of what is learnt from and scored on.
    """

    config: DataclassInstance
    settings: Mapping[str, Any] = field(default_factory=dict)
    documents: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return what a checkpoint keeps of it."""
        return {
            "config": asdict(self.config),
            "settings": dict(self.settings),
            "documents": self.documents,
        }

    def refuse(self, folder: Path, kept: Mapping[str, Any]) -> None:
        """Refuse a checkpoint of another run.

        Raises:
            InvalidOption: its documents or settings are others.
        """
        if kept.get("documents", self.documents) != self.documents:
            raise InvalidOption(
                f"{folder} holds a run on other documents or labels, or with others held out.",
                advice=f"Give the dataset and the split of that run{_ANEW}",
            )
        own, usual = (
            json.loads(json.dumps({**asdict(config), **self.settings}))  # as a checkpoint has them
            for config in (self.config, type(self.config)())
        )
        had = {**usual, **kept["config"], **kept.get("settings", {})}
        # A setting that was off, and is gone since, is no difference.
        changed = [
            f"{name} was {had[name]}"
            for name in had
            if (had[name] or None) != (own.get(name) or None)
        ]
        if changed:
            raise InvalidOption(
                f"{folder} holds a run with other settings: {'; '.join(changed)}.", advice=AGAIN
            )


def save_checkpoint(
    folder: Path,
    parts: Mapping[str, Mapping[str, Tensor]],
    optimizer: torch.optim.Optimizer,
    *,
    begun: Begun,
    state: Mapping[str, Any],
) -> None:
    """Replace a folder's checkpoint.

    Args:
        folder: of the run.
        parts: named groups of tensors.
        optimizer: whose moments are kept.
        begun: what the run began with; `load_checkpoint` compares it.
        state: what is done, a JSON value.
    """
    tensors = {
        f"{part}.{name}": value for part, values in parts.items() for name, value in values.items()
    }
    for index, moments in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{key}": value for key, value in moments.items()}
    kept = json.dumps({**begun.to_json(), "state": state})
    write_tensors(folder / NAME, tensors, {"fieldwright": kept})


def write_tensors(
    path: Path, tensors: Mapping[str, Tensor], metadata: dict[str, str] | None = None
) -> None:
    """Replace a file of tensors by another one, which is whole or not there.

    Raises:
        InvalidOption: it cannot be written, as on a full disk; the file of before stays.
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        plain = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
        save_file(plain, draft, metadata=metadata)
        draft.replace(path)
    except (SafetensorError, OSError) as error:
        draft.unlink(missing_ok=True)
        raise InvalidOption(f"{path} cannot be written: {error}.", advice=ROOM) from error


def load_checkpoint(
    folder: Path, model: nn.Module, optimizer: torch.optim.Optimizer, *, begun: Begun
) -> tuple[dict[str, dict[str, Tensor]], dict[str, Any]] | None:
    """Return the other parts and the state of a folder's checkpoint, None where there is none.

    The model takes its weights back, the optimiser its moments.

    Raises:
        InvalidOption: the checkpoint is damaged, or of a run of another beginning or architecture.
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
    # The state of older ones has what it began with.
    begun.refuse(folder, {**kept["state"], **kept})
    parts: dict[str, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        part, _, name = key.partition(".")
        parts.setdefault(part, {})[name] = value
    moments: dict[int, dict[str, Tensor]] = {}
    for key, value in parts.pop("optimizer", {}).items():
        index, _, name = key.partition(".")
        moments.setdefault(int(index), {})[name] = value
    try:
        model.load_state_dict(parts.pop("weights"))
    except RuntimeError as error:
        raise InvalidOption(
            f"{folder} holds a run of other fields or of another architecture.",
            advice=f"Give the fields and the preset of that run{_ANEW}",
        ) from error
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": moments, "param_groups": groups})
    return parts, kept["state"]
