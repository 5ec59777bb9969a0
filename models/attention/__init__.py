"""Attention mechanisms: one file each, with its context, its prior (slot 2) and its attention (3).

To add one: a file with a frozen context, a `Prior` that gives it and an `Attention` that reads it;
a case in `models.build` that pairs the two; and its name among `AttentionName` in `models.config`.
"""
