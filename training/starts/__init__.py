"""What the weights of a training start from: a sentence encoder, nothing, or a trained model."""

from training.starts.nearest import nearest_package
from training.starts.start import (
    MINILM,
    SCRATCH,
    Start,
    choose_start,
    parse_changes,
    preset_of,
    resolve_start,
    start_from_teacher,
)

__all__ = [
    "MINILM",
    "SCRATCH",
    "Start",
    "choose_start",
    "nearest_package",
    "parse_changes",
    "preset_of",
    "resolve_start",
    "start_from_teacher",
]
