"""What lies in a package beside its weights. No torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from models.config import TaggerConfig
from models.encoding import PieceEncoder
from models.labels import LabelSet
from models.packages import manifest


@dataclass(frozen=True, slots=True)
class Contents:
    """A package in memory, but for its weights.

    Attributes:
        manifest: its identity.
        config: what its tagger is made of.
        labels: the tagger's labels.
        pieces: the encoder of words that fits the tagger.
        fields_toml: text of `fields.toml`, read by the post-processor.
        calibration: content of `calibration.json`, read by the post-processor.
        training: what it was trained on, as saved; empty where unknown.
    """

    manifest: manifest.Manifest
    config: TaggerConfig
    labels: LabelSet
    pieces: PieceEncoder
    fields_toml: str
    calibration: dict[str, Any]
    training: dict[str, Any]


def read_contents(folder: Path) -> Contents:
    """Return what lies in a package; its checksums are compared by `manifest.verifying`.

    Raises:
        OSError: a file is missing.
        ValueError: the content of a file is not what it should be.
    """
    identity = manifest.load_manifest(folder)
    content = json.loads((folder / manifest.CONFIG).read_text(encoding="utf-8"))
    if not isinstance(content.get("fields"), list):
        raise ValueError(f"{folder}: config.json names no fields")
    try:
        config = TaggerConfig.from_json(content["tagger"])
    except TypeError as error:
        raise weights_do_not_fit(folder, error) from error
    return Contents(
        identity,
        config,
        LabelSet(content["fields"]),
        PieceEncoder(read_tokenizer(folder), config),
        (folder / manifest.FIELDS).read_text(encoding="utf-8"),
        json.loads((folder / manifest.CALIBRATION).read_text(encoding="utf-8")),
        content.get("training", {}),
    )


def read_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of a package or an encoder.

    Raises:
        ValueError: there is none, or it is damaged.
    """
    try:
        return Tokenizer.from_file(str(folder / manifest.TOKENIZER))
    except Exception as error:  # the library raises nothing more special
        raise ValueError(f"{folder}: {manifest.TOKENIZER}: {str(error)[:200]}") from error


def weights_do_not_fit(folder: Path, error: Exception) -> ValueError:
    """Return what to raise where a config and weights are not of one tagger."""
    return ValueError(f"{folder}: the weights do not fit the config: {error}")
