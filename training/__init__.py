"""Labelled documents in, a model package out."""
