"""Datasets: documents of one kind, what people say stands in them, and what they are taught to."""

from store.datasets.datasets import Datasets
from store.datasets.fields import key_of, keys_of
from store.datasets.folder import label_line
from store.datasets.records import (
    Dataset,
    DatasetState,
    Example,
    Labels,
    NewExample,
    Rows,
)
from store.datasets.suggestions import Suggested, suggestions_of

__all__ = [
    "Dataset",
    "DatasetState",
    "Datasets",
    "Example",
    "Labels",
    "NewExample",
    "Rows",
    "Suggested",
    "key_of",
    "keys_of",
    "label_line",
    "suggestions_of",
]
