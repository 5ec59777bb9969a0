"""Datasets: documents of one kind, what people say stands in them, and what they are taught to."""

from store.datasets.datasets import Datasets
from store.datasets.fields import complete, key_of, keys_of
from store.datasets.folder import label_line
from store.datasets.records import Dataset, DatasetState, Example, NewExample, States

__all__ = [
    "Dataset",
    "DatasetState",
    "Datasets",
    "Example",
    "NewExample",
    "States",
    "complete",
    "key_of",
    "keys_of",
    "label_line",
]
