"""Labelled runs to one normalised value a field."""
