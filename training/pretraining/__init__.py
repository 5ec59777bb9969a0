"""Encoders that learn from documents without labels, before any field model."""
