"""How a field model is trained: every parameter that a training has, decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.packages.manifest import load_manifest
from pipeline.errors import InvalidOption
from training.augment import AugmentConfig
from training.data import Transcription
from training.loop import LoopConfig
from training.starts import MINILM


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a field model is trained.

    Attributes:
        preset: architecture, a key of `models.config.PRESETS`; None for lambert, or for that of
            the encoder to start from.
        init: where the encoder starts from, see `training.starts.start`.
        skim: folder of a trained Skimformer, for presets that take its layout.
        transcriptions: what training documents are read from; of several, all are trained on.
        share: of the documents that are held out for validation.
        fold: which of the possible validation splits.
        group_by: the field that names the issuer; by default the first of kind name.
        by_template: hold out templates (`training.data.templates`) instead of issuers; by default
            only where these are too few.
        seeds: trainings from one start whose weights are averaged, see `mean_weights`.
        loop: settings of the training loop; its seed is the first one.
        augment: how documents are varied.
        config: changes to the preset, by name of the setting.

    Raises:
        InvalidOption: templates are to be held out, and a field is to name issuers.
    """

    preset: str | None = None
    init: str = MINILM
    skim: Path | None = None
    transcriptions: tuple[Transcription, ...] = ("gold",)
    share: float = 0.1
    fold: int = 0
    group_by: str | None = None
    by_template: bool = False
    seeds: int = 1
    loop: LoopConfig = field(default_factory=LoopConfig)
    augment: AugmentConfig = field(default_factory=AugmentConfig)
    config: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.by_template and self.group_by:
            raise InvalidOption(
                "Templates are told by what is printed, not by a field.",
                advice="Leave out --group-by, or hold out issuers.",
            )

    @property
    def start(self) -> str:
        """What a training starts from, as cards say it: of a package, its name and version."""
        try:
            package = load_manifest(Path(self.init))
        except (OSError, ValueError):
            return self.init
        return f"{package.name}@{package.version}"
