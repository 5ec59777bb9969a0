"""Sums that values must keep: stated by a model, and used to choose."""
