"""Runs that can be interrupted and resumed: a tagger's, by epochs, and any model's, by steps."""

from training.loop.config import LoopConfig
from training.loop.descent import parameter_groups
from training.loop.epochs import train
from training.loop.run import Outcome
from training.loop.session import Progress, Session
from training.loop.steps import StepsConfig, train_steps

__all__ = [
    "LoopConfig",
    "Outcome",
    "Progress",
    "Session",
    "StepsConfig",
    "parameter_groups",
    "train",
    "train_steps",
]
