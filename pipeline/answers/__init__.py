"""Labelled spans to an answer: one value a field, with its confidence, place and candidates."""
