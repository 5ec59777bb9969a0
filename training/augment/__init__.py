"""Documents varied, so that a model learns what they have in common, with labels that stay true."""

from training.augment.augmenter import NONE, AugmentConfig, Augmenter

__all__ = ["NONE", "AugmentConfig", "Augmenter"]
