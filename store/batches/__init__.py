"""Batches: many documents that came in one request, and how far each of them is."""
