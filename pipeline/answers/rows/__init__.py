"""Repeated groups of an answer: which cells are a row, what arithmetic and places say of them."""
