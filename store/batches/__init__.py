"""Batches: many documents that came in one request, and how far each of them is."""

from store.batches.batches import BATCH_PRIORITY, Batches
from store.batches.records import Batch, Item, ItemState, NewBatch, Refused, Skipped

__all__ = [
    "BATCH_PRIORITY",
    "Batch",
    "Batches",
    "Item",
    "ItemState",
    "NewBatch",
    "Refused",
    "Skipped",
]
