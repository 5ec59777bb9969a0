"""Attention mechanisms (slot 3) and the layout priors they consume (slot 2)."""
